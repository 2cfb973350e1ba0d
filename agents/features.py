"""What a sparse network sees: a few numbers out of F, each of them a fact that holds, from the mover's point of view.

       0 .. 3071   64 * (4 * man + state) + square, a man that stands there; man: 0 .. 5 own khun, met, khon, ma, ruea,
                   bia, 6 .. 11 the opponent's; state: 1 if the other side attacks it, plus 2 if its own side guards it
    3072 .. 3119   3 * (8 * whose + direction) + what, beside a khun; whose: 0 own, 1 the opponent's; what: 0 the edge
                   of the board, 1 a man of the khun's own side, 2 a free square or a capture that the other side covers
    3120 .. 3283   a running count: 41 * (2 * kind + whose) + left, see `left_bucket`; kind: 0 pieces, 1 board
    3284, 3285     the position stood once before; twice or more
    3286, 3287     the mover has stopped the count in this turn; has started it
    3288 .. 3303   8 * whose + checks - 1, a run of 1 .. 8 or more checks
    3304 .. 3319   8 * whose + file, a first-move right on that side's first rank
    3320 .. 3327   plies left to the cap in eighths of it, if there is a cap

A man that hangs and a square that a khun cannot flee to are seen in the first layer, which has few others behind it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from makruk_env.core.bits import first_square
from makruk_env.core.jit import kernel
from makruk_env.core.movegen import attacked_by
from makruk_env.core.outcome import streak_of
from makruk_env.core.position import NO_COUNT, PIECES, STARTED, STOPPED, men_of
from makruk_env.core.tables import FLIP, KHUN_DELTAS, NUM_KINDS, RIGHT, SQUARE

NUM_MEN: Final = 2 * NUM_KINDS
NUM_STATES: Final = 4
_RING: Final = NUM_MEN * NUM_STATES * 64
_COUNT: Final = _RING + 2 * 8 * 3
_LEFT: Final = 41
"""Buckets of what is left of a count: 0 .. 15, then by twos to 64."""
_REPEATED: Final = _COUNT + 4 * _LEFT
_DECLARED: Final = _REPEATED + 2
_CHECKS: Final = _DECLARED + 2
_RIGHTS: Final = _CHECKS + 16
_CAP: Final = _RIGHTS + 16
NUM_FEATURES: Final = _CAP + 8
MAX_FEATURES: Final = 72
"""No position has more: 32 men, 16 squares beside khuns, 16 rights, and six single facts."""


def _beside() -> np.ndarray:
    table = np.full((64, 8), -1, np.int64)
    for square in range(64):
        for d, (file, rank) in enumerate(KHUN_DELTAS):
            if 0 <= square % 8 + file < 8 and 0 <= square // 8 + rank < 8:
                table[square, d] = square + file + 8 * rank
    table.setflags(write=False)
    return table


BESIDE = _beside()
"""[64, 8]: the square in each direction of KHUN_DELTAS, -1 off the board."""


@kernel
def left_bucket(left):
    """Return the bucket, 0 .. 40, of what is left of a count: every number matters at its end."""
    if left < 16:
        return max(left, 0)
    return min(8 + left // 2, _LEFT - 1)


@kernel
def add_men(men, man, flip, attacked, guarded, features, n):
    """Append the features of one side's men of a kind; return how many features there are then."""
    while men:
        square = first_square(men)
        here = SQUARE[square]
        men ^= here
        state = (1 if here & attacked else 0) + (2 if here & guarded else 0)
        features[n] = 64 * (NUM_STATES * man + state) + (square ^ flip)
        n += 1
    return n


@kernel
def add_side(position, side, first, flip, attacked, guarded, features, n):
    """Append the features of a side's men; first: 0 for the mover's, 6 for the opponent's."""
    men = men_of(position, side)
    n = add_men(position.khun & men, first, flip, attacked, guarded, features, n)
    n = add_men(position.met & men, first + 1, flip, attacked, guarded, features, n)
    n = add_men(position.khon & men, first + 2, flip, attacked, guarded, features, n)
    n = add_men(position.ma & men, first + 3, flip, attacked, guarded, features, n)
    n = add_men(position.ruea & men, first + 4, flip, attacked, guarded, features, n)
    return add_men(position.bia & men, first + 5, flip, attacked, guarded, features, n)


