"""The pictures of a report: PNG files, drawn without a display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from training.blunders import BLUNDER
from training.ledger import MatchLine

Curves = Mapping[str, Sequence[tuple[int, float]]]
"""Pairs of training step and value, by the curve's name."""
_GROUPS = {
    "losses": ("loss", "nats", ("loss/policy", "loss/value", "loss/total")),
    "speed": ("speed of self-play", "positions a second", ("selfplay/positions_per_second",)),
    "blunders": (f"moves that lose more than {BLUNDER}", "share of the moves", ("selfplay/blunder_share",)),
}
_SMOOTHING = 40
"""A curve is drawn as means over this part of its length."""


def draw(curves: Curves, matches: Sequence[MatchLine], folder: Path) -> list[Path]:
    """Draw what there is to draw into a folder, which is made, and return the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = []
    for name, (title, unit, wanted) in _GROUPS.items():
        known = [curve for curve in wanted if curves.get(curve)]
        if known:
            figure, axes = _axes(title, "training step", unit)
            for curve in known:
                axes.plot(*_smooth(curves[curve]), label=curve.partition("/")[2].replace("_", " "))
            pictures.append(_save(figure, axes, folder / f"{name}.png"))
    ends = {name: curve for name, curve in curves.items() if name.startswith("endings/") and _seen(curve)}
    if ends:
        figure, axes = _axes("how games end", "training step", "share of the games")
        steps = [step for step, _ in next(iter(ends.values()))]
        heights = [[value for _, value in curve] for curve in ends.values()]
        axes.stackplot(steps, heights, labels=[name.partition("/")[2].replace("_", " ") for name in ends], step="post")
        axes.set_ylim(0, 1)
        pictures.append(_save(figure, axes, folder / "endings.png"))
    if matches:
        pictures.append(_draw_matches(matches, folder / "matches.png"))
    return pictures


def _draw_matches(matches: Sequence[MatchLine], path: Path) -> Path:
    """Draw the Elo of each match's first side above its second, with its interval, the first match at the top."""
    figure, axes = _axes("matches", "Elo above the opponent, 95 %", "")
    figure.set_figheight(1.5 + 0.35 * len(matches))
    rows = range(len(matches))
    elos = [match.elo for match in matches]
    axes.errorbar(elos, rows, xerr=[elo - match.elo_95[0] for elo, match in zip(elos, matches, strict=True)], fmt="o")
    axes.axvline(0, color="grey", linewidth=0.8)
    names = [[side.agent.replace("mcts:checkpoint=checkpoints/", "") for side in match.sides] for match in matches]
    axes.set_yticks(rows, [f"{first} - {second}" for first, second in names], fontsize="small")
    axes.invert_yaxis()
    return _save(figure, axes, path)


def draw_strength(lines: Mapping[str, Sequence[tuple[float, float, float]]], zero: str, path: Path) -> Path:
    """Draw CPU-hours, Elo and half of its interval, a line for each run by its folder; zero: who is at 0."""
    figure, axes = _axes("strength", "CPU-hours", f"Elo above {zero}, 95 %")
    for name, points in lines.items():
        hours, elos, halves = zip(*points, strict=True)
        axes.errorbar(hours, elos, yerr=halves, fmt="o-", capsize=3, label=name)
    axes.set_xlim(left=0)
    return _save(figure, axes, path)


def _axes(title: str, abscissa: str, ordinate: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.add_subplot(title=title, xlabel=abscissa, ylabel=ordinate)
    axes.grid(alpha=0.3)
    return figure, axes


def _save(figure: Figure, axes: Axes, path: Path) -> Path:
    if axes.get_legend_handles_labels()[1]:
        axes.legend(fontsize="small")
    figure.savefig(path, dpi=100)
    return path


def _seen(curve: Sequence[tuple[int, float]]) -> bool:
    return any(value > 0 for _, value in curve)


def _smooth(curve: Sequence[tuple[int, float]]) -> tuple[list[float], list[float]]:
    """Return the means of steps and values over equal parts of a curve."""
    size = max(1, len(curve) // _SMOOTHING)
    parts = [curve[at : at + size] for at in range(0, len(curve), size)]
    steps = [sum(step for step, _ in part) / len(part) for part in parts]
    return steps, [sum(value for _, value in part) / len(part) for part in parts]
