"""Timing that a shared machine does not spoil: several runs, their median, peers in turn with our own."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured line: what, the median with its unit, least and most, the peer's median, the mark to reach."""

    what: str
    value: float
    unit: str
    least: float
    most: float
    peer: str = ""
    peer_value: float | None = None
    mark: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours over the peer's."""
        return self.value / self.peer_value if self.peer_value else None


def rates(work: Callable[[], int], runs: int) -> list[float]:
    """Return what `work` did each second, in each of several runs."""
    found = []
    for _ in range(runs):
        begun = time.perf_counter()
        done = work()
        found.append(done / (time.perf_counter() - begun))
    return found


def figure(what: str, unit: str, values: list[float], mark: str, scale: float = 1.0) -> Figure:
    """Return the figure of several runs."""
    scaled = [value / scale for value in values]
    return Figure(what, statistics.median(scaled), unit, min(scaled), max(scaled), mark=mark)


def fairy_perft(engine: str, variant: str, depth: int) -> tuple[int, float]:
    """Return (nodes, nodes a second) of fairy-stockfish's perft; its start-up is taken off."""

    def run(commands: str) -> tuple[str, float]:
        begun = time.perf_counter()
        done = subprocess.run([engine], input=commands, capture_output=True, text=True, timeout=300, check=True)
        return done.stdout, time.perf_counter() - begun

    setup = f"uci\nsetoption name UCI_Variant value {variant}\nposition startpos\n"
    _, idle = run(setup + "go perft 1\nquit\n")
    output, seconds = run(setup + f"go perft {depth}\nquit\n")
    line = next(line for line in output.splitlines() if line.startswith("Nodes searched"))
    nodes = int(line.split(":")[1])
    return nodes, nodes / (seconds - idle)