@kernel
def add_ring(position, side, whose, flip, attacked, features, n):
    """Append what bars a side's khun from the squares beside it."""
    own = men_of(position, side)
    khun = first_square(position.khun & own) ^ flip
    for d in range(8):
        square = BESIDE[khun, d]
        what = -1
        if square < 0:
            what = 0
        elif SQUARE[square ^ flip] & own:
            what = 1
        elif SQUARE[square ^ flip] & attacked:
            what = 2
        if what >= 0:
            features[n] = _RING + 3 * (8 * whose + d) + what
            n += 1
    return n


@kernel
def add_rights(rights, flip, features, n):
    """Append the first-move rights."""
    for file in range(8):
        if rights & RIGHT[file ^ flip]:
            features[n] = _RIGHTS + file
            n += 1
        if rights & RIGHT[(56 + file) ^ flip]:
            features[n] = _RIGHTS + 8 + file
            n += 1
    return n


@kernel
def list_features(position, rules, features):
    """Write the features that hold to `features`, [>= MAX_FEATURES] int32, and return how many they are."""
    side = position.side
    flip = FLIP[side]
    occupied = position.white | position.black
    own_khun, other_khun = position.khun & men_of(position, side), position.khun & men_of(position, 1 - side)
    # A khun does not shield the squares behind it from a ruea: it cannot flee along the line.
    own = attacked_by(position, side, occupied ^ other_khun)
    other = attacked_by(position, 1 - side, occupied ^ own_khun)
    n = add_side(position, side, 0, flip, other, own, features, 0)
    n = add_side(position, 1 - side, NUM_KINDS, flip, own, other, features, n)
    n = add_ring(position, side, 0, flip, other, features, n)
    n = add_ring(position, 1 - side, 1, flip, own, features, n)
    if position.count_kind != NO_COUNT:
        kind = 0 if position.count_kind == PIECES else 1
        whose = 0 if position.counter == side else 1
        left = left_bucket(position.count_limit - position.count_number)
        features[n] = _COUNT + _LEFT * (2 * kind + whose) + left
        n += 1
    if position.repetition > 0:
        features[n] = _REPEATED + (0 if position.repetition == 1 else 1)
        n += 1
    if position.turn_flag == STOPPED or position.turn_flag == STARTED:
        features[n] = _DECLARED + (0 if position.turn_flag == STOPPED else 1)
        n += 1
    for whose in range(2):
        checks = streak_of(position, side if whose == 0 else 1 - side)
        if checks > 0:
            features[n] = _CHECKS + 8 * whose + min(checks, 8) - 1
            n += 1
    if position.rights:
        n = add_rights(position.rights, flip, features, n)
    if rules.max_plies:
        features[n] = _CAP + min(7, 8 * max(rules.max_plies - position.ply, 0) // rules.max_plies)
        n += 1
    return n


def _mirrored() -> np.ndarray:
    """Return what each feature becomes on the board reflected left to right."""
    table = np.arange(NUM_FEATURES, dtype=np.int32)
    table[:_RING] ^= 7
    for d, (file, rank) in enumerate(KHUN_DELTAS):
        for whose in range(2):
            at, to = (_RING + 3 * (8 * whose + direction) for direction in (d, KHUN_DELTAS.index((-file, rank))))
            table[at : at + 3] = np.arange(to, to + 3)
    table[_RIGHTS:_CAP] = _RIGHTS + (np.arange(16) ^ 7)
    table.setflags(write=False)
    return table


MIRRORED_FEATURE = _mirrored()
"""[F] int32: what each feature becomes on the board reflected left to right (an involution)."""
