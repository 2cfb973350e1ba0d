"""Read-only lookup tables of the kernels: attacks, lines, Zobrist keys, counting limits. All bitboards are uint64."""

from __future__ import annotations

import numpy as np

from makruk_env.core.actions import RUEA_DELTAS, steps

NUM_KINDS = 6
KHUN, MET, KHON, MA, RUEA, BIA = range(NUM_KINDS)
KHUN_DELTAS = [(df, dr) for df in (-1, 0, 1) for dr in (-1, 0, 1) if df or dr]


def _frozen(table: np.ndarray) -> np.ndarray:
    table.setflags(write=False)
    return table


def _set_of(squares: list[int]) -> int:
    return sum(1 << square for square in squares)


def _ray(occupied: int, at: int) -> int:
    """Return the squares a ruea reaches on a line of eight from place `at`, blockers included."""
    reached = 0
    for step in (-1, 1):
        place = at + step
        while 0 <= place < 8:
            reached |= 1 << place
            if occupied >> place & 1:
                break
            place += step
    return reached


def _line_tables() -> tuple[np.ndarray, np.ndarray]:
    rank = np.zeros((8, 64), np.uint64)
    file = np.zeros((8, 64), np.uint64)
    for at in range(8):
        for inner in range(64):
            reached = _ray(inner << 1, at)
            rank[at, inner] = reached
            file[at, inner] = _set_of([8 * r for r in range(8) if reached >> r & 1])
    return _frozen(rank), _frozen(file)


def _between() -> np.ndarray:
    table = np.zeros((64, 64), np.uint64)
    for a in range(64):
        for b in steps(a, RUEA_DELTAS):
            step = (1 if a // 8 == b // 8 else 8) * (1 if b > a else -1)
            table[a, b] = _set_of(list(range(a + step, b, step)))
    return _frozen(table)


SQUARE = _frozen(np.array([1 << square for square in range(64)], np.uint64))
"""[64]: the set that holds one square."""
KHUN_ATTACKS = _frozen(np.array([_set_of(steps(s, KHUN_DELTAS)) for s in range(64)], np.uint64))
"""[64]: the squares next to one."""
RUEA_LINES = _frozen(np.array([_set_of(steps(s, RUEA_DELTAS)) for s in range(64)], np.uint64))
"""[64]: rank and file of a square, itself left out."""
BETWEEN = _between()
"""[64, 64]: the squares strictly between two squares of one rank or file, else none."""
RANK_REACH, FILE_REACH = _line_tables()
"""[8, 64]: what a ruea reaches on the lowest rank (on file a) from a file (a rank), by the six inner squares' men."""
FILE_MAGIC = np.uint64(sum(1 << (57 - 7 * rank) for rank in range(1, 7)))
"""Multiplies the men on file a so that ranks 2 to 7 land in the six highest bits."""
SHIFT = _frozen(np.arange(64, dtype=np.uint64))
"""[64]: small shift counts as uint64."""
FLIP = _frozen(np.array([0, 63], np.int64))
"""[2]: what turns a square to a side's point of view, by exclusive or."""
ZONE = _frozen(np.array([0xFFFFFF0000000000, 0x0000000000FFFFFF], np.uint64))
"""[2]: a side's 6th to 8th rank, where a bia promotes."""
DECLINE_ZONE = _frozen(np.array([0x00FFFF0000000000, 0x0000000000FFFF00], np.uint64))
"""[2]: a side's 6th and 7th rank, where an optional promotion may be declined."""
SECOND_RANK = _frozen(np.array([0x000000000000FF00, 0x00FF000000000000], np.uint64))
"""[2]: a side's 2nd rank."""
RIGHT = _frozen(np.array([1 << s if s < 8 else 1 << s - 48 if s >= 56 else 0 for s in range(64)], np.uint32))
"""[64]: the bit in `rights` of a man that holds a first-move right on a square; 0 off the 1st and 8th rank."""
LIGHT = np.uint64(0x55AA55AA55AA55AA)
"""The squares of b1's colour."""

_random = np.random.Generator(np.random.Philox(20190731))
ZOBRIST = _frozen(_random.integers(0, 2**64, (2, NUM_KINDS, 64), np.uint64))
"""[2, 6, 64]: the key of a man by colour, kind and square."""
ZOBRIST_SIDE = np.uint64(_random.integers(0, 2**64, dtype=np.uint64))
"""Marks Black to move."""
