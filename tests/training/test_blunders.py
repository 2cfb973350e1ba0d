"""Blunders: what is told of made-up games is what their values say by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from training.blunders import blunder_share, losses_of
from training.records import GameRecord

from .games import BLACK_MATES, DECLARED_THEN_MATED, WHITE_MATES, boards_of, played, random_game


def valued(game: GameRecord, *values: float) -> GameRecord:
    return replace(game, root_value=np.array(values, np.float32))


@pytest.mark.parametrize(("fen", "mate"), [(WHITE_MATES, "a7a8"), (BLACK_MATES, "a2a1")])
def test_a_mate_that_was_not_seen_is_a_gain(fen: str, mate: str) -> None:
    game = valued(played(fen, [mate]), -0.25)
    assert losses_of(game).tolist() == [-1.25]
    assert blunder_share([game]) == 0


def test_a_declaration_keeps_the_turn_and_a_lost_hope_is_a_blunder() -> None:
    game = valued(played(DECLARED_THEN_MATED, ["start", "a1b2", "a7a8"]), 0.5, 0.375, 1.0)
    assert losses_of(game).tolist() == [0.125, 1.375, 0.0]  # Black's declaration, Black's move, White's mate
    assert blunder_share([game]) == pytest.approx(1 / 3)


def test_the_losses_are_those_of_the_boards() -> None:
    for seed in range(4):
        game = random_game(seed=seed, plies=40, truncate=True)
        sides = [board.turn for board in boards_of(game)]
        values = game.root_value.astype(float).tolist()
        after = [v if side == mover else -v for mover, side, v in zip(sides, sides[1:], values[1:], strict=False)]
        assert losses_of(game) == pytest.approx(np.subtract(values[:-1], after))


def test_what_was_not_searched_is_not_judged() -> None:
    assert len(losses_of(random_game(seed=4, searched_from=10, plies=20, truncate=True))) == 9
    hasty = random_game(seed=4, searched_from=20, plies=20, truncate=True)
    assert losses_of(hasty).tolist() == []
    unplayed = random_game(plies=0, truncate=True)
    assert losses_of(unplayed).tolist() == []
    assert math.isnan(blunder_share([hasty, unplayed]))
    assert math.isnan(blunder_share([]))
