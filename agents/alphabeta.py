"""Agents that look ahead with alpha-beta and count: the fixed yardsticks of a rating."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.base import Agent
from agents.errors import AgentError
from agents.heuristics import BIA_VALUE, KHON_VALUE, MA_VALUE, MATE_VALUE, MET_VALUE, RUEA_VALUE, evaluate
from makruk_env.batch import Games
from makruk_env.core.actions import ACTION_TO, NUM_PAIRS
from makruk_env.core.game import advance, copy_past
from makruk_env.core.jit import kernel, uncached_kernel
from makruk_env.core.position import MAX_MOVES, NOBODY, POSITION, kind_at
from makruk_env.core.random import draw_below
from makruk_env.core.tables import FLIP, NUM_KINDS, SQUARE
from makruk_env.core.threads import spread

QUIET_PLIES = 8
"""How far captures are followed beyond the depth."""
MAX_DEPTH = 16
_WORTH = np.array([0, MET_VALUE, KHON_VALUE, MA_VALUE, RUEA_VALUE, BIA_VALUE], np.int64)
_WORTH.setflags(write=False)
assert len(_WORTH) == NUM_KINDS


@kernel
def gain(position, action):
    """Return what an action captures, in hundredths of a bia; 0 if nothing."""
    if action >= NUM_PAIRS:
        return 0
    kind = kind_at(position, SQUARE[ACTION_TO[action] ^ FLIP[position.side]])
    return _WORTH[kind] if kind >= 0 else 0


@kernel
def order(position, moves, n):
    """Bring the captures to the front, the fattest first; the rest keep their order. Return how many captures."""
    captures = 0
    for k in range(n):
        action = moves[k]
        worth = gain(position, action)
        if worth:
            for at in range(k, captures, -1):
                moves[at] = moves[at - 1]
            at = captures
            while at > 0 and gain(position, moves[at - 1]) < worth:
                moves[at] = moves[at - 1]
                at -= 1
            moves[at] = action
            captures += 1
    return captures


@uncached_kernel
def look_ahead(positions, moves, rules, path, origin, level, n, depth, quiet, alpha, beta):
    """Return the worth of positions[level] to its side to move, exact between alpha and beta (fail-soft negamax).

    n: its number of actions, in moves[level]; depth: plies still to look ahead; quiet: plies of captures beyond.
    Mates are worth MATE_VALUE less their distance.
    """
    position = positions[level]
    if position.termination:
        if position.winner == NOBODY:
            return 0
        return MATE_VALUE - level if position.winner == position.side else level - MATE_VALUE
    best = -MATE_VALUE
    captures = order(position, moves[level], n)
    if depth <= 0:
        best = evaluate(position)
        if best >= beta or quiet == 0:
            return best
        n = captures
        quiet -= 1
        alpha = max(alpha, best)
    for k in range(n):
        positions[level + 1] = position
        child = positions[level + 1]
        m = advance(child, rules, moves[level, k], path, origin, moves[level + 1])
        if child.side == position.side:
            score = look_ahead(positions, moves, rules, path, origin, level + 1, m, depth - 1, quiet, alpha, beta)
        else:
            score = -look_ahead(positions, moves, rules, path, origin, level + 1, m, depth - 1, quiet, -beta, -alpha)
        if score > best:
            best = score
            alpha = max(alpha, score)
            if alpha >= beta:
                break
    return best


@uncached_kernel
def select_all(
    first,
    last,
    which,
    games,
    histories,
    origins,
    legal,
    numbers,
    streams,
    rules,
    depth,
    quiet,
    positions,
    moves,
    paths,
    chosen,
):
    """Write the best action of each game to `chosen`; among equals the draw of the game's stream decides."""
    for g in range(first, last):
        i = which[g]
        positions[g, 0] = games[i]
        origin = copy_past(games[i], histories[i], origins[i], paths[g])
        n = numbers[i]
        for k in range(n):
            moves[g, 0, k] = legal[i, k]
        for k in range(n - 1, 0, -1):
            other = draw_below(streams, i, k + 1)
            moves[g, 0, k], moves[g, 0, other] = moves[g, 0, other], moves[g, 0, k]
        order(positions[g, 0], moves[g, 0], n)
        best = -2 * MATE_VALUE
        for k in range(n):
            positions[g, 1] = positions[g, 0]
            m = advance(positions[g, 1], rules[0], moves[g, 0, k], paths[g], origin, moves[g, 1])
            if positions[g, 1].side == positions[g, 0].side:
                score = look_ahead(
                    positions[g], moves[g], rules[0], paths[g], origin, 1, m, depth - 1, quiet, best, 2 * MATE_VALUE
                )
            else:
                score = -look_ahead(
                    positions[g], moves[g], rules[0], paths[g], origin, 1, m, depth - 1, quiet, -2 * MATE_VALUE, -best
                )
            if score > best:
                best = score
                chosen[g] = moves[g, 0, k]


@dataclass(frozen=True)
class AlphaBeta(Agent):
    """Looks `depth` plies ahead, captures further, and counts men."""

    name = "alphabeta"
    depth: int = 2

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= MAX_DEPTH:
            raise AgentError(f"agent {self.name}: expected a depth of 1 .. {MAX_DEPTH}, got {self.depth!r}")

    def select(self, games: Games, which: np.ndarray) -> np.ndarray:
        return _select(games, which, self.depth, QUIET_PLIES)


@dataclass(frozen=True)
class Greedy(Agent):
    """Plays the move after which it counts best, one ply ahead and no further."""

    name = "greedy"

    def select(self, games: Games, which: np.ndarray) -> np.ndarray:
        return _select(games, which, 1, 0)


def _select(games: Games, which: np.ndarray, depth: int, quiet: int) -> np.ndarray:
    levels = depth + quiet + 2
    room = int(games.positions["quiet"][which].max()) + levels + 1
    chosen = np.zeros(len(which), np.int64)
    spread(
        select_all,
        len(which),
        1,
        which,
        games.positions,
        games.history,
        games.origins,
        games.moves,
        games.numbers,
        games.streams,
        games.rules.array,
        depth,
        quiet,
        np.zeros((len(which), levels), POSITION),
        np.zeros((len(which), levels, MAX_MOVES), np.int16),
        np.zeros((len(which), room), np.uint64),
        chosen,
    )
    return chosen
