"""Loops of the Gymnasium environments: acting and looking in chosen ones of many games. N lanes, M chosen ones.

which: [M] int64, the lanes; the loops run over its rows first .. last - 1. The games' arrays are those of `core.batch`.
"""

from __future__ import annotations

import numpy as np

from makruk_env.core.batch import write_mask
from makruk_env.core.game import advance
from makruk_env.core.jit import kernel
from makruk_env.core.observe import observe, observe_as
from makruk_env.core.random import draw_below
from makruk_env.rules import Termination

ILLEGAL_ACTION = int(Termination.ILLEGAL_ACTION)
BOTH = -1
"""The agent's colour where it plays both sides."""
FACTS = ("ply", "to_play", "count_kind", "count_number", "count_limit", "repetition", "termination", "colour")
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
    colours,
    first_plies,
    cap,
    terminations,
    winners,
    truncated,
    rewards,
    looked_at,
    planes,
    masks,
    facts,
):
    """Take an action in each lane of `which`, whose games go on; an illegal one loses the game.

    actions: [M] int64; colours: [N] int8, the agent's, BOTH where it plays both sides; first_plies: [N] int32, where
    each episode began, and cap, its longest length in plies, 0 for none. Written for these lanes: terminations and
    winners, [N] int8, truncated, [N] bool, rewards, [N] float64, of the agent, where it plays both of the side that
    acted, and where `looked_at` what `look` writes.
    """
    for m in range(first, last):
        i = which[m]
        position = positions[i]
        agent = position.side if colours[i] == BOTH else colours[i]
        if is_legal(actions[m], moves[i], numbers[i]):
            numbers[i] = advance(position, rules[0], actions[m], history[i], origins[i], moves[i])
            terminations[i] = position.termination
            winners[i] = position.winner
            truncated[i] = cap > 0 and position.termination == 0 and position.ply - first_plies[i] >= cap
        else:
            terminations[i] = ILLEGAL_ACTION
            winners[i] = 1 - position.side
        rewards[i] = 0.0 if winners[i] < 0 else (1.0 if winners[i] == agent else -1.0)
    if looked_at:
        look(
            first,
            last,
            which,
            positions,
            rules,
            moves,
            numbers,
            colours,
            terminations,
            truncated,
            planes,
            masks,
            facts,
        )


@kernel
def look(first, last, which, positions, rules, moves, numbers, colours, terminations, truncated, planes, masks, facts):
    """Write what is seen in each lane of `which`: planes [N, C, 8, 8] float32, masks [N, A] int8, facts [F, N] int64.

    The viewer is the agent, where it plays both the side to move. The mask is zeros in an episode that is over and for
    a side that waits.
    """
    for m in range(first, last):
        i = which[m]
        position = positions[i]
        viewer = position.side if colours[i] == BOTH else colours[i]
        observe_as(position, rules[0], viewer, planes[i])
        if terminations[i] or truncated[i] or viewer != position.side:
            masks[i] = _NO_ACTION
        else:
            write_mask(moves[i], numbers[i], masks[i])
        facts[0, i] = position.ply
        facts[1, i] = position.side
        facts[2, i] = position.count_kind
        facts[3, i] = position.count_number
        facts[4, i] = position.count_limit
        facts[5, i] = position.repetition
        facts[6, i] = terminations[i]
        facts[7, i] = colours[i]


@kernel
def look_at_movers(which, positions, rules, moves, numbers, planes, masks):
    """Write what the sides to move of some games see, in rows side by side: planes [M, C, 8, 8], masks [M, A]."""
    for m in range(len(which)):
        i = which[m]
        observe(positions[i], rules[0], planes[m])
        write_mask(moves[i], numbers[i], masks[m])


@kernel
def sample(streams, moves, numbers, actions):
    """Draw a legal action for each lane, [N] int64, each from its own stream; 0 in a finished game."""
    for i in range(len(actions)):
        actions[i] = moves[i, draw_below(streams, i, numbers[i])] if numbers[i] > 0 else 0
