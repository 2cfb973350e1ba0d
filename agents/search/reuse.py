"""A tree carried from one move of a game to the next: what lies below the moves that were played becomes the tree.

A tree is kept only for the same game at the same side's next turn, and only where the game's own keys reach back to the
tree's root and agree all the way: then what is known of repetitions below holds too. A game that began anew in the same
place has no keys from before its start, so that it never meets the tree of the one before it.
"""

from __future__ import annotations

from agents.search.tree import NONE, bring_likeliest
from makruk_env.core.game import copy_past
from makruk_env.core.jit import kernel

_MARKED = -2
"""While a tree is moved, a node to be kept tells its parent's edge e as _MARKED - 1 - e: this for NONE, else less."""


@kernel
def same_words(one, other):
    """Tell whether two records, seen as [W] uint64, are equal."""
    for k in range(len(one)):
        if one[k] != other[k]:
            return False
    return True


@kernel
def agrees(nodes, positions, node, head, path, history, origin):
    """Tell whether a game's keys are those on the way to a node, and before the root as far as a repetition reaches."""
    if head.origin < origin:
        return False
    while node != NONE:
        if history[positions[node].ply - origin] != positions[node].key:
            return False
        node = nodes[node].parent
    for ply in range(head.origin, positions[0].ply):
        if history[ply - origin] != path[ply - head.origin]:
            return False
    return True


@kernel
def find_roots(
    first,
    last,
    trees,
    which,
    games,
    game_words,
    histories,
    origins,
    nodes,
    positions,
    words,
    heads,
    paths,
    found,
):
    """Write the node that the game of tree trees[m] has come to, NONE where it is to be planted anew; found: [M] int64.

    which: [T] int64 by tree; game_words: [B, W] uint64 and words: [T, N, W] uint64, the records of `games` and
    `positions`. A node that nothing was tried at is not worth keeping, and one whose position stood before was given
    the value of the draw that it may become, which the root is not.
    """
    for m in range(first, last):
        g = trees[m]
        game = games[which[g]]
        found[m] = NONE
        if game.side != positions[g, 0].side or game.ply < positions[g, 0].ply + 2 or game.repetition > 0:
            continue
        for node in range(1, heads[g].num_nodes):
            if positions[g, node].key != game.key or nodes[g, node].opened == 0:
                continue
            if same_words(words[g, node], game_words[which[g]]) and agrees(
                nodes[g], positions[g], node, heads[g], paths[g], histories[which[g]], origins[which[g]]
            ):
                found[m] = node
                break


@kernel
def keep_subtree(nodes, edges, positions, head, root):
    """Make a node the root of its tree, in place: whatever is not below it is dropped, the rest moves to the front.

    Children lie behind their parents, in the nodes as in the edges, so that nothing is overwritten before it has moved.
    """
    num_nodes, num_edges = 0, 0
    nodes[root].parent = NONE
    nodes[root].parent_edge = _MARKED - 1 - NONE
    for node in range(root, head.num_nodes):
        if nodes[node].parent_edge > _MARKED:
            continue
        first = nodes[node].first_edge
        nodes[num_nodes] = nodes[node]
        positions[num_nodes] = positions[node]
        here = nodes[num_nodes]
        here.parent_edge = _MARKED - 1 - here.parent_edge
        here.first_edge = num_edges
        if here.parent_edge != NONE:
            edges[here.parent_edge].child = num_nodes
        for k in range(here.num_edges):
            edges[num_edges] = edges[first + k]
            child = edges[num_edges].child
            if child != NONE:
                nodes[child].parent = num_nodes
                nodes[child].parent_edge = _MARKED - 1 - num_edges
            num_edges += 1
        num_nodes += 1
    head.num_nodes = num_nodes
    head.num_edges = num_edges


@kernel
def carry_on(
    first,
    last,
    trees,
    found,
    which,
    games,
    histories,
    origins,
    budgets,
    temperatures,
    nodes,
    edges,
    positions,
    heads,
    keys,
    priors,
    paths,
):
    """Make node found[m] the root of tree trees[m], with the visits that it has: they count towards its budget."""
    for m in range(first, last):
        g = trees[m]
        i = which[g]
        head = heads[g]
        keep_subtree(nodes[g], edges[g], positions[g], head, found[m])
        head.origin = copy_past(games[i], histories[i], origins[i], paths[g])
        head.simulations = nodes[g, 0].visits - 1
        head.budget = budgets[m]
        head.temperature = temperatures[m]
        head.noisy = False
        head.leaf = NONE
        for k in range(nodes[g, 0].opened, nodes[g, 0].num_edges):
            bring_likeliest(edges[g], k, nodes[g, 0].num_edges)
        for k in range(nodes[g, 0].num_edges):
            priors[g, k] = edges[g, k].prior
            keys[g, k] = priors[g, k]
