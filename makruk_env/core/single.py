"""One game on arrays: the entries of the one-game faces.

A compiled function takes an array in a fraction of the time of a record, so these take the whole stack of a game's
positions, [P] POSITION, and the row `top` of the present one; rules: [1] RULES; history, origin and moves as in
`core.game`; number: how many of `moves` are legal in the present position.
"""

from __future__ import annotations

import numpy as np

from makruk_env.core.batch import write_mask
from makruk_env.core.game import advance, list_actions, set_up
from makruk_env.core.jit import kernel
from makruk_env.core.observe import observe_as

ILLEGAL = -1
_NO_ACTION = np.int8(0)


@kernel
def begin(stack, rules, history, moves):
    """Start a game from stack[0] and return the number of its actions."""
    return set_up(stack[0], rules[0], history, moves)


@kernel
def relist(stack, top, rules, history, origin, moves):
    """List the actions of the present position anew and return their number."""
    return list_actions(stack[top], rules[0], history, origin, moves)


@kernel
def push(stack, top, rules, action, history, origin, moves, number):
    """Take an action from row `top` to the next and return the number of actions there; ILLEGAL changes nothing."""
    for k in range(number):
        if moves[k] == action:
            stack[top + 1] = stack[top]
            return advance(stack[top + 1], rules[0], action, history, origin, moves)
    return ILLEGAL


@kernel
def look(stack, top, rules, viewer, moves, number, planes, mask):
    """Write what a side sees, [C, 8, 8] float32, and its legal mask, [A] int8: zeros for the side that waits."""
    position = stack[top]
    observe_as(position, rules[0], viewer, planes)
    if viewer == position.side:
        write_mask(moves, number, mask)
    else:
        mask[:] = _NO_ACTION
