"""`python -m benchmarks`: measure everything and print one table."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, replace

import numpy as np
from rich.console import Console
from rich.table import Table

from agents.search import Search
from agents.uci import find_program
from benchmarks import environments
from benchmarks.alphabeta import alphabeta
from benchmarks.evaluators import evaluators
from benchmarks.measure import Figure, fairy_perft, figure, rates
from benchmarks.network import network
from benchmarks.selfplay import selfplay
from benchmarks.web import web
from makruk_env import Board, batch
from makruk_env.core.threads import set_threads

PERFT_NODES = 142_078_049


def perft(runs: int) -> list[Figure]:
    """Perft 6 from the start, one thread, beside fairy-stockfish in turn."""
    board = Board()
    board.perft(2)
    engine = find_program("fairy-stockfish")
    ours, theirs = [], []

    def work() -> int:
        nodes = board.perft(6)
        assert nodes == PERFT_NODES, nodes
        return nodes

    for _ in range(runs):
        ours += rates(work, 1)
        if engine:
            nodes, rate = fairy_perft(engine, "makruk", 6)
            assert nodes == PERFT_NODES, nodes
            theirs.append(rate / 1e6)
    result = figure("perft 6 from the start, one thread", "M nodes/s", ours, "15 x peer", 1e6)
    if not engine:
        print("fairy-stockfish is not installed: no peer for perft", file=sys.stderr)
        return [result]
    return [replace(result, peer="fairy-stockfish", peer_value=statistics.median(theirs))]


def random_play(runs: int) -> list[Figure]:
    """Uniformly random play of 256 games, without and with mask and planes for every ply."""
    found = []
    for look, name, mark in ((False, "random plies, one thread", "1.5"), (True, "with mask and planes", "0.5")):
        games = batch.new(256)
        batch.random_play(games, 10, look)

        def work(games: batch.Games = games, look: bool = look) -> int:
            batch.random_play(games, 2000, look)
            return 256 * 2000

        found.append(figure(name, "M plies/s", rates(work, runs), mark, 1e6))
    return found


def search(runs: int) -> list[Figure]:
    """Search 64 games x 200 simulations with the uniform evaluator; the memory of 256 x 800."""
    Search(1, 1).run(batch.new(1), "uniform")  # loads the kernels, which are not the trees' memory
    before = resident()
    large = Search(256, 800)
    large.run(batch.new(256), "uniform")
    memory = (resident() - before) / 1e6
    games = batch.new(64)
    batch.random_play(games, 20)
    trees = Search(64, 200)

    def work() -> int:
        trees.run(games, "uniform")
        return int(trees.heads["simulations"].sum())

    work()
    return [
        figure("search, uniform, one thread, 64 x 200", "k simulations/s", rates(work, runs), "600", 1e3),
        figure("memory of 256 games x 800 simulations", "MB", [memory], "below 1000"),
    ]


def resident() -> float:
    """Return this process's resident bytes."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        return float(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


_FIRST_MOVE = "from makruk_env import Board; b = Board(); b.push(b.legal_actions()[0])"
_TRAIN = (
    "import sys; from training.cli import main; sys.argv = ['makruk', 'train', '--out', sys.argv[1], "
    "'--set', 'run.iterations=2', '--set', 'run.final_games=2', '--set', 'run.final_simulations=2', "
    "'--set', 'selfplay.simulations=2', '--set', 'selfplay.games=8', '--set', 'selfplay.max_episode_plies=4', "
    "'--set', 'learner.batch=8', '--set', 'network.channels=8', '--set', 'network.blocks=1']; main()"
)


def compile_times(runs: int) -> list[Figure]:
    """Everything that training compiles, from nothing; then a second start to its first move."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "MAKRUK_CACHE_DIR": os.path.join(folder, "cache")}

        def run(code: str, *arguments: str) -> float:
            begun = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", code, *arguments], env=environment, check=True, capture_output=True, timeout=600
            )
            return time.perf_counter() - begun

        cold = run(_TRAIN, os.path.join(folder, "run"))
        warm = [run(_FIRST_MOVE) for _ in range(runs)]
    return [
        figure("cold compile of all that training needs", "s", [cold], "below 90"),
        figure("second start to the first move", "s", warm, "below 5"),
    ]


PARTS: dict[str, Callable[[int], list[Figure]]] = {
    "perft": perft,
    "random_play": random_play,
    "search": search,
    "alphabeta": alphabeta,
    "compile": compile_times,
    "evaluators": evaluators,
    "network": network,
    "selfplay": selfplay,
    "web": web,
    **environments.PARTS,
}


def show(figures: list[Figure]) -> Table:
    """Return the table of all figures."""
    table = Table(title=f"medians; {platform.machine()}, {os.cpu_count()} cores, numpy {np.__version__}")
    for column in ("what", "median", "unit", "least", "most", "peer", "its median", "ratio", "mark"):
        table.add_column(column)
    for f in figures:
        peer = "" if f.peer_value is None else f"{f.peer_value:.3g}"
        ratio = "" if f.ratio is None else f"{f.ratio:.1f}"
        table.add_row(f.what, f"{f.value:.4g}", f.unit, f"{f.least:.4g}", f"{f.most:.4g}", f.peer, peer, ratio, f.mark)
    return table


def main() -> None:
    """Measure on the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; by default all")
    parser.add_argument("--runs", type=int, default=5, help="runs of each, whose median counts")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.parts if part not in PARTS]
    if unknown or arguments.runs < 1:
        parser.error(f"expected parts of {', '.join(PARTS)} and at least one run")
    set_threads(1)
    figures = [line for part in arguments.parts or PARTS for line in PARTS[part](arguments.runs)]
    if arguments.json:
        print(json.dumps([{**asdict(line), "ratio": line.ratio} for line in figures], indent=1))
    else:
        Console(width=160).print(show(figures))


main()
