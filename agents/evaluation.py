"""What a position is worth to `alphabeta`: men where they stand, in the middle game and in the ending.

Both are added up for each side in hundredths of a bia, and the men left on the board say how much either counts. Then a
lead is worth less where it cannot become a mate: with too few men, or with too little of a count left.
"""

from __future__ import annotations

import numpy as np

from agents.heuristics import KHON_VALUE, MA_VALUE, MET_VALUE, TO_EDGE
from agents.places import PLACES
from makruk_env.core.bits import (
    EMPTY,
    NOT_A,
    NOT_H,
    ONE,
    diagonals,
    first_square,
    forward,
    forward_left,
    forward_right,
    ma_jumps,
    popcount,
)
from makruk_env.core.counting import is_bare
from makruk_env.core.jit import kernel
from makruk_env.core.movegen import attacked_by, file_reach, rank_reach
from makruk_env.core.position import NO_COUNT, PIECES, men_of
from makruk_env.core.tables import BIA, FLIP, KHON, KHUN_ATTACKS, MA, MET, NUM_KINDS, RUEA

STAGE_MET, STAGE_KHON, STAGE_MA, STAGE_RUEA = 1, 2, 2, 4
FULL_STAGE = 34
"""What both armies of the usual array come to in these; a game with so much on the board is all middle game."""
LEAST_FORCE = 400
"""Less than this, bia left out, and no ruea: such men (a ma, a khon, two mets) do not mate."""


@kernel
def squares_of(position, kind):
    """Return the squares of the men of a kind, both colours."""
    if kind == BIA:
        return position.bia
    if kind == MET:
        return position.met
    if kind == RUEA:
        return position.ruea
    if kind == MA:
        return position.ma
    return position.khon if kind == KHON else position.khun


@kernel
def placement(position, side):
    """Return what a side's men are worth where they stand, in the middle game and in the ending."""
    men, flip = men_of(position, side), FLIP[side]
    middle, ending = 0, 0
    for kind in range(NUM_KINDS):
        squares = squares_of(position, kind) & men
        while squares:
            square = first_square(squares) ^ flip
            squares &= squares - ONE
            middle += PLACES[0, kind, square]
            ending += PLACES[1, kind, square]
    return middle, ending


@kernel
def activity(position, side):
    """Return what a side's men do beyond standing well, in the middle game and in the ending.

    A ruea counts the squares it reaches, a ma those where no bia takes it, a bia its guard by another. Men that reach
    the squares about the enemy khun threaten it, and own men beside the own khun shield it, in the middle game.
    """
    men, enemy = men_of(position, side), men_of(position, 1 - side)
    occupied = men | enemy
    zone = KHUN_ATTACKS[first_square(position.khun & enemy)]
    bia = position.bia & men
    guards = forward_left(bia, side) | forward_right(bia, side)
    hostile = position.bia & enemy
    barred = men | forward_left(hostile, 1 - side) | forward_right(hostile, 1 - side)

    jumps = ma_jumps(position.ma & men)
    steps = diagonals((position.met | position.khon) & men)
    threats = 3 * popcount(jumps & zone) + 2 * popcount(steps & zone) + 2 * popcount(guards & zone)
    free = 3 * popcount(jumps & ~barred)
    ruea = position.ruea & men
    while ruea:
        square = first_square(ruea)
        ruea &= ruea - ONE
        reach = rank_reach(square, occupied) | file_reach(square, occupied)
        free += 3 * popcount(reach & ~barred)
        threats += 4 * popcount(reach & zone)
    ties = 5 * popcount(guards & bia) + 3 * popcount(guards & (position.met | position.khon | position.ma) & men)
    shield = 5 * popcount(KHUN_ATTACKS[first_square(position.khun & men)] & men)
    return free + ties + shield + 2 * threats, free + ties + threats


@kernel
def stage(position):
    """Return how much of a middle game it still is, 0 .. FULL_STAGE."""
    weight = STAGE_MET * popcount(position.met) + STAGE_KHON * popcount(position.khon)
    weight += STAGE_MA * popcount(position.ma) + STAGE_RUEA * popcount(position.ruea)
    return min(weight, FULL_STAGE)


