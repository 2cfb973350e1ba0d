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
    FenError,
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


def test_unpickled_rules_reach_the_kernels_as_before() -> None:
    rules = Rules.preset("ttakji", promotion="optional")
    assert not rules.array.flags.writeable
    other = pickle.loads(pickle.dumps(rules))
    assert other == rules
    assert other.array.tolist() == rules.array.tolist()
    assert not other.array.flags.writeable


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("fen", FENS)
def test_every_state_round_trips_through_its_fen(fen: str, rules: Rules) -> None:
    """All but the past: how often the position stood, and runs of checks."""
    draw = random.Random(2)
    past = ("quiet", "repetition", "streak_white", "streak_black")
    seen = 0
    for _ in range(2):
        for board in random_game(draw, fen, rules, 90):
            if board.outcome is not None:
                break
            again = Board(board.fen(), rules)
            assert again.fen() == board.fen()
            expected, found = board.position.copy(), again.position.copy()
            for name in past:
                expected[name] = found[name] = 0
            assert found.item() == expected.item()
            assert again.count == board.count
            if rules.perpetual_check != "forbidden":
                assert again.legal_actions() == board.legal_actions()
            seen += 1
    assert seen > 10


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


def test_missing_fields_of_a_fen_have_defaults() -> None:
    men, side = START.split()[:2]
    assert Board(f"{men} {side}").fen() == Board(f"{men} {side} -").fen() == Board().fen() == START
    assert Board(f"  {men}   {side} - - 4 ").fen() == f"{men} {side} - - 4 1"


def test_first_move_rights_that_no_option_grants_are_ignored() -> None:
    assert Board(START.replace("w -", "w DEde")).fen() == START


def test_a_promoted_man_may_be_marked() -> None:
    assert Board("k7/8/8/8/3M~4/8/8/K7 w - - 0 1").fen() == "k7/8/8/8/3M4/8/8/K7 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        (7, "expected a text, got 7"),
        ("", "2 to 7 fields, got 0"),
        ("startpos", "2 to 7 fields, got 1"),
        (START + " stop more", "2 to 7 fields, got 8"),
        ("k7/8/8/8/8/8/K7 w - - 0 1", "8 ranks, got 7"),
        ("k7/8/8/8/8/8/8/8/K7 w - - 0 1", "8 ranks, got 9"),
        ("k7/8/8/8/8/8/7/K7 w - - 0 1", "8 squares on rank 2, got 7"),
        ("k7/8/8/8/8/8/72/K7 w - - 0 1", "8 squares on rank 2, got 9"),
        ("k7/8/8/8/8/8/RRRRRRRRR/K7 w - - 0 1", "8 squares on rank 2, got 9"),
        ("k7/8/8/8/8/8//K7 w - - 0 1", "8 squares on rank 2, got 0"),
        ("k7/9/8/8/8/8/8/K7 w - - 0 1", "got '9'"),
        ("k7/08/8/8/8/8/8/K7 w - - 0 1", "got '0'"),
        ("k7/8/8/8/8/8/8/KQ6 w - - 0 1", "got 'Q'"),
        ("k7/8/8/8/8/8/8/K~7 w - - 0 1", "got '~'"),
        ("k7/8/8/8/8/8/8/~K6 w - - 0 1", "got '~'"),
        ("k7/8/8/8/8/8/8/K\u00b26 w - - 0 1", "got '\u00b2'"),
        ("k7/8/8/8/8/8/8/K7 white - - 0 1", "field 2.*'white'"),
        ("k7/8/8/8/8/8/8/K7 - - - 0 1", "field 2.*'-'"),
        ("k7/8/8/8/8/8/8/K6R w - x 0 1", "field 4.*'x'"),
        ("k7/8/8/8/8/8/8/K6R w - 33 0 1", "field 4.*even.*'33'"),
        ("k7/8/8/8/8/8/8/K6R w - 0 0 1", "field 4.*'0'"),
        ("k7/8/8/8/8/8/8/K6R w - -2 0 1", "field 4.*'-2'"),
        ("k7/8/8/8/8/8/8/K6R w - 10000 0 1", "field 4.*'10000'"),
        ("k7/8/8/8/8/8/8/K6R w - - -1 1", "field 5.*'-1'"),
        ("k7/8/8/8/8/8/8/K6R w - - 1.5 1", "field 5.*'1.5'"),
        ("k7/8/8/8/8/8/8/K6R w - - 10000 1", "field 5.*'10000'"),
        ("k7/8/8/8/8/8/8/K6R w - - - 1", "field 5.*'-'"),
        ("k7/8/8/8/8/8/8/K6R w - - 0 one", "field 6.*'one'"),
        ("k7/8/8/8/8/8/8/K6R w - - 0 50000", "field 6.*'50000'"),
        ("k7/8/8/8/8/8/8/K6R w - - 0 \u0661", "field 6.*'\u0661'"),
        ("k7/8/8/8/8/8/8/K6R w - - 0 " + "9" * 5000, "field 6"),
        ("k7/8/8/8/8/8/8/K6R w - - 0 1 halt", "field 7.*'halt'"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "one khun of Black, got 0"),
        ("k7/8/8/8/8/8/8/8 w - - 0 1", "one khun of White, got 0"),
        ("k7/8/8/8/8/8/8/KK6 w - - 0 1", "one khun of White, got 2"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "one khun of Black, got 2"),
        ("k7/8/8/8/8/P7/PPPPPPPP/KPPPPPPP w - - 0 1", "at most 16 men of White"),
        ("k7/8/8/8/8/8/8/R3K3 w - - 0 1", "Black is in check but not to move"),
        ("K7/8/8/8/8/8/8/r3k3 b - - 0 1", "White is in check but not to move"),
        ("8/8/8/8/8/8/kK6/8 w - - 0 1", "Black is in check but not to move"),
    ],
)
def test_a_malformed_fen_is_refused_by_name(fen: str, message: str) -> None:
    with pytest.raises(FenError, match=f"(?s){message}.*"):
        Board(fen)


