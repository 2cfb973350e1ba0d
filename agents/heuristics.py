"""What a position is worth to someone who only counts: men, and how near a lone khun is to being mated."""

from __future__ import annotations

import numpy as np

from makruk_env.core.bits import first_square, popcount
from makruk_env.core.counting import is_bare
from makruk_env.core.jit import kernel
from makruk_env.core.position import PIECES, men_of

BIA_VALUE, MET_VALUE, KHON_VALUE, MA_VALUE, RUEA_VALUE = 100, 170, 270, 310, 500
MATE_VALUE = 30_000
HALF_WON = 600.0
"""Six bia ahead are worth 0.5; x / (|x| + 600) keeps a slope far out, where tanh would call all leads equal."""


def _to_edge() -> np.ndarray:
    table = np.array([max(abs(2 * (s % 8) - 7), abs(2 * (s // 8) - 7)) // 2 for s in range(64)], np.int64)
    table.setflags(write=False)
    return table


TO_EDGE = _to_edge()
"""[64]: how far a square lies from the middle of the board, 0 .. 3."""


@kernel
def material(position, side):
    """Return the worth of a side's men in hundredths of a bia."""
    men = men_of(position, side)
    return (
        BIA_VALUE * popcount(position.bia & men)
        + MET_VALUE * popcount(position.met & men)
        + KHON_VALUE * popcount(position.khon & men)
        + MA_VALUE * popcount(position.ma & men)
        + RUEA_VALUE * popcount(position.ruea & men)
    )


@kernel
def hunt(position, bare):
    """Return the chaser's progress against the bare khun of side `bare`: near the edge, the other khun close by."""
    khun = first_square(position.khun & men_of(position, bare))
    chaser = first_square(position.khun & men_of(position, 1 - bare))
    apart = max(abs((khun & 7) - (chaser & 7)), abs((khun >> 3) - (chaser >> 3)))
    return 30 * TO_EDGE[khun] + 10 * (7 - apart)


@kernel
def evaluate(position):
    """Return a running game's worth to the side to move in hundredths of a bia.

    What the chaser has is worth less and less as a pieces count runs out.
    """
    side = position.side
    score = material(position, side) - material(position, 1 - side)
    if is_bare(position, side):
        score -= hunt(position, side)
    elif is_bare(position, 1 - side):
        score += hunt(position, 1 - side)
    if position.count_kind == PIECES:
        left = max(position.count_limit - position.count_number, 0)
        score = score * (8 + left) // (8 + position.count_limit)
    return score


@kernel
def heuristic_value(position):
    """Return a running game's worth to the side to move, in (-1, 1)."""
    score = float(evaluate(position))
    return score / (abs(score) + HALF_WON)
