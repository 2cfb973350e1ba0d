"""Legal moves: pins and check masks, so that no move is made only to find the khun attacked."""

from __future__ import annotations

from makruk_env.core.actions import DECLINED_ACTION, PAIR_ACTION
from makruk_env.core.bits import (
    EMPTY,
    FILE_A,
    FULL,
    ONE,
    diagonals,
    first_square,
    forward,
    forward_left,
    forward_right,
    ma_jumps,
    north_east,
    north_west,
    popcount,
    south_east,
    south_west,
)
from makruk_env.core.jit import kernel
from makruk_env.core.position import men_of
from makruk_env.core.tables import (
    BETWEEN,
    DECLINE_ZONE,
    FILE_MAGIC,
    FILE_REACH,
    FLIP,
    KHUN_ATTACKS,
    RANK_REACH,
    RIGHT,
    RUEA_LINES,
    SECOND_RANK,
    SHIFT,
    SQUARE,
)


@kernel
def rank_reach(square, occupied):
    """Return what a ruea on `square` reaches along its rank, the first man on either side included."""
    base = square & 56
    inner = (occupied >> SHIFT[base + 1]) & SHIFT[63]
    return RANK_REACH[square & 7, inner] << SHIFT[base]


@kernel
def file_reach(square, occupied):
    """Return what a ruea on `square` reaches along its file, the first man on either side included."""
    file = SHIFT[square & 7]
    inner = (((occupied >> file) & FILE_A) * FILE_MAGIC) >> SHIFT[58]
    return FILE_REACH[square >> 3, inner] << file


@kernel
def attacked_by(position, side, occupied):
    """Return all squares that a side's men attack while the squares of `occupied` block its ruea."""
    men = men_of(position, side)
    khon = position.khon & men
    bia = position.bia & men
    attacks = diagonals((position.met & men) | khon) | forward(khon, side)
    attacks |= forward_left(bia, side) | forward_right(bia, side)
    attacks |= ma_jumps(position.ma & men)
    attacks |= KHUN_ATTACKS[first_square(position.khun & men)]
    ruea = position.ruea & men
    while ruea:
        square = first_square(ruea)
        ruea &= ruea - ONE
        attacks |= rank_reach(square, occupied) | file_reach(square, occupied)
    return attacks


@kernel
def checkers(position, side, square):
    """Return the men of the side to come that check the khun of `side` on `square`."""
    enemy = men_of(position, 1 - side)
    here = SQUARE[square]
    occupied = position.white | position.black
    leapers = (position.met | position.khon) & diagonals(here)
    leapers |= position.khon & forward(here, side)
    leapers |= position.bia & (forward_left(here, side) | forward_right(here, side))
    leapers |= position.ma & ma_jumps(here)
    leapers |= position.ruea & (rank_reach(square, occupied) | file_reach(square, occupied))
    return leapers & enemy


@kernel
def pinned(position, side, square):
    """Return the men of `side` that are pinned on the file, and on the rank, of its khun on `square`."""
    own = men_of(position, side)
    ruea = position.ruea & men_of(position, 1 - side)
    on_file, on_rank = EMPTY, EMPTY
    if ruea & RUEA_LINES[square]:
        occupied = position.white | position.black
        seen = file_reach(square, occupied)
        pinners = file_reach(square, occupied ^ (seen & own)) & ruea & ~seen
        while pinners:
            on_file |= BETWEEN[square, first_square(pinners)] & own
            pinners &= pinners - ONE
        seen = rank_reach(square, occupied)
        pinners = rank_reach(square, occupied ^ (seen & own)) & ruea & ~seen
        while pinners:
            on_rank |= BETWEEN[square, first_square(pinners)] & own
            pinners &= pinners - ONE
    return on_file, on_rank


@kernel
def restrictions(position):
    """Return what binds the side to move.

    khun: its square; danger: the squares its khun may not enter, its own among them if it is in check; targets: where
    its other men may go; on_file, on_rank: its men pinned on the khun's file and rank.
    """
    side = position.side
    own = men_of(position, side)
    own_khun = position.khun & own
    khun = first_square(own_khun)
    danger = attacked_by(position, 1 - side, (position.white | position.black) ^ own_khun)
    targets = ~own
    if danger & own_khun:
        checking = checkers(position, side, khun)
        if checking & (checking - ONE):
            targets = EMPTY
        else:
            targets &= checking | BETWEEN[khun, first_square(checking)]
    on_file, on_rank = pinned(position, side, khun)
    return khun, danger, targets, on_file, on_rank


@kernel
def emit(out, n, start, stops, flip):
    """Append the actions of a man on `start` to every square of `stops`."""
    actions = PAIR_ACTION[start ^ flip]
    while stops:
        out[n] = actions[first_square(stops) ^ flip]
        stops &= stops - ONE
        n += 1
    return n


@kernel
def emit_bia(out, n, stops, back, side, optional):
    """Append the actions of bia that arrive on `stops` from `back` squares away, both kinds where they may decline."""
    flip = FLIP[side]
    while stops:
        stop = first_square(stops)
        stops &= stops - ONE
        start = (stop + back) ^ flip
        out[n] = PAIR_ACTION[start, stop ^ flip]
        n += 1
        if optional and SQUARE[stop] & DECLINE_ZONE[side]:
            out[n] = DECLINED_ACTION[start, stop ^ flip]
            n += 1
    return n


