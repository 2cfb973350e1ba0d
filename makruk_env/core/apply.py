"""Making a move: first the men, then what follows from them."""

from __future__ import annotations

from makruk_env.core.actions import ACTION_FROM, ACTION_TO, NUM_PAIRS
from makruk_env.core.counting import count_move
from makruk_env.core.jit import kernel
from makruk_env.core.position import BOARD, COUNTER_MOVED, kind_at, men_of, toggle
from makruk_env.core.tables import BIA, FLIP, MET, SQUARE, ZOBRIST, ZOBRIST_SIDE, ZONE


@kernel
def move_men(position, action):
    """Move the men, take off the captured one and pass the turn; return (kind moved, kind it became, kind captured).

    A kind captured of -1 means none. Nothing but the eight sets of squares and the side to move changes.
    """
    side = position.side
    flip = FLIP[side]
    start = SQUARE[ACTION_FROM[action] ^ flip]
    stop = SQUARE[ACTION_TO[action] ^ flip]
    kind = kind_at(position, start)
    captured = -1
    if stop & men_of(position, 1 - side):
        captured = kind_at(position, stop)
        toggle(position, captured, stop)
    became = MET if kind == BIA and stop & ZONE[side] and action < NUM_PAIRS else kind
    if became == kind:
        toggle(position, kind, start | stop)
    else:
        toggle(position, kind, start)
        toggle(position, became, stop)
    if side == 0:
        position.white ^= start | stop
        position.black &= ~stop
    else:
        position.black ^= start | stop
        position.white &= ~stop
    position.side = 1 - side
    return kind, became, captured


@kernel
def key_after(key, side, action, kind, became, captured):
    """Return the key after a move that `side` made, from the key before it."""
    flip = FLIP[side]
    stop = ACTION_TO[action] ^ flip
    key ^= ZOBRIST[side, kind, ACTION_FROM[action] ^ flip] ^ ZOBRIST[side, became, stop] ^ ZOBRIST_SIDE
    if captured >= 0:
        key ^= ZOBRIST[1 - side, captured, stop]
    return key


@kernel
def apply_move(position, rules, action):
    """Make a legal move, count actions aside, and all that follows but the verdict; return the facts for `judge`."""
    mover = position.side
    facts = COUNTER_MOVED if position.count_kind == BOARD and position.counter == mover else 0
    kind, became, captured = move_men(position, action)
    position.key = key_after(position.key, mover, action, kind, became, captured)
    position.ply += 1
    if captured >= 0 or kind == BIA:
        position.quiet = 0
        position.clock = 0
    else:
        position.quiet += 1
        position.clock += 1
    return facts | count_move(position, rules, captured, became != kind)
