"""The command `makruk games`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress


def games(
    run: Annotated[Path, typer.Argument(help="A run's folder, or a file that `selfplay` wrote.")],
    termination: Annotated[
        str | None, typer.Option(help="Only games that ended so, e.g. checkmate, truncated.")
    ] = None,
    result: Annotated[str | None, typer.Option(help="Only games of this result: 1-0, 0-1, 1/2-1/2 or *.")] = None,
    min_plies: Annotated[int, typer.Option(min=0, help="Only games of at least so many plies.")] = 0,
    max_plies: Annotated[int | None, typer.Option(min=0, help="Only games of at most so many plies.")] = None,
    limit: Annotated[int, typer.Option(min=0, help="Games to list, the latest ones; all are counted.")] = 20,
    pgn: Annotated[Path | None, typer.Option(help="Write the games with what the search found to this file.")] = None,
    skip_damage: Annotated[bool, typer.Option("--skip-damage", help="Pass over damaged parts of the file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print figures as JSON.")] = False,
) -> None:
    """List the games of a run, count how they ended, write them as PGN."""
    from training.games import GameFilter, list_games, print_games

    which = GameFilter(termination, result, min_plies, max_plies)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("reading", total=None)
        listing = list_games(run, which, limit, pgn, skip_damage, lambda read: progress.update(task, completed=read))
    if as_json:
        print(json.dumps(listing.as_dict()))
    else:
        print_games(Console(width=None if sys.stdout.isatty() else 140), listing)
