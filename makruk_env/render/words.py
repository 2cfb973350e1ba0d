"""What a picture says of a game in words: the running count, whose turn it is, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from makruk_env.core.counting import pieces_limit
from makruk_env.rules import OPTIONS, Colour, CountKind, Termination

if TYPE_CHECKING:
    from makruk_env.board import Board
    from makruk_env.outcome import Count, Outcome

_NAMES = [colour.name.capitalize() for colour in Colour]


def count_kind(count: Count) -> str:
    """Return which count it is: "Pieces count", "Board count"."""
    return f"{count.kind.name.capitalize()} count"


def count_line(count: Count) -> str:
    """Return a count in full: "Board count: 1 of 64, White counts"."""
    return f"{count_kind(count)}: {count.number} of {count.limit}, {_NAMES[count.counter]} counts"


def outlook(board: Board) -> list[str]:
    """Return what counts mean for a game that goes on: how much is left of a running one, and what would come.

    What a pieces count would be is told for the men that stand now, the bia not among them.
    """
    count = board.count
    if count is None:
        lines = [f"No count runs; {_NAMES[board.turn]} may start one" if board.can_declare() else "No count runs"]
    else:
        left = count.limit - count.number
        lines = [count_line(count), f"{left} more {'move' if left == 1 else 'moves'} of {_NAMES[count.counter]} to go"]
    if board.rules.pieces_count == "off" or (count is not None and count.kind == CountKind.PIECES):
        return lines
    fields, table = board.fields, OPTIONS["pieces_table"].index(board.rules.pieces_table)
    for side, chasers in ((Colour.WHITE, fields.black), (Colour.BLACK, fields.white)):
        number = (chasers & ~fields.bia).bit_count() + 1
        if number > 2:  # more than the two khuns
            limit = int(pieces_limit(board.position, 1 - side, table))
            hurry = ", hardly time to mate" if number >= limit else ""
            lines.append(f"{_NAMES[side]} bare and no bia left: a pieces count from {number} to {limit}{hurry}")
    return lines


def turn_line(board: Board) -> str:
    """Return whose turn it is: "White to move, move 1"."""
    return f"{_NAMES[board.turn]} to move, move {board.ply // 2 + 1}"


def end_line(outcome: Outcome) -> str:
    """Return how a game ended: "Black wins: checkmate", "Draw: repetition"."""
    end = Termination(outcome.termination).name.replace("_", " ").lower()
    return f"{'Draw' if outcome.winner is None else _NAMES[outcome.winner] + ' wins'}: {end}"


def cut_line(moves: int) -> str:
    """Return that an episode was truncated: "Cut short after 400 moves"."""
    return f"Cut short after {moves} moves"
