"""The search of `alphabeta` called directly, and positions for it."""

from __future__ import annotations

import numpy as np

from agents.negamax import begin, search_on
from agents.room import Room, make_room
from makruk_env import Board, batch
from makruk_env.core.actions import ACTION_FROM, ACTION_TO, COUNT_START, NUM_PAIRS, PAIR_ACTION

UNLIMITED = 2**62


def set_out(board: Board, depth: int, room: Room | None = None, seed: int = 0) -> Room:
    """Return room in which the search of a board has begun."""
    room = make_room(1000) if room is None else room
    games = batch.of_boards([board], seed)
    arrays = games.positions, games.history, games.origins, games.moves, games.numbers, games.streams
    begin(room, games.rules.array, *arrays, 0, depth)
    return room


def searched(board: Board, depth: int, room: Room | None = None, seed: int = 0) -> np.record:
    """Return the root of a board's finished search: a copy."""
    room = set_out(board, depth, room, seed)
    assert search_on(room, board.rules.array, UNLIMITED)
    root: np.record = room.root[0].copy()
    return root


def searched_without_table(board: Board, depth: int) -> np.record:
    """Return the root of a search of less than 60,000 nodes to each of which the table is empty."""
    room = set_out(board, depth)
    nodes = 0
    while not search_on(room, board.rules.array, nodes):
        nodes += 1
        room.root["generation"] = nodes  # rows of another generation count as empty
    assert nodes < 60_000
    root: np.record = room.root[0].copy()
    return root


def shuffle_about(board: Board, rng: np.random.Generator, plies: int) -> None:
    """Make so many plies, most of which take back the side's last one, so that positions come again."""
    for _ in range(plies):
        if board.outcome:
            return
        moves = [action for action in board.legal_actions() if action < COUNT_START]
        last = board.actions[-2] if len(board.actions) >= 2 else COUNT_START
        back = int(PAIR_ACTION[ACTION_TO[last], ACTION_FROM[last]]) if last < NUM_PAIRS else -1
        board.push(back if back in moves and rng.random() < 0.9 else int(rng.choice(moves)))