@kernel
def distance(one, other):
    """Return how many steps of a khun lie between two squares."""
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


@kernel
def steps_apart(position):
    """Return how many steps of a khun lie between the two khuns."""
    return distance(first_square(position.khun & position.white), first_square(position.khun & position.black))


@kernel
def straights(squares):
    """Return all squares one step along rank or file away from a set."""
    return forward(squares, 0) | forward(squares, 1) | ((squares & NOT_H) << ONE) | ((squares & NOT_A) >> ONE)


@kernel
def ground_of(position, bare):
    """Return the squares that the bare khun of side `bare` could walk to if the chaser's men stayed as they are."""
    khun = position.khun & men_of(position, bare)
    safe = ~attacked_by(position, 1 - bare, (position.white | position.black) ^ khun)
    ground, grown = EMPTY, khun
    while grown != ground:
        ground = grown
        grown |= (diagonals(ground) | straights(ground)) & safe
    return ground


@kernel
def hunt(position, bare):
    """Return the chaser's progress against the bare khun of side `bare`.

    The khun driven to the edge and to a corner, whichever; little ground left to it and few squares to go to at once;
    and the chaser's khun and slow men close by. A shallow search finds its way from one step to the next.
    """
    khun = first_square(position.khun & men_of(position, bare))
    from_middle = abs(2 * (khun & 7) - 7) + abs(2 * (khun >> 3) - 7)
    ground = ground_of(position, bare)
    score = 20 * TO_EDGE[khun] + 6 * from_middle + 20 * (7 - steps_apart(position))
    score += 4 * (64 - popcount(ground)) + 12 * (8 - popcount(ground & KHUN_ATTACKS[khun]))
    men = men_of(position, 1 - bare) & (position.met | position.khon | position.ma)
    while men:
        square = first_square(men)
        men &= men - ONE
        score += 6 * (7 - distance(square, khun))
    return score


@kernel
def can_mate(position, side):
    """Tell, roughly, whether a side's men are enough to force a mate."""
    men = men_of(position, side)
    if men & (position.bia | position.ruea):
        return True
    force = MET_VALUE * popcount(position.met & men) + KHON_VALUE * popcount(position.khon & men)
    return force + MA_VALUE * popcount(position.ma & men) > LEAST_FORCE


@kernel
def what_counts_leave(position, leader, lead):
    """Return what is left of the leader's lead, when the game will be drawn unless he mates in time.

    It loses half when the count leaves him as many moves as he may need, and all with his last move; so a chaser drives
    the khun before he promotes his last bia, which starts the count, and not after. He needs about half of L, the less
    the nearer the bare khun is to the edge and his own khun to it; and half of a board count.
    """
    if position.count_kind == NO_COUNT or position.counter == leader:
        return lead
    left = max(position.count_limit - position.count_number, 0)
    needed = position.count_limit // 2
    if position.count_kind == PIECES:
        khun = first_square(position.khun & men_of(position, position.counter))
        far = 3 - TO_EDGE[khun] + max(steps_apart(position) - 2, 0)
        needed = 2 + needed * (4 + far) // 12
    return lead * left // (left + needed)


@kernel
def evaluate_places(position):
    """Return a running game's worth to the side to move in hundredths of a bia."""
    side = np.int64(position.side)
    middle, ending = placement(position, side)
    other_middle, other_ending = placement(position, 1 - side)
    active_middle, active_ending = activity(position, side)
    passive_middle, passive_ending = activity(position, 1 - side)
    middle += active_middle - passive_middle - other_middle
    ending += active_ending - passive_ending - other_ending
    weight = stage(position)
    score = middle * weight + ending * (FULL_STAGE - weight)
    leader = side if score > 0 else 1 - side
    lead = abs(score) // FULL_STAGE
    if is_bare(position, 1 - leader):
        lead += hunt(position, 1 - leader)
    if not can_mate(position, leader):
        lead //= 8
    lead = what_counts_leave(position, leader, lead)
    return lead if leader == side else -lead
