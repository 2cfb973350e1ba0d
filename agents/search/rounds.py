"""The rounds of a search, as loops over its trees: plant, judge one leaf of each, take the answers, read the roots.

The loops run over rows first .. last - 1 of `trees`, [M] int64, to be shared out by `makruk_env.core.threads`. which:
[G] int64, the game that each tree belongs to; rules: [1] RULES, settings: [1] SETTINGS; moves: [G, MAX_MOVES] int16,
scratch. The other arrays are those of `agents.search.tree`.
"""

from __future__ import annotations

import numpy as np

from agents.search.backup import back_up
from agents.search.evaluators import evaluate_leaf, softmax_priors
from agents.search.proof import UNKNOWN, proof_value
from agents.search.root import best_action, draw_action, enter_root, root_policy, root_value
from agents.search.select import select_leaf
from agents.search.tree import NONE, bring_likeliest, open_node
from makruk_env.core.game import copy_past, list_actions
from makruk_env.core.jit import kernel
from makruk_env.core.observe import observe


@kernel
def simulate(nodes, edges, positions, head, keys, path, rules, settings, moves):
    """Run simulations that need no evaluator, until one does: head.leaf is then its leaf, else NONE."""
    head.leaf = NONE
    while head.simulations < head.budget and nodes[0].proof == UNKNOWN:
        head.simulations += 1
        leaf = select_leaf(nodes, edges, positions, head, keys, path, rules, settings, moves)
        if nodes[leaf].proof != UNKNOWN:
            back_up(nodes, edges, positions, leaf, proof_value(nodes[leaf].proof))
        elif nodes[leaf].visits > 0:
            back_up(nodes, edges, positions, leaf, nodes[leaf].value)
        else:
            head.leaf = leaf
            return


@kernel
def enter(nodes, edges, positions, head, keys, priors, settings, streams, i, value):
    """Take in what an evaluator said of head.leaf, whose priors are set: noise at the root, order, backup.

    A position that stood before is taken, by the share `twofold`, for the draw that it may become: whoever is ahead
    then looks for something new. Only the third occurrence, or whichever the rules name, is a proven draw.
    """
    leaf = head.leaf
    if leaf != 0 and positions[leaf].repetition > 0:
        value *= 1.0 - settings.twofold
    if leaf == 0:
        enter_root(nodes, edges, head, settings, keys, priors, streams, i)
    else:
        first = nodes[leaf].first_edge
        bring_likeliest(edges, first, first + nodes[leaf].num_edges)
    nodes[leaf].value = value
    back_up(nodes, edges, positions, leaf, nodes[leaf].value)
    head.leaf = NONE


@kernel
def plant(
    first,
    last,
    trees,
    which,
    games,
    histories,
    origins,
    rules,
    budgets,
    temperatures,
    noisy,
    nodes,
    edges,
    positions,
    heads,
    keys,
    priors,
    paths,
    moves,
):
    """Make games the roots of new trees that wait for their first evaluation.

    budgets: [M] int64, simulations; temperatures: [M] float64; noisy: [M] bool.
    """
    for m in range(first, last):
        g = trees[m]
        i = which[g]
        head = heads[g]
        positions[g, 0] = games[i]
        head.origin = copy_past(games[i], histories[i], origins[i], paths[g])
        head.num_nodes = 0
        head.num_edges = 0
        head.simulations = 0
        head.skipped = 0
        head.budget = budgets[m]
        head.temperature = temperatures[m]
        head.noisy = noisy[m]
        n = list_actions(positions[g, 0], rules[0], paths[g], head.origin, moves[g])
        head.leaf = open_node(nodes[g], edges[g], positions[g], head, rules[0], NONE, NONE, moves[g], n)
        if nodes[g, 0].proof != UNKNOWN:
            head.leaf = NONE
            for k in range(n):
                priors[g, k] = np.float32(1.0 / n)
                keys[g, k] = priors[g, k]


@kernel
def go_on(first, last, trees, rules, settings, nodes, edges, positions, heads, keys, paths, moves):
    """Simulate on to the next leaf where a tree waits for none."""
    for m in range(first, last):
        g = trees[m]
        if heads[g].leaf == NONE:
            simulate(nodes[g], edges[g], positions[g], heads[g], keys[g], paths[g], rules[0], settings[0], moves[g])


@kernel
def search_compiled(
    first,
    last,
    trees,
    kind,
    weights,
    features,
    sums,
    hidden,
    rules,
    settings,
    which,
    streams,
    nodes,
    edges,
    positions,
    heads,
    keys,
    priors,
    paths,
    moves,
):
    """Search trees to their budgets with a compiled evaluator; features, sums, hidden: [G, ...], room for a network."""
    for m in range(first, last):
        g = trees[m]
        head = heads[g]
        while head.leaf != NONE:
            value = evaluate_leaf(
                kind, weights, features[g], sums[g], hidden[g], nodes[g], edges[g], positions[g], head.leaf, rules[0],
                paths[g], head.origin, moves[g], streams, which[g],
            )  # fmt: skip
            enter(nodes[g], edges[g], positions[g], head, keys[g], priors[g], settings[0], streams, which[g], value)
            simulate(nodes[g], edges[g], positions[g], head, keys[g], paths[g], rules[0], settings[0], moves[g])


@kernel
def gather_leaves(first, last, trees, rules, positions, heads, planes):
    """Write the planes of the waiting leaves, row by row; planes: [>= M, C, 8, 8] float32."""
    for m in range(first, last):
        g = trees[m]
        observe(positions[g, heads[g].leaf], rules[0], planes[m])


@kernel
def take_answers(
    first,
    last,
    trees,
    logits,
    outcomes,
    rules,
    settings,
    which,
    streams,
    nodes,
    edges,
    positions,
    heads,
    keys,
    priors,
    paths,
    moves,
):
    """Enter the evaluator's answers for the waiting leaves and simulate on to the next ones."""
    for m in range(first, last):
        g = trees[m]
        head = heads[g]
        softmax_priors(nodes[g], edges[g], head.leaf, logits[m])
        value = np.float64(outcomes[m, 0]) - np.float64(outcomes[m, 2])
        enter(nodes[g], edges[g], positions[g], head, keys[g], priors[g], settings[0], streams, which[g], value)
        simulate(nodes[g], edges[g], positions[g], head, keys[g], paths[g], rules[0], settings[0], moves[g])


@kernel
def read_roots(
    first,
    last,
    trees,
    which,
    streams,
    settings,
    nodes,
    edges,
    heads,
    keys,
    priors,
    actions,
    policy,
    visits,
    raw,
    counts,
    values,
    distances,
    chosen,
):
    """Write what `RootResult` holds of the root of tree trees[m] into row m; raw: its priors."""
    for m in range(first, last):
        g = trees[m]
        n = root_policy(nodes[g], edges[g], heads[g], settings[0], priors[g], policy[m])
        for k in range(n):
            edge = edges[g, nodes[g, 0].first_edge + k]
            actions[m, k] = edge.action
            visits[m, k] = edge.visits
            raw[m, k] = priors[g, k]
        counts[m] = n
        values[m] = root_value(nodes[g])
        distances[m] = nodes[g, 0].distance
        if heads[g].temperature > 0.0 and settings[0].considered == 0.0:
            k = draw_action(policy[m], n, heads[g].temperature, streams, which[g])
        else:
            k = best_action(nodes[g], edges[g], settings[0], keys[g], policy[m])
        chosen[m] = actions[m, k]
