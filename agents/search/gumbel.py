"""The root of Gumbel AlphaZero: sequential halving over a few actions drawn without replacement.

Danihelka, Guez, Schrittwieser and Silver 2022, "Policy improvement by planning with Gumbel". A key is drawn for each
action, g + log P with g from Gumbel(0), and the actions with the highest keys are considered (section 3.2). Halving
shares the simulations out among them (algorithm 2): every considered action is visited equally often, then the worse
half is left, and so on. What is best is told by key + sigma(q), sigma(q) = (c_visit + most visits) c_scale q with q in
[0, 1] (equation 8). Below the root the search stays PUCT.
"""

from __future__ import annotations

import math

import numpy as np

from agents.search.proof import LOSS, UNKNOWN, proof_value
from agents.search.tree import NONE
from makruk_env.core.jit import kernel


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
def sigma_scale(nodes, edges, settings):
    """Return sigma's factor, (c_visit + most visits) c_scale, for q in [0, 1]."""
    root = nodes[0]
    most = 0
    for e in range(root.first_edge, root.first_edge + root.num_edges):
        most = max(most, edges[e].visits)
    return (settings.c_visit + most) * settings.c_scale


@kernel
def completed_q(edge, untried):
    """Return an edge's value for the mover, in [-1, 1]: proven, found, or what an untried one is taken to be worth."""
    if edge.proof != UNKNOWN:
        return proof_value(edge.proof)
    return edge.total / edge.visits if edge.visits > 0 else untried


@kernel
def start_halving(head, considered):
    """Begin with so many actions."""
    head.considered = considered
    head.halved = considered
    head.round_left = 0
    head.rounds_left = 0
    head.wanted = -1


@kernel
def next_wanted(head):
    """Return how many visits the action has that is to be visited next, and go on by one simulation.

    With m actions considered and n simulations a phase of k actions lasts max(1, n // (ceil(log2 m) k)) rounds, a round
    being one visit to each; then k is halved, down to 2.
    """
    if head.round_left == 0:
        if head.rounds_left == 0:
            if head.wanted >= 0:
                head.halved = min(head.considered, max(2, head.halved // 2))
            phases = max(1, math.ceil(math.log2(head.considered)))
            head.rounds_left = max(1, head.budget // (phases * head.halved))
        head.rounds_left -= 1
        head.round_left = head.halved
        head.wanted += 1
    head.round_left -= 1
    return head.wanted


@kernel
def considered_edge(nodes, edges, head, settings, keys):
    """Return the edge of the root to follow: of the wanted number of visits, the one that is best by key and value.

    An edge proven lost is never followed; where none is left of the wanted number, the nearest number will do, and
    where all considered ones are lost, the next action by its key is considered too.
    """
    root = nodes[0]
    wanted = next_wanted(head)
    scale, untried = sigma_scale(nodes, edges, settings), mixed_value(nodes, edges)
    best, best_gap, best_score = NONE, 0, -math.inf
    for k in range(max(head.considered, root.opened)):
        edge = edges[root.first_edge + k]
        if edge.proof == LOSS:
            continue
        gap = abs(edge.visits - wanted)
        score = keys[k] + scale * 0.5 * (completed_q(edge, untried) + 1.0)
        if best == NONE or gap < best_gap or (gap == best_gap and score > best_score):
            best, best_gap, best_score = root.first_edge + k, gap, score
    return best if best != NONE else root.first_edge + root.opened
