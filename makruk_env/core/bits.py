"""Sets of squares as 64-bit words: a1 is bit 0, b1 bit 1, h8 bit 63.

Only `np.uint64` meets a bitboard: compiled, `uint64 op int64` silently turns signed or floating.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic

from makruk_env.core.jit import config, kernel

EMPTY = np.uint64(0)
FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
ONE = np.uint64(1)
TWO = np.uint64(2)
SEVEN = np.uint64(7)
EIGHT = np.uint64(8)
NINE = np.uint64(9)
SIXTEEN = np.uint64(16)
FILE_A = np.uint64(0x0101010101010101)
FILE_H = np.uint64(0x8080808080808080)
NOT_A = FULL ^ FILE_A
NOT_H = FULL ^ FILE_H
NOT_AB = np.uint64(0xFCFCFCFCFCFCFCFC)
NOT_GH = np.uint64(0x3F3F3F3F3F3F3F3F)

if config.DISABLE_JIT:

    def popcount(squares: np.uint64) -> int:
        """Return the number of squares in a set."""
        return int(squares).bit_count()

    def first_square(squares: np.uint64) -> int:
        """Return the lowest square of a set that is not empty."""
        return (int(squares) & -int(squares)).bit_length() - 1

else:

    @intrinsic
    def popcount(typing_context: Any, squares: Any) -> Any:
        """Return the number of squares in a set."""
        return types.int64(types.uint64), lambda context, builder, signature, args: builder.ctpop(args[0])

    @intrinsic
    def first_square(typing_context: Any, squares: Any) -> Any:
        """Return the lowest square of a set that is not empty."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.uint64), emit


@kernel
def north_west(squares):
    return (squares & NOT_A) << SEVEN


@kernel
def north_east(squares):
    return (squares & NOT_H) << NINE


@kernel
def south_west(squares):
    return (squares & NOT_A) >> NINE


@kernel
def south_east(squares):
    return (squares & NOT_H) >> SEVEN


@kernel
def forward(squares, side):
    """Shift a set one rank ahead, as `side` sees it."""
    if side == 0:
        return squares << EIGHT
    return squares >> EIGHT


@kernel
def forward_left(squares, side):
    """Shift a set one step ahead and to `side`'s own left."""
    if side == 0:
        return north_west(squares)
    return south_east(squares)


@kernel
def forward_right(squares, side):
    """Shift a set one step ahead and to `side`'s own right."""
    if side == 0:
        return north_east(squares)
    return south_west(squares)


@kernel
def diagonals(squares):
    """Return all squares one diagonal step away from a set."""
    return north_west(squares) | north_east(squares) | south_west(squares) | south_east(squares)


@kernel
def ma_jumps(squares):
    """Return all squares one ma's jump away from a set."""
    one = ((squares >> ONE) & NOT_H) | ((squares << ONE) & NOT_A)
    two = ((squares >> TWO) & NOT_GH) | ((squares << TWO) & NOT_AB)
    return (one << SIXTEEN) | (one >> SIXTEEN) | (two << EIGHT) | (two >> EIGHT)
