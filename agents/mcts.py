"""The agent that searches: Monte-Carlo tree search with a network or with a compiled evaluator."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agents.base import Agent
from agents.baselines import baseline_file
from agents.errors import AgentError, CheckpointError
from agents.search import Analysis, Search, SearchSettings
from agents.search.evaluators import COMPILED, compiled_evaluator
from agents.search.search import AnyEvaluator
from makruk_env import batch
from makruk_env.batch import Games
from makruk_env.board import Board
from makruk_env.core.threads import run_together, threads

if TYPE_CHECKING:
    from agents.network.build import Network

PRECISIONS = ("fp32", "bf16")
DEVICES = ("cpu", "cuda")
AT_ONCE = 256
"""Games searched in step; more are searched in parts, so that the trees keep to about 1 MB a game. With reuse every
game has a tree of its own."""


_SIMULATIONS = 200
_MOST_SIMULATIONS = 100_000
"""What a search by time has room for, 130 MB a thread."""
_STRETCHES = {True: 256, False: 16}
"""Simulations between two looks at the clock, with an evaluator that is compiled, and with one that is not."""


@dataclass(frozen=True)
class Mcts(Agent):
    """Searches `simulations` simulations a move, or for `seconds`, and plays the most visited one, or a proven win.

    checkpoint: a run folder or a checkpoint whose network evaluates; baseline: instead of one, the name of a network
    that comes with the package, sparse or residual; evaluator: instead of both, the name of a compiled evaluator,
    uniform, heuristic or rollout; simulations: for each move; seconds: instead of them, the time for each
    move, up to 100,000 simulations, one game after the other on each thread; c_init: how much a search explores;
    fpu_reduction: how much less than its node an untried action is taken to be worth, in values of -1 to 1;
    considered: how many actions a Gumbel root begins with, 0 for PUCT; temperature: of a draw by lot, 0 for the best
    action; precision: of a network's arithmetic, fp32 or bf16; device: where the network runs, cpu or cuda; reuse: go
    on in what was searched below the moves made since the last turn, so that a move takes fewer new simulations.
    """

    name = "mcts"
    checkpoint: str = ""
    baseline: str = ""
    evaluator: str = ""
    simulations: int = _SIMULATIONS
    seconds: float = 0.0
    c_init: float = SearchSettings.c_init
    fpu_reduction: float = SearchSettings.fpu_reduction
    considered: int = 0
    temperature: float = 0.0
    precision: str = "fp32"
    device: str = "cpu"
    reuse: bool = False

    def __post_init__(self) -> None:
        if sum(map(bool, (self.checkpoint, self.baseline, self.evaluator))) != 1:
            raise AgentError(f"agent mcts: expected one of checkpoint=, baseline= and evaluator=, got {self.spec!r}")
        if self.baseline:
            baseline_file(self.baseline)
        if self.evaluator and self.evaluator not in COMPILED:
            raise AgentError(f"agent mcts: expected an evaluator of {tuple(COMPILED)}, got {self.evaluator!r}")
        if self.precision not in PRECISIONS:
            raise AgentError(f"agent mcts: expected a precision of {PRECISIONS}, got {self.precision!r}")
        if self.device not in DEVICES:
            raise AgentError(f"agent mcts: expected a device of {DEVICES}, got {self.device!r}")
        if self.reuse and self.considered:
            raise AgentError(f"agent mcts: expected no reuse with considered, got {self.spec!r}")
        if self.seconds and (self.reuse or self.considered or self.simulations != _SIMULATIONS):
            raise AgentError(
                f"agent mcts: expected seconds without simulations, reuse and considered, got {self.spec!r}"
            )
        for name in ("seconds", "c_init", "fpu_reduction", "temperature"):
            if not 0 <= getattr(self, name) < math.inf:
                raise AgentError(f"agent mcts: expected a finite {name} of 0 or more, got {getattr(self, name)!r}")
        if self.simulations < 1 or self.considered < 0:
            raise AgentError(
                f"agent mcts: expected at least 1 simulation and 0 considered, got {self.simulations!r} "
                f"and {self.considered!r}"
            )

    @cached_property
    def _evaluator(self) -> AnyEvaluator:
        if self.evaluator:
            return self.evaluator
        from agents.network.evaluator import load_evaluator  # torch takes seconds to import

        return load_evaluator(self._weights, self.device, self.precision)  # type: ignore[arg-type]

    @cached_property
    def _weights(self) -> Path:
        """The weights file, looked for once: a run that goes on may write a newer one."""
        if self.baseline:
            return baseline_file(self.baseline)
        from agents.network.weights import find_network

        return find_network(self.checkpoint)

    def settings(self) -> Mapping[str, object]:
        """See `Agent`; for a network's path or name stands a digest of its weights, whatever the file is called."""
        if self.evaluator:
            return super().settings()
        if not self._weights.is_file():
            raise CheckpointError(f"checkpoint: expected a file, got {str(self._weights)!r}, which is none")
        digest = hashlib.sha256(self._weights.read_bytes()).hexdigest()
        return {**super().settings(), "baseline" if self.baseline else "checkpoint": f"sha256:{digest}"}

    @cached_property
    def _network(self) -> Network:
        from agents.network.weights import load_network

        return load_network(self._weights).network

    def outcomes(self, board: Board) -> tuple[float, float, float] | None:
        """Return the chances of win, draw and loss that the network sees without a search, for the side to move.

        None where there is no network. Raises `CheckpointError`.
        """
        if self.evaluator:
            return None
        from agents.network.outlook import outcomes

        return outcomes(self._network, board)

    def _search_settings(self) -> SearchSettings:
        return SearchSettings(c_init=self.c_init, fpu_reduction=self.fpu_reduction, considered=self.considered)

    def analysis(self, nodes: int, wider: float = 1.0) -> Analysis:
        """Return room to search one position with up to `nodes` simulations; wider: c_init is multiplied by it.

        Raises `CheckpointError`.
        """
        settings = self._search_settings()
        return Analysis(self._evaluator, replace(settings, c_init=wider * settings.c_init), nodes)

    @cached_property
    def _analyses(self) -> dict[int, Analysis]:
        return {}

    def _select_in_time(self, games: Games, which: np.ndarray, thread: int) -> np.ndarray:
        """Search one game after the other, each for its seconds, and for a stretch at least."""
        if thread not in self._analyses:
            self._analyses[thread] = self.analysis(_MOST_SIMULATIONS)
        analysis, chosen = self._analyses[thread], np.zeros(len(which), np.int64)
        stretch = _STRETCHES[compiled_evaluator(self._evaluator) is not None]
        for k, i in enumerate(which.tolist()):
            analysis.begin(games, i, self.temperature)
            until = time.perf_counter() + self.seconds
            while analysis.proof is None and analysis.room:
                analysis.go_on(min(stretch, analysis.room))
                if time.perf_counter() >= until:
                    break
            chosen[k] = analysis.read().chosen[0]
        return chosen

    @cached_property
    def _searches(self) -> dict[tuple[int, int], Search]:
        return {}

    def _search(self, thread: int, games: int) -> Search:
        """Return room for so many games for one of the threads, kept for the next call."""
        if (thread, games) not in self._searches:
            for other in [key for key in self._searches if key[0] == thread]:
                del self._searches[other]
            self._searches[thread, games] = Search(games, self.simulations, self._search_settings())
        return self._searches[thread, games]

    def _select(self, games: Games, which: np.ndarray, thread: int, room: int) -> np.ndarray:
        search = self._search(thread, room)
        parts = [which[at : at + room] for at in range(0, len(which), room)]
        chosen = [search.run(games, self._evaluator, part, temperatures=self.temperature).chosen for part in parts]
        return np.concatenate([np.zeros(0, np.int64), *chosen])

    def _select_again(self, games: Games, which: np.ndarray, thread: int, shares: int, owner: object) -> np.ndarray:
        """Search with one tree for each game, on the thread and in the tree that its number tells."""
        if not len(which):
            return np.zeros(0, np.int64)
        search = self._search(thread, -(-len(games) // shares))
        result = search.run(
            games,
            self._evaluator,
            which,
            temperatures=self.temperature,
            trees=which // shares,
            reuse=True,
            owner=owner,
        )
        return result.chosen

    def select(self, games: Games, which: np.ndarray) -> np.ndarray:
        if self.seconds:
            parts = np.array_split(which, threads())
            timed = [partial(self._select_in_time, games, part, thread) for thread, part in enumerate(parts)]
            return np.concatenate(run_together(timed))
        # A network's games are shared out, so that one thread searches while the other evaluates.
        shares = 1 if compiled_evaluator(self._evaluator) else threads()
        if self.reuse:
            return self._reuse(games, which, shares, games)
        room = min(AT_ONCE, -(-len(games) // shares))
        parts = np.array_split(which, shares)
        tasks = [partial(self._select, games, part, thread, room) for thread, part in enumerate(parts)]
        return np.concatenate(run_together(tasks))

    def _reuse(self, games: Games, which: np.ndarray, shares: int, owner: object) -> np.ndarray:
        masks = [which % shares == thread for thread in range(shares)]
        tasks = [partial(self._select_again, games, which[m], t, shares, owner) for t, m in enumerate(masks)]
        chosen = np.zeros(len(which), np.int64)
        for mask, part in zip(masks, run_together(tasks), strict=True):
            chosen[mask] = part
        return chosen

    def choose(self, board: Board, seed: int = 0) -> int:
        if not self.reuse:
            return super().choose(board, seed)
        return int(self._reuse(batch.of_boards([board], seed), np.zeros(1, np.int64), 1, board)[0])
