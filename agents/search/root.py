"""The root: noise before a search, the policy and the choice after it."""

from __future__ import annotations

import math

from agents.search.backup import edge_distance
from agents.search.gumbel import completed_q, mixed_value, sigma_scale, start_halving
from agents.search.proof import LOSS, UNKNOWN, WIN, proof_value
from agents.search.select import exploration
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
def draw_gumbel(streams, i):
    """Return the next Gumbel(0) number of stream i."""
    return -math.log(max(-math.log(max(draw_unit(streams, i), _TINY)), _TINY))


@kernel
def add_noise(nodes, edges, settings, keys, streams, i):
    """Mix Dirichlet noise into the priors of the root's edges; `keys` is room to work in.

    The concentration is noise_total shared among the legal actions, as KataGo scales it (Wu 2019, section 2.2).
    """
    root = nodes[0]
    total = 0.0
    for k in range(root.num_edges):
        keys[k] = draw_gamma(streams, i, settings.noise_total / root.num_edges)
        total += keys[k]
    for k in range(root.num_edges):
        edge = edges[root.first_edge + k]
        noise = keys[k] / total if total > 0.0 else 1.0 / root.num_edges
        edge.prior = (1.0 - settings.noise_share) * edge.prior + settings.noise_share * noise


@kernel
def enter_root(nodes, edges, head, settings, keys, priors, streams, i):
    """Note the evaluator's priors, add what noise is asked for, and bring the root's edges into the order of `keys`.

    keys: [>= MAX_MOVES] float64, priors with noise, or with a Gumbel root g + ln P, g from Gumbel(0) times the
    temperature; priors: [>= MAX_MOVES] float32, without any noise. Both are in the order of the edges afterwards.
    """
    root = nodes[0]
    for k in range(root.num_edges):
        priors[k] = edges[root.first_edge + k].prior
    if settings.considered > 0.0:
        start_halving(head, min(int(settings.considered), root.num_edges))
        for k in range(root.num_edges):
            keys[k] = math.log(max(priors[k], _TINY))
            if head.temperature > 0.0:
                keys[k] += head.temperature * draw_gumbel(streams, i)
    else:
        if settings.noise_share > 0.0 and head.noisy:
            add_noise(nodes, edges, settings, keys, streams, i)
        for k in range(root.num_edges):
            keys[k] = edges[root.first_edge + k].prior
    sort_root(edges, root.first_edge, root.num_edges, keys, priors)


@kernel
def sort_root(edges, first, n, keys, priors):
    """Bring the root's edges into falling order of their keys; equal ones keep their order."""
    for k in range(1, n):
        key, raw, prior, action = keys[k], priors[k], edges[first + k].prior, edges[first + k].action
        at = k
        while at > 0 and keys[at - 1] < key:
            keys[at] = keys[at - 1]
            priors[at] = priors[at - 1]
            edges[first + at].prior = edges[first + at - 1].prior
            edges[first + at].action = edges[first + at - 1].action
            at -= 1
        keys[at] = key
        priors[at] = raw
        edges[first + at].prior = prior
        edges[first + at].action = action


@kernel
def root_value(nodes):
    """Return the root's mean value for its side to move, or the proven one."""
    if nodes[0].proof != UNKNOWN:
        return proof_value(nodes[0].proof)
    return nodes[0].total / nodes[0].visits


@kernel
def shortest_win(nodes, edges):
    """Return how many plies the nearest proven win of the root's mover is away, or 0."""
    root = nodes[0]
    best = 0
    for e in range(root.first_edge, root.first_edge + root.num_edges):
        if edges[e].proof == WIN:
            distance = edge_distance(nodes, edges[e])
            if best == 0 or distance < best:
                best = distance
    return best


@kernel
def kept_visits(nodes, edges, settings, e, best):
    """Return an edge's visits without those that only `forced_edge` gave it: target pruning (Wu 2019, section 3.2).

    Forced visits come off as long as PUCT would not have preferred the edge to the best one; a single visit left is
    none.
    """
    edge, top = edges[e], edges[best]
    if e == best or edge.visits == 0:
        return float(edge.visits)
    n = nodes[0].visits - 1
    scale = exploration(n, settings)
    limit = top.total / top.visits + scale * top.prior / (1 + top.visits)
    visits, forced = edge.visits, int(math.sqrt(settings.forced_playouts * edge.prior * n))
    while forced > 0 and visits > 0 and edge.total / edge.visits + scale * edge.prior / visits < limit:
        visits -= 1
        forced -= 1
    return float(visits) if visits > 1 else 0.0


@kernel
def root_policy(nodes, edges, head, settings, priors, policy):
    """Write the search's policy over the root's edges and return how many there are.

    policy: [>= MAX_MOVES] float32, sums to 1; priors: as `enter_root` leaves them. With c_scale above 0 it is the
    improved policy of Danihelka et al. 2022, section 4: softmax(ln P + sigma(q)), completed by `mixed_value`; it learns
    from fewer simulations than there are actions. With c_scale 0 it is AlphaZero's share of the visits, less the forced
    ones. Where an edge is proven won, only the nearest wins count; edges proven lost count only if all are.
    """
    root = nodes[0]
    won, hope = shortest_win(nodes, edges), False
    most, best, highest = 0, root.first_edge, -math.inf
    for e in range(root.first_edge, root.first_edge + root.num_edges):
        hope = hope or edges[e].proof != LOSS
        if edges[e].visits > most:
            most, best = edges[e].visits, e
    scale, untried = sigma_scale(nodes, edges, settings), mixed_value(nodes, edges)
    for k in range(root.num_edges):
        q = completed_q(edges[root.first_edge + k], untried)
        policy[k] = math.log(max(priors[k], _TINY)) + scale * 0.5 * (q + 1.0)
        highest = max(highest, policy[k])
    forced = settings.forced_playouts > 0.0 and head.noisy
    total = 0.0
    for k in range(root.num_edges):
        e = root.first_edge + k
        edge = edges[e]
        if settings.c_scale > 0.0:
            weight = math.exp(policy[k] - highest)
        elif most == 0:
            weight = float(priors[k])
        else:
            weight = kept_visits(nodes, edges, settings, e, best) if forced else float(edge.visits)
        if won > 0:
            weight = 1.0 if edge.proof == WIN and edge_distance(nodes, edge) == won else 0.0
        elif hope and edge.proof == LOSS:
            weight = 0.0
        policy[k] = weight
        total += weight
    for k in range(root.num_edges):
        policy[k] = policy[k] / total if total > 0.0 else 1.0 / root.num_edges
    return root.num_edges


@kernel
def best_action(nodes, edges, settings, keys, policy):
    """Return the index of the edge to play where nothing is drawn by lot: the most visited of those in the policy.

    Of equals the likelier one, with a Gumbel root the one with the best key and value. Where all are proven lost, the
    one that takes longest.
    """
    root = nodes[0]
    scale, untried = sigma_scale(nodes, edges, settings), mixed_value(nodes, edges)
    best, best_visits, best_score = 0, -1, -math.inf
    for k in range(root.num_edges):
        edge = edges[root.first_edge + k]
        if policy[k] <= 0.0:
            continue
        visits, score = edge.visits, float(policy[k])
        if root.proof == LOSS:
            visits = edge_distance(nodes, edge)
        elif settings.considered > 0.0:
            score = keys[k] + scale * 0.5 * (completed_q(edge, untried) + 1.0)
        if visits > best_visits or (visits == best_visits and score > best_score):
            best, best_visits, best_score = k, visits, score
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
