"""The root: noise before a search, the policy and the choice after it."""

from __future__ import annotations

import math

import numpy as np

from agents.search.proof import LOSS, UNKNOWN, WIN, proof_value
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
def mixed_value(nodes, edges):
    """Return what an untried edge of the root is taken to be worth: v_mix of Danihelka et al. 2022, equation 33.

    It mixes the evaluator's value with the tried edges' values, weighed by their priors.
    """
    root = nodes[0]
    visits, prior, weighed = 0, 0.0, 0.0
    for e in range(root.first_edge, root.first_edge + root.opened):
        visits += edges[e].visits
        prior += edges[e].prior
        weighed += edges[e].prior * edges[e].total / edges[e].visits
    if prior <= 0.0:
        return np.float64(root.value)
    return (root.value + visits * weighed / prior) / (1 + visits)


@kernel
def root_policy(nodes, edges, settings, actions, policy):
    """Write the root's actions and the search's policy over them; return how many there are.

    actions: [>= MAX_MOVES] int16; policy: [>= MAX_MOVES] float32, sums to 1. With c_scale above 0 it is the improved
    policy of Danihelka et al. 2022, section 4: softmax(ln P + (c_visit + max n) c_scale Q), Q in [0, 1], completed by
    `mixed_value`; it learns from fewer simulations than there are actions. With c_scale 0 it is AlphaZero's share of
    the visits. Where an edge is proven won, only won edges count; edges proven lost count only if all are.
    """
    root = nodes[0]
    won, hope = False, False
    most, highest = 0, -math.inf
    for e in range(root.first_edge, root.first_edge + root.num_edges):
        won = won or edges[e].proof == WIN
        hope = hope or edges[e].proof != LOSS
        most = max(most, edges[e].visits)
    scale = (settings.c_visit + most) * settings.c_scale
    untried = mixed_value(nodes, edges)
    for k in range(root.num_edges):
        edge = edges[root.first_edge + k]
        actions[k] = edge.action
        if edge.proof != UNKNOWN:
            q = proof_value(edge.proof)
        else:
            q = edge.total / edge.visits if edge.visits else untried
        policy[k] = math.log(max(edge.prior, _TINY)) + scale * 0.5 * (q + 1.0)
        highest = max(highest, policy[k])
    total = 0.0
    for k in range(root.num_edges):
        edge = edges[root.first_edge + k]
        if settings.c_scale > 0.0:
            weight = math.exp(policy[k] - highest)
        else:
            weight = float(edge.visits) if most else float(edge.prior)
        if won:
            weight = 1.0 if edge.proof == WIN else 0.0
        elif hope and edge.proof == LOSS:
            weight = 0.0
        policy[k] = weight
        total += weight
    for k in range(root.num_edges):
        policy[k] = policy[k] / total if total > 0.0 else 1.0 / root.num_edges
    return root.num_edges


@kernel
def most_visited(nodes, edges, policy):
    """Return the index of the most visited edge of those with a part in the policy, the likelier one of equals."""
    root = nodes[0]
    best = 0
    for k in range(1, root.num_edges):
        here, there = edges[root.first_edge + k], edges[root.first_edge + best]
        if policy[best] <= 0.0 or (
            policy[k] > 0.0
            and (here.visits > there.visits or (here.visits == there.visits and policy[k] > policy[best]))
        ):
            best = k
    return best


@kernel
def draw_action(policy, n, temperature, streams, i):
    """Return an index drawn from the policy to the power 1 / temperature, temperature > 0."""
    highest, total = 0.0, 0.0
    for k in range(n):
        highest = max(highest, policy[k])
    for k in range(n):
        total += (policy[k] / highest) ** (1.0 / temperature)
    left = draw_unit(streams, i) * total
    chosen = 0
    for k in range(n):
        if policy[k] > 0.0:
            chosen = k
            left -= (policy[k] / highest) ** (1.0 / temperature)
            if left < 0.0:
                break
    return chosen
