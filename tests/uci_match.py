"""A match between two UCI programs with clocks, judged by the rules here: `python -m tests.uci_match --games 20`.

No program that runs such matches for makruk is in a registry. Counted are moves that are not legal, losses on time, and
lines that a UCI program has no business to write.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from agents.errors import EngineError
from agents.uci import Engine
from makruk_env import Board, IllegalMoveError, Move, MoveTextError, Rules
from makruk_env.notation.fen import write as write_fen
from makruk_env.starts import random_opening

OURS = f"{sys.executable} -m training uci --agent"
FAIRY = "fairy-stockfish"
_MOVE = "[a-h][1-8][a-h][1-8]m?"
UCI_LINE = re.compile(
    rf"readyok|bestmove ({_MOVE}|\(none\))( ponder {_MOVE})?|info string .*"
    rf"|info( depth \d+| seldepth \d+| multipv \d+| score (cp|mate) -?\d+( (lower|upper)bound)?| wdl \d+ \d+ \d+"
    rf"| nodes \d+| nps \d+| hashfull \d+| tbhits \d+| time \d+| currmove {_MOVE}| currmovenumber \d+| pv( {_MOVE})+)+"
)


@dataclass
class Tally:
    """What a match came to, the first program's wins first; faults: by kind."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    odd: list[str] = field(default_factory=list)

    def fault(self, kind: str, end: str, what: str) -> None:
        """Note a fault that ends a game."""
        self.faults[kind] += 1
        self.ends[end] += 1
        self.odd.append(what)

    def __str__(self) -> str:
        ends = ", ".join(f"{end.lower()} {count}" for end, count in self.ends.most_common())
        faults = {kind: self.faults[kind] for kind in ("illegal moves", "time losses", "protocol errors")}
        told = ", ".join(f"{count} {kind}" for kind, count in faults.items())
        return f"+{self.wins} ={self.draws} -{self.losses} in {self.moves} moves ({ends}); {told}"


def started(command: str, variant: str, options: Sequence[str] = ()) -> Engine:
    """Return a program that is ready to play a variant."""
    engine = Engine(command, timeout=120)
    engine.send("uci")
    engine.wait_for("uciok")
    for option in (f"UCI_Variant value {variant}", *options):
        engine.send(f"setoption name {option}")
    engine.send("isready")
    engine.wait_for("readyok")
    return engine


def play(
    engines: Sequence[Engine],
    start: Board,
    seconds: float,
    increment: float,
    tally: Tally,
    write: Callable[[str], None],
) -> int | None:
    """Play a game on from a position, engines[0] White; return who won, or None."""
    board, clocks, moves = start.copy(), [seconds, seconds], []
    for side, engine in enumerate(engines):
        try:
            engine.send("ucinewgame")
            engine.send("isready")
            engine.wait_for("readyok")
        except EngineError as error:
            tally.fault("protocol errors", "engine_fault", str(error))
            return 1 - side
    while board.outcome is None:
        side = board.turn
        engine = engines[side]
        position = f"position fen {start.fen()}" + (f" moves {' '.join(moves)}" if moves else "")
        milliseconds = [max(1, round(1000 * clock)) for clock in clocks]
        limits = "go wtime {} btime {} winc {inc} binc {inc}".format(*milliseconds, inc=round(1000 * increment))
        try:
            engine.send(position)
            begun = time.perf_counter()
            engine.send(limits)
            answer, told = engine.wait_for("bestmove")
        except EngineError as error:
            tally.fault("protocol errors", "engine_fault", str(error))
            return 1 - side
        spent = time.perf_counter() - begun
        for line in [*told, answer]:
            write(f"{'wb'[side]} {line}")
            if not UCI_LINE.fullmatch(line):
                tally.faults["protocol errors"] += 1
                tally.odd.append(line)
        clocks[side] -= spent
        if clocks[side] < 0:
            tally.fault("time losses", "time", f"{-clocks[side]:.3f} s over")
            return 1 - side
        clocks[side] += increment
        move = (*answer.split(), "")[1]
        try:
            board.push(Move.from_uci(move))
        except (IllegalMoveError, MoveTextError) as error:
            tally.fault("illegal moves", "illegal_move", str(error))
            return 1 - side
        moves.append(move)
        tally.moves += 1
    tally.ends[board.outcome.termination.name] += 1
    write(f"# {board.outcome.termination.name} {board.outcome.winner} {board.fen()}")
    return board.outcome.winner


def play_match(
    commands: Sequence[str],
    games: int,
    seconds: float,
    increment: float,
    variant: str = "makruk",
    seed: int = 0,
    write: Callable[[str], None] = lambda line: None,
) -> Tally:
    """Play games in pairs from the same opening with the colours swapped."""
    tally, rng = Tally(), np.random.default_rng(seed)
    rules = {"makruk": "fairy", "cambodian": "cambodian"}[variant]
    engines = [started(command, variant) for command in commands]
    for game in range(games):
        if game % 2 == 0:
            opening = random_opening(rng, rules, 4, 8)
        board = Board(write_fen(opening, Rules.of(rules)), rules)
        first = game % 2
        winner = play([engines[first], engines[1 - first]], board, seconds, increment, tally, write)
        tally.wins += winner == first
        tally.losses += winner == 1 - first
        tally.draws += winner is None
    for engine in engines:
        with suppress(EngineError):  # one that has ended already
            engine.send("quit")
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", default=f"{OURS} mcts:baseline=sparse", help="a command")
    parser.add_argument("--second", default=FAIRY, help="its opponent")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each side for a game")
    parser.add_argument("--increment", type=float, default=0.1, help="seconds added for a move")
    parser.add_argument("--variant", default="makruk")
    parser.add_argument("--transcript", help="a file for all that the programs say")
    asked = parser.parse_args()
    with open(asked.transcript or "/dev/null", "w", encoding="utf-8") as file:

        def write(line: str) -> None:
            print(line, file=file)

        commands = [asked.first, asked.second]
        print(play_match(commands, asked.games, asked.seconds, asked.increment, asked.variant, write=write))


if __name__ == "__main__":
    main()
