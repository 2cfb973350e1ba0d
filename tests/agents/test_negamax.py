"""The loop of alpha-beta beside plain minimax, stopped anywhere, and in room that has been used."""

from __future__ import annotations

import numpy as np
import pytest

from agents.negamax import search_on
from agents.room import make_room
from agents.transpositions import ENTRY, LAST_GENERATION, TABLE_ROWS
from makruk_env import Board
from makruk_env.starts import make_start, random_opening
from tests.agents.minimax import MATE, minimax
from tests.agents.searching import UNLIMITED, searched, searched_without_table, set_out, shuffle_about

PRESETS = ("ttakji", "wikipedia", "wiki_classic", "fairy", "pychess", "ouk", "cambodian", "sut")
REPEATING = ("ttakji", "ttakji:repetition=2", "ttakji:perpetual_check=loss", "wikipedia")
NEAR_THEIR_END = (
    "8/4k3/8/8/2R5/2K5/8/8 b - 32 26 50",
    "8/4k3/8/8/2R5/2K5/8/8 w - 32 27 50",
    "k7/8/1K6/8/8/8/8/7R w - 32 29 50",
    "1k6/8/1K6/8/8/3S4/8/5S2 w - 44 41 50",
    "1k6/8/1K6/4m3/8/3S4/8/5S2 w - 128 125 50",
    "1k6/8/1K6/4m3/8/3S4/8/5S2 b - 128 124 50",
    "1k6/8/1K6/4m3/8/3S4/8/5S2 b - 128 126 50",
    "6k1/8/6K1/4s3/8/8/8/R7 b - 128 123 50",
    "6k1/8/6K1/4s3/8/8/8/R7 w - - 0 199",
)
"""Both counts in their last moves, for either side, and the last plies of a game of 400."""
room = make_room(1000)


def agrees(board: Board, depth: int) -> bool:
    """Tell whether the search and plain minimax find the same; a mate nearer than the depth ends a search early."""
    root = searched(board, depth, room)
    assert root.depth == depth or abs(int(root.score)) >= MATE - depth or len(board.legal_actions()) == 1
    return len(board.legal_actions()) == 1 or int(root.score) == minimax(board, int(root.depth))


@pytest.mark.parametrize("rules", PRESETS)
def test_equals_minimax_in_openings_and_middle_games(rules: str) -> None:
    rng = np.random.default_rng(7)
    for depth in (1, 1, 2):
        board = Board(rules=rules).turned()
        while board.ply < 14 and board.outcome is None:
            board.push(int(rng.choice(board.legal_actions())))
        if board.outcome is None:
            assert agrees(board, depth), board


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("men", ["KR v KM", "KSM v K", "KRP v K", "KSP v KN"])
def test_equals_minimax_in_endings(rules: str, men: str) -> None:
    """Counts begin, run out, are declared and stopped."""
    rng = np.random.default_rng(8)
    start = make_start(men, rules)
    assert start
    for depth in (1, 2, 3):
        board = Board(rules=rules)._begin_at(start(rng))
        assert agrees(board, depth), board


@pytest.mark.parametrize("fen", NEAR_THEIR_END)
@pytest.mark.parametrize("rules", ["ttakji", "fairy", "pychess", "cambodian"])
def test_equals_minimax_where_a_game_is_about_to_be_drawn(rules: str, fen: str) -> None:
    for depth in (1, 2, 3):
        board = Board(fen, rules)
        if board.outcome is None:
            assert agrees(board, depth), board


@pytest.mark.parametrize("rules", REPEATING)
def test_equals_minimax_where_positions_come_again(rules: str) -> None:
    rng = np.random.default_rng(9)
    stood = 0
    for men, depth in [("KR v KM", 3), ("KN v KM", 3), ("KM v KM", 4), ("KR v K", 3), ("KRR v KS", 2)] * 2:
        start = make_start(men, rules)
        assert start
        board = Board(rules=rules)._begin_at(start(rng))
        shuffle_about(board, rng, int(rng.integers(3, 8)))
        if board.outcome is None:
            stood += board.is_repetition(2)
            assert agrees(board, depth), (board, board.actions)
    assert stood or rules == "ttakji:repetition=2"


@pytest.mark.parametrize("rules", ["ttakji", "ttakji:repetition=2", "wikipedia"])
def test_the_table_changes_no_value_where_positions_come_again(rules: str) -> None:
    """Deeper than plain minimax can look: a position may come twice more below a node."""
    rng = np.random.default_rng(10)
    start, used = make_start("KM v KM", rules), 0
    assert start
    for _ in range(5):
        board = Board(rules=rules)._begin_at(start(rng))
        shuffle_about(board, rng, int(rng.integers(2, 7)))
        if board.outcome is None:
            ours, plain = searched(board, 5, room), searched_without_table(board, 5)
            assert (ours.score, ours.depth) == (plain.score, plain.depth), (board, board.actions)
            used += int(plain.nodes != ours.nodes)
    assert used > 0


def test_a_search_in_slices_is_the_search_in_one_go() -> None:
    board = Board._begin_at(Board(), random_opening(np.random.default_rng(3), "ttakji", 20, 20))
    whole = searched(board, 3)
    sliced = set_out(board, 3)
    nodes = 0
    while not search_on(sliced, board.rules.array, nodes):
        assert int(sliced.root["nodes"][0]) == nodes
        nodes += 1
    assert sliced.root[0] == whole
    assert nodes == int(whole.nodes) > 500


def test_what_an_earlier_search_left_makes_no_difference() -> None:
    rng = np.random.default_rng(4)
    boards = [Board()._begin_at(random_opening(rng, "ttakji", 10, 30)) for _ in range(4)]
    used = make_room(1000)
    for board in boards:
        fresh, again = searched(board, 4), searched(board, 4, used)
        names = [name for name in fresh.dtype.names or () if name != "generation"]
        assert [fresh[name] for name in names] == [again[name] for name in names]


def test_the_table_is_cleared_when_the_generations_are_used_up() -> None:
    board = Board()
    used = make_room(1000)
    used.table[:] = np.ones(TABLE_ROWS, ENTRY)
    used.root["generation"] = LAST_GENERATION
    root, fresh = searched(board, 3, used), searched(board, 3)
    assert root == fresh
    assert (used.table["generation"] <= 1).all()


def test_deeper_searches_take_fewer_nodes_than_lines() -> None:
    """The order, the windows and the table at work: of about 150 million lines of 6 plies hardly a thousandth."""
    root = searched(Board(), 6)
    assert root.depth == 6
    assert root.nodes < 300_000


def test_the_draw_of_the_stream_decides_among_equals() -> None:
    """The count ends with whatever he plays."""
    board = Board("8/4k3/8/8/2R5/2K5/8/8 w - 32 31 50")
    assert len({int(searched(board, 1, seed=seed).chosen) for seed in range(12)}) > 1


def test_an_unlimited_search_of_a_lost_game_ends() -> None:
    """Whatever he does, he is mated in two plies: there is nothing more to find."""
    board = Board("k7/8/1K6/8/8/8/8/6R1 w - - 0 1")
    board.push_uci("g1g7")
    room = set_out(board, 32)
    assert search_on(room, board.rules.array, UNLIMITED)
