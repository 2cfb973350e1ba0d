"""Making a move: first the men, then what follows from them."""

from __future__ import annotations

from makruk_env.core.actions import ACTION_FROM, ACTION_TO, NUM_PAIRS
from makruk_env.core.bits import first_square, forward
from makruk_env.core.counting import count_move
from makruk_env.core.jit import kernel
from makruk_env.core.position import BOARD, COUNTER_MOVED, kind_at, men_of, toggle
from makruk_env.core.tables import (
    BIA,
    FLIP,
    MET,
    RIGHT,
    RUEA,
    RUEA_LINES,
    SQUARE,
    ZOBRIST,
    ZOBRIST_SIDE,
    ZONE,
)
from makruk_env.rules import OPTIONS

LEAP_UNTIL_RUEA = OPTIONS["king_leap"].index("ouk")


@kernel
def move_men(position, rules, action):
    """Move the men, take off the captured one, pass the turn and end the first-move rights that this ends.

    Return (kind moved, kind it became, kind captured or -1, whether it was a sut). Nothing but the eight sets of
    squares, the side to move and the rights changes.
    """
    side = position.side
    flip = FLIP[side]
    start = SQUARE[ACTION_FROM[action] ^ flip]
    stop = SQUARE[ACTION_TO[action] ^ flip]
    kind = kind_at(position, start)
    sut = False
    if position.rights:
        if stop & men_of(position, side):  # only a sut goes where an own man stands: the bia there makes room
            sut = True
            advance_bia(position, side, stop)
        end_rights(position, rules, kind, ACTION_FROM[action] ^ flip, ACTION_TO[action] ^ flip)
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
    return kind, became, captured, sut


@kernel
def advance_bia(position, side, square):
    """Move a bia of `side` one step ahead from a square."""
    both = square | forward(square, side)
    position.bia ^= both
    if side == 0:
        position.white ^= both
    else:
        position.black ^= both


@kernel
def end_rights(position, rules, kind, start, stop):
    """End the first-move rights of the man that leaves `start` and of one that is captured on `stop`.

    Under "ouk" a ruea that arrives on the rank or file of the enemy khun ends that one's right too.
    """
    position.rights &= ~(RIGHT[start] | RIGHT[stop])
    if kind == RUEA and rules.king_leap == LEAP_UNTIL_RUEA:
        khun = first_square(position.khun & men_of(position, 1 - position.side))
        if RUEA_LINES[khun] & SQUARE[stop]:
            position.rights &= ~RIGHT[khun]


@kernel
def key_after(key, side, action, kind, became, captured, sut):
    """Return the key after a move that `side` made, from the key before it; the last four are what `move_men` tells."""
    flip = FLIP[side]
    stop = ACTION_TO[action] ^ flip
    key ^= ZOBRIST[side, kind, ACTION_FROM[action] ^ flip] ^ ZOBRIST[side, became, stop] ^ ZOBRIST_SIDE
    if captured >= 0:
        key ^= ZOBRIST[1 - side, captured, stop]
    if sut:
        key ^= ZOBRIST[side, BIA, stop] ^ ZOBRIST[side, BIA, (ACTION_TO[action] + 8) ^ flip]
    return key


@kernel
def apply_move(position, rules, action):
    """Make a legal move, count actions aside, and all that follows but the verdict; return the facts for `judge`."""
    mover = position.side
    facts = COUNTER_MOVED if position.count_kind == BOARD and position.counter == mover else 0
    kind, became, captured, sut = move_men(position, rules, action)
    position.key = key_after(position.key, mover, action, kind, became, captured, sut)
    position.ply += 1
    if captured >= 0 or kind == BIA or sut:
        position.quiet = 0
        position.clock = 0
    else:
        position.quiet += 1
        position.clock += 1
    return facts | count_move(position, rules, captured, became != kind)
