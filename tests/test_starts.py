"""Start positions drawn by lot."""

from __future__ import annotations

import numpy as np
import pytest

from makruk_env import Board, Rules
from makruk_env.notation.fen import read, write
from makruk_env.starts import random_ending, random_opening


@pytest.mark.parametrize("rules", ["ttakji", "fairy"])
def test_endings_go_on_are_lopsided_and_differ(rules: str) -> None:
    rng = np.random.default_rng(1)
    fens = [write(random_ending(rng, rules), Rules.of(rules)) for _ in range(200)]
    assert len(set(fens)) > 190
    sides = set()
    for fen in fens:
        board = Board(fen, rules)
        assert board.outcome is None
        men = fen.split()[0]
        upper, lower = (sum(letter in letters for letter in men) for letters in ("KMSNRP", "kmsnrp"))
        assert upper != lower or upper > 1
        sides.add((upper > lower, board.turn))
    assert len(sides) == 4


def test_the_same_generator_draws_the_same_starts() -> None:
    first, again = (random_ending(np.random.default_rng(7), "ttakji") for _ in range(2))
    assert first.tobytes() == again.tobytes()


def test_openings_are_reached_by_so_many_plies() -> None:
    rng = np.random.default_rng(2)
    plies = {int(random_opening(rng, "ttakji", 2, 5).ply) for _ in range(60)}
    assert plies == {2, 3, 4, 5}


def test_a_start_is_what_its_fen_says() -> None:
    rules = Rules.of("fairy")
    start = random_ending(np.random.default_rng(3), rules)
    again = read(write(start, rules), rules)[0]
    for name in ("khun", "met", "khon", "ma", "ruea", "bia", "white", "side", "count_kind", "count_number"):
        assert start[name] == again[name]
