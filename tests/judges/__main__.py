"""The judges on the command line; see the package's docstring."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from makruk_env import Rules
from makruk_env.rules import PRESETS
from tests.judges.agreement import DifferenceError
from tests.judges.events import expected
from tests.judges.fairy import against_pyffish
from tests.judges.naive import against_oracle
from tests.judges.starts import VARIANTS

COMBINATIONS = "combinations"
_CHUNK = 5_000


def judge(name: str, rules: str, seed: int, plies: int) -> Counter[str]:
    """Run one judge over one chunk of plies."""
    if name == "pyffish":
        return against_pyffish(rules, seed, plies)
    return against_oracle(None if rules == COMBINATIONS else rules, seed, plies)


def missing(rules: str, seen: Counter[str]) -> list[str]:
    """Return what the rules provide for and has not occurred; random combinations must show all there is."""
    wanted = (
        set[str]().union(*map(expected, PRESETS.values())) if rules == COMBINATIONS else expected(Rules.preset(rules))
    )
    if rules == COMBINATIONS:
        wanted |= {"end PERPETUAL_CHECK", "promotion declined"}
    return sorted(wanted - set(seen))


def main() -> int:
    """Compare on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.judges", description="play random games beside a judge")
    parser.add_argument("judge", choices=("oracle", "pyffish"))
    parser.add_argument("--rules", nargs="+", choices=(*PRESETS, COMBINATIONS), help="by default all that it can judge")
    parser.add_argument("--plies", type=int, default=100_000, help="in all, shared out over the rules")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side")
    arguments = parser.parse_args()
    rules = arguments.rules or (list(VARIANTS) if arguments.judge == "pyffish" else [*PRESETS, COMBINATIONS])
    chunks = max(1, round(arguments.plies / len(rules) / _CHUNK))
    plies = -(-arguments.plies // (len(rules) * chunks))
    seen = {name: Counter[str]() for name in rules}
    try:
        with Progress(console=Console(stderr=True)) as progress, ProcessPoolExecutor(arguments.jobs) as pool:
            task = progress.add_task(f"plies beside {arguments.judge}", total=arguments.plies)
            submit: Callable[..., Future[Counter[str]]] = pool.submit
            parts = {
                submit(judge, arguments.judge, name, arguments.seed + 1_000 * chunk, plies): name
                for chunk in range(chunks)
                for name in rules
            }
            for part in as_completed(parts):
                seen[parts[part]] += part.result()
                progress.advance(task, part.result()["ply"])
    except DifferenceError as difference:
        pool.shutdown(cancel_futures=True)
        print(difference)
        return 1
    return report(arguments.judge, seen)


def report(name: str, seen: dict[str, Counter[str]]) -> int:
    """Print what occurred under which rules; return 1 if something never did, else 0."""
    table = Table("occurred", *seen, title=f"0 differences to {name}")
    for what in sorted(set[str]().union(*seen.values()), key=lambda what: (what != "ply", what)):
        table.add_row(what, *(f"{counts[what]:,}" for counts in seen.values()))
    console = Console(width=160)
    console.print(table)
    print(f"{sum(counts['ply'] for counts in seen.values()):,} plies")
    lacking = {rules: lacks for rules, counts in seen.items() if (lacks := missing(rules, counts))}
    for rules, lacks in lacking.items():
        print(f"never occurred under {rules}: {', '.join(lacks)}")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
