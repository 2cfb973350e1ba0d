"""Self-play without Python in the loop, for an evaluator that is compiled too: all moves of an iteration in one call.

The games are played one after the other in a single tree, which stays in the processor's cache. Row m = t B + i of what
is logged belongs to move t of game i; T moves, B games. rules: [1] RULES, settings: [1] SETTINGS.
"""

from __future__ import annotations

import numpy as np

from agents.search.evaluators import CompiledEvaluator
from agents.search.rounds import plant, read_roots, search_compiled
from agents.search.search import RootResult, Search
from makruk_env.batch import Games, make_room
from makruk_env.core.game import advance
from makruk_env.core.jit import kernel


@kernel
def _play(
    moves_to_play: int,
    plies_left: np.ndarray,
    trees: np.ndarray,
    kind: int,
    weights: tuple[np.ndarray, ...],
    features: np.ndarray,
    sums: np.ndarray,
    hidden: np.ndarray,
    rules: np.ndarray,
    settings: np.ndarray,
    which: np.ndarray,
    budgets: np.ndarray,
    temperatures: np.ndarray,
    noisy: np.ndarray,
    games: np.ndarray,
    histories: np.ndarray,
    origins: np.ndarray,
    legal: np.ndarray,
    numbers: np.ndarray,
    streams: np.ndarray,
    nodes: np.ndarray,
    edges: np.ndarray,
    positions: np.ndarray,
    heads: np.ndarray,
    keys: np.ndarray,
    priors: np.ndarray,
    paths: np.ndarray,
    scratch: np.ndarray,
    actions: np.ndarray,
    policy: np.ndarray,
    visits: np.ndarray,
    raw: np.ndarray,
    counts: np.ndarray,
    values: np.ndarray,
    distances: np.ndarray,
    chosen: np.ndarray,
    played: np.ndarray,
) -> None:
    """Play every game on until it ends or has made its moves; played: [B] int64, how many it has made.

    plies_left: [B] int64, moves before a game is cut off; legal, numbers: the games' own; the rest as in
    `agents.search.rounds`, by rows.
    """
    for i in range(len(games)):
        which[0] = i
        played[i] = 0
        for t in range(min(moves_to_play, plies_left[i])):
            m = t * len(games) + i
            plant(
                m, m + 1, trees, which, games, histories, origins, rules, budgets, temperatures, noisy,
                nodes, edges, positions, heads, keys, priors, paths, scratch,
            )  # fmt: skip
            search_compiled(
                m, m + 1, trees, kind, weights, features, sums, hidden, rules, settings, which, streams,
                nodes, edges, positions, heads, keys, priors, paths, scratch,
            )  # fmt: skip
            read_roots(
                m, m + 1, trees, which, streams, settings, nodes, edges, heads, keys, priors,
                actions, policy, visits, raw, counts, values, distances, chosen,
            )  # fmt: skip
            numbers[i] = advance(games[i], rules[0], chosen[m], histories[i], origins[i], legal[i])
            played[i] = t + 1
            if games[i].termination:
                break


def play_inside(
    search: Search,
    games: Games,
    evaluator: CompiledEvaluator,
    plies_left: np.ndarray,
    budgets: np.ndarray,
    temperatures: np.ndarray,
    noisy: np.ndarray,
) -> tuple[RootResult, np.ndarray]:
    """Search and make up to T moves in each of B games, all running; return what the roots said and `played`.

    plies_left: [B] int64, moves before each game is cut off, at least 1; budgets: [T, B] int64, simulations;
    temperatures: [T, B] float64; noisy: [T, B] bool; see `Search.run`. The result's row t B + i belongs to move t of
    game i; played: [B] int64, how many moves each game has made, fewer than T where it ended or is cut off.
    """
    moves_to_play, count = budgets.shape
    make_room(games, moves_to_play)
    search.make_room(games, np.arange(count), moves_to_play)
    search.which[:] = -1  # none of the trees can be carried on
    result, played = RootResult.empty(moves_to_play * count), np.zeros(count, np.int64)
    _play(
        moves_to_play,
        plies_left,
        np.zeros(moves_to_play * count, np.int64),
        *search.inner(evaluator),
        games.rules.array,
        search.settings.array,
        search.which,
        budgets.ravel(),
        temperatures.ravel(),
        noisy.ravel(),
        *games.arrays,
        *search.tree,
        *result.arrays,
        played,
    )
    return result, played
