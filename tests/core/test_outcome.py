"""Verdicts on positions that no known game leads to: both sides checking with every move of a repetition."""

from __future__ import annotations

import numpy as np
import pytest

from makruk_env import Board, Rules, Termination
from makruk_env.core.outcome import is_forbidden, judge

FEN = "k7/8/1K6/8/8/8/8/R6r b - - 0 40"


def verdict(perpetual_check: str, white: int, black: int) -> tuple[int, int]:
    """Judge a position that stood 4 and 8 plies ago already, after so many checks in a row of White and of Black."""
    rules = Rules.preset("ttakji", perpetual_check=perpetual_check)
    board = Board(FEN, rules)
    position = board.position.copy()
    position.quiet, position.streak_white, position.streak_black = 12, white, black
    history = np.arange(13, dtype=np.uint64)
    history[[4, 8, 12]] = position.key
    legal = len(board.legal_actions())
    judge(position, rules.record, 0, legal, legal, history, 12)
    return int(position.termination), int(position.winner)


@pytest.mark.parametrize("option", ["draw", "loss", "forbidden"])
def test_both_sides_checking_all_the_way_draw(option: str) -> None:
    assert verdict(option, 4, 4) == verdict(option, 9, 30) == (Termination.REPETITION, -1)


@pytest.mark.parametrize(
    ("white", "black", "loss", "forbidden"),
    [
        (4, 0, (Termination.PERPETUAL_CHECK, 1), (0, -1)),
        (0, 4, (Termination.PERPETUAL_CHECK, 0), (0, -1)),
        (4, 3, (Termination.PERPETUAL_CHECK, 1), (0, -1)),
        (3, 4, (Termination.PERPETUAL_CHECK, 0), (0, -1)),
        (3, 3, (Termination.REPETITION, -1), (Termination.REPETITION, -1)),
        (0, 0, (Termination.REPETITION, -1), (Termination.REPETITION, -1)),
    ],
)
def test_one_side_checking_all_the_way(
    white: int, black: int, loss: tuple[int, int], forbidden: tuple[int, int]
) -> None:
    """The position stood first eight plies ago, so four checks in a row are all the moves of a side since then."""
    assert verdict("draw", white, black) == (Termination.REPETITION, -1)
    assert verdict("loss", white, black) == loss
    assert verdict("forbidden", white, black) == forbidden


@pytest.mark.parametrize(("black", "forbidden"), [(0, True), (3, True), (4, False), (20, False)])
def test_a_perpetual_check_is_forbidden_to_one_side_alone(black: int, forbidden: bool) -> None:
    """White's check with b1a1 would bring about the third occurrence after four checks in a row."""
    rules = Rules.preset("ttakji", perpetual_check="forbidden")
    board = Board("k7/8/1K6/8/8/8/8/1R5r w - - 0 40", rules)
    action = board.push_uci("b1a1") and board.actions[-1]
    key = board.key
    board.pop()
    position = board.position.copy()
    position.quiet, position.streak_white, position.streak_black = 12, 3, black
    history = np.arange(14, dtype=np.uint64)
    history[[5, 9]] = key
    assert is_forbidden(position, rules.record, history, 12, action) == forbidden
    assert position.item()[:9] == board.position.item()[:9]
