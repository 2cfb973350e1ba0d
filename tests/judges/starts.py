"""Where judged games begin, and how they are steered towards what is rare."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import NamedTuple

from makruk_env import Board, FenError, Move, Rules
from makruk_env.notation.fen import start as start_fen

VARIANTS = {"fairy": "makruk", "cambodian": "cambodian"}
"""The presets that equal a variant of Fairy-Stockfish, whose FEN has no seventh field."""
SCENARIOS = Path(__file__).parents[1] / "data" / "scenarios.jsonl"
MOODS = ("any", "lively", "lively", "repeating", "checking", "mating")
_SPARSE = ("RKk", "RKkm", "SSKkm", "SNKkr", "NNMKks", "SMMKkn", "RPKk", "RKkp", "SKkpm", "NNPKkp", "RSKkrm",
           "MMMKkm", "SPPKk", "NPKkp", "RRKknm", "KkMp", "KkNm", "NNPKkp", "NNKkm", "SNNMMKk", "PPKkpp",
           "RNKksp", "RRPKk", "SSPKk", "NNKkp", "NKkp", "MMMMKkrm", "RRKkrs", "NSMKkmm", "RKkmmm", "SNKks",
           "SMMMKkrm", "RMKkr")  # fmt: skip


class Scenario(NamedTuple):
    """Where a game begins, and UCI texts to begin it with, as long as they are legal."""

    fen: str | None
    actions: tuple[str, ...] = ()


def start(rng: random.Random, rules: Rules) -> Scenario:
    """Draw a start: the usual array, the array with men missing, a sparse ending, or one of the scenarios."""
    kind = rng.random()
    if kind < 0.1:
        return Scenario(None)
    if kind < 0.3:
        return Scenario(thinned(rng, rules))
    if kind < 0.6:
        return Scenario(sparse(rng, rules))
    while True:
        scenario = rng.choice(scenarios())[1]
        try:
            Board(scenario.fen, rules)
        except FenError:
            continue
        if len((scenario.fen or "").split()) < 7 or rules.name not in VARIANTS:
            return scenario


@cache
def scenarios() -> list[tuple[Rules, Scenario]]:
    """Return all scenarios that can be played, with their own rules."""
    found = []
    for line in map(json.loads, SCENARIOS.read_text(encoding="utf-8").splitlines()):
        options = {"preset": line["rules"]} if isinstance(line["rules"], str) else dict(line["rules"])
        if "error" not in line["expect"]:
            rules = Rules.preset(options.pop("preset"), **options)
            found.append((rules, Scenario(line.get("fen"), tuple(line["actions"]))))
    return found


def thinned(rng: random.Random, rules: Rules) -> str:
    """Return the usual array with some men other than the khuns taken off, so that first moves have room."""
    men, side, rights, *rest = start_fen(rules).split()
    share = rng.uniform(0.1, 0.9)
    while True:
        board = ["1" if m.isalpha() and m not in "Kk" and rng.random() < share else m for m in men]
        fen = " ".join(["".join(board), side, rights, *rest])
        try:
            Board(fen, rules)
        except FenError:
            continue
        return fen


def sparse(rng: random.Random, rules: Rules) -> str:
    """Return an ending with few men on random squares, every third with a count somewhere on its way."""
    while True:
        men = rng.choice(_SPARSE)
        if rng.random() < 0.5:
            men = men.swapcase()
        squares = rng.sample(range(64), len(men))
        board = ["1"] * 64
        for letter, square in zip(men, squares, strict=True):
            board[square] = letter
        placed = "/".join("".join(board[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1))
        flag = rng.choice((" stop", " start")) if rng.random() < 1 / 20 and rules.name not in VARIANTS else ""
        fen = f"{placed} {rng.choice('wb')} - {_count(rng)} {rng.randint(1, 190)}{flag}"
        try:
            Board(fen, rules)
        except FenError:
            continue
        return fen


def _count(rng: random.Random) -> str:
    """Draw fields 4 and 5 of a FEN: two times in three no count, else one that is often near its end."""
    if rng.random() < 2 / 3:
        return "- 0"
    limit = 2 * rng.choice((8, 16, 22, 32, 44, 64))
    return f"{limit} {rng.randint(limit - 12, limit + 2) if rng.random() < 0.5 else rng.randint(0, limit)}"


def pick(rng: random.Random, board: Board, mood: str, script: tuple[str, ...] = ()) -> Move:
    """Return the script's move, if it is legal, else one drawn by a mood, which a quarter of the time is forgotten."""
    moves = board.legal_moves
    scripted = script[len(board.actions)] if len(board.actions) < len(script) else None
    for move in moves:
        if move.uci() == scripted:
            return move
    chosen: list[Move] = []
    if rng.random() < 0.75:
        if mood == "lively":
            occupied = int(board.position.white | board.position.black)
            chosen = [m for m in moves if m.declares or m.promotion or m.declined or occupied >> m.to_square & 1]
        elif mood != "any":
            chosen = _tried(board, moves, mood)
    return rng.choice(chosen or moves)


def _tried(board: Board, moves: list[Move], mood: str) -> list[Move]:
    """Return the moves that do what the mood wants: mate, repeat a position, or check and if possible repeat."""
    mates, checks, repeats = [], [], []
    for move in moves:
        if move.declares is not None:
            continue
        board.push(move)
        if board.outcome is not None and board.outcome.winner is not None:
            mates.append(move)
        if board.is_check():
            checks.append(move)
        if board.is_repetition(2):
            repeats.append(move)
        board.pop()
    if mood == "mating":
        return mates or checks
    if mood == "repeating":
        return repeats
    return [move for move in checks if move in repeats] or checks or repeats
