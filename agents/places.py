"""What men are worth by where they stand: hundredths of a bia, in the middle game and in the ending."""

from __future__ import annotations

import numpy as np

from agents.heuristics import BIA_VALUE, KHON_VALUE, MA_VALUE, MET_VALUE, RUEA_VALUE
from makruk_env.core.tables import BIA, KHON, KHUN, MA, MET, NUM_KINDS, RUEA

_VALUES = {KHUN: 0, MET: MET_VALUE, KHON: KHON_VALUE, MA: MA_VALUE, RUEA: RUEA_VALUE, BIA: BIA_VALUE}
"""What the men are worth off the tables: the same as everywhere else."""

# The tables show files a to d from the owner's side, the 8th rank on top. Files e to h are their mirror image, as a
# reflection of the board changes no rule.
_MIDDLE = {
    # The bia begin on the 3rd rank and promote on the 6th: a step is worth little until the next one promotes. On the
    # 8th, where only a set-up puts one, a bia never moves again.
    BIA: """
        -80 -80 -80 -80
         20  24  26  28
         20  24  26  28
         10  16  20  24
          0   5  10  14
         -4   0   4   6
         -4   0   2   4
         -4   0   2   4""",
    # A met is slow and sees one colour only: best behind its own bia in the middle; a promoted one begins far off.
    MET: """
        -24 -18 -16 -16
        -18 -10  -6  -4
        -12  -2   4   6
         -8   4  10  14
         -6   6  14  18
         -6   4  10  12
        -10  -2   2   4
        -16 -10  -8  -8""",
    # A khon goes straight ahead but back only diagonally: strong in front of its own camp, lost on the last rank.
    KHON: """
        -36 -30 -28 -28
        -22 -12  -8  -8
        -10   2   6   8
         -6   8  16  18
         -6   8  16  18
         -8   4  10  12
        -14  -4   0   0
        -24 -14  -8 -10""",
    # A ma reaches eight squares in the middle and two in a corner.
    MA: """
        -50 -34 -24 -22
        -30 -14  -2   2
        -16   4  12  16
        -10   6  18  22
        -10   6  18  22
        -16   2  12  14
        -28 -12  -2   0
        -48 -28 -20 -18""",
    # A ruea is well placed where the enemy's bia and mets began.
    RUEA: """
          2   4   6   6
         10  12  12  12
          8  10  12  12
         -2   0   4   6
         -4   0   4   6
         -6  -2   2   4
         -6  -2   2   4
         -6   0   4   6""",
    # The khun stays behind its bia while there are men enough to hunt it; the 2nd rank is as good as the 1st, as no
    # back rank mate threatens there.
    KHUN: """
        -80 -80 -80 -80
        -70 -70 -70 -70
        -60 -60 -60 -60
        -50 -50 -50 -50
        -34 -34 -36 -38
        -14 -10 -10 -12
          2   8   8   4
          0   6   4   2""",
}
_ENDING = {
    # Every bia is a met to be, and while one stands no pieces count begins: far ones are worth more.
    BIA: """
        -80 -80 -80 -80
         50  54  56  56
         50  54  56  56
         34  38  40  42
         12  16  18  20
          0   2   4   4
          0   2   4   4
          0   2   4   4""",
    MET: """
        -24 -16 -12 -12
        -14  -4   0   2
         -8   2   8  10
         -6   6  12  16
         -6   6  12  16
         -8   2   8  10
        -14  -4   0   2
        -24 -16 -12 -12""",
    KHON: """
        -30 -22 -18 -18
        -16  -6  -2   0
         -8   4  10  12
         -6   8  16  18
         -6   8  16  18
         -8   4  10  12
        -14  -2   2   4
        -22 -12  -8  -8""",
    # Without bia to hold it up a ma runs from men that it cannot catch: a little less than in the middle game.
    MA: """
        -60 -44 -34 -32
        -40 -22 -12 -10
        -26  -6   2   6
        -20   0   8  14
        -20   0   8  14
        -26  -6   2   6
        -40 -22 -12 -10
        -60 -44 -34 -32""",
    # A ruea gains with every man that leaves the board, wherever it stands.
    RUEA: """
         10  10  10  10
         14  14  14  14
         12  12  12  12
         10  10  10  10
         10  10  10  10
         10  10  10  10
          8   8   8   8
          6   8   8   8""",
    # With few men left the khun is a man like others, and in a corner it is half mated.
    KHUN: """
        -40 -26 -18 -14
        -22  -4   6   8
        -12   8  20  24
         -8  12  26  30
         -8  12  26  30
        -12   8  20  24
        -24  -6   4   6
        -44 -28 -20 -16""",
}


def _tables() -> np.ndarray:
    tables = np.zeros((2, NUM_KINDS, 64), np.int64)
    for stage, drawn in enumerate((_MIDDLE, _ENDING)):
        for kind, text in drawn.items():
            half = np.array(text.split(), np.int64).reshape(8, 4)[::-1]  # rank 1 first
            tables[stage, kind] = (_VALUES[kind] + np.concatenate([half, half[:, ::-1]], axis=1)).ravel()
    tables.setflags(write=False)
    return tables


PLACES = _tables()
"""[2, 6, 64]: what a man is worth by stage (middle game, ending), kind and square, from its owner's side; the khun is
worth nothing but its place."""
