"""Moves as objects and as UCI text, and their numbers in the action space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from makruk_env.core.actions import (
    ACTION_FROM,
    ACTION_TO,
    COUNT_START,
    COUNT_STOP,
    DECLINED_ACTION,
    NUM_ACTIONS,
    NUM_PAIRS,
    PAIR_ACTION,
)
from makruk_env.core.tables import MET
from makruk_env.errors import MoveTextError
from makruk_env.rules import Colour

FILES, RANKS = "abcdefgh", "12345678"
_SQUARES = list(zip(ACTION_FROM.tolist(), ACTION_TO.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Move:
    """A move, or a declaration about the count, which has `declares` set and no squares.

    from_square, to_square: 0 (a1) .. 63 (h8) as White sees the board; promotion: MET where a bia promotes, else None;
    declined: a bia that stays one on its 6th or 7th rank; declares: COUNT_START, COUNT_STOP or None.
    """

    from_square: int
    to_square: int
    promotion: int | None = None
    declined: bool = False
    declares: int | None = None

    def uci(self) -> str:
        """Return the UCI text: e3e4, g5g6m for a promotion, start and stop for the declarations."""
        if self.declares is not None:
            return "start" if self.declares == COUNT_START else "stop"
        return square_name(self.from_square) + square_name(self.to_square) + ("m" if self.promotion else "")

    def __str__(self) -> str:
        return self.uci()

    @classmethod
    def from_uci(cls, text: str) -> Move:
        """Read a UCI text; whether a plain move of a bia is a declined promotion only a board can tell.

        Raises `MoveTextError` for a text that is no move.
        """
        if isinstance(text, str) and text in DECLARATIONS:
            return DECLARATIONS[text]
        good = isinstance(text, str) and len(text) in (4, 5) and text[4:] in ("", "m")
        if not good or not (text[0] in FILES and text[1] in RANKS and text[2] in FILES and text[3] in RANKS):
            raise MoveTextError(f"move: expected UCI like e3e4, g5g6m, start or stop, got {text!r}")
        start = FILES.index(text[0]) + 8 * RANKS.index(text[1])
        stop = FILES.index(text[2]) + 8 * RANKS.index(text[3])
        return cls(start, stop, MET if text[4:] else None)


START = Move(0, 0, declares=COUNT_START)
STOP = Move(0, 0, declares=COUNT_STOP)
DECLARATIONS = {"start": START, "stop": STOP}


class Mover(Protocol):
    """Whatever says whose turn it is and which moves promote: a Board."""

    @property
    def turn(self) -> int:
        """The side to move, 0 White or 1 Black."""
        ...

    def promotes(self, start: int, stop: int) -> bool:
        """Tell whether the man on `start` is a bia of the side to move and `stop` lies where it promotes."""
        ...


def square_name(square: int) -> str:
    """Return a square's name: 0 is a1, 63 is h8."""
    return FILES[square % 8] + RANKS[square // 8]


def _flip(turn: int | Mover) -> int:
    return 63 if (turn if isinstance(turn, int) else turn.turn) == Colour.BLACK else 0


def find_action(move: Move, turn: int | Mover) -> int:
    """Return the action of a move from the point of view of the mover, or -1 if no man goes between its squares."""
    if move.declares is not None:
        return move.declares
    flip = _flip(turn)
    table = DECLINED_ACTION if move.declined else PAIR_ACTION
    return int(table[move.from_square ^ flip, move.to_square ^ flip])


def action_of(move: Move, turn: int | Mover) -> int:
    """Return the action of a move, 0 .. 1473, from the point of view of the mover: `turn`, a colour or a Board.

    Raises `MoveTextError` for two squares that no man ever goes between.
    """
    action = find_action(move, turn)
    if action < 0:
        raise MoveTextError(f"move: expected squares that some man can go between, got {move.uci()!r}")
    return action


def move_of(action: int, turn: int | Mover) -> Move:
    """Return the move of an action in 0 .. 1473; `turn` is the mover's colour or a Board.

    With a Board the move says whether it promotes; with a colour alone that cannot be known and `promotion` is None.
    Raises `MoveTextError` for a number outside the action space.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise MoveTextError(f"action: expected 0 .. {NUM_ACTIONS - 1}, got {action!r}")
    if action in (COUNT_START, COUNT_STOP):
        return START if action == COUNT_START else STOP
    flip = _flip(turn)
    start, stop = _SQUARES[action]
    start, stop = start ^ flip, stop ^ flip
    declined = action >= NUM_PAIRS
    promotes = not declined and not isinstance(turn, int) and turn.promotes(start, stop)
    return Move(start, stop, MET if promotes else None, declined)
