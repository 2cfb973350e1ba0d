"""What a picture says of a game in words: the running count, whose turn it is, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from makruk_env.rules import Colour, Termination

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
