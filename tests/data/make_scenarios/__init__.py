"""Scenarios of the rules: `python -m tests.data.make_scenarios` writes them to scenarios.jsonl.

What a scenario expects is worked out by hand or by the sums of `arithmetic`; nothing here plays a game.
"""

from __future__ import annotations

from pathlib import Path

from . import (
    board_automatic,
    board_cambodian,
    board_declared,
    board_replaced,
    board_stops,
    counter_mates,
    fen_counts,
    fens,
    leaps,
    materials,
    order,
    pieces_declared,
    pieces_lengths,
    pieces_set_up,
    pieces_starts,
    promotions,
    repetitions,
    stalemates,
    suts,
)

SCENARIOS_FILE = Path(__file__).parent.parent / "scenarios.jsonl"
FAMILIES = (
    pieces_lengths,
    pieces_starts,
    pieces_set_up,
    pieces_declared,
    board_declared,
    board_stops,
    board_automatic,
    board_cambodian,
    board_replaced,
    counter_mates,
    stalemates,
    repetitions,
    materials,
    order,
    fen_counts,
    fens,
    leaps,
    suts,
    promotions,
)


def text() -> str:
    """Return the whole file, one scenario a line."""
    return "".join(one.line() + "\n" for family in FAMILIES for one in family.scenarios())
