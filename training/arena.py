"""Matches: two agents, seeded openings, each opening played twice with the colours swapped.

An engine that fails in a game has lost it, by `ENGINE_FAULT`, and a new one is started for the others.
"""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from agents.base import Agent
from agents.errors import EngineError
from makruk_env import Board, batch, pgn
from makruk_env.batch import Games
from makruk_env.notation.fen import write
from makruk_env.rules import Rules, Termination
from makruk_env.starts import random_opening
from training.elo import NORMAL_95, count_pairs, elo_difference, moments
from training.errors import MatchError

FAULT = "ENGINE_FAULT"
_log = logging.getLogger(__name__)
OPENING_PLIES = (4, 8)
"""Least and most random plies before a match game begins: enough that deterministic agents do not repeat one game."""


@dataclass(frozen=True)
class MatchResult:
    """What a match between A and B came to, for A.

    points: of A in each game, [games] float, 1, 0.5 or 0; games 2k and 2k + 1 share an opening, A is White in 2k.
    endings: how many games ended by each `Termination`, or by ENGINE_FAULT.
    """

    points: np.ndarray
    endings: Counter[str]
    distinct: int
    plies: int

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.points)

    @property
    def wins(self) -> int:
        """A's wins."""
        return int((self.points == 1.0).sum())

    @property
    def draws(self) -> int:
        """Games drawn."""
        return int((self.points == 0.5).sum())

    @property
    def losses(self) -> int:
        """A's losses."""
        return int((self.points == 0.0).sum())

    @property
    def score(self) -> float:
        """A's share of the points, 0 .. 1."""
        return float(self.points.mean())

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score: of the mean over pairs, as the two games of an opening are not independent.

        See `training.elo.moments` for what keeps a clean sweep of a few games from claiming certainty.
        """
        pairs, mean, variance = moments(self.pentanomial)
        half = NORMAL_95 * math.sqrt(variance / pairs)
        return max(0.0, min(mean - half, self.score)), min(1.0, max(mean + half, self.score))

    @property
    def pentanomial(self) -> np.ndarray:
        """How many pairs gave A 0, 1/2, 1, 3/2 and 2 points, [5] int64."""
        return count_pairs(self.points)

    @property
    def elo(self) -> tuple[float, float, float]:
        """A's Elo above B's, and the ends of its 95 % interval (see `training.elo.elo_difference`)."""
        return elo_difference(self.pentanomial)


def play_match(
    first: Agent,
    second: Agent,
    games: int,
    rules: str | Rules = "ttakji",
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    boards: list[Board] | None = None,
) -> MatchResult:
    """Play `games` games, an even number, in step and return the result for `first`.

    progress: called with the numbers of ended games and of all games; boards: a list that is given the games as they
    ended. Raises `MatchError` for an odd or small number.
    """
    if games < 2 or games % 2:
        raise MatchError(f"games: expected an even number of at least 2, got {games!r}")
    rules = Rules.of(rules)
    table = batch.new(games, rules, seed=seed)
    rng = np.random.default_rng((seed, games))
    for pair in range(games // 2):
        table.starts[2 * pair : 2 * pair + 2] = random_opening(rng, rules, *OPENING_PLIES)
    batch.reset(table, np.ones(games, bool))
    first_colour = np.arange(games) % 2
    logs: list[list[int]] = [[] for _ in range(games)]
    points = np.full(games, 0.5)
    faults: set[int] = set()
    plies = 0
    while len(running := np.flatnonzero(~table.ended)):
        actions = np.zeros(games, np.int64)
        firsts = table.to_play[running] == first_colour[running]
        for agent, which in ((first, running[firsts]), (second, running[~firsts])):
            lost = _ask(agent, table, which, logs, actions)
            faults |= lost
            points[list(lost)] = 0.0 if agent is first else 1.0
        running = running[~table.ended[running]]
        for i in running:
            logs[i].append(int(actions[i]))
        rewards, _ = batch.step(table, actions)
        decided = np.flatnonzero(rewards[:, 0])
        points[decided] = (1 + rewards[decided, first_colour[decided]]) / 2
        plies += len(running)
        if progress:
            progress(int(table.ended.sum()), games)
    openings = [write(start, rules) for start in table.starts]
    if boards is not None:
        boards += [_replay(opening, log, rules) for opening, log in zip(openings, logs, strict=True)]
    return MatchResult(
        points=points,
        endings=Counter(
            FAULT if i in faults else Termination(int(kind)).name
            for i, kind in enumerate(table.positions["termination"])
        ),
        distinct=len({(opening, tuple(log)) for opening, log in zip(openings, logs, strict=True)}),
        plies=plies,
    )


def _ask(agent: Agent, table: Games, which: np.ndarray, logs: list[list[int]], actions: np.ndarray) -> set[int]:
    """Have an agent choose in its games; return those that its engine failed in, which end here.

    Raises `EngineError` where the engine cannot be started at all.
    """
    lost: set[int] = set()
    while len(asked := np.array([i for i in which if i not in lost], np.int64)):
        try:
            actions[asked] = agent.select_after(table, asked, [logs[i] for i in asked])
            break
        except EngineError as error:
            if error.game is None:
                raise
            _log.warning("game %d is lost by %s: %s", error.game, agent, error)
            lost.add(error.game)
            table.positions["termination"][error.game] = Termination.RESIGNATION  # the rules know no such end
    return lost


def _replay(start: str, actions: list[int], rules: Rules) -> Board:
    board = Board(start, rules)
    for action in actions:
        board.push(action)
    return board


def write_match(file: TextIO, names: tuple[str, str], boards: Sequence[Board]) -> None:
    """Write a match's games as PGN; names: of the first and the second agent; boards: see `play_match`."""
    for number, board in enumerate(boards):
        game = pgn.Game.of(board)
        white, black = names if number % 2 == 0 else names[::-1]
        game.headers |= {"Event": "match", "Round": str(number + 1), "White": white, "Black": black}
        pgn.write(file, game)
