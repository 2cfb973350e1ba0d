"""An agent's thoughts on one position while it has them: for engines and tools that show a search as it goes on.

An `mcts` agent is asked a stretch at a time, on as many threads as are given to it: every thread has a tree of its own,
which explores a little more than the one before it, and their visits are added up (root parallelisation: Chaslot,
Winands and van den Herik 2008, section 3.2). Any other agent has one thought, its choice.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from agents.base import Agent
from agents.mcts import Mcts
from agents.search import Analysis
from agents.search.analysis import Line
from makruk_env import batch
from makruk_env.board import Board
from makruk_env.core.position import MAX_MOVES
from makruk_env.core.threads import run_together

BYTES_A_NODE = 1_300
_STRETCH = 0.02
"""Seconds that a search is left alone for: how soon a `stop` is heard."""
_WIDER = 1.25
"""How much more each tree explores than the one before it: without noise equal trees would think alike."""


class Thoughts:
    """What an agent thinks of a board whose game goes on.

    nodes: the simulations that there is room for, all trees together; threads: trees, each on a thread of its own;
    seed: of whatever is random in the agent; before: earlier thoughts, which are used up: those of the same agent in
    the same game, a turn ago, are gone on with, and their visits count as simulations done. only: the only actions to
    choose from, which an agent that is no `mcts` does not heed. Raises `CheckpointError`, `EngineError`, and
    `ValueError` for a game that is over.
    """

    def __init__(
        self,
        agent: Agent,
        board: Board,
        nodes: int = 20_000,
        threads: int = 1,
        seed: int = 0,
        before: Thoughts | None = None,
        only: Collection[int] | None = None,
    ) -> None:
        self.board = board
        self._kind = (agent, nodes, threads)
        self._rate = 1_000.0  # simulations a second of one tree, to begin with
        self._analyses: list[Analysis] = []
        self._choice: int | None = None
        self._drawn = isinstance(agent, Mcts) and agent.temperature > 0
        if isinstance(agent, Mcts):
            if before is not None and before._analyses and before._kind == self._kind:
                self._analyses, before._analyses = before._analyses, []
            else:
                self._analyses = [agent.analysis(max(nodes // threads, 1), _WIDER**k) for k in range(threads)]
            games = batch.of_boards([board], seed)
            for analysis in self._analyses:
                analysis.begin(games, 0, agent.temperature, reuse=not self._drawn, only=only)
        else:
            self._choice = agent.choose(board, seed)
        self.carried = self.simulations
        """Simulations that were done for the position before."""

    @property
    def simulations(self) -> int:
        """How many simulations have been done, those carried on among them; 0 for an agent that is asked once."""
        return sum(analysis.simulations for analysis in self._analyses)

    @property
    def proven(self) -> bool:
        """Whether the result of best play is proven."""
        return any(analysis.proof for analysis in self._analyses)

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to think: the result is proven, or the trees are full."""
        return self.proven or not any(analysis.room for analysis in self._analyses)

    def go_on(self, most: int | None = None, seconds: float = _STRETCH) -> None:
        """Think for a fiftieth of a second, for `most` simulations and `seconds` at most; one simulation at least."""
        open_ = [analysis for analysis in self._analyses if analysis.room and not analysis.proof]
        if most is not None:
            open_ = open_[: max(most, 1)]
        if not open_:
            return
        each = max(1, int(self._rate * min(seconds, _STRETCH)))
        if most is not None:
            each = max(1, min(each, most // len(open_)))
        before, begun = self.simulations, time.perf_counter()
        run_together([partial(analysis.go_on, min(each, analysis.room)) for analysis in open_])
        done, spent = (self.simulations - before) / len(open_), time.perf_counter() - begun
        if done and spent > 0:
            self._rate = 0.5 * (self._rate + done / spent)

    def lines(self, count: int = 1) -> list[Line]:
        """Return the best `count` lines, the one that would be played first."""
        if self._choice is not None:
            return [Line((self._choice,), 0, 0.0, 0.0, None, 0)]
        if not self.simulations and not self.proven:
            return []
        everything = [analysis.lines(MAX_MOVES) for analysis in self._analyses]
        return merged(everything)[:count] if len(everything) > 1 else everything[0][:count]

    def choice(self) -> int:
        """Return the action to play now, drawn by lot if the agent's temperature is above 0.

        At least one simulation must be done, or the result proven.
        """
        if self._drawn:
            return int(self._analyses[0].read().chosen[0])
        return self.lines(1)[0].actions[0]


def merged(trees: Sequence[Sequence[Line]]) -> list[Line]:
    """Return the lines of several trees of one position as one list, the best first.

    What any tree has proven holds. Elsewhere visits are added up and values are averaged over them, and play goes on as
    in the tree that visited the action most.
    """
    by_action: dict[int, list[Line]] = {}
    for line in (line for lines in trees for line in lines):
        by_action.setdefault(line.actions[0], []).append(line)
    found = []
    for lines in by_action.values():
        visits = sum(line.visits for line in lines)
        best = max(lines, key=lambda line: (line.proof is not None, line.visits))
        if best.proof is None:
            value = sum(line.visits * line.value for line in lines) / max(visits, 1)
            best = replace(best, value=value)
        found.append(replace(best, visits=visits))
    return sorted(found, key=_rank)


def _rank(line: Line) -> tuple[float, ...]:
    """Return what lines are sorted by: wins, the nearest first; then by visits; then losses, the farthest first."""
    if line.proof == "win":
        return 0.0, line.distance
    if line.proof == "loss":
        return 2.0, -line.distance
    return 1.0, -line.visits
