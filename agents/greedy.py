"""The agent that looks one ply ahead and counts men."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.base import Agent
from agents.heuristics import MATE_VALUE, evaluate
from agents.ordering import capture_worth, shuffle
from makruk_env.batch import Games
from makruk_env.core.game import advance, copy_past
from makruk_env.core.jit import kernel
from makruk_env.core.position import MAX_MOVES, NOBODY, POSITION
from makruk_env.core.threads import spread


@kernel
def look_once(position, side):
    """Return what a position is worth to a side by counting men; a mate is worth more than all men."""
    if position.termination:
        if position.winner == NOBODY:
            return 0
        return MATE_VALUE if position.winner == side else -MATE_VALUE
    return evaluate(position) if position.side == side else -evaluate(position)


@kernel
def choose_greedily(
    first, last, which, games, histories, origins, legal, numbers, streams, rules, positions, moves, paths, chosen
):
    """Write the action of each game after which it counts best to `chosen`: among equals the fattest capture, among
    equals still the draw of the game's stream.

    positions: [G] POSITION, moves: [G, 2, MAX_MOVES] int16 and paths: [G, P] uint64 are room to try them in.
    """
    for g in range(first, last):
        i = which[g]
        here, there = games[i], positions[g]
        origin = copy_past(here, histories[i], origins[i], paths[g])
        shuffle(legal[i], numbers[i], streams, i, moves[g, 0])
        best, fattest = -2 * MATE_VALUE, 0
        for k in range(numbers[i]):
            action = moves[g, 0, k]
            positions[g] = here
            advance(there, rules[0], action, paths[g], origin, moves[g, 1])
            score, worth = look_once(there, here.side), capture_worth(here, action)
            if score > best or (score == best and worth > fattest):
                best, fattest = score, worth
                chosen[g] = action


@dataclass(frozen=True)
class Greedy(Agent):
    """Plays the move after which it counts best, one ply ahead and no further."""

    name = "greedy"

    def select(self, games: Games, which: np.ndarray) -> np.ndarray:
        room = int(games.positions["quiet"][which].max()) + 2
        chosen = np.zeros(len(which), np.int64)
        spread(
            choose_greedily,
            len(which),
            1,
            which,
            *games.arrays,
            games.rules.array,
            np.zeros(len(which), POSITION),
            np.zeros((len(which), 2, MAX_MOVES), np.int16),
            np.zeros((len(which), room), np.uint64),
            chosen,
        )
        return chosen
