"""The search of many games in step: one leaf of each game, one evaluation of all leaves, and again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from agents.search.backup import back_up
from agents.search.evaluators import COMPILED, ROLLOUT_PLIES, evaluate_leaf, softmax_priors, sort_edges
from agents.search.root import add_noise, choose, root_policy, root_value
from agents.search.select import SETTINGS, select_leaf
from agents.search.tree import EDGE, HEAD, NODE, NONE, UNKNOWN, open_node, proof_value
from makruk_env.batch import Games
from makruk_env.core.game import list_actions
from makruk_env.core.jit import kernel
from makruk_env.core.observe import NUM_PLANES, observe
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
    """How a search weighs its edges: see `best_edge` and `add_noise`.

    c_init and c_base are AlphaZero's (Silver et al. 2018); noise_share 0 means no noise, as in all play that is rated.
    """

    c_init: float = 1.25
    c_base: float = 19652.0
    fpu_reduction: float = 0.25
    noise_share: float = 0.0
    noise_total: float = 10.0

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
    actions; counts: [G] int32; values: [G] float32, side to move; chosen: [G] int64, the action to play.
    """

    actions: np.ndarray
    policy: np.ndarray
    counts: np.ndarray
    values: np.ndarray
    chosen: np.ndarray


@kernel
def simulate(nodes, edges, positions, head, path, rules, settings, moves):
    """Run simulations that need no evaluator, until one does: head.leaf is then its leaf, else NONE."""
    head.leaf = NONE
    while head.simulations < head.budget and nodes[0].proof == UNKNOWN:
        head.simulations += 1
        leaf = select_leaf(nodes, edges, positions, head, path, rules, settings, moves)
        if nodes[leaf].proof != UNKNOWN:
            back_up(nodes, edges, positions, leaf, proof_value(nodes[leaf].proof))
        elif nodes[leaf].visits > 0:
            back_up(nodes, edges, positions, leaf, nodes[leaf].value)
        else:
            head.leaf = leaf
            return


@kernel
def enter(nodes, edges, positions, head, settings, streams, i, value):
    """Take in what an evaluator said of head.leaf, whose priors are set: noise at the root, order, backup."""
    leaf = head.leaf
    if leaf == 0 and settings.noise_share > 0.0:
        add_noise(nodes, edges, settings, streams, i)
    sort_edges(nodes, edges, leaf)
    nodes[leaf].value = value
    back_up(nodes, edges, positions, leaf, nodes[leaf].value)
    head.leaf = NONE


@kernel
def plant(first, last, which, games, histories, origins, rules, budget, nodes, edges, positions, heads, paths, moves):
    """Make the games numbered in `which`, [G] int64, the roots of new trees that wait for their first evaluation."""
    for g in range(first, last):
        i = which[g]
        head = heads[g]
        positions[g, 0] = games[i]
        quiet = games[i].quiet
        head.origin = games[i].ply - quiet
        at = games[i].ply - origins[i]
        for d in range(quiet + 1):
            paths[g, quiet - d] = histories[i, at - d]
        head.num_nodes = 0
        head.num_edges = 0
        head.simulations = 0
        head.skipped = 0
        head.budget = budget
        n = list_actions(positions[g, 0], rules[0], paths[g], head.origin, moves[g])
        head.leaf = open_node(nodes[g], edges[g], positions[g], head, NONE, NONE, moves[g], n)
        if nodes[g, 0].proof != UNKNOWN:
            head.leaf = NONE


@kernel
def search_compiled(first, last, kind, rules, settings, nodes, edges, positions, heads, paths, moves, which, streams):
    """Search all trees to their budgets with a compiled evaluator."""
    for g in range(first, last):
        head = heads[g]
        while head.leaf != NONE:
            value = evaluate_leaf(
                kind, nodes[g], edges[g], positions[g], head.leaf, rules[0], paths[g], head.origin, moves[g],
                streams, which[g],
            )  # fmt: skip
            enter(nodes[g], edges[g], positions[g], head, settings[0], streams, which[g], value)
            simulate(nodes[g], edges[g], positions[g], head, paths[g], rules[0], settings[0], moves[g])


@kernel
def gather_leaves(first, last, waiting, rules, nodes, edges, positions, heads, planes):
    """Write the planes of the waiting leaves, row by row; waiting: [M] int64 trees, planes: [>= M, C, 8, 8]."""
    for m in range(first, last):
        g = waiting[m]
        observe(positions[g, heads[g].leaf], rules[0], planes[m])