@kernel
def first_move_stops(position, rules, home, occupied, danger, targets, free):
    """Return where the man that holds a first-move right on `home` may go by it.

    A khun leaps like a ma to its 2nd rank unless in check; a met leaps, and a met or a ma changes places with the bia
    that steps ahead of it (sut). The others are as in `restrictions`; free: the own men that are not pinned.
    """
    side = position.side
    here = SQUARE[home]
    if here & position.khun:
        if danger & here:
            return EMPTY
        return ma_jumps(here) & SECOND_RANK[side] & ~occupied & ~danger
    if not here & free:
        return EMPTY
    second = forward(here, side)
    third = forward(second, side)
    fourth = forward(third, side)
    if here & position.met:
        if rules.met_leap and not third & occupied:
            return third & targets
        if not rules.sut_met or second & occupied:
            return EMPTY
    elif not rules.sut_ma:
        return EMPTY
    if third & position.bia & men_of(position, side) and fourth & targets & ~occupied:
        return third
    return EMPTY


@kernel
def emit_first_moves(position, rules, out, n, occupied, danger, targets, free):
    """Append the actions that first-move rights give the side to move."""
    side = position.side
    flip = FLIP[side]
    for file in range(8):
        home = file + 56 * side
        if position.rights & RIGHT[home]:
            stops = first_move_stops(position, rules, home, occupied, danger, targets, free)
            n = emit(out, n, home, stops, flip)
    return n


@kernel
def legal_moves(position, rules, out):
    """Write the moves that do not leave the own khun attacked to `out`, return how many; note whether it is check.

    out: int16, at least MAX_MOVES long, actions from the mover's point of view. Neither the count actions nor the
    options that forbid a legal move are looked at here.
    """
    side = position.side
    flip = FLIP[side]
    own = men_of(position, side)
    khun, danger, targets, on_file, on_rank = restrictions(position)
    position.check = 1 if danger & SQUARE[khun] else 0
    occupied = position.white | position.black
    free = own & ~(on_file | on_rank)

    n = emit(out, 0, khun, KHUN_ATTACKS[khun] & ~own & ~danger, flip)
    if not targets:
        return n
    men = position.met & free
    while men:
        start = first_square(men)
        men &= men - ONE
        n = emit(out, n, start, diagonals(SQUARE[start]) & targets, flip)
    men = position.khon & own & ~on_rank
    while men:
        start = first_square(men)
        men &= men - ONE
        here = SQUARE[start]
        n = emit(out, n, start, (forward(here, side) | diagonals(here & free)) & targets, flip)
    men = position.ma & free
    while men:
        start = first_square(men)
        men &= men - ONE
        n = emit(out, n, start, ma_jumps(SQUARE[start]) & targets, flip)
    men = position.ruea & own
    while men:
        start = first_square(men)
        men &= men - ONE
        reach = EMPTY
        if not SQUARE[start] & on_file:
            reach |= rank_reach(start, occupied)
        if not SQUARE[start] & on_rank:
            reach |= file_reach(start, occupied)
        n = emit(out, n, start, reach & targets, flip)
    bia = position.bia & own
    enemy = occupied ^ own
    back = -8 if side == 0 else 8
    turn = 1 if side == 0 else -1
    optional = rules.promotion == 1
    n = emit_bia(out, n, forward(bia & ~on_rank, side) & ~occupied & targets, back, side, optional)
    n = emit_bia(out, n, forward_left(bia & free, side) & enemy & targets, back + turn, side, optional)
    n = emit_bia(out, n, forward_right(bia & free, side) & enemy & targets, back - turn, side, optional)
    if position.rights:
        n = emit_first_moves(position, rules, out, n, occupied, danger, targets, free)
    return n


@kernel
def count_moves(position, rules):
    """Return how many moves `legal_moves` would write, without writing them: whole sets at a time."""
    side = position.side
    own = men_of(position, side)
    khun, danger, targets, on_file, on_rank = restrictions(position)
    occupied = position.white | position.black
    free = own & ~(on_file | on_rank)
    n = popcount(KHUN_ATTACKS[khun] & ~own & ~danger)
    if not targets:
        return n
    diagonal = (position.met | position.khon) & free
    n += popcount(north_west(diagonal) & targets) + popcount(north_east(diagonal) & targets)
    n += popcount(south_west(diagonal) & targets) + popcount(south_east(diagonal) & targets)
    n += popcount(forward(position.khon & own & ~on_rank, side) & targets)
    men = position.ma & free
    while men:
        n += popcount(ma_jumps(men & (~men + ONE)) & targets)
        men &= men - ONE
    men = position.ruea & own
    while men:
        start = first_square(men)
        men &= men - ONE
        if not SQUARE[start] & on_file:
            n += popcount(rank_reach(start, occupied) & targets)
        if not SQUARE[start] & on_rank:
            n += popcount(file_reach(start, occupied) & targets)
    bia = position.bia & own
    captures = targets & (occupied ^ own)
    ahead = forward(bia & ~on_rank, side) & ~occupied & targets
    left = forward_left(bia & free, side) & captures
    right = forward_right(bia & free, side) & captures
    n += popcount(ahead) + popcount(left) + popcount(right)
    if rules.promotion == 1:
        zone = DECLINE_ZONE[side]
        n += popcount(ahead & zone) + popcount(left & zone) + popcount(right & zone)
    if position.rights:
        for file in range(8):
            home = file + 56 * side
            if position.rights & RIGHT[home]:
                n += popcount(first_move_stops(position, rules, home, occupied, danger, targets, free))
    return n


assert FULL == ~EMPTY
