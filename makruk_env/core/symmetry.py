"""The two symmetries of the game, on single position records: plain Python, for tools and tests.

A left-right reflection changes no rule; a turn by 180 degrees swaps the two sides.
"""

from __future__ import annotations

import numpy as np

from makruk_env.core.position import KIND_NAMES, NO_COUNT

_SETS = (*KIND_NAMES, "white", "black")


def _reversed_bits(value: int, width: int) -> int:
    return int(f"{value:0{width}b}"[::-1], 2)


def _reflected(squares: int) -> int:
    return int.from_bytes(bytes(_reversed_bits(row, 8) for row in squares.to_bytes(8, "little")), "little")


def mirrored(position: np.record) -> np.record:
    """Return a position reflected left to right, its key as it was: `core.game.set_up` makes that anew."""
    other: np.record = position.copy()
    for name in _SETS:
        other[name] = np.uint64(_reflected(int(position[name])))
    other.rights = _reflected(int(position.rights))
    return other


def turned(position: np.record) -> np.record:
    """Return a position turned by 180 degrees with the colours swapped, in the same move; its key as it was."""
    other: np.record = position.copy()
    for name in _SETS:
        other[name] = np.uint64(_reversed_bits(int(position[name]), 64))
    other.white, other.black = other.black, other.white
    other.rights = _reversed_bits(int(position.rights), 16)
    other.side = 1 - position.side
    other.ply = int(position.ply) ^ 1
    if position.count_kind != NO_COUNT:
        other.counter = 1 - position.counter
    return other
