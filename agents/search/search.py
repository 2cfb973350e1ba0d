"""The search of many games in step: one leaf of each game, one evaluation of all leaves, and again."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, fields
from typing import Any, Protocol, cast

import numpy as np

from agents.features import MAX_FEATURES
from agents.search.evaluators import ROLLOUT_PLIES, CompiledEvaluator, compiled_evaluator
from agents.search.reuse import carry_on, find_roots
from agents.search.rounds import gather_leaves, go_on, plant, read_roots, search_compiled, take_answers
from agents.search.settings import SearchSettings
from agents.search.sparse import aligned_zeros
from agents.search.tree import EDGE, HEAD, NODE, NONE
from makruk_env.batch import Games
from makruk_env.core.observe import NUM_PLANES
from makruk_env.core.position import MAX_MOVES, POSITION
from makruk_env.core.threads import spread
from makruk_env.rules import Rules

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


AnyEvaluator = Evaluator | CompiledEvaluator | str
"""An evaluator that is called, one inside the search's kernels, or the name of such a one: uniform, heuristic,
rollout."""


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

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """The arrays in the order in which the kernels take them."""
        return tuple(getattr(self, field.name) for field in fields(self))

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

    which: [games] int64, the game that each tree was last searched for, -1 where that is to be forgotten.
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
        self.features = np.zeros((games, MAX_FEATURES), np.int32)
        self.sums, self.hidden = np.zeros((games, 0), np.int16), np.zeros((games, 0), np.float32)
        self.which = np.full(games, NONE, np.int64)
        self._searched: tuple[Any, Rules, AnyEvaluator] | None = None

    @property
    def skipped(self) -> int:
        """How many simulations of the last search found their tree full."""
        return int(self.heads["skipped"].sum())

    @property
    def tree(self) -> tuple[np.ndarray, ...]:
        """The arrays of the trees in the order in which the kernels take them."""
        return self.nodes, self.edges, self.positions, self.heads, self.keys, self.priors, self.paths, self.moves

    def run(
        self,
        games: Games,
        evaluator: AnyEvaluator,
        which: np.ndarray | None = None,
        simulations: np.ndarray | int | None = None,
        temperatures: np.ndarray | float = 0.0,
        noisy: np.ndarray | bool = True,
        trees: np.ndarray | None = None,
        reuse: bool = False,
        owner: object = None,
    ) -> RootResult:
        """Search running games and return what their roots say.

        evaluator: see `AnyEvaluator`. which: [G] int64, the games
        to search, by default all. The next are [G] or one for all: simulations, by default all there is room for;
        temperatures, 0 for the best action, else by lot (with a Gumbel root the scale of its noise); noisy, whether the
        settings' noise applies. trees: [G] int64, the tree that each game takes, by default the first ones.

        reuse: where a tree's last search was for the same game, a turn before, go on in what lies below the moves made
        since; its visits count as simulations done. It takes no noise and no Gumbel root. owner: what the numbers of
        the games are numbers in, by default `games`: another one's trees are forgotten.

        Raises `ValueError` for a game that is over, where there is no room, and for noise on a tree that is reused.
        """
        which = np.arange(len(games)) if which is None else np.ascontiguousarray(which, np.int64)
        trees = np.arange(len(which)) if trees is None else np.ascontiguousarray(trees, np.int64)
        budgets = _each(self.simulations if simulations is None else simulations, len(which), np.int64)
        noise = _each(noisy, len(which), np.bool_)
        self._check(games, which, trees, budgets)
        compiled_evaluator(evaluator)
        if reuse and (self.settings.considered or (self.settings.noise_share and noise.any())):
            raise ValueError(f"search: expected a PUCT root without noise with reuse, got {self.settings!r}")
        self.make_room(games, which)
        owner = games if owner is None else owner
        found = self.find(games, evaluator, which, trees, owner) if reuse else np.full(len(which), NONE)
        searched, self._searched = self._searched, None  # an evaluator that fails leaves half a search behind
        if searched is None or searched[0]() is not owner:
            self.which[:] = NONE
        self.which[trees] = which
        self.begin(games, trees, found, budgets, _each(temperatures, len(which), np.float64), noise)
        self._search(games, evaluator, trees)
        self.remember(games, evaluator, owner)
        return self.read(games, trees)

    def remember(self, games: Games, evaluator: AnyEvaluator, owner: object) -> None:
        """Note whose games the trees belong to, for `find`."""
        self._searched = weakref.ref(owner), games.rules, evaluator

    def _check(self, games: Games, which: np.ndarray, trees: np.ndarray, budgets: np.ndarray) -> None:
        if len(which) > len(self.heads) or not ((budgets >= 1) & (budgets <= self.simulations)).all():
            raise ValueError(
                f"search: room for {len(self.heads)} games and {self.simulations} simulations, "
                f"got {len(which)} and {budgets.tolist()}"
            )
        if len(set(trees.tolist())) < len(which) or not ((trees >= 0) & (trees < len(self.heads))).all():
            raise ValueError(f"trees: expected {len(which)} different ones of {len(self.heads)}, got {trees.tolist()}")
        if games.ended[which].any():
            raise ValueError(f"search: expected running games, got finished ones: {which[games.ended[which]].tolist()}")

    def make_room(self, games: Games, which: np.ndarray, moves: int = 0) -> None:
        """See to it that the paths hold each game's past, `moves` more, a descent and a random game from its leaf."""
        longest = int(games.positions["quiet"][which].max()) + moves + self.simulations + ROLLOUT_PLIES + 2
        if self.paths.shape[1] < longest:
            grown = np.zeros((len(self.heads), longest + ROLLOUT_PLIES), np.uint64)
            grown[:, : self.paths.shape[1]] = self.paths
            self.paths = grown

    def find(
        self, games: Games, evaluator: AnyEvaluator, which: np.ndarray, trees: np.ndarray, owner: object
    ) -> np.ndarray:
        """Return the node of its tree that each game has come to since `remember`, [G] int64, or NONE."""
        found = np.full(len(which), NONE)
        if self._searched is None or self._searched[0]() is not owner or self._searched[1] != games.rules:
            return found
        if self._searched[2] is not evaluator and self._searched[2] != evaluator:
            return found
        same = np.flatnonzero(self.which[trees] == which)
        nodes = np.full(len(same), NONE)
        spread(
            find_roots,
            len(same),
            _GRAIN,
            trees[same],
            self.which,
            games.positions,
            games.positions.view(np.uint64).reshape(len(games), -1),
            games.history,
            games.origins,
            self.nodes,
            self.positions,
            self.positions.view(np.uint64).reshape(*self.positions.shape, -1),
            self.heads,
            self.paths,
            nodes,
        )
        found[same] = nodes
        return found

    def begin(
        self,
        games: Games,
        trees: np.ndarray,
        found: np.ndarray,
        budgets: np.ndarray,
        temperatures: np.ndarray,
        noisy: np.ndarray,
    ) -> None:
        """Go on from node found[m] of tree trees[m], [G] int64; where that is NONE, plant the game `which` tells."""
        self.heads["skipped"] = 0
        past = (games.positions, games.history, games.origins)
        new, old = np.flatnonzero(found == NONE), np.flatnonzero(found != NONE)
        asked = (budgets[new], temperatures[new], noisy[new])
        spread(plant, len(new), _GRAIN, trees[new], self.which, *past, games.rules.array, *asked, *self.tree)
        if len(old):
            spread(
                carry_on,
                len(old),
                _GRAIN,
                trees[old],
                found[old],
                self.which,
                *past,
                budgets[old],
                temperatures[old],
                *self.tree[:-1],
            )
            self.go_on(games, trees[old])

    def go_on(self, games: Games, trees: np.ndarray) -> None:
        """Simulate on to the next leaf in those trees that wait for none."""
        tree = (self.nodes, self.edges, self.positions, self.heads, self.keys, self.paths, self.moves)
        spread(go_on, len(trees), _GRAIN, trees, games.rules.array, self.settings.array, *tree)

    def _search(self, games: Games, evaluator: AnyEvaluator, trees: np.ndarray) -> None:
        """Search trees that have begun to their budgets."""
        rules, settings = games.rules.array, self.settings.array
        shared = (rules, settings, self.which, games.streams, *self.tree)
        if compiled := compiled_evaluator(evaluator):
            spread(search_compiled, len(trees), 1, trees, *self.inner(compiled), *shared)
            return
        called = cast("Evaluator", evaluator)
        while len(waiting := trees[self.heads["leaf"][trees] != NONE]):
            spread(gather_leaves, len(waiting), _GRAIN, waiting, rules, self.positions, self.heads, self.planes)
            answers = called.evaluate(self.planes[: len(waiting)])
            spread(take_answers, len(waiting), _GRAIN, waiting, *answers, *shared)

    def inner(self, evaluator: CompiledEvaluator) -> tuple[Any, ...]:
        """Return a compiled evaluator as `search_compiled` takes it, with room for what it works on."""
        room = len(self.heads), len(evaluator.weights.wide_bias)
        if self.hidden.shape != room:
            self.sums, self.hidden = aligned_zeros(room, np.int16), aligned_zeros(room, np.float32)
        return evaluator.kind, evaluator.weights, self.features, self.sums, self.hidden

    def read(self, games: Games, trees: np.ndarray) -> RootResult:
        """Return what the roots of trees say."""
        result = RootResult.empty(len(trees))
        spread(
            read_roots,
            len(trees),
            _GRAIN,
            trees,
            self.which,
            games.streams,
            self.settings.array,
            self.nodes,
            self.edges,
            self.heads,
            self.keys,
            self.priors,
            *result.arrays,
        )
        return result


def _each(value: np.ndarray | float, count: int, kind: type[np.generic]) -> np.ndarray:
    """Return one value for each of the trees, [G]."""
    return np.broadcast_to(np.asarray(value, kind), count).copy()
