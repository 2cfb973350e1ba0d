"""`python -m tests.mutants`: every fault of the list is put into the code, and a test has to notice it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tests.mutants.faults import FAULTS, MUTANTS
from tests.mutants.runner import Outcome, run


def main() -> None:
    """Run the suite; exit status 1 where a mutant survives or cannot be made."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="faults by their numbers; by default all")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at once (2)")
    arguments = parser.parse_args()
    chosen = [mutant for mutant in MUTANTS if not arguments.only or mutant.fault in arguments.only]
    if not chosen:
        parser.error(f"expected faults of 1 .. {len(FAULTS)}")
    console = Console(width=None if sys.stdout.isatty() else 150)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("the tests without a mutant, then each mutant", total=len(chosen))
        outcomes = run(chosen, Path(__file__).parents[2], arguments.jobs, lambda _: progress.advance(task))
    console.print(_table(outcomes))
    for outcome in outcomes:
        if outcome.fate != "killed":
            console.print(f"{outcome.mutant.fault}: {outcome.mutant.what}\n{outcome.text[-2000:]}", highlight=False)
    killed = {outcome.mutant.fault for outcome in outcomes if outcome.fate == "killed"}
    killed -= {outcome.mutant.fault for outcome in outcomes if outcome.fate != "killed"}
    faults = {mutant.fault for mutant in chosen}
    console.print(f"{len(killed)} of {len(faults)} faults killed, by {len(outcomes)} mutants")
    sys.exit(0 if killed == faults else 1)


def _table(outcomes: list[Outcome]) -> Table:
    table = Table("fault", "mutant", "fate", "by", "seconds")
    for outcome in outcomes:
        style = {"killed": "green", "survived": "bold red", "broken": "bold yellow"}[outcome.fate]
        row = (
            str(outcome.mutant.fault),
            outcome.mutant.what,
            f"[{style}]{outcome.fate}[/]",
            outcome.by.rpartition("::")[2],
        )
        table.add_row(*row, f"{outcome.seconds:.1f}")
    return table


main()
