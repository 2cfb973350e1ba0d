"""The commands that measure: `evaluate`, `rate`, `curve`, `sprt`, `ablate`, `report`, `agree`, `bench`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from training.options import JsonOption, RulesOption, SeedOption, console, progress_by_name, to_write

FirstArgument = Annotated[str, typer.Argument(metavar="A", help="An agent, e.g. mcts:checkpoint=runs/quick.")]
SecondArgument = Annotated[str, typer.Argument(metavar="B", help="Its opponent, e.g. random or alphabeta:depth=2.")]
LedgerOption = Annotated[
    Path | None, typer.Option(help="File of JSON lines: matches that stand there are not played again, others added.")
]

AnchorsOption = Annotated[
    list[str] | None, typer.Option("--anchors", help="One of the pool, may be repeated; the first is 0.")
]
PoolOption = Annotated[Path, typer.Option("--ledger", help="File of JSON lines that keeps the matches.")]


def _picture(path: Path | None) -> Path | None:
    if path is not None and path.suffix not in (".png", ".svg"):
        raise typer.BadParameter(f"expected FILE.png or FILE.svg, got {str(path)!r}")
    return to_write(path)


def evaluate(
    first: FirstArgument,
    second: SecondArgument,
    games: Annotated[int, typer.Option(min=2, help="Games, an even number.")] = 200,
    rules: RulesOption = "ttakji",
    seed: SeedOption = 0,
    ledger: LedgerOption = None,
    pgn: Annotated[Path | None, typer.Option(callback=to_write, help="Also write the games to this PGN file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Play a match: seeded openings, each played twice with the colours swapped."""
    import agents
    from makruk_env import Board
    from training.arena import write_match
    from training.ledger import Ledger, recorded_match
    from training.report import match_table

    players = agents.make(first), agents.make(second)
    boards: list[Board] | None = [] if pgn else None
    with progress_by_name() as show:

        def told(done: int, total: int) -> None:
            show("playing", done, total)

        line = recorded_match(Ledger(ledger) if ledger else None, players, games, rules, seed, told, boards=boards)
    if pgn and boards:
        with pgn.open("w", encoding="utf-8") as file:
            write_match(file, (first, second), boards)
    if as_json:
        print(line.model_dump_json())
    else:
        console().print(match_table([line]))


def rate(
    players: Annotated[list[str], typer.Argument(metavar="AGENT...", help="Agents to rate.")],
    anchors: AnchorsOption = None,
    games: Annotated[int, typer.Option(min=2, help="Games of each match, an even number.")] = 100,
    rules: RulesOption = "ttakji",
    seed: SeedOption = 0,
    ledger: PoolOption = Path("runs/ledger.jsonl"),
    as_json: JsonOption = False,
) -> None:
    """Give agents an Elo in a pool of fixed players: plays what the ledger lacks, then rates all."""
    import json
    from dataclasses import asdict

    from rich.table import Table

    import agents
    from training.ledger import Ledger
    from training.rating import default_anchors, play_pool

    pool = [agents.make(anchor) for anchor in anchors or default_anchors()]
    with progress_by_name() as show:
        ratings = play_pool(Ledger(ledger), pool, [agents.make(each) for each in players], games, rules, seed, show)
    if as_json:
        print(json.dumps([asdict(player) for player in ratings.players]))
        return
    table = Table("agent", "Elo", "95 %", "games", "scores", title="Elo", show_lines=True)
    for player in sorted(ratings.players, key=lambda player: -player.elo):
        scores = "\n".join(f"{score:.1%} of {games} against {name}" for name, games, score in player.scores)
        table.add_row(player.agent, f"{player.elo:.0f}", f"± {player.half:.0f}", str(player.games), scores)
    console().print(table)


