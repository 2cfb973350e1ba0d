"""The sequential test of two Elo differences: play on until one of them is much likelier than the other.

H0 says that A is `elo0` above B, H1 that it is `elo1` above. The log-likelihood ratio is that of the two multinomial
distributions of pair results that fit best what was seen and have the mean score of H0 and of H1 (generalised SPRT:
Van den Bergh, "A practical introduction to the GSPRT"; fishtest uses the same). By Wald 1945 it is compared with
log(beta / (1 - alpha)) and log((1 - beta) / alpha).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from agents.base import Agent
from makruk_env.rules import Rules
from training.elo import PAIR_SCORES, score_of
from training.errors import MatchError
from training.ledger import Ledger, Side, SprtLine, recorded_match

Verdict = Literal["elo0", "elo1", "open"]
_LEAST = 1e-3
"""Pairs that a result never seen counts for; without them no distribution of some means would fit."""
_HALVINGS = 60


@dataclass(frozen=True)
class Bounds:
    """What is tested.

    elo0, elo1: the two differences, elo0 < elo1; alpha: the chance to accept elo1 where elo0 is true; beta: the chance
    to accept elo0 where elo1 is true. Raises `MatchError` for values that are no test.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (self.elo0 < self.elo1 and 0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise MatchError(f"sprt: expected elo0 < elo1 and alpha and beta between 0 and 0.5, got {self!r}")

    @property
    def lower(self) -> float:
        """The ratio at or below which elo0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The ratio at or above which elo1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pentanomial: Sequence[int] | np.ndarray) -> float:
        """Return the log-likelihood ratio of elo1 against elo0; pentanomial: [5] counts of pair results."""
        counts = np.maximum(np.asarray(pentanomial, float), _LEAST)
        shares = counts / counts.sum()
        likely = [_fit(shares, score_of(elo)) for elo in (self.elo0, self.elo1)]
        return float(counts @ (np.log(likely[1]) - np.log(likely[0])))

    def verdict(self, llr: float) -> Verdict:
        """Return which difference a ratio accepts, `open` between the bounds."""
        if llr >= self.upper:
            return "elo1"
        return "elo0" if llr <= self.lower else "open"


def _fit(shares: np.ndarray, mean: float) -> np.ndarray:
    """Return the distribution with this mean that makes the observed shares likeliest, [5] float.

    By a Lagrange multiplier t it is shares / (1 + t (score - mean)), with t where its own mean is right; that is a
    falling function of t between the two values at which a denominator is zero.
    """
    away = PAIR_SCORES - mean
    low, high = -1 / away.max(), -1 / away.min()
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if (shares * away / (1 + middle * away)).sum() > 0:
            low = middle
        else:
            high = middle
    return np.asarray(shares / (1 + (low + high) / 2 * away))


def run_sprt(
    players: tuple[Agent, Agent],
    bounds: Bounds,
    most_games: int,
    batch: int = 20,
    rules: str = "ttakji",
    seed: int = 0,
    ledger: Ledger | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> SprtLine:
    """Play matches of `batch` games until a bound is crossed or `most_games` have been played.

    Every batch is a match of its own seed, so a test that was interrupted goes on from the ledger.
    progress: called after every batch with the games and the ratio. Raises `MatchError` for numbers of games that are
    not even.
    """
    if batch < 2 or batch % 2 or most_games < 2 or most_games % 2:
        raise MatchError(
            f"sprt: expected even numbers of games of at least 2, got {most_games!r} and {batch!r} a batch"
        )
    counts, games, llr = np.zeros(5, np.int64), 0, 0.0
    while bounds.verdict(llr) == "open" and games < most_games:
        part = min(batch, most_games - games)
        own_seed = int(np.random.SeedSequence((seed, games)).generate_state(1)[0])
        counts += recorded_match(ledger, players, part, rules, own_seed).pentanomial
        games += part
        llr = bounds.llr(counts)
        if progress:
            progress(games, llr)
    line = SprtLine(
        rules=Rules.of(rules).name,
        seed=seed,
        sides=(Side.of(players[0]), Side.of(players[1])),
        elo0=bounds.elo0,
        elo1=bounds.elo1,
        alpha=bounds.alpha,
        beta=bounds.beta,
        games=games,
        pentanomial=tuple(counts.tolist()),
        llr=llr,
        verdict=bounds.verdict(llr),
    )
    if ledger:
        ledger.append(line)
    return line
