"""Elo along runs: some checkpoints of each, rated in one pool, over the CPU-hours that they had taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import agents
from agents.base import Agent
from agents.network.weights import checkpoints_of
from training.errors import ReportError
from training.ledger import Ledger
from training.plots import draw_strength
from training.rating import play_pool
from training.report import read_run


@dataclass(frozen=True)
class Point:
    """A checkpoint: its run's folder, its step, the CPU-hours that the run had taken by then, and its own folder."""

    run: str
    step: int
    cpu_hours: float
    folder: Path


@dataclass(frozen=True)
class Rated:
    """A point with its Elo and half of the Elo's 95 % interval."""

    point: Point
    elo: float
    half: float


def points_of(run: Path, count: int) -> list[Point]:
    """Return `count` checkpoints of a run or as many as it has, evenly over its time, the last one among them.

    CPU-hours: what all threads of the run have worked. Raises what `read_run` raises, and `ReportError` where a run has
    no trained checkpoint.
    """
    hours = dict(read_run(run).curves.get("run/cpu_hours", ()))
    if not hours:
        raise ReportError(f"curve: expected a run that has logged its CPU-hours, got {str(run)!r}")
    reached = []
    for folder in checkpoints_of(run):
        step = int(folder.name)
        past = [spent for at, spent in hours.items() if at <= step]
        if step and past:
            reached.append(Point(str(run), step, max(past), folder))
    if not reached:
        raise ReportError(f"curve: expected a run with a trained checkpoint, got {str(run)!r}")
    last = reached[-1].cpu_hours
    wanted = [last * k / count for k in range(1, count + 1)]
    nearest = {min(reached, key=lambda point: abs(point.cpu_hours - hours)).step for hours in wanted}
    return [point for point in reached if point.step in nearest]


def rate_runs(
    runs: Sequence[Path],
    count: int,
    play: str,
    ledger: Ledger,
    anchors: Sequence[Agent],
    games: int,
    rules: str = "ttakji",
    seed: int = 0,
    progress: Callable[[str, int, int], None] | None = None,
) -> list[Rated]:
    """Rate `count` checkpoints of each run against the anchors, the first of which is at 0 Elo.

    play: how each network plays, as settings of the agent `mcts`. Raises what `points_of` and `play_pool` raise.
    """
    points = [point for run in runs for point in points_of(run, count)]
    players = [agents.make(f"mcts:checkpoint={point.folder},{play}") for point in points]
    ratings = play_pool(ledger, anchors, players, games, rules, seed, progress)
    found = []
    for point, player in zip(points, players, strict=True):
        rating = ratings.players[ratings.place(player)]
        found.append(Rated(point, rating.elo, rating.half))
    return found


def draw_curve(rated: Sequence[Rated], zero: str, path: Path) -> Path:
    """Draw Elo over CPU-hours, a line for each run; zero: who is at 0."""
    lines: dict[str, list[tuple[float, float, float]]] = {}
    for each in rated:
        lines.setdefault(each.point.run, []).append((each.point.cpu_hours, each.elo, each.half))
    return draw_strength(lines, zero, path)
