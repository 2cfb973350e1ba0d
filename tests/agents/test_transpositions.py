"""The key of the table: everything that a worth depends on, the way to a position included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.room import LEVELS
from agents.transpositions import (
    AT_LEAST,
    ENTRY,
    EXACT,
    LAST_GENERATION,
    LEAST_CYCLE,
    TABLE_ROWS,
    find,
    leave_marks,
    next_generation,
    past_marks,
    store,
    table_key,
)
from makruk_env import Board

FEN = "1k6/8/1K6/4m3/8/3S4/8/5S2 w - 128 118 50"


def key(board: Board, depth: int = 3, left: int = 0, stood: int = 0, trail: int = 0, **changed: int) -> int:
    position = board.position.copy()
    for name, value in changed.items():
        position[name] = value
    marks = np.uint64(stood), np.uint64(trail)
    return int(table_key(position, board.rules.record, depth, left, *marks, LEVELS))


CHANGES: list[dict[str, Any]] = [
    {"count_kind": 1},
    {"counter": 1},
    {"count_number": 58},
    {"count_limit": 44},
    {"turn_flag": 1},
    {"repetition": 1},
    {"rights": 8},
    {"left": 1},
    {"stood": 1},
]


@pytest.mark.parametrize("rules", ["ttakji", "wikipedia"])
def test_every_field_makes_another_key(rules: str) -> None:
    board = Board(FEN, rules)
    plain = key(board)
    assert plain == key(board) == key(board, depth=2)
    keys = {plain, *(key(board, **change) for change in CHANGES)}
    assert len(keys) == 1 + len(CHANGES)
    streaks = {key(board, streak_white=3), key(board, streak_black=3)}
    assert len(streaks | keys) == len(keys) + (2 if rules == "wikipedia" else 0)


def test_the_ply_counts_only_where_a_game_may_end_by_its_length() -> None:
    board = Board(FEN)
    near = board.rules.max_plies - LEVELS
    assert key(board, ply=98) == key(board, ply=100) == key(board, ply=near - 1)
    assert len({key(board, ply=ply) for ply in (98, near, near + 2)}) == 3
    endless = Board(FEN, "ttakji:max_plies=0")
    assert key(endless, ply=98) == key(endless, ply=near)


def test_the_way_counts_from_the_depth_in_which_a_position_can_stand_twice_more() -> None:
    board, endless = Board(FEN), Board(FEN, "ttakji:repetition=0")
    assert key(board, depth=LEAST_CYCLE, trail=1) == key(board, depth=LEAST_CYCLE)
    assert key(board, depth=LEAST_CYCLE + 1, trail=1) != key(board, depth=LEAST_CYCLE + 1)
    assert key(board, depth=LEAST_CYCLE, left=1, trail=1) != key(board, depth=LEAST_CYCLE, left=1)
    assert key(endless, depth=9, trail=1, stood=1) == key(endless, depth=9)


def marks(board: Board) -> tuple[int, int]:
    """Return `stood` and `trail` at a board's end, from its beginning on."""
    replay = board.copy()
    while replay.actions:
        replay.pop()
    left = past_marks(replay.position, board.rules.record, replay.keys.copy(), 0), 0
    for action in board.actions:
        before = replay.position.copy()
        replay.push(action)
        left = leave_marks(
            before, replay.position, board.rules.record, replay.keys.copy(), len(replay.keys) - 1, *map(np.uint64, left)
        )
    return int(left[0]), int(left[1])


def play(*moves: str, fen: str = "4k3/8/8/3m4/3M4/8/8/R3K3 w - - 0 1", rules: str = "ttakji") -> Board:
    board = Board(fen, rules)
    for move in moves:
        board.push_uci(move)
    return board


AROUND = ("a1a2", "e8e7", "a2a1", "e7e8")


def test_a_position_that_stood_twice_is_marked_until_it_cannot_come_again() -> None:
    assert marks(play(*AROUND[:3]))[0] == 0
    stood = marks(play(*AROUND))[0]
    assert stood
    assert marks(play(*AROUND, "a1a3"))[0] == stood
    assert marks(play(*AROUND, "a1a2"))[0] != stood  # this one, too, stands for the second time
    taken = play(*AROUND, "d4c5", "e8e7", "c5b6", "e7e8", "e1e2", fen="4k3/8/8/2p5/3M4/8/8/R3K3 w - - 0 1")
    assert marks(taken)[0] == marks(play(fen=taken.fen()))[0] == 0


def test_where_a_second_time_ends_the_game_every_position_is_marked() -> None:
    ways = {marks(play(*AROUND[:n], rules="ttakji:repetition=2"))[0] for n in range(4)}
    assert len(ways | {0}) == 5


def test_the_marks_of_a_past_are_those_left_on_the_way() -> None:
    for rules in ("ttakji", "ttakji:repetition=2", "ttakji:repetition=4", "ttakji:repetition=0"):
        for n in range(4 if rules == "ttakji:repetition=2" else 8):
            board = play(*(AROUND * 2)[:n], rules=rules)
            at = len(board.keys) - 1
            assert int(past_marks(board.position, board.rules.record, board.keys.copy(), at)) == marks(board)[0]


def test_every_way_leaves_its_own_trail() -> None:
    assert marks(play("a1a2", "e8e7"))[1] != marks(play("e1e2", "e8e7"))[1]
    trail = marks(play("a1a2", "e8e7", "e1e2"))[1]
    assert trail != marks(play("e1e2", "e8e7", "a1a2"))[1]
    assert marks(play())[1] == 0


def test_a_declaration_leaves_no_mark() -> None:
    board = play("a1a2", "e8e7")
    before = marks(board)
    board.push_uci("start")
    assert marks(board) == before


def test_a_pair_of_rows_keeps_the_deepest_and_the_latest() -> None:
    table = np.zeros(TABLE_ROWS, ENTRY)
    same_pair = [np.uint64(4 + TABLE_ROWS * n) for n in range(4)]

    def depths() -> list[int]:
        rows = [int(find(table, key, 1)) for key in same_pair]
        return [int(table[row].depth) if row >= 0 else 0 for row in rows]

    store(table, same_pair[0], 1, 3, EXACT, 10, 5)
    assert depths() == [3, 0, 0, 0]
    store(table, same_pair[1], 1, 2, AT_LEAST, -20, 6)
    assert depths() == [3, 2, 0, 0]
    store(table, same_pair[2], 1, 4, AT_LEAST, -20, 6)
    assert depths() == [3, 0, 4, 0]
    store(table, same_pair[3], 1, 1, AT_LEAST, -29_990, 1473)
    assert depths() == [0, 0, 4, 1]
    entry = table[int(find(table, same_pair[3], 1))]
    assert (entry.score, entry.action, entry.bound) == (-29_990, 1473, AT_LEAST)


def test_another_generation_sees_nothing() -> None:
    table = np.zeros(TABLE_ROWS, ENTRY)
    assert find(table, np.uint64(0), 1) == -1
    store(table, np.uint64(8), 1, 3, EXACT, 10, 5)
    assert find(table, np.uint64(8), 1) == 8
    assert find(table, np.uint64(8), 2) == -1
    assert next_generation(table, 1) == 2
    assert next_generation(table, LAST_GENERATION) == 1
    assert find(table, np.uint64(8), 1) == -1
