"""One game for people: moves made and taken back, copies, texts read and written, and what is refused."""

import copy
import pickle
import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from makruk_env import (
    COUNT_START,
    COUNT_STOP,
    NUM_ACTIONS,
    Board,
    Count,
    CountKind,
    IllegalMoveError,
    Move,
    MoveTextError,
    Outcome,
    Rules,
    RulesError,
    Termination,
)

START = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"
FENS = [
    START,
    "4k3/1P4p1/2P5/3s4/4S3/5p2/6P1/R3K3 b - - 7 31",
    "3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 40",
    "3k4/8/8/8/3KS3/4R3/8/8 b - 32 10 60",
    "4P1k1/8/8/2r5/8/8/1K6/3p4 w - - 3 12",
]
RULES = [
    Rules(),
    Rules.preset("fairy"),
    Rules.preset("ttakji", promotion="optional", pieces_count="declared", counter_mates="draw_unless_stopped"),
    Rules.preset("ttakji", board_count="cambodian", count_end="reach", pieces_table="minimum"),
    Rules.preset("ttakji", stalemate="forbidden", perpetual_check="forbidden"),
]
MATE = "k7/8/1K6/8/8/8/8/M6R w - - 0 1"


def state(board: Board) -> tuple[object, ...]:
    """Return all that a board says of itself, every field of its record among it."""
    return board.position.item(), board.legal_actions(), board.outcome, board.count, board.actions, board.fen()


def random_game(draw: random.Random, fen: str, rules: Rules, plies: int) -> Iterator[Board]:
    """Yield one board after each action of a random game, the first time before any."""
    board = Board(fen, rules)
    yield board
    while board.outcome is None and len(board.actions) < plies:
        actions = board.legal_actions()
        declarations = [action for action in actions if action >= COUNT_START]
        board.push(draw.choice(declarations if declarations and draw.random() < 0.3 else actions))
        yield board


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("fen", FENS)
def test_pop_brings_back_every_field(fen: str, rules: Rules) -> None:
    draw = random.Random(1)
    states = []
    for board in random_game(draw, fen, rules, 90):
        states.append(state(board))
    assert len(states) > 5
    for before in reversed(states[:-1]):
        action = board.pop()
        assert (*before[4], action) == states[len(before[4]) + 1][4]
        assert state(board) == before


def test_a_game_goes_on_from_where_it_was_taken_back_to() -> None:
    """Ways that were left must leave nothing in the history that repetitions are looked up in."""
    board, other = Board(), Board()
    for text in ("b1d2", "b8d7", "d2b1", "d7b8"):
        board.push_uci(text)
    for _ in range(4):
        board.pop()
    for text in ("b1d2", "g8e7", "d2b1", "e7g8"):
        board.push_uci(text)
        other.push_uci(text)
    assert state(board) == state(other)
    assert board.position.repetition == 1


def test_many_actions_are_kept_and_taken_back() -> None:
    board = Board("4k2r/6p1/8/8/8/8/1P6/R2K4 w - - 0 1", Rules.preset("ttakji", repetition=0, max_plies=0))
    before = state(board)
    for text in ["a1a2", "h8h7", "a2a1", "h7h8"] * 60:
        board.push_uci(text)
    assert len(board.actions) == board.position.quiet == 240
    assert board.position.repetition == 60
    while board.actions:
        board.pop()
    assert state(board) == before


@pytest.mark.parametrize("duplicate", [Board.copy, copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b))])
def test_a_copy_is_a_game_of_its_own_with_the_same_past(duplicate: Callable[[Board], Board]) -> None:
    board = Board()
    round_trip = ["b1d2", "b8d7", "d2b1", "d7b8"]
    for text in round_trip:
        board.push_uci(text)
    other = duplicate(board)
    before = state(board)
    assert state(other) == before
    assert other.rules == board.rules
    for text in round_trip:
        other.push_uci(text)
    assert other.outcome == Outcome(None, Termination.REPETITION)
    assert state(board) == before
    while board.actions:
        board.pop()
    assert len(other.actions) == 8


@pytest.mark.parametrize("rules", RULES[:3], ids=lambda rules: rules.name)
def test_a_game_is_the_same_played_by_moves_actions_or_texts(rules: Rules) -> None:
    draw = random.Random(3)
    for fen in FENS:
        by_text, by_move = Board(fen, rules), Board(fen, rules)
        for board in random_game(draw, fen, rules, 40):
            if board.actions:
                action = board.actions[-1]
                move = next(m for m in by_move.legal_moves if by_move.action(m) == action)
                by_move.push(move)
                assert by_text.push_uci(move.uci()) == move
            assert state(by_text) == state(by_move) == state(board)


