"""What the auxiliary heads of the network are told; play never asks them.

    near_value, far_value   in [-1, 1], side to move: an average of what the searches of this ply and of the coming ones
                            found, the near ones weighing most
    plies_left              0 and up: plies to the end of the game, declarations among them, in units of
                            `replay.plies_scale`; not known in a game that was cut off
    count_margin            in [-1, 1], the chaser's view: did the chaser win before the count ran out, and by how much;
                            known only where a count runs that is still running when the game ends

T plies of a game, H heads in the order of `AUXILIARY`. All are the same in the mirrored game.
"""

from __future__ import annotations

import numpy as np

from agents.network.heads import AUXILIARY
from makruk_env.core.position import NO_COUNT, NOBODY
from training.config import ReplayConfig
from training.records import GameRecord


def coming_value(game: GameRecord, sides: np.ndarray, horizon: float) -> np.ndarray:
    """Return the average of the values to come, [T] float32 in [-1, 1], side to move; sides: [T], who that is.

    With k = 1 / horizon, v_t the root value of ply t, v_T the game's result, all as White sees them:
    a_t = k v_t + (1 - k) a_(t+1), a_T = v_T. After KataGo's short-term value targets. What is not known, a ply that was
    not searched in full and the result of a game that was cut off, is left out, and the weights of the rest make up for
    it; 0 where nothing is known.
    """
    share = 1 / horizon
    white = np.where(sides == 0, game.root_value, -game.root_value).astype(np.float64).tolist()
    searched = game.full.tolist()
    total = 0.0 if game.winner == NOBODY else 1.0 - 2.0 * game.winner
    known = 0.0 if game.truncated else 1.0
    averages = np.zeros(len(game), np.float32)
    for ply in reversed(range(len(game))):
        total, known = (1 - share) * total, (1 - share) * known
        if searched[ply]:
            total, known = total + share * white[ply], known + share
        averages[ply] = total / known if known else 0
    return np.where(sides == 0, averages, -averages)


def count_margin(game: GameRecord, history: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (margin, weight), both [T] float32, of the count that runs before the game's last ply.

    margin: (L - n) / L if the chaser won, n and L as they stood before the last ply: in [0, 1], the share of the limit
    that was left. -1 if the game ended in any other way: the count, or what it gave time for, saved the counter.
    weight: 1 at the plies where that count was running, else 0; a count that was stopped or replaced was not played to
    its end, nor was any in a game that was cut off.
    """
    margin, weight = np.zeros((2, len(game)), np.float32)
    if not len(game) or game.truncated or history[-2].count_kind == NO_COUNT:
        return margin, weight
    last = history[-2]
    # Between two counts of one kind there is always a position without a count.
    same = history["count_kind"][:-1] == last.count_kind
    weight[:] = np.logical_and.accumulate(same[::-1])[::-1]
    left = max(0, int(last.count_limit) - int(last.count_number)) / int(last.count_limit)
    margin[weight > 0] = left if game.winner == 1 - last.counter else -1
    return margin, weight


def auxiliary_of(game: GameRecord, history: np.ndarray, settings: ReplayConfig) -> tuple[np.ndarray, np.ndarray]:
    """Return (targets, weights) of a game, both [T, H] float32; weights are 1, or 0 where a target is not known.

    history: [T + 1] POSITION, as `training.targets.replay` returns it.
    """
    sides = history["side"][:-1]
    plies_left = np.arange(len(game), 0, -1) / settings.plies_scale
    margin, running = count_margin(game, history)
    targets = {
        "near_value": coming_value(game, sides, settings.near_horizon),
        "far_value": coming_value(game, sides, settings.far_horizon),
        "plies_left": np.zeros(len(game)) if game.truncated else plies_left,
        "count_margin": margin,
    }
    weights = {
        "near_value": np.ones(len(game)),
        "far_value": np.ones(len(game)),
        "plies_left": np.full(len(game), not game.truncated),
        "count_margin": running,
    }
    stack = [np.stack([values[name] for name in AUXILIARY], 1).astype(np.float32) for values in (targets, weights)]
    return stack[0], stack[1]
