"""What a plain search does at its root: Gumbel with sequential halving, forced playouts, the policy and the choice."""

from __future__ import annotations

import math

from agents.search import SearchSettings
from tests.agents.search.reference import Choice, Edge, Node, best_edge, distance


def wanted_visits(considered: int, simulations: int) -> list[int]:
    """The visits that the action of each simulation has before it: Danihelka et al. 2022, algorithm 2, phase by phase.

    After its first phase, of so many rounds that all phases are equally long, the better half goes on, and so on; the
    last two share what is left over.
    """
    if considered == 1:
        return list(range(simulations))
    phases = math.ceil(math.log2(considered))
    wanted: list[int] = []
    left, visits = considered, 0
    while len(wanted) < simulations:
        for _ in range(max(1, int(simulations / (phases * left)))):
            wanted += [visits] * left
            visits += 1
        left = max(2, left // 2)
    return wanted[:simulations]


def mixed_value(root: Node, value: float) -> float:
    """What an untried action is worth: the evaluator's value and those of the tried actions (equation 33)."""
    tried = [edge for edge in root.edges if edge.visits]
    prior = sum(float(edge.prior) for edge in tried)
    if not tried:
        return value
    weighed = sum(float(edge.prior) * edge.total / edge.visits for edge in tried) / prior
    visits = sum(edge.visits for edge in tried)
    return (value + visits * weighed) / (1 + visits)


def key_and_value(root: Node, edge: Edge, keys: dict[int, float], settings: SearchSettings, value: float) -> float:
    """g + ln P + sigma(completed q)."""
    if edge.proof is not None:
        q = float(edge.proof)
    else:
        q = edge.total / edge.visits if edge.visits else mixed_value(root, value)
    most = max(e.visits for e in root.edges)
    return keys[edge.action] + (settings.c_visit + most) * settings.c_scale * 0.5 * (q + 1.0)


def gumbel(keys: dict[int, float], settings: SearchSettings, simulations: int, value: float) -> Choice:
    """Sequential halving over the actions with the highest keys; value: the evaluator's, of the root."""
    considered = min(settings.considered, len(keys))
    wanted = wanted_visits(considered, simulations)

    def choose(root: Node, i: int) -> Edge:
        tried = sum(1 for edge in root.edges if edge.visits)
        candidates = [edge for edge in root.edges[: max(considered, tried)] if edge.proof != -1]
        if not candidates:
            return root.edges[tried]
        nearest = min(abs(edge.visits - wanted[i]) for edge in candidates)
        equals = [edge for edge in candidates if abs(edge.visits - wanted[i]) == nearest]
        return max(equals, key=lambda edge: key_and_value(root, edge, keys, settings, value))

    return choose


def forced(settings: SearchSettings) -> Choice:
    """PUCT, but a tried edge that has fewer than sqrt(k P N) visits comes first (Wu 2019, section 3.2)."""

    def choose(root: Node, i: int) -> Edge:
        for edge in root.edges:
            owed = math.sqrt(settings.forced_playouts * float(edge.prior) * (root.visits - 1))
            if edge.visits and edge.proof is None and edge.visits < owed:
                return edge
        return best_edge(root, settings, True)

    return choose


def pruned_shares(root: Node, settings: SearchSettings) -> list[float]:
    """The share of the visits of each edge, less those that only being forced gave it."""
    n = root.visits - 1
    c = (math.log((n + settings.c_base + 1.0) / settings.c_base) + settings.c_init) * math.sqrt(n)
    best = max(root.edges, key=lambda edge: edge.visits)
    limit = best.total / best.visits + c * float(best.prior) / (1 + best.visits)
    kept = []
    for edge in root.edges:
        visits = edge.visits
        least = max(0, visits - int(math.sqrt(settings.forced_playouts * float(edge.prior) * n)))
        while edge is not best and visits > least:
            if edge.total / edge.visits + c * float(edge.prior) / visits >= limit:
                break
            visits -= 1
        kept.append(float(visits if visits > 1 or edge is best else 0))
    return [visits / sum(kept) for visits in kept]


def policy_of(root: Node, settings: SearchSettings, value: float) -> list[float]:
    """The policy over the root's edges: softmax(ln P + sigma(completed q)), or with c_scale 0 the share of the visits.

    A proven win leaves only the nearest wins, and lost edges count only if all are lost. value: the evaluator's, of the
    root. Section 4 of Danihelka et al. 2022; forced visits are taken off as Wu 2019, section 3.2, does.
    """
    wins = [1 + (distance(edge.child) if edge.child else 0) for edge in root.edges if edge.proof == 1]
    hope = any(edge.proof != -1 for edge in root.edges)
    keys = {edge.action: math.log(float(edge.prior)) for edge in root.edges}
    scores = [key_and_value(root, edge, keys, settings, value) for edge in root.edges]
    visits = [float(edge.visits) for edge in root.edges]
    weights = [math.exp(score - max(scores)) for score in scores] if settings.c_scale else visits
    if settings.forced_playouts and not settings.c_scale:
        weights = pruned_shares(root, settings)
    for k, edge in enumerate(root.edges):
        if wins:
            near = edge.proof == 1 and 1 + (distance(edge.child) if edge.child else 0) == min(wins)
            weights[k] = float(near)
        elif hope and edge.proof == -1:
            weights[k] = 0.0
    return [weight / sum(weights) for weight in weights]


def choice_of(root: Node, settings: SearchSettings, value: float, keys: dict[int, float] | None) -> int:
    """The index of the edge that is played: the most visited of the policy's, in a lost root the longest to hold out.

    Equals are told apart by the policy, with a Gumbel root by key and value, told by `keys`.
    """
    policy = policy_of(root, settings, value)

    def rank(k: int) -> tuple[float, float, int]:
        edge = root.edges[k]
        first = distance(edge.child) if root.proof == -1 and edge.child else edge.visits
        second = policy[k] if keys is None or root.proof == -1 else key_and_value(root, edge, keys, settings, value)
        return first, second, -k

    return max((k for k in range(len(policy)) if policy[k] > 0), key=rank)
