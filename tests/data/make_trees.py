"""Trees of the plain search: `python -m tests.data.make_trees` writes them to trees.jsonl.

A line is one search: where it began, by which settings, the visits of the root's actions in their order, and what came
out. The plain search of `tests.agents.search` made them, with a hash of the position for a network, so that they stay
what they are whatever becomes of the compiled one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agents.search import SearchSettings
from makruk_env import Board, move_of
from tests.agents.search.givens import Hashed
from tests.agents.search.reference import distance, search
from tests.agents.search.reference_root import choice_of, forced, gumbel, policy_of

TREES_FILE = Path(__file__).with_name("trees.jsonl")
BUDGETS = (2, 8, 16, 64)
ARMS = {
    "puct": SearchSettings(),
    "wide": SearchSettings(c_init=4.0, c_base=50.0, fpu_reduction=0.0, twofold=0.0),
    "gumbel": SearchSettings(considered=16, c_scale=0.1),
    "gumbel of 4": SearchSettings(considered=4),
    "forced": SearchSettings(forced_playouts=2.0, c_scale=0.0),
}
POSITIONS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "the array": ("ttakji", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", ()),
    "a middle game": ("ttakji", "3m2n1/r3sk2/p2sppNr/1pn4p/1P1p3M/P1Pm2PP/RS4R1/1N2KS2 w - - 8 21", ()),
    "Black to move": ("ttakji", "8/1k6/8/2p5/8/3RK3/5P2/r7 b - - 0 60", ()),
    "a count to start": ("ttakji", "8/1k6/8/8/8/3RK3/8/r7 w - - 0 60", ()),
    "a count to stop": ("ttakji", "8/1k6/8/8/8/3RK3/8/r7 w - - 0 60", ("start", "e3e4", "b7c7")),
    "a pieces count": ("ttakji", "8/8/4k3/8/2R5/2K5/8/8 b - 32 26 50", ()),
    "its last numbers": ("ttakji", "8/8/4k3/8/2R5/2K5/8/8 b - 32 31 50", ()),
    "a third time": (
        "ttakji",
        "4k3/8/8/8/8/8/1r6/R3K3 w - - 0 1",
        ("a1c1", "b2b3", "c1a1", "b3b2", "a1c1", "b2b3", "c1a1"),
    ),
    "mate in two": ("ttakji", "1K6/2r5/k7/6p1/4n3/5m2/8/8 b - - 0 1", ()),
    "mated in three": ("ttakji", "2K5/8/1nk3p1/8/8/3s4/5r2/8 w - - 0 1", ()),
    "mated next": ("ttakji", "7k/R7/8/8/8/8/8/1R2K3 b - - 0 1", ()),
    "one legal move": ("ttakji", "k7/8/1KR5/8/8/8/8/8 b - - 0 70", ()),
    "fairy": ("fairy", "4Mrn1/1rmn4/R4p2/1k4p1/1p4SP/3sPP2/2N2K1R/4MS2 w - - 1 46", ()),
    "an ending in fairy": ("fairy", "8/1k6/8/8/8/3RK3/8/r7 w - - 0 60", ()),
}


def board_of(name: str) -> Board:
    """The position of that name."""
    rules, fen, moves = POSITIONS[name]
    board = Board(fen, rules)
    for text in moves:
        board.push_uci(text)
    return board


def tree(name: str, arm: str, simulations: int) -> dict[str, Any]:
    """One line: what the plain search finds."""
    board, settings, network = board_of(name), ARMS[arm], Hashed()
    priors, value = network.judge(board)
    keys = {action: math.log(float(prior)) for action, prior in priors.items()} if settings.considered else None
    choose = None
    if keys is not None:
        choose = gumbel(keys, settings, simulations, value)
    elif settings.forced_playouts:
        choose = forced(settings)
    root = search(board, network.judge, simulations, settings, choose, keys)
    chosen = choice_of(root, settings, value, keys)
    names = [move_of(edge.action, board).uci() for edge in root.edges]
    return {
        "position": name,
        "arm": arm,
        "simulations": simulations,
        "visits": {text: edge.visits for text, edge in zip(names, root.edges, strict=True) if edge.visits},
        "value": round(root.total / root.visits if root.proof is None else float(root.proof), 5),
        "distance": distance(root),
        "chosen": names[chosen],
        "share": round(policy_of(root, settings, value)[chosen], 5),
    }


def trees(budgets: tuple[int, ...] = BUDGETS) -> Iterator[dict[str, Any]]:
    """All lines."""
    for name in POSITIONS:
        for arm in ARMS:
            for simulations in budgets:
                yield tree(name, arm, simulations)


if __name__ == "__main__":
    TREES_FILE.write_text("".join(json.dumps(line) + "\n" for line in trees()), encoding="utf-8")
