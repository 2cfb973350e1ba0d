"""One position searched at length: a big tree, several leaves to a call of the evaluator, and lines of play to read."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from agents.search.evaluators import CompiledEvaluator, compiled_evaluator
from agents.search.proof import DRAW, LOSS, UNKNOWN, WIN, proof_value
from agents.search.rounds import search_compiled
from agents.search.search import AnyEvaluator, Evaluator, RootResult, Search
from agents.search.settings import SearchSettings
from agents.search.tree import NONE
from agents.search.virtual_loss import answer, gather
from makruk_env import batch
from makruk_env.batch import Games
from makruk_env.board import Board
from makruk_env.core.observe import NUM_PLANES

PROOFS = {UNKNOWN: None, WIN: "win", DRAW: "draw", LOSS: "loss"}
_TREE = np.zeros(1, np.int64)
"""The only tree there is."""


@dataclass(frozen=True)
class Line:
    """A root's action and the play that the search expects after it.

    actions: from the root on, each from its own mover's point of view; visits: of the first one; prior: the
    evaluator's; value: in [-1, 1], for the root's side to move, exact where proof, None or its "win", "draw" or "loss",
    tells it is; distance: plies to the end of a proven win or loss, else 0.
    """

    actions: tuple[int, ...]
    visits: int
    prior: float
    value: float
    proof: str | None
    distance: int


class Analysis:
    """The search of one position, as long as it is asked to go on.

    evaluator: see `AnyEvaluator`. nodes: the simulations that there is room for, at about 1.3 kB each. leaves: at most
    so many go to one call of the evaluator, by virtual loss; 1 is the plain search, and so is any number with a
    compiled evaluator, which is not called. Raises `ValueError` for a Gumbel root and numbers below 1.
    """

    def __init__(
        self,
        evaluator: AnyEvaluator,
        settings: SearchSettings | None = None,
        nodes: int = 20_000,
        leaves: int = 16,
    ) -> None:
        settings = settings or SearchSettings()
        if leaves < 1 or settings.considered:
            raise ValueError(f"analysis: expected at least 1 leaf and a PUCT root, got {leaves!r} and {settings!r}")
        self.evaluator = compiled_evaluator(evaluator) or evaluator
        self.search = Search(1, nodes, settings)
        self.under_nodes = np.zeros(self.search.nodes.shape[1], np.int32)
        self.under_edges = np.zeros(self.search.edges.shape[1], np.int32)
        self._leaves = np.zeros(leaves, np.int64)
        self._planes = np.zeros((leaves, NUM_PLANES, 8, 8), np.float32)
        self._count = 0  # leaves that wait: more than 0 between two runs only if an evaluator failed

    @classmethod
    def of(
        cls,
        board: Board,
        evaluator: AnyEvaluator,
        settings: SearchSettings | None = None,
        nodes: int = 20_000,
        leaves: int = 16,
    ) -> Analysis:
        """Return the analysis of a board's position. Raises what `Analysis` and `begin` raise."""
        analysis = cls(evaluator, settings, nodes, leaves)
        analysis.begin(batch.of_boards([board]), 0)
        return analysis

    def begin(
        self,
        games: Games,
        i: int,
        temperature: float = 0.0,
        reuse: bool = False,
        only: Collection[int] | None = None,
    ) -> None:
        """Begin with the position of game i; temperature: of the choice, see `Search.run`.

        reuse: if it is of the game searched before, a turn later, go on in what lies below the moves made since; its
        visits count as simulations done. only: some of the legal actions, the only ones to choose from; nothing is
        reused then. Raises `ValueError` for a game that is over, and where none of `only` is legal.
        """
        if games.ended[i]:
            raise ValueError(f"analysis: expected a game that goes on, got {games.fen(i)!r}")
        which = np.array([i])
        self.search.make_room(games, which)
        found = np.full(1, NONE)
        if reuse and not self._count and only is None:
            self.search.which[0] = i
            found = self.search.find(games, self.evaluator, which, _TREE, self)
        self.games = games
        self.search.which[0] = i
        if self._count:
            self.under_nodes[:] = self.under_edges[:] = self._count = 0
        no = np.zeros(1, np.int64)
        self.search.begin(games, _TREE, found, no, np.full(1, temperature), np.zeros(1, np.bool_))
        self.search.remember(games, self.evaluator, self)
        if only is not None:
            self._narrow(only)

    def _narrow(self, only: Collection[int]) -> None:
        """Take all other actions from a root that has just been planted, and what was seen of mates by them."""
        root, head = self.search.nodes[0, 0], self.search.heads[0]
        first, count = int(root["first_edge"]), int(root["num_edges"])
        own = self.search.edges[0, first : first + count]
        kept = own[np.isin(own["action"], sorted(only))]
        if not len(kept):
            raise ValueError(f"analysis: expected a legal action among {sorted(only)}")
        own[: len(kept)] = kept
        won = bool((kept["proof"] == WIN).any())
        root["num_edges"], root["proof"], root["distance"] = len(kept), WIN if won else UNKNOWN, int(won)
        head["leaf"] = NONE if won else 0

    @property
    def simulations(self) -> int:
        """How many simulations have been done."""
        return int(self.search.heads["simulations"][0])

    @property
    def proof(self) -> str | None:
        """What is proven for the side to move, "win", "draw" or "loss"; a search stops there."""
        return PROOFS[int(self.search.nodes["proof"][0, 0])]

    @property
    def room(self) -> int:
        """How many simulations more there is room for."""
        return self.search.simulations - self.simulations

    def run(self, simulations: int) -> RootResult:
        """Do so many simulations more and return what the root says now; fewer once the root is proven.

        Raises `ValueError` where there is no room for so many.
        """
        self.go_on(simulations)
        return self.read()

    def read(self) -> RootResult:
        """Return what the root says now."""
        return self.search.read(self.games, _TREE)

    def go_on(self, simulations: int) -> None:
        """Do what `run` does, without reading the root."""
        head = self.search.heads[0]
        if not 1 <= simulations <= self.room:
            raise ValueError(f"analysis: expected 1 to {self.room} simulations more, got {simulations!r}")
        head["budget"] = self.simulations + simulations
        if isinstance(self.evaluator, CompiledEvaluator):
            self._run_compiled(self.evaluator)
        else:
            assert not isinstance(self.evaluator, str)
            self._run(self.evaluator)

    def _run_compiled(self, evaluator: CompiledEvaluator) -> None:
        search, games = self.search, self.games
        search.go_on(games, _TREE)
        settings, rules = search.settings.array, games.rules.array
        inner = search.inner(evaluator)
        search_compiled(0, 1, _TREE, *inner, rules, settings, search.which, games.streams, *search.tree)

    def _run(self, evaluator: Evaluator) -> None:
        search, under = self.search, (self.under_nodes, self.under_edges)
        nodes, edges, positions, heads, keys, priors, paths, moves = (array[0] for array in search.tree)
        settings, rules = search.settings.array[0], self.games.rules.array[0]
        i = int(search.which[0])
        streams = self.games.streams[i : i + 1]
        entered = (nodes, edges, positions, heads, keys, priors, settings, streams, *under, self._leaves)
        gathered = (nodes, edges, positions, heads, paths, rules, settings, moves, *under, self._leaves, self._planes)
        while count := self._count or int(gather(*gathered)):
            self._count = count
            answer(*entered, count, *evaluator.evaluate(self._planes[:count]))
            self._count = 0

    def lines(self, count: int = 3) -> list[Line]:
        """Return the best `count` lines, the one that would be played first; only actions that were tried or proven."""
        result = self.read()
        nodes, edges = self.search.nodes[0], self.search.edges[0]
        lost = int(nodes["proof"][0]) == LOSS
        found: list[tuple[tuple[float, ...], Line]] = []
        for k in range(int(result.counts[0])):
            edge = edges[k]
            proof, visits, distance = int(edge["proof"]), int(edge["visits"]), self._distance(edge)
            if not visits and proof == UNKNOWN:
                continue
            value = proof_value(proof) if proof != UNKNOWN else float(edge["total"]) / visits
            share, prior = float(result.policy[0, k]), float(result.priors[0, k])
            rank = (share <= 0.0, -(distance if lost else visits), -share, k)
            found.append((rank, Line(self._follow(k), visits, prior, value, PROOFS[proof], distance)))
        return [line for _, line in sorted(found, key=lambda item: item[0])[:count]]

    def _distance(self, edge: np.void) -> int:
        """Return how far off the end of a proven win or loss is, else 0."""
        if edge["proof"] not in (WIN, LOSS):
            return 0
        return 1 if edge["child"] == NONE else int(self.search.nodes["distance"][0, edge["child"]]) + 1

    def _follow(self, at: int) -> tuple[int, ...]:
        """Return the actions from an edge of the root on, by proofs first and then by visits."""
        nodes, edges = self.search.nodes[0], self.search.edges[0]
        actions = [int(edges[at]["action"])]
        while (node := int(edges[at]["child"])) != NONE:
            here = nodes[node]
            first = int(here["first_edge"])
            own = edges[first : first + int(here["num_edges"])]
            proof = int(here["proof"])
            if proof != UNKNOWN:
                ways = np.flatnonzero(own["proof"] == proof)
            else:
                ways = np.flatnonzero((own["visits"] > 0) & (own["proof"] != LOSS))
            if not len(ways):
                break
            sign = {WIN: -1, LOSS: 1}.get(proof, 0)
            at = first + int(max(ways, key=lambda k: (sign * self._distance(own[k]), int(own[k]["visits"]), -k)))
            actions.append(int(edges[at]["action"]))
        return tuple(actions)
