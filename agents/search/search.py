"""The search of many games in step: one leaf of each game, one evaluation of all leaves, and again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from agents.search.evaluators import COMPILED, ROLLOUT_PLIES
from agents.search.rounds import gather_leaves, plant, read_roots, search_compiled, take_answers
from agents.search.select import SETTINGS
from agents.search.tree import EDGE, HEAD, NODE, NONE
from makruk_env.batch import Games
from makruk_env.core.observe import NUM_PLANES
from makruk_env.core.position import MAX_MOVES, POSITION
from makruk_env.core.threads import spread

_GRAIN = 64
"""Fewer games than this for each thread are done sooner than a thread is woken."""
EDGES_PER_NODE = 48
"""Room for edges, for each node: an opening has 23 legal moves, a rich middle game about 45."""


class Evaluator(Protocol):
    """What judges a batch of leaves from their planes."""

    def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Judge M leaves, planes: [M, C, 8, 8] float32, mover's view.

        Returns (logits [M, A] float32, win-draw-loss [M, 3] float32 probabilities for the side to move).
        """
        ...


@dataclass(frozen=True)
class SearchSettings:
    """How a search weighs its edges and its root: see `best_edge`, `add_noise`, `root_policy`, `enter`.

    c_init and c_base are AlphaZero's (Silver et al. 2018), c_visit and c_scale those of Danihelka et al. 2022 for board
    games; noise_share 0 means no noise, as in all play that is rated.
    """

    c_init: float = 1.25
    c_base: float = 19652.0
    fpu_reduction: float = 0.25
    noise_share: float = 0.0
    noise_total: float = 10.0
    c_visit: float = 50.0
    c_scale: float = 1.0
    twofold: float = 1.0

    @cached_property
    def array(self) -> np.ndarray:
        """[1] SETTINGS: the numbers as the kernels read them."""
        row = np.zeros(1, SETTINGS)
        for name in SETTINGS.names or ():
            row[name] = getattr(self, name)
        return row


@dataclass(frozen=True)
class RootResult:
    """What a search says of G roots.

    actions: [G, MAX_MOVES] int16, policy: [G, MAX_MOVES] float32, of which the first counts[g] are the root's legal
    actions; counts: [G] int32; values: [G] float32, side to move; chosen: [G] int64, the action to play: the most
    visited one, or with a temperature one drawn from the policy.
    """

    actions: np.ndarray
    policy: np.ndarray
    counts: np.ndarray
    values: np.ndarray
    chosen: np.ndarray


class Search:
    """Room for the trees of up to `games` games of up to `simulations` simulations each.

    The memory is taken once: about 150 bytes a node and 24 an edge, so 256 games of 800 simulations take 270 MB.
    """

    def __init__(self, games: int, simulations: int, settings: SearchSettings | None = None) -> None:
        if games < 1 or simulations < 1:
            raise ValueError(f"search: expected at least 1 game and 1 simulation, got {games!r} and {simulations!r}")
        self.settings = settings or SearchSettings()
        self.simulations = simulations
        rows = simulations + 2  # the root, and the scratch row
        self.nodes = np.zeros((games, rows), NODE)
        self.positions = np.zeros((games, rows), POSITION)
        self.edges = np.zeros((games, max(rows * EDGES_PER_NODE, 2 * MAX_MOVES)), EDGE)
        self.heads = np.zeros(games, HEAD)
        self.moves = np.zeros((games, MAX_MOVES), np.int16)
        self.paths = np.zeros((games, 0), np.uint64)
        self.planes = np.zeros((games, NUM_PLANES, 8, 8), np.float32)

    @property
    def skipped(self) -> int:
        """How many simulations of the last search found their tree full."""
        return int(self.heads["skipped"].sum())

    def run(
        self,
        games: Games,
        evaluator: Evaluator | str,
        which: np.ndarray | None = None,
        simulations: int | None = None,
        temperatures: np.ndarray | float = 0.0,
    ) -> RootResult:
        """Search running games and return what their roots say.

        evaluator: an object, or the name of a compiled one: uniform, heuristic, rollout. which: [G] int64, the games
        to search, by default all. temperatures: [G] or one for all, 0 for the most visited action.
        Raises `ValueError` for a game that is over and where there is no room.
        """
        which = np.arange(len(games)) if which is None else np.ascontiguousarray(which, np.int64)
        simulations = self.simulations if simulations is None else simulations
        self._check(games, evaluator, which, simulations)
        self._make_room(games, which)
        tree = (self.nodes, self.edges, self.positions, self.heads, self.paths, self.moves)
        settings, rules = self.settings.array, games.rules.array
        past = (games.positions, games.history, games.origins)
        spread(plant, len(which), _GRAIN, which, *past, rules, simulations, *tree)
        if isinstance(evaluator, str):
            kind = COMPILED[evaluator]
            spread(search_compiled, len(which), 1, kind, rules, settings, which, games.streams, *tree)
            return self._read(games, which, temperatures)
        while len(waiting := np.flatnonzero(self.heads["leaf"][: len(which)] != NONE)):
            spread(gather_leaves, len(waiting), _GRAIN, waiting, rules, self.positions, self.heads, self.planes)
            answers = evaluator.evaluate(self.planes[: len(waiting)])
            spread(take_answers, len(waiting), _GRAIN, waiting, *answers, rules, settings, which, games.streams, *tree)
        return self._read(games, which, temperatures)

    def _check(self, games: Games, evaluator: Evaluator | str, which: np.ndarray, simulations: int) -> None:
        if len(which) > len(self.heads) or not 1 <= simulations <= self.simulations:
            raise ValueError(
                f"search: room for {len(self.heads)} games and {self.simulations} simulations, "
                f"got {len(which)} and {simulations}"
            )
        if games.ended[which].any():
            raise ValueError(f"search: expected running games, got finished ones: {which[games.ended[which]].tolist()}")
        if isinstance(evaluator, str) and evaluator not in COMPILED:
            raise ValueError(f"evaluator: expected one of {tuple(COMPILED)}, got {evaluator!r}")

    def _make_room(self, games: Games, which: np.ndarray) -> None:
        """See to it that the paths hold each game's past, a descent and a random game from its leaf."""
        longest = int(games.positions["quiet"][which].max()) + self.simulations + ROLLOUT_PLIES + 2
        if self.paths.shape[1] < longest:
            self.paths = np.zeros((len(self.heads), longest + ROLLOUT_PLIES), np.uint64)

    def _read(self, games: Games, which: np.ndarray, temperatures: np.ndarray | float) -> RootResult:
        """Return what the roots of the last search say."""
        count = len(which)
        result = RootResult(
            actions=np.zeros((count, MAX_MOVES), np.int16),
            policy=np.zeros((count, MAX_MOVES), np.float32),
            counts=np.zeros(count, np.int32),
            values=np.zeros(count, np.float32),
            chosen=np.zeros(count, np.int64),
        )
        spread(
            read_roots,
            count,
            _GRAIN,
            which,
            games.streams,
            self.settings.array,
            np.broadcast_to(np.asarray(temperatures, np.float64), count).copy(),
            self.nodes,
            self.edges,
            result.actions,
            result.policy,
            result.counts,
            result.values,
            result.chosen,
        )
        return result
