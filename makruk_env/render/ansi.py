"""A game as text: the men by their letters, the running count, whose turn it is or how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from makruk_env.render import words

if TYPE_CHECKING:
    from makruk_env.board import Board
    from makruk_env.outcome import Outcome


def text(board: Board, outcome: Outcome | None = None, cut_short: int | None = None) -> str:
    """Return the board and its status.

    outcome: how the game ended, by default what the board says; cut_short: the moves after which an episode was
    truncated.
    """
    return f"{board}\n{status(board, outcome, cut_short)}"


def status(board: Board, outcome: Outcome | None = None, cut_short: int | None = None) -> str:
    """Return the lines below the board; the arguments are those of `text`."""
    ended = outcome or board.outcome
    lines = [] if board.count is None else [words.count_line(board.count)]
    lines.append(words.turn_line(board) if ended is None else words.end_line(ended))
    if cut_short is not None:
        lines.append(words.cut_line(cut_short))
    return "\n".join(lines)
