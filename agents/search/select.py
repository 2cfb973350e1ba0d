"""Selection: the way from the root to a leaf by PUCT (Silver et al. 2018, Science 362, Methods, "Search")."""

from __future__ import annotations

import math

import numpy as np

from agents.search.proof import LOSS, UNKNOWN, proof_value
from agents.search.tree import NONE, add_child
from makruk_env.core.jit import kernel

SETTINGS = np.dtype(
    (
        np.record,
        [
            (name, "f8")
            for name in (
                "c_init",
                "c_base",
                "fpu_reduction",
                "noise_share",
                "noise_total",
                "c_visit",
                "c_scale",
                "twofold",
            )
        ],
    )
)


@kernel
def best_edge(nodes, edges, node, settings):
    """Return the edge to follow from a node that is neither proven nor without edges.

    It maximises Q + c P sqrt(N) / (1 + n), with c = ln((N + c_base + 1) / c_base) + c_init and N the visits of all its
    edges. An untried edge's Q is the node's own mean less fpu_reduction times the root of the priors tried so far
    (first-play urgency as in Leela Chess Zero); at the root nothing is taken off, so that few simulations still try
    what a flat prior hides. An edge proven lost is never followed, one proven drawn is worth 0.
    """
    here = nodes[node]
    first = here.first_edge
    opened = first + here.opened
    n = here.visits - 1
    scale = (math.log((n + settings.c_base + 1.0) / settings.c_base) + settings.c_init) * math.sqrt(n)
    best = NONE
    best_score = -math.inf
    tried = 0.0
    for e in range(first, opened):
        edge = edges[e]
        tried += edge.prior
        if edge.proof == LOSS:
            continue
        q = proof_value(edge.proof) if edge.proof != UNKNOWN else edge.total / edge.visits
        score = q + scale * edge.prior / (1 + edge.visits)
        if score > best_score:
            best = e
            best_score = score
    if here.opened < here.num_edges:
        q = here.total / here.visits
        if node != 0:
            q -= settings.fpu_reduction * math.sqrt(tried)
        if q + scale * edges[opened].prior > best_score:
            best = opened
    return best


@kernel
def select_leaf(nodes, edges, positions, head, path, rules, settings, moves):
    """Go down from the root and return the leaf: a node just made, or one that is proven.

    In a full tree the leaf is the node whose untried edge could not be followed; head.skipped counts that.
    """
    node = 0
    while True:
        position = positions[node]
        path[position.ply - head.origin] = position.key
        edge = best_edge(nodes, edges, node, settings)
        child = edges[edge].child
        if child == NONE:
            child = add_child(nodes, edges, positions, head, path, rules, node, edge, moves)
            if child == NONE:
                head.skipped += 1
                return node
            nodes[node].opened += 1
            return child
        if nodes[child].proof != UNKNOWN:
            return child
        node = child
