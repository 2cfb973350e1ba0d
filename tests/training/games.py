"""Random games with made-up searches, for the tests of what is learnt from games."""

import numpy as np

from makruk_env import Board
from makruk_env.core.position import POSITION
from training.records import GameRecord

ROOK_ENDING = "4k3/8/8/8/8/8/R7/4K2R w - - 0 1"
"""Black is bare: a pieces count runs at once, and random play often mates or is counted out."""
DECLARABLE = "4k3/8/3m4/8/4R3/8/8/4K3 b - - 0 1"
"""No bia is left: a board count may be declared, which keeps the turn."""
WHITE_MATES = "7k/R7/7K/8/8/8/8/8 w - - 0 1"
"""White mates with the ruea on a8; the same board turned is BLACK_MATES."""
BLACK_MATES = "8/8/8/8/8/7k/r7/7K b - - 0 1"
DECLARED_THEN_MATED = "7k/R7/7K/8/8/8/8/m7 b - - 0 1"
"""Black may declare a board count, move the met, and is mated."""


def record_of(
    board: Board, start: np.ndarray, searched_from: int, seed: int, plies: int, truncate: bool, only: list[int] | None
) -> GameRecord:
    """Play a game out at random, or along the actions `only`, and record it with random visits."""
    random = np.random.default_rng(seed)
    lengths: list[int] = []
    actions: list[int] = []
    edges: list[int] = []
    shares: list[float] = []
    visited: list[int] = []
    priors: list[float] = []
    while board.outcome is None and len(actions) < plies:
        legal = board.legal_actions()
        if len(actions) >= searched_from:
            visits = random.integers(0, 8, len(legal)) + (np.arange(len(legal)) == 0)
            weights = 1.0 + visits[::-1]
            edges += legal
            shares += (visits / visits.sum()).tolist()
            visited += visits.tolist()
            priors += (weights / weights.sum()).tolist()
            lengths.append(len(legal))
        else:
            lengths.append(0)
        action = only[len(actions)] if only else int(random.choice(legal))
        actions.append(action)
        board.push(action)
    outcome = board.outcome
    assert truncate == (outcome is None)
    full = np.arange(len(actions)) >= searched_from
    return GameRecord(
        start=start,
        rules=board.rules.name,
        actions=np.array(actions, np.int16),
        full=full,
        root_value=np.where(full, random.uniform(-1, 1, len(actions)), 0).astype(np.float32),
        edge_offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
        edge_actions=np.array(edges, np.int16),
        edge_shares=np.array(shares, np.float32),
        edge_visits=np.array(visited, np.int32),
        edge_priors=np.array(priors, np.float32),
        winner=-1 if outcome is None or outcome.winner is None else outcome.winner,
        termination=0 if outcome is None else int(outcome.termination),
        truncated=truncate,
    )


def random_game(
    fen: str | None = None, seed: int = 0, searched_from: int = 0, plies: int = 1000, truncate: bool = False
) -> GameRecord:
    """Play at random from a FEN to the end, or cut the game off after `plies`."""
    board = Board(fen)
    return record_of(board, np.array([board.position], POSITION), searched_from, seed, plies, truncate, None)


def played(fen: str, moves: list[str], truncate: bool = False, rules: str = "ttakji") -> GameRecord:
    """Play the given UCI moves from a FEN."""
    board = Board(fen, rules)
    for move in moves:
        board.push_uci(move)
    actions = list(board.actions)
    board = Board(fen, rules)
    return record_of(board, np.array([board.position], POSITION), 0, 0, len(actions), truncate, actions)


def boards_of(game: GameRecord, fen: str | None = None) -> list[Board]:
    """Return the game before each of its plies, as a Board."""
    board, boards = Board(fen, game.rules), []
    for action in game.actions.tolist():
        boards.append(board.copy())
        board.push(action)
    return boards
