"""The action space: 1474 numbers, the same for every preset, from the mover's point of view.

    0 .. 1427     every (from, to) pair that some man can ever make, sorted by from, then to:
                  ruea lines 896, diagonal steps 196, ma jumps 336
    1428 .. 1471  a bia's move onto the 6th or 7th rank with the promotion declined, sorted the same way
    1472, 1473    COUNT_START, COUNT_STOP

The mover's point of view is the board turned by 180 degrees for Black: square `s` becomes `s ^ 63`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

NUM_PAIRS: Final = 1428
NUM_DECLINED: Final = 44
COUNT_START: Final = 1472
COUNT_STOP: Final = 1473
NUM_ACTIONS: Final = 1474


def steps(start: int, deltas: list[tuple[int, int]]) -> list[int]:
    """Return the squares that `deltas` (files, ranks) reach from `start` without leaving the board."""
    file, rank = start % 8, start // 8
    squares = [(file + df, rank + dr) for df, dr in deltas]
    return [f + 8 * r for f, r in squares if 0 <= f < 8 and 0 <= r < 8]


RUEA_DELTAS = [(d * s, 0) for d in range(1, 8) for s in (-1, 1)] + [(0, d * s) for d in range(1, 8) for s in (-1, 1)]
DIAGONAL_DELTAS = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
MA_DELTAS = [(a * s, b * t) for a, b in ((1, 2), (2, 1)) for s in (-1, 1) for t in (-1, 1)]
BIA_DELTAS = [(-1, 1), (0, 1), (1, 1)]


def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    pairs = [(s, t) for s in range(64) for t in sorted(steps(s, RUEA_DELTAS + DIAGONAL_DELTAS + MA_DELTAS))]
    declined = [(s, t) for s in range(32, 48) for t in sorted(steps(s, BIA_DELTAS))]
    assert (len(pairs), len(declined)) == (NUM_PAIRS, NUM_DECLINED)
    start, stop = np.array(pairs + declined + [(0, 0), (0, 0)], np.int16).T.copy()
    of_pair, of_declined = np.full((2, 64, 64), -1, np.int16)
    for action, (s, t) in enumerate(pairs):
        of_pair[s, t] = action
    for action, (s, t) in enumerate(declined, NUM_PAIRS):
        of_declined[s, t] = action
    for table in (start, stop, of_pair, of_declined):
        table.setflags(write=False)
    return start, stop, of_pair, of_declined


ACTION_FROM, ACTION_TO, PAIR_ACTION, DECLINED_ACTION = _tables()
"""ACTION_FROM, ACTION_TO: [A] int16, squares in 0..63, mover's view (0 for the two count actions).
PAIR_ACTION, DECLINED_ACTION: [64, 64] int16, the action of (from, to), mover's view; -1 where there is none."""


def _mirror() -> np.ndarray:
    mirrored = np.arange(NUM_ACTIONS, dtype=np.int16)
    for action in range(NUM_PAIRS + NUM_DECLINED):
        table = PAIR_ACTION if action < NUM_PAIRS else DECLINED_ACTION
        mirrored[action] = table[ACTION_FROM[action] ^ 7, ACTION_TO[action] ^ 7]
    mirrored.setflags(write=False)
    return mirrored


MIRRORED_ACTION = _mirror()
"""[A] int16: the action of the left-right mirrored board that corresponds to each action (an involution)."""
