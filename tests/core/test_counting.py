"""The counts, one before, at, and one after every limit: the figures that a player would check by hand."""

from __future__ import annotations

import pytest

from makruk_env import Board, CountKind, Move, Rules, Termination


def chaser_moves_left(fen: str, first: str, rules: Rules) -> int:
    """Play `first`, which begins a pieces count, then anything that does not end the game otherwise.

    Return how many moves the chaser got after the count had begun.
    """
    board = Board(fen, rules)
    board.push_uci(first)
    assert board.count
    counter, moves = board.count.counter, 0
    while board.outcome is None:
        moves += board.turn != counter
        board.push(quiet_move(board))
    assert board.outcome.termination is Termination.PIECES_COUNT
    return moves


def quiet_move(board: Board) -> Move:
    """Return a move that captures nothing and ends the game by a count or not at all."""
    men = int(board.position.white | board.position.black)
    for move in board.legal_moves[len(board.actions) % 3 :] + board.legal_moves:
        if move.declares is None and not men >> move.to_square & 1:
            board.push(move)
            over = board.outcome
            board.pop()
            if over is None or over.termination is Termination.PIECES_COUNT:
                return move
    raise AssertionError(f"no quiet move in {board.fen()}")


@pytest.mark.parametrize(
    ("fen", "first", "left"),
    [
        ("8/8/3k3m/8/8/R7/8/K2S3R w - - 0 1", "h1h6", {"ttakji": 3, "fairy": 3}),  # 2 ruea, N 5
        ("8/8/8/3k3m/8/8/8/K6R w - - 0 1", "h1h5", {"ttakji": 13, "fairy": 13}),  # ruea, N 3
    ],
)
@pytest.mark.parametrize("rules", ["ttakji", "fairy"])
def test_the_chaser_has_the_limit_less_the_men_left(fen: str, first: str, left: dict[str, int], rules: str) -> None:
    free = Rules.preset(rules, repetition=0)
    board = Board(fen, free)
    board.push_uci(first)
    assert board.count
    assert chaser_moves_left(fen, first, free) == board.count.limit - board.count.number == left[rules]


def test_the_count_begins_with_the_number_of_men_and_its_limit_stays() -> None:
    board = Board("8/8/3k3m/8/8/R7/8/K2S3R w - - 0 1")
    board.push_uci("h1h6")
    assert board.count
    assert (board.count.kind, board.count.counter, board.count.number, board.count.limit) == (CountKind.PIECES, 1, 5, 8)
    assert board.fen().split()[3:5] == ["16", "10"]
    board.push_uci("d6c7")
    assert board.count.number == 6


@pytest.mark.parametrize(
    ("limit", "plies", "rules", "ends_after"),
    [
        # last_reply: with n = L - 1 spoken, the counter says L and the chaser replies; then it is over
        (32, 30, "ttakji", 2),
        (32, 28, "ttakji", 4),
        # exceed: it is over when L + 1 is spoken
        (32, 32, "fairy", 1),
        (32, 30, "fairy", 3),
    ],
)
def test_a_count_ends_to_the_ply(limit: int, plies: int, rules: str, ends_after: int) -> None:
    board = Board(f"8/8/8/3k4/8/8/8/R3K3 b - {limit} {plies} 90", rules)
    moves = iter(["d5d6", "e1e2", "d6d5", "e2e3", "d5d6"])
    for made in range(ends_after):
        assert board.outcome is None, made
        board.push_uci(next(moves))
    assert board.outcome
    assert board.outcome.termination is Termination.PIECES_COUNT
    assert board.outcome.winner is None
    assert board.legal_moves == []


def test_a_mate_comes_before_the_end_of_the_count() -> None:
    """The chaser's last reply mates; had it not, the count would have drawn."""
    board = Board("k7/8/1K6/8/8/8/8/7R w - 32 31 90")
    board.push_uci("h1h8")
    assert board.outcome
    assert board.outcome.winner == 0
    other = Board("k7/8/1K6/8/8/8/8/7R w - 32 31 90")
    other.push_uci("h1h7")
    assert other.outcome
    assert other.outcome.termination is Termination.PIECES_COUNT


