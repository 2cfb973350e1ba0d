"""Evaluators without Python in the loop, and how any evaluator's answer enters a tree.

An evaluator says of a leaf: priors over its legal actions, and a value in [-1, 1] for the side to move.
"""

from __future__ import annotations

import math

import numpy as np

from agents.heuristics import heuristic_value
from makruk_env.core.game import advance, list_actions
from makruk_env.core.jit import kernel
from makruk_env.core.position import NOBODY
from makruk_env.core.random import draw_below

UNIFORM, HEURISTIC, ROLLOUT = 0, 1, 2
COMPILED = {"uniform": UNIFORM, "heuristic": HEURISTIC, "rollout": ROLLOUT}
ROLLOUT_PLIES = 200
"""A random game that is longer is broken off and weighed by the heuristic."""


@kernel
def uniform_priors(nodes, edges, leaf):
    """Give every edge of a leaf the same prior."""
    here = nodes[leaf]
    prior = np.float32(1.0 / here.num_edges)
    for e in range(here.first_edge, here.first_edge + here.num_edges):
        edges[e].prior = prior


@kernel
def softmax_priors(nodes, edges, leaf, logits):
    """Turn one row of logits, [A] float32, into the priors of a leaf's edges: softmax over the legal actions alone."""
    here = nodes[leaf]
    first, last = here.first_edge, here.first_edge + here.num_edges
    highest = -math.inf
    for e in range(first, last):
        highest = max(highest, logits[edges[e].action])
    total = 0.0
    for e in range(first, last):
        weight = math.exp(logits[edges[e].action] - highest)
        edges[e].prior = weight
        total += weight
    for e in range(first, last):
        edges[e].prior = edges[e].prior / total


@kernel
def sort_edges(nodes, edges, leaf):
    """Bring a leaf's edges into falling order of their priors; equal ones keep their order."""
    first = nodes[leaf].first_edge
    for e in range(first + 1, first + nodes[leaf].num_edges):
        prior, action = edges[e].prior, edges[e].action
        at = e
        while at > first and edges[at - 1].prior < prior:
            edges[at].prior = edges[at - 1].prior
            edges[at].action = edges[at - 1].action
            at -= 1
        edges[at].prior = prior
        edges[at].action = action


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
def evaluate_leaf(kind, nodes, edges, positions, leaf, rules, path, origin, moves, streams, i):
    """Write the priors of a leaf's edges and return its value, by a compiled evaluator."""
    uniform_priors(nodes, edges, leaf)
    if kind == HEURISTIC:
        return heuristic_value(positions[leaf])
    if kind == ROLLOUT:
        return roll_out(positions, leaf, rules, path, origin, moves, streams, i)
    return 0.0
