"""The root: noise before a search, the policy and the choice after it."""

from __future__ import annotations

import math

from agents.search.tree import LOSS, UNKNOWN, WIN, proof_value
from makruk_env.core.jit import kernel
from makruk_env.core.random import draw_unit

_TINY = 1e-300


@kernel
def draw_normal(streams, i):
    """Return the next standard normal number of stream i (Box and Muller 1958)."""
    radius = math.sqrt(-2.0 * math.log(max(draw_unit(streams, i), _TINY)))
    return radius * math.cos(2.0 * math.pi * draw_unit(streams, i))


@kernel
def draw_gamma(streams, i, shape):
    """Return the next Gamma(shape, 1) number of stream i (Marsaglia and Tsang 2000, section 6 below 1)."""
    boost = 1.0
    if shape < 1.0:
        boost = max(draw_unit(streams, i), _TINY) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = draw_normal(streams, i)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and math.log(max(draw_unit(streams, i), _TINY)) < 0.5 * x * x + d - d * v + d * math.log(v):
            return boost * d * v


@kernel
def add_noise(nodes, edges, settings, streams, i):
    """Mix Dirichlet noise into the priors of the root's edges.

    The concentration is noise_total shared among the legal actions, as KataGo scales it (Wu 2019, section 2.2).
    """
    root = nodes[0]
    first, last = root.first_edge, root.first_edge + root.num_edges
    total = 0.0
    for e in range(first, last):
        edges[e].total = draw_gamma(streams, i, settings.noise_total / root.num_edges)
        total += edges[e].total
    for e in range(first, last):
        noise = edges[e].total / total if total > 0.0 else 1.0 / root.num_edges
        edges[e].prior = (1.0 - settings.noise_share) * edges[e].prior + settings.noise_share * noise
        edges[e].total = 0.0


@kernel
def root_value(nodes):
    """Return the root's mean value for its side to move, or the proven one."""
    if nodes[0].proof != UNKNOWN:
        return proof_value(nodes[0].proof)
    return nodes[0].total / nodes[0].visits


@kernel
def root_policy(nodes, edges, actions, policy):
    """Write the root's actions and the search's policy over them; return how many there are.

    actions: [>= MAX_MOVES] int16; policy: [>= MAX_MOVES] float32, sums to 1. The policy is the share of the visits;
    where an edge is proven won, only won edges count; edges proven lost count only if all are.
    """
    root = nodes[0]
    won, hope = False, False
    for e in range(root.first_edge, root.first_edge + root.num_edges):
        won = won or edges[e].proof == WIN
        hope = hope or (edges[e].proof != LOSS and edges[e].visits > 0)
    total = 0.0
    for k in range(root.num_edges):
        edge = edges[root.first_edge + k]
        weight = float(edge.visits)
        if won:
            weight = 1.0 if edge.proof == WIN else 0.0
        elif hope and edge.proof == LOSS:
            weight = 0.0
        elif root.opened == 0:
            weight = edge.prior
        actions[k] = edge.action
        policy[k] = weight
        total += weight
    for k in range(root.num_edges):
        policy[k] = policy[k] / total
    return root.num_edges


@kernel
def choose(actions, policy, n, temperature, streams, i):
    """Return the index of the action to play: the likeliest, or a draw from the policy to the power 1 / temperature."""
    best = 0
    for k in range(n):
        if policy[k] > policy[best]:
            best = k
    if temperature <= 0.0:
        return best
    total = 0.0
    for k in range(n):
        total += (policy[k] / policy[best]) ** (1.0 / temperature)
    left = draw_unit(streams, i) * total
    for k in range(n):
        left -= (policy[k] / policy[best]) ** (1.0 / temperature)
        if left < 0.0:
            return k
    return best
