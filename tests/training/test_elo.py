"""Elo and pentanomials, beside figures worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from training.elo import count_pairs, elo_difference, elo_of, moments, score_of


def test_elo_and_score_are_inverse_and_400_points_are_ten_to_one() -> None:
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.5) == 0
    assert [elo_of(score_of(elo)) for elo in (-700, -20, 3, 250)] == pytest.approx([-700, -20, 3, 250])


def test_pairs_are_counted_by_their_points() -> None:
    points = np.array([0, 0, 0, 0.5, 0.5, 0, 1, 0, 0.5, 0.5, 0.5, 1, 1, 1, 1, 1, 1, 1])
    assert count_pairs(points).tolist() == [1, 2, 2, 1, 3]


def test_moments_hold_one_won_and_one_lost_pair_more() -> None:
    pairs, mean, variance = moments([0, 0, 8, 0, 0])
    assert (pairs, mean) == (10, 0.5)
    assert variance == pytest.approx((0.25 + 0.25) / 9)


def test_the_difference_turns_with_the_sides_and_narrows_with_the_games() -> None:
    elo, low, high = elo_difference([10, 20, 40, 50, 30])
    back = elo_difference([30, 50, 40, 20, 10])
    assert back == pytest.approx((-elo, -high, -low))
    assert low < elo < high
    assert elo == pytest.approx(elo_of((0.25 * 20 + 20 + 0.75 * 50 + 31) / 152))
    more = elo_difference([100, 200, 400, 500, 300])
    assert (more[2] - more[1]) * np.sqrt(10) == pytest.approx(high - low, rel=0.05)


def test_split_pairs_tell_more_than_the_same_points_unsplit() -> None:
    split, swept = elo_difference([0, 0, 50, 0, 0]), elo_difference([25, 0, 0, 0, 25])
    assert split[0] == swept[0] == 0
    assert swept[2] > 4 * split[2]


def test_a_clean_sweep_is_finite() -> None:
    assert np.isfinite(elo_difference([0, 0, 0, 0, 50])).all()
    assert elo_difference([0, 0, 0, 0, 50])[0] == pytest.approx(elo_of(51 / 52))
