"""What came out of a run: matches in the ledger, the closing table on the terminal and in report.md."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

import agents
from agents.network.weights import checkpoints_of
from training.arena import MatchResult, play_match
from training.loop import Trainer


@dataclass(frozen=True)
class Match:
    """A match of the closing evaluation: against whom, and what came of it."""

    opponent: str
    result: MatchResult
    seconds: float


def match_line(first: str, second: str, seed: int, rules: str, result: MatchResult) -> dict[str, object]:
    """Return the ledger's entry for a match, with both sides' resolved settings and their digests."""
    sides = []
    for name, settings in zip((first, second), result.settings, strict=True):
        text = json.dumps(settings, sort_keys=True)
        sides.append({"agent": name, "settings": settings, "digest": hashlib.sha256(text.encode()).hexdigest()[:16]})
    low, high = result.interval
    return {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "rules": rules,
        "seed": seed,
        "sides": sides,
        "games": result.games,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "score": result.score,
        "interval_95": [low, high],
        "distinct_games": result.distinct,
        "endings": dict(result.endings),
    }


def append_ledger(path: Path, line: dict[str, object]) -> None:
    """Add one match to a ledger of JSON lines."""
    with path.open("a", encoding="utf-8") as ledger:
        ledger.write(json.dumps(line) + "\n")


def final_matches(trainer: Trainer, progress: Callable[[str, int, int], None]) -> list[Match]:
    """Play the trained network against `random` and against the run's first checkpoint."""
    config, first = trainer.config, checkpoints_of(trainer.run)[0]
    search = f"simulations={config.run.final_simulations},precision={config.selfplay.precision}"
    player = f"mcts:checkpoint={checkpoints_of(trainer.run)[-1]},{search}"
    matches = []
    for name, opponent in (("random", "random"), ("first checkpoint", f"mcts:checkpoint={first},{search}")):
        begun = time.perf_counter()
        result = play_match(
            agents.make(player),
            agents.make(opponent),
            config.run.final_games,
            config.rules,
            config.seed,
            lambda done, games, name=name: progress(name, done, games),  # type: ignore[misc]
        )
        append_ledger(trainer.run / "ledger.jsonl", match_line(player, opponent, config.seed, config.rules, result))
        matches.append(Match(name, result, time.perf_counter() - begun))
    return matches


def match_table(matches: list[Match]) -> Table:
    """Return the closing matches as a table."""
    table = Table(title="the trained network against")
    for column in ("opponent", "games", "won", "drawn", "lost", "score", "95 %", "distinct", "ends"):
        table.add_column(column)
    for match in matches:
        table.add_row(*_cells(match))
    return table


def _cells(match: Match) -> list[str]:
    result = match.result
    low, high = result.interval
    ends = ", ".join(f"{name.lower()} {count}" for name, count in result.endings.most_common())
    numbers = (result.games, result.wins, result.draws, result.losses)
    return [
        match.opponent,
        *map(str, numbers),
        f"{result.score:.1%}",
        f"{low:.1%} - {high:.1%}",
        str(result.distinct),
        ends,
    ]


def run_figures(trainer: Trainer) -> list[tuple[str, str]]:
    """Return what a run came to, as names and texts: amounts, rates, where the time went, how games ended."""
    status = trainer.status()
    spent = trainer.clock.seconds
    total = max(sum(spent.values()), 1e-9)
    ends = trainer.endings
    return [
        ("minutes of training", f"{trainer.seconds / 60:.1f}"),
        ("games", f"{status.games:,} ({status.rate(status.games):.1f}/s)"),
        ("positions", f"{status.positions:,} ({status.rate(status.positions):.0f}/s)"),
        ("learner's steps", f"{status.steps:,}"),
        *((f"time in {name}", f"{spent[name] / total:.0%}") for name in ("network", "search", "learner")),
        *(
            (f"games ended by {name.lower()}", f"{n:,} ({n / max(ends.total(), 1):.1%})")
            for name, n in ends.most_common()
        ),
    ]


def print_report(console: Console, trainer: Trainer, matches: list[Match]) -> None:
    """Print the closing tables."""
    table = Table(title="the run", show_header=False)
    for name, text in run_figures(trainer):
        table.add_row(name, text)
    console.print(table)
    if matches:
        console.print(match_table(matches))


def write_report(trainer: Trainer, matches: list[Match]) -> Path:
    """Write report.md into the run's folder and return its path."""
    lines = ["# Run", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {text} |" for name, text in run_figures(trainer)]
    if matches:
        lines += ["", "| opponent | games | won | drawn | lost | score | 95 % | distinct | ends |"]
        lines += ["|---|---|---|---|---|---|---|---|---|"]
        lines += [f"| {' | '.join(_cells(match))} |" for match in matches]
    path = trainer.run / "report.md"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
