"""Draws by material: men that cannot mate, and pairings that are known to be drawn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from makruk_env.core.bits import popcount
from makruk_env.core.counting import is_bare
from makruk_env.core.jit import kernel
from makruk_env.core.position import men_of
from makruk_env.core.tables import LIGHT

# The men besides the khuns, the stronger side first. M: a met or promoted bia on a square of either colour;
# t: one of several on the same colour, a: one on the other colour.
_PAIRINGS = (
    "tta M",
    "NSM MM",
    "R MMM",
    "R NM",
    "R SM",
    "SN S",
    "SN N",
    "RM R",
    "SMM R",
    "NMM R",
    "SMMM RM",
    "NMMM RM",
    "RS R",
    "RN R",
    "tttt RM",
    "RR RS",
    "RR RN",
)
_LEAST_MEN, _MOST_MEN = 5, 8
"""All men on the board, khuns included, of the smallest and the largest pairing."""


def _packed(ruea: int, khon: int, ma: int, one_colour: int, other_colour: int) -> int:
    return ruea | khon << 4 | ma << 8 | one_colour << 12 | other_colour << 16


def _signatures(men: str) -> Iterator[int]:
    """Yield the signatures of a side's men, one for each way in which its mets may stand on the two colours."""
    ruea, khon, ma = (men.count(letter) for letter in "RSN")
    mets = men.count("M")
    splits = [(light, mets - light) for light in range(mets + 1)]
    if "t" in men:
        tied, apart = men.count("t"), men.count("a")
        splits = [(tied, apart), (apart, tied)]
    for light, dark in splits:
        yield _packed(ruea, khon, ma, light, dark)


def _table() -> np.ndarray:
    sides = [pairing.split() for pairing in _PAIRINGS]
    ways = {(a, b) for strong, weak in sides for a in _signatures(strong) for b in _signatures(weak)}
    table = np.array(sorted(ways | {(b, a) for a, b in ways}), np.int64)
    table.setflags(write=False)
    return table


DRAWN = _table()
"""[rows, 2]: the signatures of White's and Black's men in every drawn pairing, either way round."""


@kernel
def signature(position, side):
    """Return a side's men besides the khun, its mets told apart by the colour of their squares, as one number."""
    men = men_of(position, side)
    mets = position.met & men
    return (
        popcount(position.ruea & men)
        | popcount(position.khon & men) << 4
        | popcount(position.ma & men) << 8
        | popcount(mets & LIGHT) << 12
        | popcount(mets & ~LIGHT) << 16
    )


@kernel
def is_drawn_pairing(position):
    """Tell whether the men are one of the pairings that are drawn without play; with a bia on the board none is."""
    men = popcount(position.white | position.black)
    if position.bia or men < _LEAST_MEN or men > _MOST_MEN:
        return False
    white, black = signature(position, 0), signature(position, 1)
    for row in range(len(DRAWN)):
        if DRAWN[row, 0] == white and DRAWN[row, 1] == black:
            return True
    return False


@kernel
def can_mate(position, side):
    """Tell whether the men on the board leave a side any way to mate."""
    men = men_of(position, side)
    if (position.ruea | position.khon) & men:
        return True
    bystanders = position.ma | position.bia
    if position.met & men:
        both_colours = position.met & LIGHT and position.met & ~LIGHT
        if both_colours or bystanders or (position.ruea | position.khon) & ~men:
            return True
    return bool(bystanders & men) and popcount(position.white | position.black) >= 4


@kernel
def is_material_draw(position, rules):
    """Tell whether the men alone make the position drawn, under the material options that are on."""
    if rules.bare_kings and is_bare(position, 0) and is_bare(position, 1):
        return True
    if rules.dead and not can_mate(position, 0) and not can_mate(position, 1):
        return True
    return bool(rules.table) and is_drawn_pairing(position)
