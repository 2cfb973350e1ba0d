"""What a person sees while a run goes on: a live table on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

_LINE_EVERY = 30.0
"""Seconds between two lines where there is no terminal."""


@dataclass
class Status:
    """How a run stands. share: of the run, 0 .. 1; rates are per second of the whole run.

    cpu_seconds: that all its threads have worked, on a busy machine less than their time; checkpoint_seconds: that the
    last checkpoint took to write; alarm: see `Endings.alarm`.
    """

    share: float = 0.0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    seconds_left: float = 0.0
    games: int = 0
    positions: int = 0
    steps: int = 0
    policy_loss: float = float("nan")
    value_loss: float = float("nan")
    endings: Counter[str] = field(default_factory=Counter)
    checkpoint_seconds: float = 0.0
    alarm: str | None = None

    def rate(self, count: int) -> float:
        """Return a count per second of the run so far."""
        return count / max(self.seconds, 1e-9)

    def endings_text(self, most: int = 6) -> str:
        """Return the commonest ends of the latest games with their shares."""
        total = max(self.endings.total(), 1)
        return ", ".join(f"{name.lower()} {count / total:.0%}" for name, count in self.endings.most_common(most))


class Display:
    """Shows a `Status`; use it as a context."""

    def __init__(self, console: Console, title: str) -> None:
        self.console = console
        self._progress = Progress(
            TextColumn(title),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            console=console,
        )
        self._task = self._progress.add_task(title, total=1.0)
        self._live = Live(self._progress, console=console, refresh_per_second=4) if console.is_terminal else None
        self._last_line = 0.0

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    def update(self, status: Status) -> None:
        """Show how the run stands now."""
        if self._live:
            self._progress.update(self._task, completed=status.share)
            self._live.update(Group(self._progress, _table(status)))
        elif time.monotonic() - self._last_line >= _LINE_EVERY:
            self._last_line = time.monotonic()
            self.console.print(_line(status), soft_wrap=True)


def _line(status: Status) -> str:
    return (
        f"{status.share:4.0%}  {status.seconds_left / 60:.1f} min left  {status.games} games "
        f"({status.rate(status.games):.1f}/s)  {status.positions} positions ({status.rate(status.positions):.0f}/s)  "
        f"loss policy {status.policy_loss:.3f} value {status.value_loss:.3f}  {status.endings_text()}"
    )


def _table(status: Status) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2))
    table.add_row("time left", f"{status.seconds_left / 60:.1f} min")
    table.add_row("games", f"{status.games:,}  ({status.rate(status.games):.1f}/s)")
    table.add_row("positions", f"{status.positions:,}  ({status.rate(status.positions):.0f}/s)")
    table.add_row("steps", f"{status.steps:,}")
    table.add_row("loss", f"policy {status.policy_loss:.3f}   value {status.value_loss:.3f}")
    table.add_row("ends of late", status.endings_text())
    table.add_row("checkpoint", f"{1000 * status.checkpoint_seconds:.0f} ms")
    if status.alarm:
        table.add_row("alarm", f"[bold red]{status.alarm}[/bold red]")
    return table
