"""Appends rows to the replay and watches the memory of the process.

python -m tests.training.flat_memory --rows 1000000
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from training.config import ReplayConfig
from training.replay import Replay
from training.targets import Rows, join, rows_of

from .games import random_game

PART = 2_000
MOST_GROWTH = 4.0
"""MiB that the process may grow by after the window has been filled once: the allocator's own ways."""


def resident() -> float:
    """Return the resident memory of this process, MiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("/proc/self/status: expected a line VmRSS, got none")


def arrays_of(replay: Replay) -> dict[str, int]:
    """Return the bytes of each array that a replay holds."""
    return {name: value.nbytes for name, value in vars(replay).items() if isinstance(value, np.ndarray)}


def part_of_rows() -> Rows:
    """Return `PART` rows or a few more."""
    part = rows_of(random_game(seed=1, plies=60, truncate=True), ReplayConfig())
    return join([part] * -(-PART // len(part)))


def watch(rows: int, window: int) -> tuple[Replay, dict[str, int], list[float]]:
    """Append so many rows in parts and draw from them.

    Return the replay, the sizes of its arrays before, and the resident MiB after every part once the window has been
    filled and drawn from twice over.
    """
    replay, part = Replay(ReplayConfig(window_min=window, window_max=window), "ttakji", 0), part_of_rows()
    sizes, memory = arrays_of(replay), []
    while replay.total < rows:
        replay.add(part)
        replay.sample(256)
        if replay.total >= 2 * window:
            memory.append(resident())
    return replay, sizes, memory


def main() -> int:
    """Watch, return 1 if memory grew."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--window", type=int, default=100_000)
    arguments = parser.parse_args()
    if arguments.rows < 3 * arguments.window:
        parser.error(f"--rows: expected at least three windows, {3 * arguments.window}, got {arguments.rows}")
    replay, sizes, memory = watch(arguments.rows, arguments.window)
    grown, flat = memory[-1] - memory[0], arrays_of(replay) == sizes
    print(
        f"{replay.total:,} rows; arrays {'as before' if flat else 'GROWN'}; resident {memory[0]:.1f} MiB, {grown:+.1f}"
    )
    return int(grown > MOST_GROWTH or not flat)


if __name__ == "__main__":
    sys.exit(main())
