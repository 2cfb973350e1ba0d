"""The command `makruk`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from training import cli_play, commands
from training.cli_games import games
from training.options import DeviceOption, FenOption, JsonOption, RulesOption, SeedOption, console, progress_by_name

app = typer.Typer(
    help="Makruk (Thai chess): train, rate and play.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for _command in (
    commands.evaluate,
    commands.rate,
    commands.curve,
    commands.sprt,
    commands.ablate,
    commands.report,
    commands.agree,
    games,
    cli_play.play,
    cli_play.uci,
    cli_play.analyse,
):
    app.command()(_command)
# Its arguments, --help among them, are those of the benchmarks.
app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []})(
    commands.bench
)


@app.command()
def train(
    context: typer.Context,
    config: Annotated[Path | None, typer.Option(help="YAML file; what it leaves out keeps its default.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the new run.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Folder of a run to go on with.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="section.key=value, may be repeated.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed; the same as --set seed=...")] = None,
) -> None:
    """Train a network by self-play, then measure it; Ctrl-C saves."""
    from training.config import load_config
    from training.display import Display
    from training.errors import RunError
    from training.loop import Trainer
    from training.matches import final_matches
    from training.report import print_report, read_run, write_report
    from training.run_folder import CONFIG_FILE, run_log

    screen = console()
    overrides = [*(set_ or []), *([] if seed is None else [f"seed={seed}"])]
    if (out is None) == (resume is None):
        raise RunError("train: expected either --out for a new run or --resume for an old one")
    if resume is not None:
        settings = load_config(resume / CONFIG_FILE, overrides)
        context.with_resource(run_log(resume, screen))
        trainer = Trainer.resume(settings, resume)
    else:
        assert out is not None
        settings = load_config(config, overrides)
        context.with_resource(run_log(out, screen))
        trainer = Trainer.begin(settings, out)
    context.with_resource(trainer)
    with Display(screen, "training") as display:
        trainer.train(display)
    if trainer.stopped:
        screen.print(f"saved; go on with: makruk train --resume {trainer.run}", soft_wrap=True)
        return
    if trainer.config.run.final_games:
        with progress_by_name() as show:
            final_matches(trainer.config, trainer.run, show)
    record = read_run(trainer.run)
    print_report(screen, record)
    screen.print(f"report: {write_report(record)}", soft_wrap=True)


@app.command()
def selfplay(
    checkpoint: Annotated[Path, typer.Argument(help="A run folder or a checkpoint.")],
    out: Annotated[Path, typer.Option(help="File to add the games to, see training.records.")],
    games: Annotated[int, typer.Option(min=1, help="Games to play.")] = 100,
    simulations: Annotated[int, typer.Option(min=1, help="Simulations a move.")] = 64,
    rules: RulesOption = "ttakji",
    seed: SeedOption = 0,
    device: DeviceOption = "auto",
) -> None:
    """Let a network play against itself and write the games down."""
    from agents.network.evaluator import load_evaluator
    from training.config import SelfplayConfig
    from training.records import append_games
    from training.selfplay import Table

    evaluator = load_evaluator(checkpoint, device, "auto")  # type: ignore[arg-type]  # it checks the name
    table = Table(SelfplayConfig(simulations=simulations), rules, min(games, 128), seed)
    records: list[Any] = []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("playing", total=games)
        while len(records) < games:
            records += table.move(evaluator)
            progress.update(task, completed=len(records))
    append_games(out, records[:games])
    print(f"{games} games: {out}")


@app.command()
def export(
    checkpoint: Annotated[Path, typer.Argument(help="A run folder or a checkpoint.")],
    file: Annotated[Path, typer.Argument(help="The weights file to write, FILE.safetensors.")],
) -> None:
    """Write a network to a file of its own, as small as play allows: a sparse one in half precision."""
    from safetensors import SafetensorError

    from agents.network import SparseNet
    from agents.network.weights import load_network, save_network
    from training.errors import StorageError

    saved = load_network(checkpoint)
    try:
        if isinstance(saved.network, SparseNet):
            save_network(file, saved.network.folded(), saved.rules, saved.step, "fp16")
        else:
            save_network(file, saved.network, saved.rules, saved.step)
    except SafetensorError as error:
        raise StorageError(f"export: expected to write {str(file)!r}, got {error}") from error
    print(f"step {saved.step:,}, {file.stat().st_size:,} bytes: {file}")


@app.command()
def perft(
    depth: Annotated[int, typer.Option(min=0, help="Plies.")] = 5,
    fen: FenOption = None,
    rules: RulesOption = "ttakji",
    as_json: JsonOption = False,
) -> None:
    """Count the move sequences of a depth."""
    from makruk_env import Board

    board = Board(fen, rules)
    board.perft(1 if depth else 0)  # compile before the clock runs
    begun = time.perf_counter()
    nodes = board.perft(depth)
    seconds = time.perf_counter() - begun
    if as_json:
        print(json.dumps({"fen": board.fen(), "depth": depth, "nodes": nodes, "seconds": seconds}))
    else:
        print(f"{nodes:,} nodes, {nodes / max(seconds, 1e-9) / 1e6:.1f} M nodes/s")


@app.command()
def rules(
    names: Annotated[list[str] | None, typer.Argument(help="Presets, or changed ones: ttakji:met_leap=on.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Print presets and options; what differs from the default preset stands out."""
    from rich.table import Table

    from makruk_env import Rules
    from makruk_env.rules import PRESETS, choices, option_text, options

    presets = [Rules.of(name) for name in names or PRESETS]
    values = {rules.name: {option: option_text(value) for option, value in options(rules).items()} for rules in presets}
    if as_json:
        print(json.dumps(values))
        return
    table = Table("option", *values, title="Rules")
    for option, default in options(Rules()).items():
        row = [told[option] for told in values.values()]
        table.add_row(option, *(value if value == option_text(default) else f"[bold]{value}[/bold]" for value in row))
    screen = console()
    screen.print(table)
    screen.print("\n".join(f"{option}: {choices(option)}" for option in options(Rules())), highlight=False)


