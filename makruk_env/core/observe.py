"""What a network sees: planes of 8 x 8 from the mover's point of view, rank 0 his own first rank.

 0.. 5  own khun, met, khon, ma, ruea, bia          6..11  the opponent's
12, 13  the position stood once before; twice or more
14, 15  a pieces count runs; a board count runs
16      the running count is the mover's own
17, 18  n / 64; (L - n) / 64, what is left
19, 20  the mover has stopped the count in this turn; has started it
21, 22  own and the opponent's run of checks, of at most 8, / 8
23      the men of both sides that hold a first-move right
24      plies left to the cap on a game's length, as a share of it; 0 without a cap
25      one everywhere: where the board is
"""

from __future__ import annotations

from typing import Final

import numpy as np

from makruk_env.core.bits import ONE, first_square
from makruk_env.core.jit import kernel
from makruk_env.core.outcome import streak_of
from makruk_env.core.position import NO_COUNT, PIECES, STARTED, STOPPED, men_of
from makruk_env.core.tables import FLIP, NUM_KINDS, RIGHT

NUM_PLANES: Final = 26
PLANE_NAMES: Final = (
    *(f"{whose} {kind}" for whose in ("own", "opponent's") for kind in ("khun", "met", "khon", "ma", "ruea", "bia")),
    "stood once before",
    "stood twice or more before",
    "pieces count runs",
    "board count runs",
    "mover counts",
    "count number / 64",
    "count left / 64",
    "count stopped in this turn",
    "count started in this turn",
    "own run of checks / 8",
    "opponent's run of checks / 8",
    "first-move rights",
    "plies left to the cap, share",
    "board",
)
_PER_COUNT = np.float32(1 / 64)
_MOST_CHECKS = 8
_PER_CHECK = np.float32(1 / 8)
_ZERO = np.float32(0)
_ONE = np.float32(1)


@kernel
def fill(cells, plane, value):
    """Fill one plane."""
    for square in range(64 * plane, 64 * plane + 64):
        cells[square] = value


@kernel
def put_men(men, flip, cells, plane):
    """Mark a set of squares, turned by `flip`, in one plane."""
    while men:
        cells[64 * plane + (first_square(men) ^ flip)] = _ONE
        men &= men - ONE


@kernel
def put_side(position, side, flip, cells, plane):
    """Mark a side's men in the six planes from `plane` on."""
    men = men_of(position, side)
    put_men(position.khun & men, flip, cells, plane)
    put_men(position.met & men, flip, cells, plane + 1)
    put_men(position.khon & men, flip, cells, plane + 2)
    put_men(position.ma & men, flip, cells, plane + 3)
    put_men(position.ruea & men, flip, cells, plane + 4)
    put_men(position.bia & men, flip, cells, plane + 5)


@kernel
def put_rights(rights, flip, cells, plane):
    """Mark the home squares of the men that hold a first-move right."""
    for file in range(8):
        if rights & RIGHT[file]:
            cells[64 * plane + (file ^ flip)] = _ONE
        if rights & RIGHT[56 + file]:
            cells[64 * plane + ((56 + file) ^ flip)] = _ONE


@kernel
def observe(position, rules, planes):
    """Write the observation of the side to move to `planes`, [C, 8, 8] float32."""
    observe_as(position, rules, position.side, planes)


@kernel
def observe_as(position, rules, side, planes):
    """Write what `side` would see if it were to move; what has been declared in this turn is told as it is."""
    flip = FLIP[side]
    cells = planes.reshape(planes.size)
    cells[:] = _ZERO
    put_side(position, side, flip, cells, 0)
    put_side(position, 1 - side, flip, cells, NUM_KINDS)
    if position.repetition == 1:
        fill(cells, 12, _ONE)
    elif position.repetition > 1:
        fill(cells, 13, _ONE)
    if position.count_kind != NO_COUNT:
        fill(cells, 14 if position.count_kind == PIECES else 15, _ONE)
        if position.counter == side:
            fill(cells, 16, _ONE)
        fill(cells, 17, np.float32(position.count_number) * _PER_COUNT)
        fill(cells, 18, np.float32(position.count_limit - position.count_number) * _PER_COUNT)
    if position.turn_flag == STOPPED:
        fill(cells, 19, _ONE)
    elif position.turn_flag == STARTED:
        fill(cells, 20, _ONE)
    own_checks, other_checks = streak_of(position, side), streak_of(position, 1 - side)
    if own_checks:
        fill(cells, 21, np.float32(min(own_checks, _MOST_CHECKS)) * _PER_CHECK)
    if other_checks:
        fill(cells, 22, np.float32(min(other_checks, _MOST_CHECKS)) * _PER_CHECK)
    if position.rights:
        put_rights(position.rights, flip, cells, 23)
    if rules.max_plies:
        fill(cells, 24, np.float32(max(rules.max_plies - position.ply, 0)) / np.float32(rules.max_plies))
    fill(cells, 25, _ONE)


assert len(PLANE_NAMES) == NUM_PLANES
