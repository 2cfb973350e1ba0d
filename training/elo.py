"""Elo differences out of the scores of pairs of games.

The two games of a pair share an opening, so they are not independent; what is independent are the pairs. A match is
therefore told by its pentanomial: how many pairs gave A 0, 1/2, 1, 3/2 and 2 points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

PAIR_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""A's share of the points in each of the five results of a pair."""
_ADDED = np.array([1.0, 0.0, 0.0, 0.0, 1.0])
PER_LOGIT = 400 / math.log(10)
"""Elo points in one unit of the logistic curve."""
NORMAL_95 = 1.959964
"""Standard deviations either side of the mean that hold 95 % of a normal distribution."""


def elo_of(score: float) -> float:
    """Return the Elo difference that means this expected share of the points, 0 < score < 1."""
    return PER_LOGIT * math.log(score / (1 - score))


def score_of(elo: float) -> float:
    """Return the expected share of the points at an Elo difference."""
    return 1 / (1 + math.exp(-elo / PER_LOGIT))


def count_pairs(points: np.ndarray) -> np.ndarray:
    """Return the pentanomial, [5] int64; points: [games] of A, 1, 0.5 or 0, games 2k and 2k + 1 being a pair."""
    halves = np.rint(2 * points).astype(np.int64).reshape(-1, 2).sum(axis=1)
    return np.bincount(halves, minlength=5)


def moments(pentanomial: Sequence[float] | np.ndarray) -> tuple[float, float, float]:
    """Return the number of pairs, and mean and variance (by n - 1) of A's share of a pair's points.

    One pair of two wins and one of two losses are added to what was seen (after Agresti and Coull 1998), so that a
    clean sweep of a few games does not claim certainty, and so that its Elo difference is finite.
    """
    counts = np.asarray(pentanomial, float) + _ADDED
    pairs = float(counts.sum())
    mean = float(counts @ PAIR_SCORES) / pairs
    return pairs, mean, float(counts @ (PAIR_SCORES - mean) ** 2) / (pairs - 1)


def elo_difference(pentanomial: Sequence[float] | np.ndarray) -> tuple[float, float, float]:
    """Return A's Elo above B's, and the ends of its 95 % interval, by the delta method on the moments of the pairs."""
    pairs, mean, variance = moments(pentanomial)
    half = NORMAL_95 * math.sqrt(variance / pairs) * PER_LOGIT / (mean * (1 - mean))
    return elo_of(mean), elo_of(mean) - half, elo_of(mean) + half
