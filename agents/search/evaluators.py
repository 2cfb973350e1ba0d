"""Evaluators without Python in the loop, and how any evaluator's answer enters a tree.

An evaluator says of a leaf: priors over its legal actions, and a value in [-1, 1] for the side to move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from agents.heuristics import heuristic_value
from agents.search.sparse import NO_WEIGHTS, SparseWeights, judge
from makruk_env.core.game import advance, list_actions
from makruk_env.core.jit import kernel
from makruk_env.core.position import NOBODY
from makruk_env.core.random import draw_below

_ZERO = np.float32(0)
UNIFORM, HEURISTIC, ROLLOUT, SPARSE = range(4)
ROLLOUT_PLIES = 200
"""A random game that is longer is broken off and weighed by the heuristic."""


@dataclass(frozen=True, eq=False)
class CompiledEvaluator:
    """What judges leaves inside the search's kernels; kind: UNIFORM, HEURISTIC, ROLLOUT or SPARSE, and its weights."""

    kind: int
    weights: SparseWeights = NO_WEIGHTS


COMPILED: Final = {
    "uniform": CompiledEvaluator(UNIFORM),
    "heuristic": CompiledEvaluator(HEURISTIC),
    "rollout": CompiledEvaluator(ROLLOUT),
}


def compiled_evaluator(evaluator: object) -> CompiledEvaluator | None:
    """Return a compiled evaluator given itself or its name, None for any other object.

    Raises `ValueError` for an unknown name.
    """
    if not isinstance(evaluator, str):
        return evaluator if isinstance(evaluator, CompiledEvaluator) else None
    if evaluator not in COMPILED:
        raise ValueError(f"evaluator: expected one of {tuple(COMPILED)}, got {evaluator!r}")
    return COMPILED[evaluator]


@kernel
def uniform_priors(nodes, edges, leaf):
    """Give every edge of a leaf the same prior."""
    here = nodes[leaf]
    prior = np.float32(1.0 / here.num_edges)
    for e in range(here.first_edge, here.first_edge + here.num_edges):
        edges[e].prior = prior


@kernel
def softmax_priors(nodes, edges, leaf, logits):
    """Turn one row of logits, [A] float32, into the priors of a leaf's edges."""
    here = nodes[leaf]
    for e in range(here.first_edge, here.first_edge + here.num_edges):
        edges[e].prior = logits[edges[e].action]
    softmax_edges(nodes, edges, leaf)


@kernel
def softmax_edges(nodes, edges, leaf):
    """Turn the logits that lie in the priors of a leaf's edges into priors: softmax over the legal actions alone."""
    here = nodes[leaf]
    first, last = here.first_edge, here.first_edge + here.num_edges
    highest = edges[first].prior
    for e in range(first + 1, last):
        highest = max(highest, edges[e].prior)
    total = _ZERO  # a float32 exponential is twice as fast
    for e in range(first, last):
        weight = math.exp(edges[e].prior - highest)
        edges[e].prior = weight
        total += weight
    for e in range(first, last):
        edges[e].prior = edges[e].prior / total


@kernel
def roll_out(positions, leaf, rules, path, origin, moves, streams, i):
    """Play random moves from a leaf to the end of the game; return the result for the leaf's side to move."""
    scratch = len(positions) - 1
    positions[scratch] = positions[leaf]
    side = positions[leaf].side
    n = list_actions(positions[scratch], rules, path, origin, moves)
    for _ in range(ROLLOUT_PLIES):
        action = moves[draw_below(streams, i, n)]
        n = advance(positions[scratch], rules, action, path, origin, moves)
        if n == 0:
            winner = positions[scratch].winner
            return 0.0 if winner == NOBODY else (1.0 if winner == side else -1.0)
    value = heuristic_value(positions[scratch])
    return value if positions[scratch].side == side else -value


@kernel
def evaluate_leaf(
    kind, weights, features, sums, hidden, nodes, edges, positions, leaf, rules, path, origin, moves, streams, i
):  # fmt: skip
    """Write the priors of a leaf's edges and return its value, by a compiled evaluator.

    features, sums, hidden: room for a network, see `agents.search.sparse.judge`.
    """
    if kind == SPARSE:
        value = judge(weights, nodes, edges, positions[leaf], leaf, rules, features, sums, hidden)
        softmax_edges(nodes, edges, leaf)
        return value
    uniform_priors(nodes, edges, leaf)
    if kind == HEURISTIC:
        return heuristic_value(positions[leaf])
    if kind == ROLLOUT:
        return roll_out(positions, leaf, rules, path, origin, moves, streams, i)
    return 0.0
