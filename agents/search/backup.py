"""Backup: what a leaf is worth goes up to the root, and proofs with it (Winands et al. 2008, section 3)."""

from __future__ import annotations

from agents.search.proof import DRAW, LOSS, UNKNOWN, WIN, proof_value, turned_proof
from agents.search.tree import NONE
from makruk_env.core.jit import kernel


@kernel
def proof_by_edges(nodes, edges, node):
    """Return what the proofs of its edges prove of a node: WIN by one edge, DRAW or LOSS only by all."""
    here = nodes[node]
    best = LOSS
    for e in range(here.first_edge, here.first_edge + here.opened):
        proof = edges[e].proof
        if proof == WIN:
            return WIN
        if proof == UNKNOWN:
            best = UNKNOWN
        elif proof == DRAW and best == LOSS:
            best = DRAW
    return best if here.opened == here.num_edges else UNKNOWN


@kernel
def edge_distance(nodes, edge):
    """Return how many plies the end is away that is proven of an edge; mates in one have no child."""
    return 1 if edge.child == NONE else nodes[edge.child].distance + 1


@kernel
def distance_by_edges(nodes, edges, node):
    """Return how far off the end is that has just been proven: the winner hurries, the loser takes his time."""
    here = nodes[node]
    if here.proof == DRAW:
        return 0
    best = 0
    for e in range(here.first_edge, here.first_edge + here.opened):
        if edges[e].proof == here.proof:
            distance = edge_distance(nodes, edges[e])
            if best == 0 or (distance < best) == (here.proof == WIN):
                best = distance
    return best


@kernel
def back_up(nodes, edges, positions, leaf, value):
    """Add a leaf's value, for its own side to move, to every node and edge on its way from the root.

    Where a proof turns up on the way, what goes on upwards is the proven value.
    """
    node = leaf
    nodes[leaf].visits += 1
    nodes[leaf].total += value
    while nodes[node].parent != NONE:
        proof = nodes[node].proof
        side = positions[node].side
        edge = edges[nodes[node].parent_edge]
        node = nodes[node].parent
        if positions[node].side != side:
            value = -value
            proof = turned_proof(proof)
        edge.visits += 1
        edge.total += value
        if proof != UNKNOWN and edge.proof == UNKNOWN:
            edge.proof = proof
            nodes[node].proof = proof_by_edges(nodes, edges, node)
            if nodes[node].proof != UNKNOWN:
                value = proof_value(nodes[node].proof)
                nodes[node].distance = distance_by_edges(nodes, edges, node)
        nodes[node].visits += 1
        nodes[node].total += value
