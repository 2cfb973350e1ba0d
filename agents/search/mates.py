"""Mate in one, seen when a node is made and before any evaluator is asked, as CrazyAra does."""

from __future__ import annotations

from makruk_env.core.actions import ACTION_FROM, ACTION_TO, COUNT_START, NUM_PAIRS
from makruk_env.core.apply import move_men
from makruk_env.core.bits import EMPTY, diagonals, first_square, forward, forward_left, forward_right, ma_jumps
from makruk_env.core.jit import kernel
from makruk_env.core.movegen import checkers, count_moves, file_reach, rank_reach
from makruk_env.core.outcome import COUNTER_MATE_WINS
from makruk_env.core.position import BOARD, kind_at, men_of
from makruk_env.core.tables import BIA, FLIP, KHON, KHUN, MA, MET, RUEA_LINES, SQUARE, ZONE


@kernel
def checking_squares(position, kind, khun):
    """Return the squares from which a man of `kind` of the side to move would attack the other khun, on `khun`."""
    here = SQUARE[khun]
    other = 1 - position.side
    if kind == MET:
        return diagonals(here)
    if kind == KHON:
        return diagonals(here) | forward(here, other)
    if kind == MA:
        return ma_jumps(here)
    if kind == BIA:
        return forward_left(here, other) | forward_right(here, other)
    if kind == KHUN:
        return EMPTY
    occupied = position.white | position.black
    return rank_reach(khun, occupied) | file_reach(khun, occupied)


@kernel
def may_check(position, action, khun):
    """Tell, without making it, whether an action can give check at all: from its end, or by opening a ruea's line."""
    flip = FLIP[position.side]
    start = SQUARE[ACTION_FROM[action] ^ flip]
    stop = SQUARE[ACTION_TO[action] ^ flip]
    ruea = position.ruea & men_of(position, position.side)
    if start & RUEA_LINES[khun] and ruea & RUEA_LINES[khun]:
        return True
    kind = kind_at(position, start)
    if kind == BIA and stop & ZONE[position.side] and action < NUM_PAIRS:
        kind = MET
    return stop & checking_squares(position, kind, khun) != EMPTY


@kernel
def is_mate(position, rules, action, scratch):
    """Tell whether a legal action mates and wins; `scratch`, another position, is overwritten."""
    if action >= COUNT_START:
        return False
    if position.count_kind == BOARD and position.counter == position.side and rules.counter_mates != COUNTER_MATE_WINS:
        return False
    khun = first_square(position.khun & men_of(position, 1 - position.side))
    if not may_check(position, action, khun):
        return False
    copy_men(position, scratch)
    move_men(scratch, action)
    return checkers(scratch, scratch.side, khun) != EMPTY and count_moves(scratch, rules) == 0


@kernel
def copy_men(position, scratch):
    """Copy the men and the side to move, all that making a move on the board needs."""
    scratch.khun = position.khun
    scratch.met = position.met
    scratch.khon = position.khon
    scratch.ma = position.ma
    scratch.ruea = position.ruea
    scratch.bia = position.bia
    scratch.white = position.white
    scratch.black = position.black
    scratch.side = position.side
