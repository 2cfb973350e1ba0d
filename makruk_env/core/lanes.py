"""Loops of the Gymnasium environments: acting and looking in chosen ones of many games. N lanes, M chosen ones.

which: [M] int64, the lanes; the loops run over its rows first .. last - 1. The games' arrays are those of `core.batch`.
"""

from __future__ import annotations

import numpy as np

from makruk_env.core.batch import write_mask
from makruk_env.core.game import advance
from makruk_env.core.jit import kernel
from makruk_env.core.observe import observe_as
from makruk_env.core.random import draw_below
from makruk_env.rules import Termination

ILLEGAL_ACTION = int(Termination.ILLEGAL_ACTION)
FACTS = ("ply", "to_play", "count_kind", "count_number", "count_limit", "repetition")
_NO_ACTION = np.int8(0)


@kernel
def is_legal(action, moves, number):
    """Tell whether an action is among the first `number` of `moves`."""
    for k in range(number):
        if moves[k] == action:
            return True
    return False


@kernel
def find_illegal(which, actions, moves, numbers):
    """Return the first row whose lane's action is not legal, or -1; actions: [M] int64."""
    for m in range(len(which)):
        if not is_legal(actions[m], moves[which[m]], numbers[which[m]]):
            return m
    return -1


@kernel
def act(
    first,
    last,
    which,
    actions,
    positions,
    rules,
    history,
    origins,
    moves,
    numbers,
    first_plies,
    cap,
    terminations,
    winners,
    truncated,
):
    """Take an action in each lane of `which`, whose games go on; an illegal one loses the game.

    actions: [M] int64; first_plies: [N] int32, where each episode began, and cap, its longest length in plies, 0 for
    none. Written for these lanes: terminations and winners, [N] int8, and truncated, [N] bool.
    """
    for m in range(first, last):
        i = which[m]
        position = positions[i]
        if is_legal(actions[m], moves[i], numbers[i]):
            numbers[i] = advance(position, rules[0], actions[m], history[i], origins[i], moves[i])
            terminations[i] = position.termination
            winners[i] = position.winner
            truncated[i] = cap > 0 and position.termination == 0 and position.ply - first_plies[i] >= cap
        else:
            terminations[i] = ILLEGAL_ACTION
            winners[i] = 1 - position.side


@kernel
def look(first, last, which, positions, rules, viewers, moves, numbers, over, planes, masks, facts):
    """Write what the viewer of each lane sees: planes [M, C, 8, 8] float32, masks [M, A] int8, facts [6, M] int64.

    viewers: [N] int8, sides; over: [N] bool. The mask is zeros in an episode that is over and for a side that waits.
    """
    for m in range(first, last):
        i = which[m]
        position = positions[i]
        observe_as(position, rules[0], viewers[i], planes[m])
        if over[i] or viewers[i] != position.side:
            masks[m] = _NO_ACTION
        else:
            write_mask(moves[i], numbers[i], masks[m])
        facts[0, m] = position.ply
        facts[1, m] = position.side
        facts[2, m] = position.count_kind
        facts[3, m] = position.count_number
        facts[4, m] = position.count_limit
        facts[5, m] = position.repetition


@kernel
def sample(first, last, streams, moves, numbers, actions):
    """Draw a legal action for each lane, [N] int64, each from its own stream; 0 in a finished game."""
    for i in range(first, last):
        actions[i] = moves[i, draw_below(streams, i, numbers[i])] if numbers[i] > 0 else 0
