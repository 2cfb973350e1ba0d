"""The sequential test: its ratio beside closed forms, its errors on simulated streams, its matches in the ledger."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import agents
from training.elo import PAIR_SCORES, score_of
from training.errors import MatchError
from training.ledger import Ledger
from training.sprt import Bounds, run_sprt

BOUNDS = Bounds(0, 30)


def test_bounds_are_walds() -> None:
    bounds = Bounds(0, 10, alpha=0.05, beta=0.1)
    assert bounds.upper == pytest.approx(math.log(0.9 / 0.05))
    assert bounds.lower == pytest.approx(math.log(0.1 / 0.95))
    assert [bounds.verdict(llr) for llr in (-3.0, 0.0, 3.0)] == ["elo0", "open", "elo1"]


def test_pairs_won_or_lost_alone_give_the_ratio_of_coins() -> None:
    won, lost = 320, 290
    expected = won * math.log(score_of(30) / score_of(0)) + lost * math.log((1 - score_of(30)) / (1 - score_of(0)))
    assert BOUNDS.llr([lost, 0, 0, 0, won]) == pytest.approx(expected, rel=1e-3)


def test_many_pairs_give_the_ratio_of_normal_distributions() -> None:
    """With small differences it comes near (s1 - s0)(2 mean - s0 - s1) n / (2 variance)."""
    counts = np.array([1000, 2100, 3900, 2200, 1050])
    bounds = Bounds(0, 5)
    mean = counts @ PAIR_SCORES / counts.sum()
    variance = counts @ (PAIR_SCORES - mean) ** 2 / counts.sum()
    low, high = score_of(0), score_of(5)
    expected = counts.sum() * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert bounds.llr(counts) == pytest.approx(expected, rel=0.01)


def test_the_ratio_turns_with_the_sides() -> None:
    counts = [7, 20, 41, 26, 12]
    assert Bounds(-30, 0).llr(counts[::-1]) == pytest.approx(-BOUNDS.llr(counts))


@pytest.mark.parametrize(("elo", "accepted"), [(0, "elo0"), (30, "elo1")])
def test_the_wrong_difference_is_accepted_as_rarely_as_asked(elo: float, accepted: str) -> None:
    """Of 150 streams with draws, one in twenty may err; three standard errors more would mean a wrong test."""
    rng = np.random.default_rng(8)
    win, draw = score_of(elo) - 0.2, 0.4
    games = rng.choice([0, 1, 2], p=[1 - win - draw, draw, win], size=(150, 3000, 2))
    pairs = games.sum(axis=2)
    right = wrong = 0
    for stream in pairs:
        for end in range(50, 3001, 50):
            verdict = BOUNDS.verdict(BOUNDS.llr(np.bincount(stream[:end], minlength=5)))
            if verdict != "open":
                right += verdict == accepted
                wrong += verdict != accepted
                break
    assert right + wrong > 145
    assert wrong <= 150 * 0.05 + 3 * math.sqrt(150 * 0.05 * 0.95)


def test_a_test_ends_at_a_bound_or_with_its_games_and_goes_on_from_the_ledger(tmp_path: Path) -> None:
    strong, weak = agents.make("alphabeta:depth=1"), agents.make("random")
    path, seen = tmp_path / "ledger.jsonl", []

    def test(most: int) -> object:
        return run_sprt(
            (strong, weak), Bounds(0, 200), most, batch=4, ledger=Ledger(path), progress=lambda *at: seen.append(at)
        )

    cut = test(4)
    assert cut.verdict == "open"
    line = test(100)
    assert line.verdict == "elo1"
    assert line.llr >= Bounds(0, 200).upper
    assert line.games == 4 * len(seen[1:]) < 100
    assert seen[0] == seen[1]  # the first batch again, from the ledger
    matches = list(Ledger(path).matches)
    assert len(matches) == line.games // 4
    assert np.sum([match.pentanomial for match in matches], axis=0).tolist() == list(line.pentanomial)
    assert len({match.seed for match in matches}) == len(matches)
    assert Ledger(path).lines[-1] == line


@pytest.mark.parametrize("values", [(5, 0), (0, 0), (0, 5, 0.0), (0, 5, 0.05, 0.5)])
def test_bounds_that_are_no_test_are_refused(values: tuple[float, ...]) -> None:
    with pytest.raises(MatchError, match="elo0 < elo1"):
        Bounds(*values)


@pytest.mark.parametrize(("games", "batch"), [(3, 2), (4, 3), (0, 2)])
def test_odd_numbers_of_games_are_refused(games: int, batch: int) -> None:
    with pytest.raises(MatchError, match="even"):
        run_sprt((agents.make("random"), agents.make("greedy")), BOUNDS, games, batch)
