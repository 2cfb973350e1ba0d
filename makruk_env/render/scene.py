"""What a picture shows of a game at one moment, read off it once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from makruk_env.core.actions import COUNT_START
from makruk_env.core.position import KIND_NAMES
from makruk_env.notation.fen import LETTERS, letter_at
from makruk_env.notation.uci import Move, move_of
from makruk_env.render import words
from makruk_env.rules import Colour

if TYPE_CHECKING:
    from makruk_env.board import Board
    from makruk_env.outcome import Count, Outcome

Arrow = tuple[int, int, float | str]
"""From a square to a square, with a weight in [0, 1] or a colour."""


class Man(NamedTuple):
    """A man to be drawn: its colour, 0 or 1, and the name of its drawing."""

    colour: int
    name: str


@dataclass(frozen=True, slots=True)
class Scene:
    """What is drawn.

    men: by square, 0 (a1) .. 63 (h8) as White sees the board; last: the squares of the last move; check: the square of
    a khun in check; count: the running count; status: whose turn it is, or how the game ended; over: whether it has;
    arrows; shades: squares with a weight in [0, 1] or a colour.
    """

    men: Mapping[int, Man]
    last: tuple[int, int] | None
    check: int | None
    count: Count | None
    status: str
    over: bool
    arrows: tuple[Arrow, ...] = ()
    shades: tuple[tuple[int, float | str], ...] = ()


def of(
    board: Board,
    *,
    promoted: Iterable[int] | None = None,
    arrows: Iterable[Arrow] = (),
    shades: Mapping[int, float | str] | None = None,
    outcome: Outcome | None = None,
    cut_short: int | None = None,
) -> Scene:
    """Return what is to be drawn of a game.

    promoted: the squares of the mets to be drawn as promoted bia, by default of those that promoted in this game;
    outcome: how it ended, by default what the board says; cut_short: the moves after which an episode was truncated.
    """
    outcome = outcome or board.outcome
    men = _men(board, promoted_squares(board) if promoted is None else set(promoted))
    khun = next(square for square, man in men.items() if man == Man(board.turn, "khun"))
    if cut_short is not None:
        status = words.cut_line(cut_short)
    else:
        status = words.turn_line(board) if outcome is None else words.end_line(outcome)
    return Scene(
        men=men,
        last=_last_move(board),
        check=khun if board.is_check() else None,
        count=board.count,
        status=status,
        over=outcome is not None or cut_short is not None,
        arrows=tuple(arrows),
        shades=tuple((shades or {}).items()),
    )


def _men(board: Board, promoted: set[int]) -> dict[int, Man]:
    now = board.fields
    men = {}
    for square in range(64):
        letter = letter_at(now, square)
        if letter:
            name = KIND_NAMES[LETTERS.index(letter.lower())]
            if name == "met" and square in promoted:
                name = "bia-ngai"
            men[square] = Man(Colour.WHITE if letter.isupper() else Colour.BLACK, name)
    return men


def _last_move(board: Board) -> tuple[int, int] | None:
    """Return the squares of the last move; the declarations since then kept the turn with its opponent."""
    for action in reversed(board.actions):
        if action < COUNT_START:
            move = move_of(action, 1 - board.turn)
            return move.from_square, move.to_square
    return None


def promoted_squares(board: Board) -> set[int]:
    """Return the squares of the bia that promoted in this game; a position alone does not remember them."""
    game = board.copy()
    moves = []
    for _ in board.actions:
        moves.append(move_of(game.pop(), game))
    return promoted_by(reversed(moves))


def promoted_by(moves: Iterable[Move]) -> set[int]:
    """Return the squares of the bia that have promoted by the moves of a game, all of them in a row."""
    squares: set[int] = set()
    for move in moves:
        if move.declares is None:
            turned_over = move.promotion is not None or move.from_square in squares
            squares -= {move.from_square, move.to_square}
            if turned_over:
                squares.add(move.to_square)
    return squares


def replay(board: Board) -> Iterator[Scene]:
    """Yield what is to be drawn of a game after each of its actions, its start position first."""
    game = board.copy()
    for _ in board.actions:
        game.pop()
    yield of(game)
    for action in board.actions:
        game.push(action)
        yield of(game)


def policy_arrows(weights: np.ndarray, turn: int, most: int = 8) -> list[Arrow]:
    """Return the heaviest moves of a policy or of visit counts as arrows, the heaviest with the weight 1.

    weights: [A], not negative, from the point of view of the mover; turn: the mover's colour; most: so many arrows at
    most. Declarations have no squares and are left out.
    """
    moves = np.asarray(weights, np.float64)[:COUNT_START]
    heaviest = np.argsort(-moves, kind="stable")[:most]
    arrows: list[Arrow] = []
    for action in heaviest[moves[heaviest] > 0].tolist():
        move = move_of(action, turn)
        arrows.append((move.from_square, move.to_square, float(moves[action] / moves[heaviest[0]])))
    return arrows
