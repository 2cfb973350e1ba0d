"""What an agent thought of one position, in plain values that are kept with the game and shown on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from agents.search.analysis import Line
from makruk_env.board import Board
from makruk_env.notation.uci import move_of

LINES = 8
"""Lines that are kept and shown."""
PLIES = 8
"""Moves of a line that are told."""


@dataclass(frozen=True)
class Way:
    """One move that was looked at.

    uci, san, thai: the move; visits; prior: in [0, 1]; value: in [-1, 1], for the side to move, None where it was not
    kept; proof: "win", "draw", "loss" or None; distance: plies to the end of a proven win or loss; line: the play
    expected, as (san, thai).
    """

    uci: str
    san: str
    thai: str
    visits: int
    prior: float
    value: float | None
    proof: str | None = None
    distance: int = 0
    line: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Thought:
    """What was thought: by which agent, in how many simulations, its value for the side to move, None where nothing
    was looked at, and its best ways first."""

    agent: str
    simulations: int
    value: float | None
    ways: tuple[Way, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it in plain values."""
        return asdict(self)

    @classmethod
    def of_dict(cls, told: dict[str, Any]) -> Thought:
        """Return what `as_dict` told."""
        ways = [Way(**{**way, "line": tuple(map(tuple, way["line"]))}) for way in told["ways"]]
        return cls(told["agent"], told["simulations"], told["value"], tuple(ways))


def texts(board: Board, action: int) -> tuple[str, str, str]:
    """Return a legal action as UCI and as SAN in Latin and in Thai letters."""
    move = move_of(action, board)
    return move.uci(), board.san(move), board.san(move, thai=True)


def _play(board: Board, actions: Sequence[int]) -> tuple[tuple[str, str], ...]:
    """Return the first moves of a line, in both letters."""
    board, told = board.copy(), []
    for action in actions[:PLIES]:
        told.append(texts(board, action)[1:])
        board.push(action)
    return tuple(told)


def thought_of(agent: str, board: Board, lines: Sequence[Line], simulations: int, whole: bool = True) -> Thought:
    """Return what the lines of a search say; whole: with the play that each expects."""
    ways = []
    for line in lines[:LINES]:
        played = _play(board, line.actions) if whole else ()
        numbers = round(line.prior, 4), round(line.value, 4)
        ways.append(Way(*texts(board, line.actions[0]), line.visits, *numbers, line.proof, line.distance, played))
    return Thought(agent, simulations, ways[0].value if ways else None, tuple(ways))
