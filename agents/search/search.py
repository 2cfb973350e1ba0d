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
    """How a search weighs its edges and its root: see `best_edge`, `enter_root`, `root_policy`, `enter`.

    c_init and c_base are AlphaZero's (Silver et al. 2018), c_visit and c_scale those of Danihelka et al. 2022 for board
    games; noise_share 0 means no noise, as in all play that is rated. considered: how many actions a Gumbel root begins
    with (see `agents.search.gumbel`), 0 for PUCT at the root too. forced_playouts: KataGo's 2 with PUCT and noise, or 0
    (see `forced_edge`).
    """

    c_init: float = 1.25
    c_base: float = 19652.0
    fpu_reduction: float = 0.25
    noise_share: float = 0.0
    noise_total: float = 10.0
    c_visit: float = 50.0
    c_scale: float = 1.0
    twofold: float = 1.0
    considered: int = 0
    forced_playouts: float = 0.0

    def __post_init__(self) -> None:
        if self.considered < 0 or (self.considered and self.c_scale <= 0):
            raise ValueError(
                f"search: expected considered of at least 0, and above 0 only with a c_scale above 0, "
                f"got {self.considered!r} and {self.c_scale!r}"
            )

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

    Of each row the first counts[g] belong to the root's legal actions: actions: [G, MAX_MOVES] int16; policy: [G,
    MAX_MOVES] float32, what the search makes of the priors; visits: [G, MAX_MOVES] int32; priors: [G, MAX_MOVES]
    float32, the evaluator's own, without noise; equal ones where the root was proven before it was evaluated.
    counts: [G] int32; values: [G] float32, side to move; distances: [G] int32, plies to a proven win or loss, else 0;
    chosen: [G] int64, the action to play: the most visited one, or with a temperature one drawn by lot.
    """

    actions: np.ndarray
    policy: np.ndarray
    visits: np.ndarray
    priors: np.ndarray
    counts: np.ndarray
    values: np.ndarray
    distances: np.ndarray
    chosen: np.ndarray

    @classmethod
    def empty(cls, count: int) -> RootResult:
        """Return room for so many roots."""
        rows = (count, MAX_MOVES)
        return cls(
            actions=np.zeros(rows, np.int16),
            policy=np.zeros(rows, np.float32),
            visits=np.zeros(rows, np.int32),
            priors=np.zeros(rows, np.float32),
            counts=np.zeros(count, np.int32),
            values=np.zeros(count, np.float32),
            distances=np.zeros(count, np.int32),
            chosen=np.zeros(count, np.int64),
        )


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
        self.keys = np.zeros((games, MAX_MOVES))
        self.priors = np.zeros((games, MAX_MOVES), np.float32)
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
        simulations: np.ndarray | int | None = None,
        temperatures: np.ndarray | float = 0.0,
        noisy: np.ndarray | bool = True,
    ) -> RootResult:
        """Search running games and return what their roots say.

        evaluator: an object, or the name of a compiled one: uniform, heuristic, rollout. which: [G] int64, the games
        to search, by default all. The others are [G] or one for all: simulations, by default all there is room for;
        temperatures, 0 for the best action, else by lot (with a Gumbel root the scale of its noise); noisy, whether the
        settings' noise applies. Raises `ValueError` for a game that is over and where there is no room.
        """
        which = np.arange(len(games)) if which is None else np.ascontiguousarray(which, np.int64)
        budgets = _each(self.simulations if simulations is None else simulations, len(which), np.int64)
        self._check(games, evaluator, which, budgets)
        self._make_room(games, which)
        tree = (self.nodes, self.edges, self.positions, self.heads, self.keys, self.priors, self.paths, self.moves)
        settings, rules = self.settings.array, games.rules.array
        past = (games.positions, games.history, games.origins)
        asked = (budgets, _each(temperatures, len(which), np.float64), _each(noisy, len(which), np.bool_))
        spread(plant, len(which), _GRAIN, which, *past, rules, *asked, *tree)
        if isinstance(evaluator, str):
            kind = COMPILED[evaluator]
            spread(search_compiled, len(which), 1, kind, rules, settings, which, games.streams, *tree)
            return self._read(games, which)
        while len(waiting := np.flatnonzero(self.heads["leaf"][: len(which)] != NONE)):
            spread(gather_leaves, len(waiting), _GRAIN, waiting, rules, self.positions, self.heads, self.planes)
            answers = evaluator.evaluate(self.planes[: len(waiting)])
            spread(take_answers, len(waiting), _GRAIN, waiting, *answers, rules, settings, which, games.streams, *tree)
        return self._read(games, which)

    def _check(self, games: Games, evaluator: Evaluator | str, which: np.ndarray, budgets: np.ndarray) -> None:
        if len(which) > len(self.heads) or not ((budgets >= 1) & (budgets <= self.simulations)).all():
            raise ValueError(
                f"search: room for {len(self.heads)} games and {self.simulations} simulations, "
                f"got {len(which)} and {budgets.tolist()}"
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

    def _read(self, games: Games, which: np.ndarray) -> RootResult:
        """Return what the roots of the last search say."""
        result = RootResult.empty(len(which))
        spread(
            read_roots,
            len(which),
            _GRAIN,
            which,
            games.streams,
            self.settings.array,
            self.nodes,
            self.edges,
            self.heads,
            self.keys,
            self.priors,
            result.actions,
            result.policy,
            result.visits,
            result.priors,
            result.counts,
            result.values,
            result.distances,
            result.chosen,
        )
        return result


def _each(value: np.ndarray | float, count: int, kind: type[np.generic]) -> np.ndarray:
    """Return one value for each of the trees, [G]."""
    return np.broadcast_to(np.asarray(value, kind), count).copy()
