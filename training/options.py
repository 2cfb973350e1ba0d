"""What the commands have in common: their options, where they print, how they show progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress, TaskID

RulesOption = Annotated[str, typer.Option("--rules", help="A preset, or a changed one: ttakji:met_leap=on.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of everything random.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print figures as JSON.")]
DeviceOption = Annotated[str, typer.Option("--device", help="Where the network runs: auto, cpu or cuda.")]
FenOption = Annotated[str | None, typer.Option("--fen", help="Start position; by default the usual array.")]


def to_write(path: Path | None) -> Path | None:
    """Check, before any work, that the folder of a file to be written is there. Raises `BadParameter`."""
    if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
        raise typer.BadParameter(f"expected a file in a folder that is there, got {str(path)!r}")
    return path


def console() -> Console:
    """Return where tables go: as wide as the terminal, and wide enough for them where there is none."""
    return Console(width=None if sys.stdout.isatty() else 140)


@contextmanager
def progress_by_name() -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar for each name that the given function is called with, beside the numbers done and in all."""
    with Progress(console=Console(stderr=True), transient=True) as progress:
        tasks: dict[str, TaskID] = {}

        def show(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = progress.add_task(name, total=total)
            progress.update(tasks[name], completed=done, visible=done < total)

        yield show