@kernel
def take_answers(
    first,
    last,
    waiting,
    logits,
    outcomes,
    rules,
    settings,
    nodes,
    edges,
    positions,
    heads,
    paths,
    moves,
    which,
    streams,
):
    """Enter the evaluator's answers for the waiting leaves and simulate on to the next ones."""
    for m in range(first, last):
        g = waiting[m]
        head = heads[g]
        softmax_priors(nodes[g], edges[g], head.leaf, logits[m])
        value = np.float64(outcomes[m, 0]) - np.float64(outcomes[m, 2])
        enter(nodes[g], edges[g], positions[g], head, settings[0], streams, which[g], value)
        simulate(nodes[g], edges[g], positions[g], head, paths[g], rules[0], settings[0], moves[g])


@kernel
def read_roots(first, last, nodes, edges, which, streams, temperatures, actions, policy, counts, values, chosen):
    """Write policy, value and choice of every root; temperatures: [G] float64, 0 for the likeliest action."""
    for g in range(first, last):
        counts[g] = root_policy(nodes[g], edges[g], actions[g], policy[g])
        values[g] = root_value(nodes[g])
        chosen[g] = actions[g, choose(actions[g], policy[g], counts[g], temperatures[g], streams, which[g])]


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
        to search, by default all. temperatures: [G] or one for all, of the choice among the actions.
        Raises `ValueError` for a game that is over and where there is no room.
        """
        which = np.arange(len(games)) if which is None else np.ascontiguousarray(which, np.int64)
        for _ in self.rounds(games, evaluator, which, self.simulations if simulations is None else simulations):
            pass
        return self.read(games, which, temperatures)

    def rounds(self, games: Games, evaluator: Evaluator | str, which: np.ndarray, simulations: int) -> Iterator[int]:
        """Search in steps: yield the number of leaves after each evaluation."""
        if len(which) > len(self.heads) or not 1 <= simulations <= self.simulations:
            raise ValueError(
                f"search: room for {len(self.heads)} games and {self.simulations} simulations, "
                f"got {len(which)} and {simulations}"
            )
        if games.ended[which].any():
            raise ValueError(f"search: expected running games, got finished ones: {which[games.ended[which]].tolist()}")
        self._plant(games, which, simulations)
        tree = (self.nodes, self.edges, self.positions, self.heads)
        settings, rules = self.settings.array, games.rules.array
        if isinstance(evaluator, str):
            if evaluator not in COMPILED:
                raise ValueError(f"evaluator: expected one of {tuple(COMPILED)}, got {evaluator!r}")
            spread(
                search_compiled,
                len(which),
                1,
                COMPILED[evaluator],
                rules,
                settings,
                *tree,
                self.paths,
                self.moves,
                which,
                games.streams,
            )
            return
        while len(waiting := np.flatnonzero(self.heads["leaf"][: len(which)] != NONE)):
            spread(gather_leaves, len(waiting), _GRAIN, waiting, rules, *tree, self.planes)
            logits, outcomes = evaluator.evaluate(self.planes[: len(waiting)])
            yield len(waiting)
            spread(
                take_answers,
                len(waiting),
                _GRAIN,
                waiting,
                logits,
                outcomes,
                rules,
                settings,
                *tree,
                self.paths,
                self.moves,
                which,
                games.streams,
            )

    def _plant(self, games: Games, which: np.ndarray, simulations: int) -> None:
        longest = int(games.positions["quiet"][which].max()) + self.simulations + ROLLOUT_PLIES + 2
        if self.paths.shape[1] < longest:
            self.paths = np.zeros((len(self.heads), longest + ROLLOUT_PLIES), np.uint64)
        spread(
            plant,
            len(which),
            _GRAIN,
            which,
            games.positions,
            games.history,
            games.origins,
            games.rules.array,
            simulations,
            self.nodes,
            self.edges,
            self.positions,
            self.heads,
            self.paths,
            self.moves,
        )

    def read(self, games: Games, which: np.ndarray, temperatures: np.ndarray | float) -> RootResult:
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
            self.nodes,
            self.edges,
            which,
            games.streams,
            np.broadcast_to(np.asarray(temperatures, np.float64), count).copy(),
            result.actions,
            result.policy,
            result.counts,
            result.values,
            result.chosen,
        )
        return result
