"""Move counts beside Fairy-Stockfish on random positions: python -m tests.judges.perft --rules cambodian --depth 4."""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
from collections.abc import Iterator

import pyffish
from rich.progress import track

from agents.uci import find_program
from makruk_env import Board, Rules
from tests.judges.fairy import hold_tables
from tests.judges.starts import VARIANTS, sparse, thinned

PROGRAM = find_program("fairy-stockfish")


def positions(rules: str, number: int, seed: int = 4) -> Iterator[str]:
    """Yield random positions as FENs without a count: openings, thinned arrays and endings, some random plies on."""
    rng = random.Random(seed)
    for i in range(number):
        fen = (None, thinned(rng, Rules.of(rules)), sparse(rng, Rules.of(rules)))[i % 3]
        board = Board(fen, rules)
        for _ in range(rng.randint(0, 30)):
            if board.outcome is None:
                board.push(rng.choice(board.legal_actions()))
        men, side, rights, *_ = board.fen().split()
        yield f"{men} {side} {rights} - 0 1"


def of_program(variant: str, fens: list[str], depth: int) -> list[int]:
    """Return the counts of the program fairy-stockfish."""
    assert PROGRAM is not None
    lines = [f"setoption name UCI_Variant value {variant}"]
    for fen in fens:
        lines += [f"position fen {fen}", f"go perft {depth}"]
    told = subprocess.run([PROGRAM], input="\n".join([*lines, "quit", ""]), capture_output=True, text=True, check=True)
    return [int(nodes) for nodes in re.findall(r"Nodes searched: (\d+)", told.stdout)]


def of_pyffish(variant: str, fen: str, depth: int) -> int:
    """Return the count of Fairy-Stockfish's legal moves, asked for node by node."""
    moves = pyffish.legal_moves(variant, fen, [])
    if depth == 1:
        return len(moves)
    return sum(of_pyffish(variant, pyffish.get_fen(variant, fen, [move]), depth - 1) for move in moves)


def main() -> int:
    """Compare on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.judges.perft", description="perft beside pyffish")
    parser.add_argument("--rules", choices=sorted(VARIANTS), default="cambodian")
    parser.add_argument("--positions", type=int, default=104)
    parser.add_argument("--depth", type=int, default=4)
    arguments = parser.parse_args()
    variant = VARIANTS[arguments.rules]
    hold_tables(variant)
    nodes = 0
    for fen in track(list(positions(arguments.rules, arguments.positions)), "perft"):
        ours = Board(fen, arguments.rules).perft(arguments.depth)
        theirs = of_pyffish(variant, fen, arguments.depth)
        if ours != theirs:
            print(f"perft {arguments.depth}: core {ours:,}, pyffish {theirs:,} in {fen!r}")
            return 1
        nodes += ours
    print(f"{arguments.rules}: perft {arguments.depth} equal on {arguments.positions} positions, {nodes:,} nodes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