@app.command("pgn")
def read_pgn(
    file: Annotated[Path, typer.Argument(help="A PGN file.")],
    rules: Annotated[str | None, typer.Option("--rules", help="Rules of every game, whatever its headers say.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Read a PGN file: how many games are read whole, how they end, and why the others are not."""
    from collections import Counter

    from makruk_env import pgn

    if not file.is_file():
        raise typer.BadParameter(f"no such file: {str(file)!r}", param_hint="FILE")
    results, errors, plies = Counter[str](), list[str](), 0
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("reading", total=None)
        for game in pgn.read(file, rules):
            results[game.result] += 1
            plies += len(game.moves)
            if game.error is not None:
                errors.append(f"{type(game.error).__name__}: {game.error}")
            progress.advance(task)
    games = sum(results.values())
    if as_json:
        told = {"games": games, "whole": games - len(errors), "moves": plies, "results": results, "errors": errors}
        print(json.dumps(told))
        return
    print(f"{games:,} games, {plies:,} moves; {games - len(errors):,} read whole")
    print(", ".join(f"{result} {count:,}" for result, count in sorted(results.items())))
    for error in errors:
        print(error)


def main() -> None:
    """Run the command; what the user got wrong is told in one line, with exit status 2."""
    from agents.errors import AgentError, CheckpointError, DeviceError, EngineError
    from makruk_env.errors import FenError, IllegalMoveError, MoveTextError, PgnError, RulesError
    from training.errors import (
        ConfigError,
        LedgerError,
        MatchError,
        RatingError,
        RecordError,
        ReportError,
        RunError,
        StorageError,
    )

    named = (AgentError, CheckpointError, DeviceError, FenError, IllegalMoveError, MoveTextError, PgnError, RulesError)
    measured = (EngineError, LedgerError, MatchError, RatingError, ReportError)
    try:
        app()
    except (*named, *measured, ConfigError, RecordError, RunError, StorageError) as error:
        print(f"makruk: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # whoever reads has gone
        sys.exit(1)
    except OSError as error:
        print(f"makruk: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("makruk: interrupted", file=sys.stderr)
        sys.exit(130)