def test_a_count_is_told() -> None:
    assert Board().count is None
    assert Board(FENS[3]).count == Count(CountKind.PIECES, 1, 5, 16)
    board = Board(FENS[2])
    board.push_uci("start")
    assert board.count == Count(CountKind.BOARD, 0, 0, 64)
    assert board.turn == 0


def test_the_outcome_and_what_is_legal_after_it() -> None:
    board = Board(MATE)
    assert board.outcome is None
    board.push_uci("h1h8")
    assert board.outcome == Outcome(0, Termination.CHECKMATE)
    assert board.is_check()
    assert board.legal_moves == board.legal_actions() == []
    assert not board.action_mask().any()
    with pytest.raises(IllegalMoveError, match="the game is over"):
        board.push_uci("a8a7")
    board.pop()
    assert board.outcome is None


def test_mask_and_observation_are_new_arrays_each_time() -> None:
    board = Board()
    mask, planes = board.action_mask(), board.observation()
    assert (mask.shape, mask.dtype, int(mask.sum())) == ((NUM_ACTIONS,), np.int8, 23)
    assert np.flatnonzero(mask).tolist() == board.legal_actions()
    mask[:], planes[:] = 9, 9
    assert board.action_mask().max() == 1
    assert board.observation().max() == 1


@pytest.mark.parametrize("move", [Move.from_uci("e3e5"), Move.from_uci("e6e5"), Move.from_uci("e3e4m"), 0, -1])
def test_an_illegal_move_is_refused_and_changes_nothing(move: Move | int) -> None:
    board = Board()
    before = state(board)
    with pytest.raises(IllegalMoveError, match=f"got '?{move}'? in '{START}'"):
        board.push(move)
    assert state(board) == before


@pytest.mark.parametrize("action", [COUNT_START, COUNT_STOP, NUM_ACTIONS, 40_000, 2**40, -(2**40)])
def test_an_action_out_of_place_is_illegal(action: int) -> None:
    with pytest.raises(IllegalMoveError, match=str(action)):
        Board().push(action)


@pytest.mark.parametrize(
    "text", ["", "e3", "e3e9", "i3e4", "e3e4q", "e3e4mm", "E3E4", "0000", "castle", "e3 e4", "start "]
)
def test_an_unparsable_move_is_refused(text: str) -> None:
    with pytest.raises(MoveTextError, match="expected UCI"):
        Board().push_uci(text)


@pytest.mark.parametrize("move", [None, 3.0, "e3e4", np.float32(3)])
def test_what_is_no_move_is_refused(move: object) -> None:
    with pytest.raises(MoveTextError, match="expected a Move or an action"):
        Board().push(move)  # type: ignore[arg-type]


def test_numpy_integers_are_actions() -> None:
    board = Board()
    board.push(np.int64(board.legal_actions()[0]))
    board.push(np.int16(board.legal_actions()[0]))
    assert board.ply == 2
    assert all(type(action) is int for action in board.actions)


def test_a_promotion_suffix_may_be_missing_where_only_that_move_exists() -> None:
    fen = "k7/8/8/4P3/8/8/8/K7 w - - 0 1"
    board = Board(fen)
    assert board.push_uci("e5e6").uci() == "e5e6m"
    board = Board(fen, Rules.preset("ttakji", promotion="optional"))
    assert board.push_uci("e5e6") == Move(36, 44, declined=True)
    assert board.fen().split()[0] == "k7/8/4P3/8/8/8/8/K7"


def test_nothing_to_take_back() -> None:
    with pytest.raises(IllegalMoveError, match="take back"):
        Board().pop()


@pytest.mark.parametrize("rules", ["shogi", None, 3])
def test_a_board_of_unknown_rules_is_refused(rules: object) -> None:
    with pytest.raises(RulesError, match=repr(rules)):
        Board(rules=rules)  # type: ignore[arg-type]


def test_texts_of_a_board() -> None:
    board = Board()
    assert str(board).splitlines()[0] == "8 r n s m k s n r"
    assert str(board).splitlines()[-1] == "  a b c d e f g h"
    assert repr(board) == f"Board({START!r}, rules='ttakji')"


@pytest.mark.parametrize("rules", ["ttakji", "fairy"])
def test_a_stalemate_is_a_draw(rules: str) -> None:
    board = Board("k7/8/1K6/8/1N6/8/8/7S w - - 0 1", rules)
    board.push_uci("b4c6")
    assert not board.is_check()
    assert board.outcome
    assert (board.outcome.winner, board.outcome.termination) == (None, Termination.STALEMATE)
