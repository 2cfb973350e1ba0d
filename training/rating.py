"""Elo over a pool: the ratings that make all results of a ledger likeliest (Bradley and Terry 1952, a draw half a win).

The first player of the pool is the anchor, at 0. To each player's results one pair is added, half of it won twice and
half lost twice, shared out evenly among the opponents it met: so whoever beat or lost everything keeps a finite rating.
The intervals come from the spread of the pair results about what the ratings expect (the sandwich of White 1982), as
the two games of an opening are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from agents.base import Agent
from agents.uci import find_program
from makruk_env.rules import Rules
from training.elo import NORMAL_95, PAIR_SCORES, PER_LOGIT
from training.errors import RatingError
from training.ledger import Ledger, MatchLine, Side, recorded_match

ANCHORS = ("random", "greedy", *(f"alphabeta:depth={depth}" for depth in range(1, 5)), "mcts:evaluator=heuristic")
"""The fixed players of the pool."""
ENGINE = "uci:command=fairy-stockfish,variant=makruk,nodes=1000"
"""The anchor that stands above them where its program is installed."""
_NEAR = 2
"""How many places apart in the pool two anchors play: farther ones know their distance from those between."""
_STEPS = 100
_EXACT = 1e-10


@dataclass(frozen=True)
class Rating:
    """A player's place in the pool: Elo, half of its 95 % interval, its games, and what it scored against whom.

    digest: see `training.ledger.Side`; scores: (opponent, games, share of the points) for each opponent.
    """

    agent: str
    digest: str
    elo: float
    half: float
    games: int
    scores: tuple[tuple[str, int, float], ...]


@dataclass(frozen=True)
class Ratings:
    """Every player of a pool in its order, the anchor first; covariance: [players, players], of Elo points."""

    players: tuple[Rating, ...]
    covariance: np.ndarray

    def place(self, agent: Agent) -> int:
        """Return the place of an agent of the pool; agents of equal settings share one."""
        return [player.digest for player in self.players].index(Side.of(agent).digest)

    def mean(self, which: Sequence[int]) -> tuple[float, float]:
        """Return the mean Elo of the players in some places, and half of its 95 % interval."""
        weights = np.bincount(np.asarray(which), minlength=len(self.players)) / len(which)
        elo = float(weights @ [player.elo for player in self.players])
        return elo, NORMAL_95 * math.sqrt(float(weights @ self.covariance @ weights))


def default_anchors() -> tuple[str, ...]:
    """Return the fixed pool, Fairy-Stockfish in it where it is installed."""
    return (*ANCHORS, ENGINE) if find_program("fairy-stockfish") else ANCHORS


def play_pool(
    ledger: Ledger,
    anchors: Sequence[Agent],
    players: Sequence[Agent],
    games: int,
    rules: str = "ttakji",
    seed: int = 0,
    progress: Callable[[str, int, int], None] | None = None,
) -> Ratings:
    """Play what the ledger lacks, each player against each anchor and near anchors against each other, and rate all.

    progress: called with the names of a match, its ended games and all its games. Raises `RatingError` without anchors.
    """
    if not anchors:
        raise RatingError("rating: expected at least one anchor, got none")
    anchors = _different(anchors)
    players = _different([*anchors, *players])[len(anchors) :]
    near = [(b, a) for i, a in enumerate(anchors) for b in anchors[i + 1 : i + 1 + _NEAR]]
    for pair in (*near, *((player, anchor) for player in players for anchor in anchors)):
        name = f"{pair[0]} - {pair[1]}"

        def show(done: int, all_games: int, name: str = name) -> None:
            if progress:
                progress(name, done, all_games)

        recorded_match(ledger, pair, games, rules, seed, show)
    return rate([Side.of(agent) for agent in (*anchors, *players)], ledger.matches, rules)


def _different(pool: Sequence[Agent]) -> list[Agent]:
    """Return the agents of a pool without those that play as one before them."""
    found: dict[str, Agent] = {}
    for agent in pool:
        found.setdefault(Side.of(agent).digest, agent)
    return list(found.values())


def rate(sides: Sequence[Side], matches: Iterable[MatchLine], rules: str = "ttakji") -> Ratings:
    """Return the ratings of a pool from all matches between its players under these rules; sides[0] is the anchor.

    Raises `RatingError` for a player that no chain of matches ties to the anchor.
    """
    results = _results(sides, matches, Rules.of(rules).name)
    reached = _reached(results.sum(axis=2))
    if not reached.all():
        lost = [side.agent for side, found in zip(sides, reached, strict=True) if not found]
        raise RatingError(f"rating: expected matches that tie everyone to {sides[0].agent!r}, got none for {lost}")
    seen = results + _virtual(results)
    logits = _fit(seen)
    covariance = np.zeros((len(sides), len(sides)))
    covariance[1:, 1:] = _covariance(seen, logits)
    elos, covariance = logits * PER_LOGIT, covariance * PER_LOGIT**2
    players = tuple(
        Rating(
            agent=side.agent,
            digest=side.digest,
            elo=float(elos[i]),
            half=NORMAL_95 * math.sqrt(float(covariance[i, i])),
            games=2 * int(results[i].sum()),
            scores=tuple(
                (other.agent, 2 * int(results[i, j].sum()), float(results[i, j] @ PAIR_SCORES / results[i, j].sum()))
                for j, other in enumerate(sides)
                if results[i, j].any()
            ),
        )
        for i, side in enumerate(sides)
    )
    return Ratings(players, covariance)


def _results(sides: Sequence[Side], matches: Iterable[MatchLine], rules: str) -> np.ndarray:
    """Return the pentanomials of every player against every other, [players, players, 5] float."""
    place = {side.digest: i for i, side in enumerate(sides)}
    results = np.zeros((len(sides), len(sides), 5))
    for match in matches:
        i, j = (place.get(side.digest, -1) for side in match.sides)
        if match.rules == rules and i != j and min(i, j) >= 0:
            results[i, j] += match.pentanomial
            results[j, i] += match.pentanomial[::-1]
    return results


def _reached(pairs: np.ndarray) -> np.ndarray:
    """Return which players a chain of matches ties to the first, [players] bool; pairs: [players, players] played."""
    reached = np.zeros(len(pairs), bool)
    reached[0] = True
    for _ in pairs:
        reached |= pairs[:, reached].sum(axis=1) > 0
    return reached


def _virtual(results: np.ndarray) -> np.ndarray:
    """Return the added pairs, laid out as the results: both players of a meeting add their share to it."""
    met = results.sum(axis=2) > 0
    share = met / np.maximum(met.sum(axis=1, keepdims=True), 1)
    added: np.ndarray = (share + share.T)[:, :, None] * np.array([0.5, 0, 0, 0, 0.5])
    return added


def _expected(logits: np.ndarray) -> np.ndarray:
    """Return the share of the points that each player is expected to score against each, [players, players]."""
    return np.asarray(1 / (1 + np.exp(logits[None, :] - logits[:, None])))


def _fit(results: np.ndarray) -> np.ndarray:
    """Return the likeliest strengths, [players] float in units of the logistic curve, the first at 0.

    Newton's method on a concave function, each step halved until it does not lead down.
    """
    pairs, points = results.sum(axis=2), results @ PAIR_SCORES

    def likelihood(logits: np.ndarray) -> float:
        return float((points * np.log(_expected(logits))).sum())

    logits = np.zeros(len(results))
    for _ in range(_STEPS):
        slope = (points - pairs * _expected(logits)).sum(axis=1)[1:]
        step = np.zeros(len(results))
        step[1:] = np.linalg.solve(_curvature(pairs, logits), slope)
        while likelihood(logits + step) < likelihood(logits) and np.abs(step).max(initial=0) > _EXACT:
            step /= 2
        logits = logits + step
        if np.abs(step).max() <= _EXACT:
            break
    return logits


def _curvature(pairs: np.ndarray, logits: np.ndarray) -> np.ndarray:
    """Return minus the second derivatives of the log-likelihood, the anchor left out."""
    expected = _expected(logits)
    weight = pairs * expected * (1 - expected)
    return np.asarray((np.diag(weight.sum(axis=1)) - weight)[1:, 1:])


def _covariance(results: np.ndarray, logits: np.ndarray) -> np.ndarray:
    """Return the covariance of the strengths, the anchor left out."""
    spread = (results * (PAIR_SCORES - _expected(logits)[:, :, None]) ** 2).sum(axis=2)
    middle = (np.diag(spread.sum(axis=1)) - spread)[1:, 1:]
    inverse = np.linalg.inv(_curvature(results.sum(axis=2), logits))
    return np.asarray(inverse @ middle @ inverse)
