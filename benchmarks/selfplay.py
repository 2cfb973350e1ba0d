"""Where the time of self-play goes: the network, each compiled round of the search, and what is left to Python."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from agents.network.evaluator import NetworkEvaluator
from agents.network.resnet import ResidualConfig, ResNet
from agents.search import search as searching
from benchmarks.measure import Figure, figure
from makruk_env import batch
from training import selfplay as playing
from training.clock import Clock, TimedEvaluator
from training.config import SelfplayConfig

GAMES, SIMULATIONS = 64, 64
NETWORKS = {
    "3 x 32": (ResidualConfig(blocks=3, channels=32), "auto"),
    "4 x 48": (ResidualConfig(), "fp32"),
    "6 x 64": (ResidualConfig(blocks=6, channels=64), "fp32"),
}
_MOVES = 16
_LEAST_SHARE = 0.1
"""Parts that take less of the time, in percent, are left out."""


@contextmanager
def _timed_rounds(seconds: Counter[str]) -> Iterator[None]:
    """Add up the seconds of each kernel that a search or a batch spreads."""
    plain = searching.spread

    def timed(kernel: Callable[..., None], *arguments: Any) -> None:
        begun = time.perf_counter()
        plain(kernel, *arguments)
        seconds[kernel.__name__] += time.perf_counter() - begun

    searching.spread = batch.spread = timed  # type: ignore[attr-defined]  # their own imports of it
    try:
        yield
    finally:
        searching.spread = batch.spread = plain  # type: ignore[attr-defined]


def profile(network: ResNet, precision: Any) -> tuple[float, Counter[str]]:
    """Return the seconds of some moves of 64 games x 64 simulations on one thread, and what each part took of them."""
    config = SelfplayConfig(games=GAMES, simulations=SIMULATIONS)
    table = playing.Table(config, "ttakji", GAMES, seed=0)
    clock = Clock()
    evaluator = TimedEvaluator(NetworkEvaluator(network, precision=precision), clock)
    table.play(evaluator, 2)
    clock.seconds.clear()
    parts = Counter[str]()
    begun = time.perf_counter()
    with _timed_rounds(parts):
        table.play(evaluator, _MOVES)
    seconds = time.perf_counter() - begun
    parts["network"] = clock.seconds["network"]
    parts["python"] = seconds - sum(parts.values())
    return seconds, parts


def selfplay(runs: int) -> list[Figure]:
    """Self-play of 64 games x 64 simulations with small residual networks: positions a second, and the shares."""
    torch.set_num_threads(1)
    found = []
    for name, (config, precision) in NETWORKS.items():
        network = ResNet(config).eval()
        measured = [profile(network, precision) for _ in range(runs)]
        speeds = [GAMES * _MOVES / seconds for seconds, _ in measured]
        found.append(figure(f"self-play, {name}, one thread", "positions/s", speeds, ""))
        for part in sorted(measured[0][1], key=lambda part: -measured[0][1][part]):
            shares = [100 * parts[part] / seconds for seconds, parts in measured]
            if max(shares) < _LEAST_SHARE:
                continue
            mark = "at least 80" if part == "network" else ""
            found.append(figure(f"  {part}", "% of the time", shares, mark))
    return found
