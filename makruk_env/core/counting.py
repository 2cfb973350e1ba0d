"""The counts: how they start, run, stop and end. n is the last number spoken, L the limit, N all men on the board.

Only the counter's moves are numbered. A pieces count is the flight of a bare khun; it starts at n = N with L fixed by
the chaser's men. A board count starts at n = 0 with L = 64 while both sides still have men.
"""

from __future__ import annotations

from makruk_env.core.actions import COUNT_START, COUNT_STOP
from makruk_env.core.bits import EMPTY, ONE, popcount
from makruk_env.core.jit import kernel
from makruk_env.core.position import BOARD, COUNT_BEGAN, NO_COUNT, NOTHING_DECLARED, PIECES, STARTED, STOPPED, men_of
from makruk_env.core.tables import BIA
from makruk_env.rules import OPTIONS

BOARD_LIMIT = 64
COUNT_AUTO = OPTIONS["pieces_count"].index("auto")
COUNT_DECLARED = OPTIONS["pieces_count"].index("declared")
BOARD_AUTO = OPTIONS["board_count"].index("auto")
BOARD_DECLARED = OPTIONS["board_count"].index("declared")
BOARD_CAMBODIAN = OPTIONS["board_count"].index("cambodian")
RANKED = OPTIONS["pieces_table"].index("ranked")
LAST_REPLY = OPTIONS["count_end"].index("last_reply")
EXCEED = OPTIONS["count_end"].index("exceed")
DRAW_UNLESS_STOPPED = OPTIONS["counter_mates"].index("draw_unless_stopped")


@kernel
def is_bare(position, side):
    """Tell whether a side has only its khun."""
    men = men_of(position, side)
    return men & (men - ONE) == EMPTY


@kernel
def pieces_limit(position, chaser, table):
    """Return L of a pieces count by the chaser's men: the first row of the table that fits."""
    men = men_of(position, chaser)
    ruea = popcount(position.ruea & men)
    khon = popcount(position.khon & men)
    ma = popcount(position.ma & men)
    if ruea >= 2:
        return 8
    if ruea == 1:
        return 16
    if khon >= 2:
        return 22
    if table == RANKED:
        if khon == 1:
            return 44
        return 32 if ma >= 2 else 64
    if ma >= 2:
        return 32
    return 44 if khon == 1 else 64


@kernel
def start_pieces(position, rules, counter):
    position.count_kind = PIECES
    position.counter = counter
    position.count_number = popcount(position.white | position.black)
    position.count_limit = pieces_limit(position, 1 - counter, rules.pieces_table)
    position.clock = 0


@kernel
def start_board(position, counter):
    position.count_kind = BOARD
    position.counter = counter
    position.count_number = 0
    position.count_limit = BOARD_LIMIT
    position.clock = 0


@kernel
def end_count(position):
    position.count_kind = NO_COUNT
    position.counter = 0
    position.count_number = 0
    position.count_limit = 0
    position.clock = 0


@kernel
def count_move(position, rules, captured, promoted):
    """Number the move just made and start, replace or end a count by what it left; return COUNT_BEGAN or 0.

    captured: the kind taken, -1 for none. The turn has passed already.
    """
    mover = 1 - position.side
    if position.count_kind != NO_COUNT:
        position.clock = 0
        if position.counter == mover:
            position.count_number += 1
            if position.turn_flag == STOPPED and position.count_number < position.count_limit:
                end_count(position)
    position.turn_flag = NOTHING_DECLARED

    white_bare, black_bare = is_bare(position, 0), is_bare(position, 1)
    if white_bare and black_bare:
        return 0
    if white_bare or black_bare:
        if position.bia or position.count_kind == PIECES:
            return 0
        changed = captured >= 0 or promoted  # else the position was set up so, with a count that is kept
        if rules.pieces_count != COUNT_AUTO:
            if position.count_kind == BOARD and changed:
                end_count(position)
            return 0
        bare = 0 if white_bare else 1
        took_last_bia = captured == BIA and bare == mover
        if (bare == position.side or took_last_bia) and (changed or position.count_kind == NO_COUNT):
            start_pieces(position, rules, bare)
            return COUNT_BEGAN
    elif position.count_kind == NO_COUNT:
        if rules.board_count == BOARD_AUTO:
            if not position.bia:
                start_board(position, position.side)
        elif rules.board_count == BOARD_CAMBODIAN and popcount(men_of(position, position.side)) <= 3:
            start_board(position, position.side)
    return 0


@kernel
def declaration(position, rules):
    """Return the count action that the side to move may take now, COUNT_START or COUNT_STOP, or -1."""
    if position.turn_flag != NOTHING_DECLARED:
        return -1
    side = position.side
    if position.count_kind == NO_COUNT:
        if position.bia or is_bare(position, 1 - side):
            return -1
        if is_bare(position, side):
            return COUNT_START if rules.pieces_count == COUNT_DECLARED else -1
        return COUNT_START if rules.board_count == BOARD_DECLARED else -1
    if position.count_kind == BOARD and position.counter == side and rules.board_count == BOARD_DECLARED:
        return COUNT_STOP
    return -1


@kernel
def declare(position, rules, action):
    """Start or stop a count; the turn stays. Return COUNT_BEGAN if a pieces count begins, else 0."""
    side = position.side
    if action == COUNT_STOP:
        position.turn_flag = STOPPED
        if rules.counter_mates == DRAW_UNLESS_STOPPED:
            end_count(position)
        return 0
    position.turn_flag = STARTED
    if is_bare(position, side):
        start_pieces(position, rules, side)
        return COUNT_BEGAN
    start_board(position, side)
    return 0


@kernel
def count_is_over(position, rules, began):
    """Tell whether the running count ends the game now; `began`: a pieces count began with the move just made."""
    if position.count_kind == NO_COUNT:
        return False
    if rules.count_end == LAST_REPLY:
        return position.count_number >= position.count_limit and position.side == position.counter and not began
    if rules.count_end == EXCEED:
        return position.count_number > position.count_limit
    return position.count_number >= position.count_limit
