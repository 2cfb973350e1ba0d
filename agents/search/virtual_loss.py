"""Several leaves of one tree at once: a visit under way counts as a loss for its mover until its value is known.

So the next descent of the same round looks elsewhere (Chaslot, Winands and van den Herik 2008, "Parallel Monte-Carlo
tree search", section 3.3). What is under way is counted beside the tree and never added to its totals, so that a tree
with nothing under way is exactly what single visits would have made.

    under_nodes  [N] int32   descents under way through a node and one of its edges
    under_edges  [E] int32   descents under way through an edge
"""

from __future__ import annotations

import math

import numpy as np

from agents.search.backup import back_up
from agents.search.evaluators import softmax_priors
from agents.search.proof import LOSS, UNKNOWN, proof_value
from agents.search.rounds import enter
from agents.search.select import exploration
from agents.search.tree import NONE, add_child, note_opened
from makruk_env.core.jit import kernel
from makruk_env.core.observe import observe


@kernel
def best_free_edge(nodes, edges, node, settings, under_nodes, under_edges):
    """Return what `agents.search.select.best_edge` would, were every visit under way a loss that has come back."""
    here = nodes[node]
    first = here.first_edge
    opened = first + here.opened
    n = here.visits - 1 + under_nodes[node]
    scale = exploration(n, settings)
    best = NONE
    best_score = -math.inf
    tried = 0.0
    for e in range(first, opened):
        edge = edges[e]
        tried += edge.prior
        if edge.proof == LOSS:
            continue
        visits = edge.visits + under_edges[e]
        q = proof_value(edge.proof) if edge.proof != UNKNOWN else (edge.total - under_edges[e]) / visits
        score = q + scale * edge.prior / (1 + visits)
        if score > best_score:
            best = e
            best_score = score
    if here.opened < here.num_edges:
        q = (here.total - under_nodes[node]) / (here.visits + under_nodes[node])
        if node != 0:
            q -= settings.fpu_reduction * math.sqrt(tried)
        if q + scale * edges[opened].prior > best_score:
            best = opened
    return best


@kernel
def set_out(nodes, edges, positions, head, path, rules, settings, moves, under_nodes, under_edges):
    """Go down from the root and return the leaf, as `select_leaf` does; the way stays under way until `come_back`.

    The leaf may be one that waits for its evaluation already: it has no visits then.
    """
    node = 0
    while True:
        position = positions[node]
        path[position.ply - head.origin] = position.key
        edge = best_free_edge(nodes, edges, node, settings, under_nodes, under_edges)
        child = edges[edge].child
        if child == NONE:
            child = add_child(nodes, edges, positions, head, path, rules, node, edge, moves)
            if child == NONE:
                head.skipped += 1
                return node
            note_opened(nodes, edges, node)
            under_nodes[node] += 1
            under_edges[edge] += 1
            return child
        under_nodes[node] += 1
        under_edges[edge] += 1
        if nodes[child].proof != UNKNOWN or nodes[child].visits == 0:
            return child
        node = child


@kernel
def come_back(nodes, leaf, under_nodes, under_edges):
    """Take back the virtual losses on the way to a leaf."""
    node = leaf
    while nodes[node].parent != NONE:
        under_edges[nodes[node].parent_edge] -= 1
        node = nodes[node].parent
        under_nodes[node] -= 1


@kernel
def gather(
    nodes, edges, positions, head, path, rules, settings, moves, under_nodes, under_edges, leaves, planes
):  # fmt: skip
    """Set out to up to K leaves that need an evaluator, write their planes, and return how many there are.

    leaves: [K] int64; planes: [K, C, 8, 8] float32. Fewer where the budget is used up, and where a descent ends at a
    leaf that waits already: more of the same would only follow the virtual losses. A new tree's root goes alone.
    """
    if head.leaf != NONE:
        leaves[0] = head.leaf
        observe(positions[head.leaf], rules, planes[0])
        return 1
    count = 0
    while count < len(leaves) and head.simulations < head.budget and nodes[0].proof == UNKNOWN:
        known = head.num_nodes
        leaf = set_out(nodes, edges, positions, head, path, rules, settings, moves, under_nodes, under_edges)
        if nodes[leaf].proof == UNKNOWN and nodes[leaf].visits == 0 and leaf < known:
            come_back(nodes, leaf, under_nodes, under_edges)
            return count
        head.simulations += 1
        if nodes[leaf].proof == UNKNOWN and nodes[leaf].visits == 0:
            observe(positions[leaf], rules, planes[count])
            leaves[count] = leaf
            count += 1
            continue
        come_back(nodes, leaf, under_nodes, under_edges)
        if nodes[leaf].proof != UNKNOWN:
            back_up(nodes, edges, positions, leaf, proof_value(nodes[leaf].proof))
        else:
            back_up(nodes, edges, positions, leaf, nodes[leaf].value)
    return count


@kernel
def answer(
    nodes,
    edges,
    positions,
    head,
    keys,
    priors,
    settings,
    streams,
    under_nodes,
    under_edges,
    leaves,
    count,
    logits,
    outcomes,
):
    """Enter the evaluator's answers for the first `count` leaves, in the order in which they were gathered."""
    for m in range(count):
        head.leaf = leaves[m]
        come_back(nodes, head.leaf, under_nodes, under_edges)
        softmax_priors(nodes, edges, head.leaf, logits[m])
        value = np.float64(outcomes[m, 0]) - np.float64(outcomes[m, 2])
        enter(nodes, edges, positions, head, keys, priors, settings, streams, 0, value)
