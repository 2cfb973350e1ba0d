"""Many games at once: loops of the scalar kernels over independent games. B games, A actions, C planes.

The loops run over the games first .. last - 1, so that they can be shared out, see `core.threads`. rules: [1] RULES.
Everything works in place on arrays of B rows: positions and starts [B] POSITION, history [B, P] uint64, origins [B]
int32, moves [B, MAX_MOVES] int16 with their numbers [B] int32, all as `core.game` describes them for one game.
"""

from __future__ import annotations

import numpy as np

from makruk_env.core.game import advance, set_up
from makruk_env.core.jit import kernel
from makruk_env.core.observe import observe
from makruk_env.core.random import draw_below

_INT8_ZERO = np.int8(0)
_INT8_ONE = np.int8(1)


@kernel
def restart(i, positions, starts, rules, history, origins, moves, numbers):
    """Put game i back to its start."""
    positions[i] = starts[i]
    origins[i] = positions[i].ply
    numbers[i] = set_up(positions[i], rules, history[i], moves[i])


@kernel
def restart_some(first, last, where, positions, starts, rules, history, origins, moves, numbers):
    """Restart the games marked in `where`, [B] bool."""
    for i in range(first, last):
        if where[i]:
            restart(i, positions, starts, rules[0], history, origins, moves, numbers)


@kernel
def first_illegal(actions, positions, moves, numbers):
    """Return the first running game whose action is not legal, or -1."""
    for i in range(len(positions)):
        if positions[i].termination == 0:
            for k in range(numbers[i]):
                if moves[i, k] == actions[i]:
                    break
            else:
                return i
    return -1


@kernel
def step_all(first, last, actions, positions, rules, history, origins, moves, numbers, rewards, ended):
    """Advance every running game by its legal action; rewards: [B, 2] float32 by colour, ended: [B] bool.

    A game that has ended already stays as it is, with rewards of 0.
    """
    for i in range(first, last):
        position = positions[i]
        rewards[i, 0] = 0.0
        rewards[i, 1] = 0.0
        if position.termination == 0:
            numbers[i] = advance(position, rules[0], actions[i], history[i], origins[i], moves[i])
            if position.winner >= 0:
                rewards[i, position.winner] = 1.0
                rewards[i, 1 - position.winner] = -1.0
        ended[i] = position.termination != 0


@kernel
def write_mask(moves, n, mask):
    """Write the legal mask of one position, [A] int8, from its first `n` moves."""
    mask[:] = _INT8_ZERO
    for k in range(n):
        mask[moves[k]] = _INT8_ONE


@kernel
def mask_all(first, last, moves, numbers, masks):
    """Write all legal masks, [B, A] int8."""
    for i in range(first, last):
        write_mask(moves[i], numbers[i], masks[i])


@kernel
def observe_all(first, last, positions, rules, planes):
    """Write all observations, [B, C, 8, 8] float32."""
    for i in range(first, last):
        observe(positions[i], rules[0], planes[i])


@kernel
def play_randomly(
    first,
    last,
    plies,
    streams,
    positions,
    starts,
    rules,
    history,
    origins,
    moves,
    numbers,
    looked_at,
    masks,
    planes,
    ends,
):
    """Play `plies` uniformly random legal actions in every game, restarting the ended ones.

    A game that is over from its start on is left alone. looked_at: write the mask and the observation before every
    action; ends: [B, T] int64, counts endings.
    """
    for i in range(first, last):
        for _ in range(plies):
            if numbers[i] == 0:
                break
            if looked_at:
                write_mask(moves[i], numbers[i], masks[i])
                observe(positions[i], rules[0], planes[i])
            action = moves[i, draw_below(streams, i, numbers[i])]
            numbers[i] = advance(positions[i], rules[0], action, history[i], origins[i], moves[i])
            if positions[i].termination:
                ends[i, positions[i].termination] += 1
                restart(i, positions, starts, rules[0], history, origins, moves, numbers)