def curve(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    points: Annotated[int, typer.Option(min=1, help="Checkpoints of each run, evenly over its time.")] = 3,
    play: Annotated[str, typer.Option(help="How every network plays, as settings of mcts.")] = "seconds=0.1",
    anchors: AnchorsOption = None,
    games: Annotated[int, typer.Option(min=2, help="Games of each match, an even number.")] = 100,
    rules: RulesOption = "ttakji",
    seed: SeedOption = 0,
    ledger: PoolOption = Path("runs/ledger.jsonl"),
    picture: Annotated[Path | None, typer.Option(callback=_picture, help="Also draw it: FILE.png or FILE.svg.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Rate checkpoints along runs in one pool: Elo over CPU-hours."""
    import json

    from rich.table import Table

    import agents
    from training.curve import draw_curve, rate_runs
    from training.ledger import Ledger
    from training.rating import default_anchors

    pool = [agents.make(anchor) for anchor in anchors or default_anchors()]
    with progress_by_name() as show:
        rated = rate_runs(runs, points, play, Ledger(ledger), pool, games, rules, seed, show)
    if picture:
        draw_curve(rated, str(pool[0]), picture)
    if as_json:
        told = [
            {**vars(each.point), "folder": str(each.point.folder), "elo": each.elo, "half": each.half} for each in rated
        ]
        print(json.dumps(told))
        return
    table = Table("run", "step", "CPU-hours", "Elo", "95 %", title=f"{play}; {pool[0]} is 0")
    for each in rated:
        point = each.point
        table.add_row(point.run, f"{point.step:,}", f"{point.cpu_hours:.2f}", f"{each.elo:.0f}", f"± {each.half:.0f}")
    console().print(table)


def sprt(
    first: FirstArgument,
    second: SecondArgument,
    elo0: Annotated[float, typer.Option(help="The lesser difference, A above B.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="The greater one.")] = 20.0,
    alpha: Annotated[float, typer.Option(help="Chance to accept elo1 where elo0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance to accept elo0 where elo1 is true.")] = 0.05,
    games: Annotated[int, typer.Option(min=2, help="Most games, an even number.")] = 2000,
    batch: Annotated[int, typer.Option(min=2, help="Games between two looks at the bounds, an even number.")] = 20,
    rules: RulesOption = "ttakji",
    seed: SeedOption = 0,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play until one of two Elo differences is much likelier than the other (SPRT on pairs of games)."""
    import agents
    from training.ledger import Ledger
    from training.sprt import Bounds, run_sprt

    bounds = Bounds(elo0, elo1, alpha, beta)
    players = agents.make(first), agents.make(second)
    book = Ledger(ledger) if ledger else None
    with Console(stderr=True).status("playing") as status:

        def told(played: int, llr: float) -> None:
            status.update(f"{played} games, LLR {llr:+.2f} ({bounds.lower:.2f} .. {bounds.upper:.2f})")

        line = run_sprt(players, bounds, games, batch, rules, seed, book, told)
    if as_json:
        print(line.model_dump_json())
        return
    print(f"{line.games} games, pairs {' '.join(map(str, line.pentanomial))}")
    print(f"LLR {line.llr:+.2f} ({bounds.lower:.2f} .. {bounds.upper:.2f}) for elo0 {elo0:g}, elo1 {elo1:g}")
    print({"open": "neither is accepted: the games ran out"}.get(line.verdict, f"{line.verdict} is accepted"))


def ablate(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="YAML file of arms, e.g. configs/ablations/search.yaml.")
    ],
    out: Annotated[Path, typer.Option(help="Folder of the runs and their ledger; what is there is not made again.")],
    append: Annotated[
        Path | None, typer.Option(callback=to_write, help="Also add the table to this file, e.g. docs/log.md.")
    ] = None,
) -> None:
    """Train arms that differ in a few settings, and rate them against one pool; Ctrl-C saves, and it goes on again."""
    from training.ablate import arms_table, load_ablation, rate_arms, train_arms
    from training.display import Display

    ablation, configs = load_ablation(file)
    if not train_arms(configs, out, lambda name: Display(console(), name)):
        print("saved; go on with the same command")
        return
    with progress_by_name() as show:
        table = arms_table(ablation, *rate_arms(ablation, out, show))
    print(table, end="")
    if append:
        with append.open("a", encoding="utf-8") as log:
            log.write(f"\n### Ablation {file.stem}\n\n{table}")


def report(run: Annotated[Path, typer.Argument(help="A run's folder.")]) -> None:
    """Write a run's report.md and pictures anew, from what lies in its folder."""
    from training.report import print_report, read_run, write_report

    record = read_run(run)
    print_report(console(), record)
    console().print(f"report: {write_report(record)}", soft_wrap=True)


def agree(
    run: Annotated[Path, typer.Argument(help="A run's folder, or a checkpoint.")],
    games: Annotated[Path, typer.Option(exists=True, dir_okay=False, help="PGN file of games that people played.")],
    variant: Annotated[str, typer.Option(help="Which of its games: makruk, cambodian or ouk.")] = "makruk",
    most: Annotated[int, typer.Option(min=2, help="Checkpoints to look at, evenly along the run.")] = 12,
    as_json: JsonOption = False,
) -> None:
    """Tell how often a network's first choices hold the winners' moves of real games, and how well it knows who won."""
    import json
    from dataclasses import asdict

    from rich.table import Table

    from makruk_env.pgn import VARIANTS
    from training.agreement import FIRST, agreements, read_moves

    if variant not in VARIANTS:
        raise typer.BadParameter(f"expected one of {tuple(VARIANTS)}, got {variant!r}")
    with progress_by_name() as show:
        moves = read_moves(games, variant, lambda done: show("reading", done, done + 1))
        found = agreements(run, moves, most, lambda done, total: show("judging", done, total))
    if as_json:
        print(json.dumps([asdict(each) for each in found]))
        return
    title = f"{moves.games} games, {len(moves.positions):,} positions, {int(moves.by_winner.sum()):,} moves of winners"
    table = Table("step", "first choice", f"among the first {FIRST}", "value's log-loss", "calibrated", title=title)
    for each in found:
        shares = [f"{share:.1%}" for share in (each.first, each.among_first)]
        table.add_row(f"{each.step:,}", *shares, f"{each.value_loss:.3f}", f"{each.calibrated_loss:.3f}")
    console().print(table)
    console().print(f"base rates of win, draw, loss: log-loss {moves.blind_loss:.3f}")


def bench(context: typer.Context) -> None:
    """Measure the speed of the parts beside their peers, in a checkout; the same as python -m benchmarks."""
    import runpy
    import sys

    folder = Path(__file__).resolve().parents[1]
    if not (folder / "benchmarks" / "__main__.py").is_file():
        raise typer.BadParameter("expected a checkout with its folder benchmarks, which is not installed")
    sys.path.insert(0, str(folder))
    sys.argv = ["makruk bench", *context.args]
    runpy.run_module("benchmarks", run_name="__main__")
