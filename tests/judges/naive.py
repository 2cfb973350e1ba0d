"""The naive oracle as judge: legal set, FEN, count, check and outcome of every ply, under any rules."""

from __future__ import annotations

import random
from collections import Counter

from makruk_env import Board, Rules
from makruk_env.rules import FLAGS, MATERIAL_OPTIONS, OPTIONS, PRESETS, options
from tests.judges.agreement import same
from tests.judges.events import note_move, note_position
from tests.judges.starts import MOODS, Scenario, pick, scenarios, start
from tests.oracle import Oracle

LONGEST = 700
"""Actions after which a game is left alone: there are options under which none ever ends."""
_TILTS = ("", "", "", "white:a", "black:ah", "white:h,black:a")


def random_rules(rng: random.Random) -> Rules:
    """Draw a value for every option."""
    drawn: dict[str, object] = {option: rng.choice(values) for option, values in OPTIONS.items()}
    drawn |= {flag: rng.random() < 0.5 for flag in FLAGS}
    drawn["material"] = tuple(material for material in MATERIAL_OPTIONS if rng.random() < 0.5)
    drawn["repetition"] = rng.choice((0, 2, 3, 3, 3, 4, 5))
    drawn["max_plies"] = rng.choice((0, 0, 120, 400))
    drawn["tilted_ruea"] = rng.choice(_TILTS)
    return Rules.preset("ttakji", **drawn)


def judged_by(rules: Rules, fen: str | None) -> Oracle:
    """Return the oracle's game under the same rules; a preset it knows by its own list."""
    if rules.name in PRESETS:
        return Oracle(fen, rules.name)
    return Oracle(fen, options(rules))


def against_oracle(rules: str | None, seed: int, plies: int) -> Counter[str]:
    """Compare core and oracle over games of `plies` plies in all, under a preset or, for None, changing options.

    Return what occurred. Raises `DifferenceError` at the first difference.
    """
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    while seen["ply"] < plies:
        if rules:
            chosen = Rules.preset(rules)
            _play(rng, chosen, start(rng, chosen), seen)
        elif rng.random() < 0.5:
            chosen = random_rules(rng)
            _play(rng, chosen, start(rng, chosen), seen)
        else:
            _play(rng, *rng.choice(scenarios()), seen)
    return +seen


def _play(rng: random.Random, rules: Rules, begun: Scenario, seen: Counter[str]) -> None:
    fen, moods = begun.fen, (rng.choice(MOODS), rng.choice(MOODS))
    board, oracle = Board(fen, rules), judged_by(rules, fen)
    before = None
    while True:
        count, outcome = board.count, board.outcome
        legal = sorted(move.uci() for move in board.legal_moves)
        told = count and (count.kind.name, count.counter, count.number, count.limit)
        same("legal set", legal, oracle.legal(), board, fen)
        same("FEN", board.fen(), oracle.fen(), board, fen)
        same("count", told, oracle.count, board, fen)
        same("check", board.is_check(), oracle.is_check(), board, fen)
        same("outcome", outcome and (outcome.winner, outcome.termination.name), oracle.outcome, board, fen)
        note_position(seen, board, before)
        if outcome or len(board.actions) == LONGEST:
            return
        move = pick(rng, board, moods[board.turn], begun.actions)
        note_move(seen, board, move)
        before = count and count.kind
        board.push(move)
        oracle.push(move.uci())
