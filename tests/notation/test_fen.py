"""FEN: every state written and read again, defaults, and what is refused."""

from __future__ import annotations

import random

import pytest

from makruk_env import Board, FenError, Rules
from tests.test_board import FENS, RULES, START, random_game


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
