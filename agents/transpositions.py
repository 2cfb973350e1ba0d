"""The table of what alpha-beta found out about positions that it may reach again in another way.

    key         everything that a position's worth depends on (see `table_key`)     uint64
    score       mates counted from the position, not from the root                  int16
    action      the best one, mover's view, or NO_ACTION                            int16
    generation  the move for which it was found out; another one's rows are empty   uint16
    depth       how many plies were looked ahead                                    int8
    bound       EXACT, AT_LEAST or AT_MOST                                          int8

The graph-history problem: what a position is worth depends on the way to it, as the positions of that way may come
again and end the game. A table that does not look at the way takes a draw by repetition for a win, and the reverse.
Here the key holds as much of the way as can matter, and a row counts only for a search of its own depth, so that every
value read is the one that would be found without a table.
"""

from __future__ import annotations

import numpy as np

from makruk_env.core.bits import EMPTY
from makruk_env.core.jit import kernel
from makruk_env.core.outcome import PERPETUAL_DRAW, look_back
from makruk_env.core.random import mix

ENTRY = np.dtype(
    (
        np.record,
        [
            ("key", "u8"),
            ("score", "i2"),
            ("action", "i2"),
            ("generation", "u2"),
            ("depth", "i1"),
            ("bound", "i1"),
        ],
    )
)
assert ENTRY.itemsize == 16
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
TABLE_ROWS = 1 << 18
"""4 MB, of which only what is written is ever taken from the machine. An even number: rows are looked up in pairs."""
LAST_GENERATION = 65_535
_PAIRS = np.uint64(TABLE_ROWS - 2)
LEAST_CYCLE = 4
"""Plies after which a position may stand again at the soonest."""


def _marks(count: int) -> list[np.uint64]:
    return [np.uint64(0x9E3779B97F4A7C15 * n % 2**64) for n in range(1, count + 1)]


_COUNT, _RIGHTS, _CHECKS, _PLY, _STOOD, _TRAIL = _marks(6)
"""Keep apart the fields that are mixed into a key."""
_S16, _S32 = np.uint64(16), np.uint64(32)


@kernel
def footprint(key, ply):
    """Return what marks that a position stood at a ply."""
    return mix(key ^ mix(np.uint64(ply) + _PLY))


@kernel
def is_last_chance(earlier, rules):
    """Tell whether a position that stood so often before ends the game, or is forbidden, when it comes again."""
    return rules.repetition > 0 and earlier + 2 >= rules.repetition


@kernel
def past_marks(position, rules, path, at):
    """Return the sum of the footprints of all positions, this one and its past, that end the game when they come again.

    path: their keys, path[at] its own. A footprint tells the ply where the position stood first, as a perpetual check
    is one from there on.
    """
    total = EMPTY
    for distance in range(position.quiet + 1):
        key = path[at - distance]
        earlier, first = look_back(key, position.quiet - distance, path, at - distance)
        if is_last_chance(earlier, rules):
            total += footprint(key, position.ply - distance - first)
    return total


@kernel
def leave_marks(before, after, rules, path, at, stood, trail):
    """Return what `stood` and `trail` become with an action that leads from one position to another.

    stood: the sum of the footprints of the positions that end the game when they come again; trail: that of all
    positions since the root that can come again, the present one left out. path[at] is the key of the new position.
    """
    if after.ply == before.ply:  # a declaration: the same position still
        return stood, trail
    if after.quiet == 0:
        stood, trail = EMPTY, EMPTY
    else:
        trail += footprint(before.key, np.int64(before.ply))
    if is_last_chance(np.int64(after.repetition), rules):
        _, first = look_back(after.key, after.quiet, path, at)
        stood += footprint(after.key, after.ply - first)
    return stood, trail


@kernel
def table_key(position, rules, depth, left, stood, trail, farthest):
    """Return the key of everything that the worth of a position, looked ahead from by `depth` plies, depends on.

    Men and side; the count's kind, counter, number and limit; what is declared in this turn; how often the position
    stood; first-move rights; the runs of checks, where a rule asks for them; the ply, where the game may end by its
    length before the search does, at most `farthest` plies on; and `left`, how far checks may still extend the search.

    Of the way to it: the positions that end the game when they come once more (`stood`). One that has to come twice
    more for that, LEAST_CYCLE plies apart, takes longer than that from here: if the search looks so far, the key holds
    the whole way (`trail`). This loses some transpositions far from the leaves, where there are few nodes, and no value
    that is read depends on a way other than the present one.
    """
    flags = 8 * np.int64(position.turn_flag) + 4 * np.int64(position.counter) + np.int64(position.count_kind)
    numbers = np.uint64(position.count_number) << _S32 | np.uint64(position.count_limit) << _S16
    key = position.key ^ mix((numbers | np.uint64(32 * np.int64(left) + flags)) + _COUNT)
    key ^= mix((np.uint64(position.rights) | np.uint64(position.repetition) << _S32) + _RIGHTS)
    if rules.perpetual_check != PERPETUAL_DRAW:
        key ^= mix((np.uint64(position.streak_white) << _S16 | np.uint64(position.streak_black)) + _CHECKS)
    if rules.max_plies and position.ply + farthest >= rules.max_plies:
        key ^= mix(np.uint64(position.ply) + _PLY)
    if rules.repetition:
        key ^= mix(stood + _STOOD)
        if depth + left > LEAST_CYCLE:
            key ^= mix(trail + _TRAIL)
    return key


@kernel
def find(table, key, generation):
    """Return the row of a key, or -1. It stands in one of two neighbouring rows."""
    row = np.int64(key & _PAIRS)
    for k in range(row, row + 2):
        if table[k].generation == generation and table[k].key == key:
            return k
    return -1


@kernel
def store(table, key, generation, depth, bound, score, action):
    """Write what was found out; of two rows the first keeps the deeper search and the second the latest."""
    row = np.int64(key & _PAIRS)
    first = table[row]
    if first.generation == generation and first.key != key:
        if first.depth > depth:
            row += 1
        else:
            table[row + 1] = first
    entry = table[row]
    entry.key = key
    entry.score = score
    entry.action = action
    entry.generation = generation
    entry.depth = depth
    entry.bound = bound


@kernel
def next_generation(table, generation):
    """Return the number after `generation`: at one stroke all rows count as empty."""
    if generation < LAST_GENERATION:
        return generation + 1
    for row in range(len(table)):
        table[row].generation = 0
    return 1
