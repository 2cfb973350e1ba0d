"""Selection: the way from the root to a leaf by PUCT (Silver et al. 2018, Science 362, Methods, "Search")."""

from __future__ import annotations

import math

import numpy as np

from agents.search.gumbel import considered_edge
from agents.search.proof import LOSS, UNKNOWN, proof_value
from agents.search.tree import NONE, add_child, note_opened
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
                "considered",
                "forced_playouts",
            )
        ],
    )
)


@kernel
def exploration(n, settings):
    """Return the factor c sqrt(n) at a node whose edges have n visits; c = ln((n + c_base + 1) / c_base) + c_init."""
    return (math.log((n + settings.c_base + 1.0) / settings.c_base) + settings.c_init) * math.sqrt(n)


@kernel
def best_edge(nodes, edges, node, settings):
    """Return the edge to follow from a node that is neither proven nor without edges.

    It maximises Q + c P sqrt(N) / (1 + n), N the visits of all its edges, see `exploration`. An untried edge's Q is the
    node's own mean less fpu_reduction times the root of the priors tried so far (first-play urgency as in Leela Chess
    Zero); at the root nothing is taken off, so that few simulations still try what a flat prior hides. An edge proven
    lost is never followed, one proven drawn is worth 0.
    """
    here = nodes[node]
    first = here.first_edge
    opened = first + here.opened
    n = here.visits - 1
    scale = exploration(n, settings)
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
def forced_edge(nodes, edges, settings):
    """Return an edge of the root that is owed a visit, or NONE: forced playouts (Wu 2019, section 3.2).

    A tried edge gets at least sqrt(forced_playouts P N) visits, N those of all edges, so that noise in its prior P has
    a chance to find something; `root_policy` takes them off again.
    """
    root = nodes[0]
    for e in range(root.first_edge, root.first_edge + root.opened):
        edge = edges[e]
        owed = settings.forced_playouts * edge.prior * (root.visits - 1)
        if edge.proof == UNKNOWN and edge.visits * edge.visits < owed:
            return e
    return NONE


@kernel
def root_edge(nodes, edges, head, settings, keys):
    """Return the edge to follow from the root, or NONE where it is chosen as everywhere else."""
    if settings.considered > 0.0:
        return considered_edge(nodes, edges, head, settings, keys)
    if settings.forced_playouts > 0.0 and head.noisy:
        return forced_edge(nodes, edges, settings)
    return NONE


@kernel
def select_leaf(nodes, edges, positions, head, keys, path, rules, settings, moves):
    """Go down from the root and return the leaf: a node just made, or one that is proven.

    In a full tree the leaf is the node whose untried edge could not be followed; head.skipped counts that.
    """
    node = 0
    edge = root_edge(nodes, edges, head, settings, keys)
    while True:
        position = positions[node]
        path[position.ply - head.origin] = position.key
        if edge == NONE:
            edge = best_edge(nodes, edges, node, settings)
        child = edges[edge].child
        if child == NONE:
            child = add_child(nodes, edges, positions, head, path, rules, node, edge, moves)
            if child == NONE:
                head.skipped += 1
                return node
            note_opened(nodes, edges, node)
            return child
        if nodes[child].proof != UNKNOWN:
            return child
        node, edge = child, NONE
