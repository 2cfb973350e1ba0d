"""Alpha-beta to a fixed depth: nodes a second and time for a move, beside Fairy-Stockfish to the same depth."""

from __future__ import annotations

import re
import statistics
import sys
import time
from dataclasses import replace

from agents.alphabeta import AlphaBeta
from agents.room import make_room
from agents.uci import Engine, find_program
from benchmarks.measure import Figure, figure
from makruk_env import batch
from makruk_env.batch import Games

DEPTH = 6
POSITIONS = 32
_PLIES = 24
_TIMEOUT = 60.0


def _positions() -> Games:
    """Return games in which so many random plies were played, in the rules that the engine knows."""
    games = batch.new(POSITIONS, "fairy", seed=1)
    batch.random_play(games, _PLIES)
    return games


def _ours(games: Games) -> tuple[int, float]:
    """Return nodes and seconds of our search of all games."""
    agent, room = AlphaBeta(DEPTH), make_room(_PLIES + 1)
    nodes, begun = 0, time.perf_counter()
    for i in range(len(games)):
        agent.think(room, games, i)
        nodes += int(room.root["nodes"][0])
    return nodes, time.perf_counter() - begun


def _theirs(engine: Engine, fens: list[str]) -> tuple[int, float]:
    """Return nodes and seconds of the engine's search of all positions."""
    nodes, seconds = 0, 0.0
    for fen in fens:
        engine.send("ucinewgame")
        engine.send(f"position fen {fen}")
        engine.send("isready")
        engine.wait_for("readyok")
        begun = time.perf_counter()
        engine.send(f"go depth {DEPTH}")
        _, told = engine.wait_for("bestmove")
        seconds += time.perf_counter() - begun
        nodes += int(re.findall(r" nodes (\d+)", "\n".join(told))[-1])
    return nodes, seconds


def alphabeta(runs: int) -> list[Figure]:
    """Search positions from the middle of games to a fixed depth, one thread, beside fairy-stockfish in turn."""
    name, games = f"alphabeta:depth={DEPTH}", _positions()
    fens = [games.fen(i) for i in range(len(games))]
    program = find_program("fairy-stockfish")
    engine = Engine(program, _TIMEOUT) if program else None
    if engine:
        engine.send("setoption name UCI_Variant value makruk")
    else:
        print("fairy-stockfish is not installed: no peer for alphabeta", file=sys.stderr)
    _ours(games)
    ours, theirs = [], []
    for _ in range(runs):
        ours.append(_ours(games))
        if engine:
            theirs.append(_theirs(engine, fens))
    speed = figure(f"{name}, one thread", "k nodes/s", [nodes / seconds for nodes, seconds in ours], "", 1e3)
    pace = figure(f"{name}, a move", "ms", [1e3 * seconds / POSITIONS for _, seconds in ours], "")
    if not engine:
        return [speed, pace]
    peer_speed = statistics.median(nodes / seconds for nodes, seconds in theirs) / 1e3
    peer_pace = statistics.median(1e3 * seconds / POSITIONS for _, seconds in theirs)
    return [
        replace(speed, peer="fairy-stockfish", peer_value=peer_speed),
        replace(pace, peer="fairy-stockfish", peer_value=peer_pace),
    ]