def test_a_bia_on_its_last_rank_is_still_a_bia_that_does_nothing() -> None:
    board = Board(FENS[4])
    assert not any(move.uci().startswith("e8") for move in board.legal_moves)
    assert not Board("4P3/3k4/8/8/8/8/8/K7 b - - 0 1").is_check()
    assert board.fen() == FENS[4]


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "shogi"}, "'shogi'"),
        ({"name": "ttakji", "promote": "forced"}, "'promote'"),
        ({"name": "ttakji", "promotion": "never"}, "promotion.*'never'"),
        ({"name": "ttakji", "stalemate": None}, "stalemate.*None"),
        ({"name": "ttakji", "repetition": 1}, "repetition.*1"),
        ({"name": "ttakji", "repetition": "3"}, "repetition.*'3'"),
        ({"name": "ttakji", "max_plies": -1}, "max_plies.*-1"),
        ({"name": "ttakji", "max_plies": True}, "max_plies.*True"),
        ({"name": "ttakji", "material": "dead"}, "material.*'dead'"),
        ({"name": "ttakji", "material": ("alive",)}, "material.*alive"),
    ],
)
def test_unknown_rules_are_refused_by_name(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Rules.preset(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", ["shogi", None, 3])
def test_a_board_of_unknown_rules_is_refused(rules: object) -> None:
    with pytest.raises(RulesError, match=repr(rules)):
        Board(rules=rules)  # type: ignore[arg-type]


def test_a_preset_takes_overrides_and_says_so() -> None:
    rules = Rules.preset("ttakji", promotion="optional", material=("dead", "bare_kings"))
    assert rules.promotion == "optional"
    assert rules.material == ("bare_kings", "dead")
    assert rules.name.startswith("ttakji:promotion=optional")
    assert Rules.preset("ttakji") == Rules.of("ttakji") == Rules()
    assert Rules.of(rules) is rules


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
