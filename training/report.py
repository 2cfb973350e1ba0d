"""What came out of a run: tables on the terminal, report.md and its pictures, all made from the run's folder."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel
from rich.console import Console
from rich.table import Table
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from training.blunders import BLUNDER
from training.config import Config, load_config
from training.errors import ReportError
from training.ledger import Ledger, MatchLine
from training.matches import LEDGER_FILE
from training.plots import Curves, draw

PICTURES = "pictures"
"""The folder in a run's folder that holds its report's pictures."""
_MATCH_COLUMNS = ("A", "B", "games", "won", "drawn", "lost", "pairs", "score", "95 %", "Elo", "distinct", "ends")


@dataclass(frozen=True)
class RunRecord:
    """What a run's folder tells: its configuration, its curves, its matches in the order they were played."""

    run: Path
    config: Config
    curves: Curves
    matches: tuple[MatchLine, ...]


def read_run(run: Path) -> RunRecord:
    """Read a run's folder. Raises `ReportError` where nothing was logged, `ConfigError`, `LedgerError`."""
    if not (run / "tensorboard").is_dir():
        raise ReportError(f"report: expected the folder of a run, with tensorboard/ in it, got {str(run)!r}")
    # 0: every value is kept; by default only some are.
    events = EventAccumulator(str(run / "tensorboard"), size_guidance={"scalars": 0}).Reload()
    names = events.Tags()["scalars"]
    curves = {name: [(event.step, event.value) for event in events.Scalars(name)] for name in names}
    if not curves:
        raise ReportError(f"report: expected a run that has logged something, got none in {str(run / 'tensorboard')!r}")
    return RunRecord(run, load_config(run / "config.yaml"), curves, tuple(Ledger(run / LEDGER_FILE).matches))


def run_figures(record: RunRecord) -> list[tuple[str, str]]:
    """Return what a run came to, as names and texts: amounts, rates, where the time went, how games ended."""
    last = {name: curve[-1] for name, curve in record.curves.items()}

    def latest(group: str) -> dict[str, float]:
        found = {name.partition("/")[2]: value for name, (_, value) in last.items() if name.startswith(f"{group}/")}
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    amounts, spent, ends = latest("run"), latest("time"), latest("ends")
    seconds = max(60 * amounts["minutes"], 1e-9)
    games, positions = amounts["games"], amounts["positions"]
    return [
        ("minutes of training", f"{amounts['minutes']:.1f}"),
        ("CPU-hours of training", f"{amounts.get('cpu_hours', math.nan):.2f}"),  # not known of a run of before
        ("games", f"{games:,.0f} ({games / seconds:.1f}/s)"),
        ("positions", f"{positions:,.0f} ({positions / seconds:.0f}/s)"),
        ("learner's steps", f"{max(step for step, _ in last.values()):,}"),
        *_late_blunders(record.curves),
        *((f"time in {name}", f"{part / max(sum(spent.values()), 1e-9):.0%}") for name, part in spent.items()),
        *(
            (f"games ended by {name.lower()}", f"{count:,.0f} ({count / max(sum(ends.values()), 1):.1%})")
            for name, count in ends.items()
        ),
    ]


def _late_blunders(curves: Curves) -> list[tuple[str, str]]:
    """Return the share of moves that were blunders of late, in the last tenth of what was logged of them."""
    shares = [share for _, share in curves.get("selfplay/blunder_share", ())]
    late = shares[-max(1, len(shares) // 10) :]
    return [(f"moves that lost more than {BLUNDER}, of late", f"{sum(late) / len(late):.2%}")] if late else []


def changed_settings(config: Config) -> list[tuple[str, str, str]]:
    """Return each setting that differs from its default: name, default, value."""
    return [(name, str(default), str(value)) for name, default, value in _pairs(Config(), config) if value != default]


def _pairs(default: BaseModel, config: BaseModel, prefix: str = "") -> Iterator[tuple[str, object, object]]:
    for name in type(config).model_fields:
        usual, own = getattr(default, name), getattr(config, name)
        if isinstance(own, BaseModel):
            if type(usual) is not type(own):  # another kind of network, with defaults of its own
                yield f"{prefix}{name}.kind", usual.kind, getattr(own, "kind", None)
                usual = type(own)()
            yield from _pairs(usual, own, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", usual, own


def match_cells(match: MatchLine) -> list[str]:
    """Return the cells of a match in a table."""
    low, high = match.interval_95
    ends = ", ".join(f"{name.lower()} {count}" for name, count in match.result.endings.most_common())
    return [
        *(side.agent for side in match.sides),
        *map(str, (match.games, match.wins, match.draws, match.losses)),
        " ".join(map(str, match.pentanomial)),
        f"{match.score:.1%}",
        f"{low:.1%} - {high:.1%}",
        f"{match.elo:+.0f} ({match.elo_95[0]:+.0f} .. {match.elo_95[1]:+.0f})",
        str(match.distinct_games),
        ends,
    ]


def match_table(matches: Sequence[MatchLine]) -> Table:
    """Return matches as a table; pairs: how many pairs gave A 0, 1/2, 1, 3/2 and 2 points."""
    table = Table(*_MATCH_COLUMNS, title="matches")
    for match in matches:
        table.add_row(*match_cells(match))
    return table


def print_report(console: Console, record: RunRecord) -> None:
    """Print the closing tables."""
    table = Table(title="the run", show_header=False)
    for row in run_figures(record):
        table.add_row(*row)
    console.print(table)
    if record.matches:
        console.print(match_table(record.matches))


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return [f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines]


def write_report(record: RunRecord) -> Path:
    """Write report.md and its pictures into the run's folder, in the place of older ones, and return its path."""
    pictures = draw(record.curves, record.matches, record.run / PICTURES)
    lines = ["# Run", "", *markdown(("", ""), run_figures(record)), ""]
    for picture in pictures:
        lines += [f"![{picture.stem}]({PICTURES}/{picture.name})", ""]
    if record.matches:
        lines += ["## Matches", "", "pairs: how many pairs of games gave A 0, 1/2, 1, 3/2 and 2 points.", ""]
        lines += [*markdown(_MATCH_COLUMNS, [match_cells(match) for match in record.matches]), ""]
    lines += ["## Settings that differ from the defaults", ""]
    lines += markdown(("setting", "default", "this run"), changed_settings(record.config))
    path = record.run / "report.md"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
