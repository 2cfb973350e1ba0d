"""The error of a disagreement."""

from __future__ import annotations

from makruk_env import Board, move_of


class DifferenceError(AssertionError):
    """The judges disagree."""


def same(what: str, core: object, judge: object, board: Board, start: str | None) -> None:
    """Raise `DifferenceError` unless core and judge say the same of a game that began at `start`."""
    if core == judge:
        return
    again = Board(start, board.rules)
    moves = []
    for action in board.actions:
        moves.append(move_of(action, again).uci())
        again.push(action)
    raise DifferenceError(
        f"{what}: core {core!r}, judge {judge!r} in {board.fen()!r}, from {start!r} by {moves} under {board.rules.name}"
    )
