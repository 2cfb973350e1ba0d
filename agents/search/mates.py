"""Mates in one, seen when a node is made and before any evaluator is asked, as CrazyAra does."""

from __future__ import annotations

from agents.search.proof import WIN
from makruk_env.core.actions import ACTION_FROM, ACTION_TO, COUNT_START, NUM_PAIRS
from makruk_env.core.apply import move_men
from makruk_env.core.bits import EMPTY, ONE, diagonals, first_square, forward, forward_left, forward_right, ma_jumps
from makruk_env.core.jit import kernel
from makruk_env.core.movegen import checkers, count_moves, file_reach, rank_reach
from makruk_env.core.outcome import COUNTER_MATE_WINS
from makruk_env.core.position import BOARD, men_of
from makruk_env.core.tables import BETWEEN, FLIP, RUEA_LINES, SQUARE, ZONE


@kernel
def discoverers(position, khun):
    """Return the men of the side to move that alone stand between a ruea of theirs and the other khun, on `khun`."""
    own = men_of(position, position.side)
    ruea = position.ruea & own & RUEA_LINES[khun]
    found = EMPTY
    if ruea:
        occupied = position.white | position.black
        seen = file_reach(khun, occupied) | rank_reach(khun, occupied)
        beyond = occupied ^ (seen & own)
        ruea &= (file_reach(khun, beyond) | rank_reach(khun, beyond)) & ~seen
        while ruea:
            found |= BETWEEN[khun, first_square(ruea)] & seen & own
            ruea &= ruea - ONE
    return found


@kernel
def mark_mates(position, rules, moves, n, edges, first, scratch):
    """Mark those of a node's edges that mate and win as proven, and tell whether there are any.

    moves: the first `n` are the actions of edges[first] and on; `scratch`, another position, is overwritten. Only
    actions that can give check, from where they end or by opening a ruea's line, are made at all.
    """
    if position.count_kind == BOARD and position.counter == position.side and rules.counter_mates != COUNTER_MATE_WINS:
        return False
    side, flip = position.side, FLIP[position.side]
    khun = first_square(position.khun & men_of(position, 1 - side))
    here = SQUARE[khun]
    occupied = position.white | position.black
    own = men_of(position, side)
    by_diagonal = diagonals(here)
    by_khon = by_diagonal | forward(here, 1 - side)
    by_ma = ma_jumps(here)
    by_ruea = file_reach(khun, occupied) | rank_reach(khun, occupied)
    by_bia = forward_left(here, 1 - side) | forward_right(here, 1 - side)
    openers = discoverers(position, khun)
    found = False
    for k in range(n):
        action = moves[k]
        if action >= COUNT_START:
            break
        start = SQUARE[ACTION_FROM[action] ^ flip]
        stop = SQUARE[ACTION_TO[action] ^ flip]
        if start & position.bia:
            squares = by_diagonal if stop & ZONE[side] and action < NUM_PAIRS else by_bia
        elif start & position.ruea:
            squares = by_ruea
        elif start & position.ma:
            squares = by_ma
        elif start & position.khon:
            squares = by_khon
        elif start & position.met:
            squares = by_diagonal
        else:
            squares = EMPTY
        if stop & (squares | own) or start & openers:  # a sut goes onto an own man and moves that one too
            copy_men(position, scratch)
            move_men(scratch, rules, action)
            if checkers(scratch, scratch.side, khun) and count_moves(scratch, rules) == 0:
                edges[first + k].proof = WIN
                found = True
    return found


@kernel
def copy_men(position, scratch):
    """Copy the men, the side to move and the rights: all that making a move on the board needs."""
    scratch.khun = position.khun
    scratch.met = position.met
    scratch.khon = position.khon
    scratch.ma = position.ma
    scratch.ruea = position.ruea
    scratch.bia = position.bia
    scratch.white = position.white
    scratch.black = position.black
    scratch.side = position.side
    scratch.rights = position.rights
