"""A search tree in flat arrays. G trees, N nodes, E edges, P plies, M = MAX_MOVES.

    nodes      [G, N] NODE       a position that was reached, where its edges begin, and what is known of it
    positions  [G, N] POSITION   beside the nodes, row by row; the last row is scratch
    edges      [G, E] EDGE       the legal actions of the nodes, those of one node side by side
    keys       [G, M] float64    what the root's edges are sorted by: priors with noise, or Gumbel keys
    priors     [G, M] float32    the root's priors as the evaluator gave them, in the order of its edges
    paths      [G, P] uint64     keys: the game's own since its last capture or bia move, then those of the descent
    heads      [G] HEAD          how much of a tree is in use and how far its search has come

All values are in [-1, 1] from the point of view of the side to move at the node that they belong to: an edge's total
speaks for the mover at the edge's upper end. A count action keeps the turn: signs follow the side, never the depth.
The untried edge with the highest prior is always the next to be tried. So it is kept right behind the tried ones, which
are the first `opened` edges of their node: nothing else needs to be looked at, and nothing is sorted that is not tried.
The root's edges are all in order, see `keys`.
"""

from __future__ import annotations

import numpy as np

from agents.search.mates import mark_mates
from agents.search.proof import DRAW, LOSS, UNKNOWN, WIN
from makruk_env.core.game import advance
from makruk_env.core.jit import kernel
from makruk_env.core.position import NOBODY

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("total", "f8"),  # sum of the values backed up through the node
                ("value", "f4"),  # what the evaluator said
                ("parent", "i4"),  # NONE at the root
                ("parent_edge", "i4"),
                ("first_edge", "i4"),
                ("visits", "i4"),
                ("num_edges", "i2"),
                ("opened", "i2"),  # how many of the edges have been tried
                ("distance", "i2"),  # plies to the end that is proven, in a WIN or a LOSS
                ("proof", "i1"),  # UNKNOWN, WIN, DRAW or LOSS of the side to move
            ],
            align=True,
        ),
    )
)
EDGE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("total", "f8"),  # sum of the values backed up through the edge, for the mover
                ("prior", "f4"),
                ("visits", "i4"),
                ("child", "i4"),  # NONE before the first visit
                ("action", "i2"),
                ("proof", "i1"),  # of the mover
            ],
            align=True,
        ),
    )
)
HEAD = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("num_nodes", "i4"),
                ("num_edges", "i4"),
                ("simulations", "i4"),  # done so far
                ("budget", "i4"),  # simulations to do
                ("leaf", "i4"),  # the node that waits for its evaluation, or NONE
                ("skipped", "i4"),  # simulations that found the tree full
                ("origin", "i4"),  # the ply that paths[0] belongs to
                ("temperature", "f4"),  # of the choice at the root
                ("noisy", "i1"),  # the root's priors get noise
                ("considered", "i2"),  # actions that sequential halving began with, see agents.search.gumbel
                ("halved", "i2"),  # actions that are left of them
                ("round_left", "i2"),  # of which this many have not had the visit of this round
                ("rounds_left", "i4"),  # rounds before the next halving
                ("wanted", "i4"),  # visits that an action has before its next one
            ],
            align=True,
        ),
    )
)
NONE = -1


@kernel
def open_node(nodes, edges, positions, head, rules, parent, parent_edge, moves, n):
    """Enter the position in row head.num_nodes as a node with `n` legal actions; return its number, NONE if full."""
    node = head.num_nodes
    if head.num_edges + n > len(edges):
        return NONE
    first = head.num_edges
    for k in range(n):
        edge = edges[first + k]
        edge.total = 0.0
        edge.prior = 0.0
        edge.visits = 0
        edge.child = NONE
        edge.action = moves[k]
        edge.proof = UNKNOWN
    here = nodes[node]
    here.total = 0.0
    here.value = 0.0
    here.parent = parent
    here.parent_edge = parent_edge
    here.first_edge = first
    here.visits = 0
    here.num_edges = n
    here.opened = 0
    here.distance = 0
    here.proof = UNKNOWN
    if positions[node].termination:
        winner = positions[node].winner
        here.proof = DRAW if winner == NOBODY else (WIN if winner == positions[node].side else LOSS)
    if mark_mates(positions[node], rules, moves, n, edges, first, positions[len(positions) - 1]):
        here.proof = WIN
        here.distance = 1
    head.num_nodes += 1
    head.num_edges += n
    return node


@kernel
def add_child(nodes, edges, positions, head, path, rules, parent, parent_edge, moves):
    """Play an edge's action and enter what it leads to as a node; return its number, NONE if the tree is full."""
    child = head.num_nodes
    if child + 1 >= len(positions):
        return NONE
    positions[child] = positions[parent]
    n = advance(positions[child], rules, edges[parent_edge].action, path, head.origin, moves)
    node = open_node(nodes, edges, positions, head, rules, parent, parent_edge, moves, n)
    if node != NONE:
        edges[parent_edge].child = node
    return node


@kernel
def bring_likeliest(edges, first, last):
    """Move the untried edge with the highest prior to the front of first .. last - 1; the rest keep their order."""
    best = first
    for e in range(first + 1, last):
        if edges[e].prior > edges[best].prior:
            best = e
    prior, action = edges[best].prior, edges[best].action
    for e in range(best, first, -1):
        edges[e].prior = edges[e - 1].prior
        edges[e].action = edges[e - 1].action
    if first < last:
        edges[first].prior = prior
        edges[first].action = action


@kernel
def note_opened(nodes, edges, node):
    """Count the edge that has just been tried first, and bring up the next one; the root's are in order already."""
    here = nodes[node]
    here.opened += 1
    if node != 0:
        bring_likeliest(edges, here.first_edge + here.opened, here.first_edge + here.num_edges)
