"""The position record: everything that the rules know of a game, but for its repetition history.

    men        khun met khon ma ruea bia   the squares of each kind, both colours   6 x uint64
               white black                 the squares of each colour               2 x uint64
    key        Zobrist key of men and side to move (what a repetition repeats)         uint64
    time       ply    moves made by both sides, as the move number tells                int32
               quiet  moves since the last capture or bia move within the history       int32
               clock  half-move clock of a FEN; 0 while a count runs                    int32
    count      count_number n, count_limit L, count_kind (0: none), counter, turn_flag
    the rest   side to move, rights, check, streak, repetition, termination, winner

A batch of games is an array of records; copying a game is one assignment.
"""

from __future__ import annotations

import struct
from collections import namedtuple
from typing import Any

import numpy as np

from makruk_env.core.jit import kernel
from makruk_env.core.tables import BIA, KHON, KHUN, MA, MET, NUM_KINDS, RUEA, SQUARE, ZOBRIST, ZOBRIST_SIDE

_FIELDS = np.dtype(
    [
        ("khun", "u8"),
        ("met", "u8"),
        ("khon", "u8"),
        ("ma", "u8"),
        ("ruea", "u8"),
        ("bia", "u8"),
        ("white", "u8"),
        ("black", "u8"),
        ("key", "u8"),
        ("ply", "i4"),
        ("quiet", "i4"),
        ("clock", "i4"),
        ("count_number", "i2"),  # n, the last number spoken
        ("count_limit", "i2"),  # L
        ("streak_white", "i2"),  # White's last moves that gave check, without a gap
        ("streak_black", "i2"),
        ("count_kind", "i1"),  # NO_COUNT, PIECES or BOARD
        ("counter", "i1"),  # the side that counts
        ("turn_flag", "i1"),  # what the side to move has declared in this turn
        ("side", "i1"),  # to move: 0 White, 1 Black
        ("check", "i1"),  # the side to move is in check
        ("repetition", "i1"),  # how often the position stood before, at most 100
        ("termination", "i1"),  # a Termination, 0 while the game runs
        ("winner", "i1"),  # 0, 1; NOBODY in a draw and while the game runs
        ("rights", "u4"),  # first-move rights: bit f for White's man on rank 1, bit 8 + f for Black's on rank 8, file f
    ],
    align=True,
)
POSITION = np.dtype((np.record, _FIELDS))
Fields: Any = namedtuple("Fields", list(_FIELDS.names or ()))  # type: ignore[misc]
"""A position as plain Python numbers."""
_BYTES = np.dtype((np.void, POSITION.itemsize))
_PACKED = struct.Struct("@" + "".join(_FIELDS[name].char for name in _FIELDS.names or ()))
assert _PACKED.size == POSITION.itemsize


def read_fields(positions: np.ndarray, row: int) -> Any:
    """Return the fields of one row of a POSITION array: all in half the time that NumPy takes for a record's first."""
    return Fields._make(_PACKED.unpack_from(positions, row * POSITION.itemsize))  # type: ignore[arg-type]


def copy_rows(positions: np.ndarray) -> np.ndarray:
    """Return a copy of a POSITION array, made as bytes: NumPy copies records field by field, at six times the cost."""
    return np.asarray(positions.view(_BYTES).copy().view(POSITION))


KIND_NAMES = ("khun", "met", "khon", "ma", "ruea", "bia")
NO_COUNT, PIECES, BOARD = 0, 1, 2
NOTHING_DECLARED, STARTED, STOPPED = 0, 1, 2
NOBODY = -1
COUNTER_MOVED = 1
"""A fact of a move: it was made by the counter of a running board count."""
COUNT_BEGAN = 2
"""A fact of a move or a declaration: a pieces count began with it."""
MAX_MOVES = 256
"""No position with at most 16 men a side has more legal actions."""


@kernel
def men_of(position, side):
    """Return the squares of a side's men."""
    if side == 0:
        return position.white
    return position.black


@kernel
def kind_at(position, square):
    """Return the kind of the man on a square set of one, or -1."""
    if position.bia & square:
        return BIA
    if position.met & square:
        return MET
    if position.ruea & square:
        return RUEA
    if position.ma & square:
        return MA
    if position.khon & square:
        return KHON
    if position.khun & square:
        return KHUN
    return -1


@kernel
def toggle(position, kind, squares):
    """Put men of a kind on the squares, or take them off; the colours' sets stay as they are."""
    if kind == BIA:
        position.bia ^= squares
    elif kind == MET:
        position.met ^= squares
    elif kind == RUEA:
        position.ruea ^= squares
    elif kind == MA:
        position.ma ^= squares
    elif kind == KHON:
        position.khon ^= squares
    else:
        position.khun ^= squares


@kernel
def fresh_key(position):
    """Return the Zobrist key computed from the men and the side to move alone."""
    key = ZOBRIST_SIDE if position.side == 1 else ZOBRIST_SIDE ^ ZOBRIST_SIDE
    for square in range(64):
        kind = kind_at(position, SQUARE[square])
        if kind >= 0:
            colour = 1 if position.black & SQUARE[square] else 0
            key ^= ZOBRIST[colour, kind, square]
    return key


assert len(KIND_NAMES) == NUM_KINDS