def test_a_board_count_is_started_told_stopped_and_gone() -> None:
    board = Board("4k3/3m4/8/8/8/8/8/R3K3 b - - 0 40")
    assert board.count is None
    board.push_uci("start")
    assert board.count
    assert (board.count.kind, board.count.counter, board.count.number, board.count.limit) == (CountKind.BOARD, 1, 0, 64)
    assert board.turn == 1
    assert board.fen().endswith("128 0 40 start")
    assert "stop" not in [move.uci() for move in board.legal_moves]
    board.push_uci("d7c6")
    assert board.count.number == 1
    assert board.fen().split()[3:5] == ["128", "1"]
    assert "start" not in [move.uci() for move in board.legal_moves]
    board.push_uci("a1a2")
    board.push_uci("stop")
    assert board.count.number == 1  # told until the move is made
    board.push_uci("c6d7")
    assert board.count is None
    board.push_uci("a2a1")
    board.push_uci("start")
    assert board.count
    assert board.count.number == 0  # whoever starts again starts from 1


def test_a_stop_is_void_once_the_limit_is_spoken() -> None:
    """With 63 spoken, the stop's own move speaks 64: the count stays and the chaser has one reply."""
    board = Board("4k3/3m4/8/8/8/8/8/R3K3 b - 128 126 140")
    board.push_uci("stop")
    board.push_uci("d7c6")
    assert board.count
    assert board.count.number == 64
    board.push_uci("a1a2")
    assert board.outcome
    assert board.outcome.termination is Termination.BOARD_COUNT
    earlier = Board("4k3/3m4/8/8/8/8/8/R3K3 b - 128 124 140")
    earlier.push_uci("stop")
    earlier.push_uci("d7c6")
    assert earlier.count is None


@pytest.mark.parametrize("stops", [False, True])
@pytest.mark.parametrize(
    ("rules", "winner", "termination"),
    [("ttakji", None, Termination.COUNTER_MATED), ("fairy", 1, Termination.CHECKMATE)],
)
def test_a_mate_by_the_counter_of_a_board_count(
    rules: str, winner: int | None, termination: Termination, stops: bool
) -> None:
    board = Board("rN6/8/8/8/8/6k1/8/7K b - 128 20 70", rules)
    if stops and rules == "ttakji":
        board.push_uci("stop")  # in the same turn it comes too late
    board.push_uci("a8a1")
    assert board.outcome
    assert (board.outcome.winner, board.outcome.termination) == (winner, termination)


def test_without_a_count_the_same_mate_wins() -> None:
    board = Board("rN6/8/8/8/8/6k1/8/7K b - - 0 70")
    board.push_uci("a8a1")
    assert board.outcome
    assert board.outcome.winner == 1


@pytest.mark.parametrize(
    ("men", "ranked", "minimum"),
    [
        ("RR", 8, 8),
        ("R", 16, 16),
        ("RSSNN", 16, 16),
        ("SS", 22, 22),
        ("SSNN", 22, 22),
        ("S", 44, 44),
        ("SN", 44, 44),
        ("SNN", 44, 32),
        ("NN", 32, 32),
        ("N", 64, 64),
        ("MMM", 64, 64),
    ],
)
def test_the_limit_is_the_first_row_that_fits(men: str, ranked: int, minimum: int) -> None:
    fen = f"k7/8/8/3m4/8/8/8/1K{men}{6 - len(men)} w - - 0 1".replace("0 w", " w")
    for table, limit in (("ranked", ranked), ("minimum", minimum)):
        board = Board(fen.replace("3m4", "8"), Rules.preset("ttakji", pieces_table=table))
        board.push_uci("b1a1")
        assert board.count
        assert board.count.limit == limit
        assert board.count.number == len(men) + 2
