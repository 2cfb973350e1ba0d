"""Start positions to learn from and to play matches from, drawn by a generator that the caller seeds."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import numpy as np

from makruk_env.board import Board
from makruk_env.core.counting import pieces_limit
from makruk_env.errors import FenError, StartError
from makruk_env.rules import OPTIONS, Colour, Rules

Start = Callable[[np.random.Generator], np.record]
"""Draws a start position as a POSITION record."""

_ARMY = "RRSSNNMMM"
_WORTH = {"R": 5.0, "S": 2.7, "N": 3.1, "M": 1.7}
_LEAD = 4.0
"""How many bia the stronger side is ahead at least, its own bia not counted: enough to mate, given time."""
_MOST_BIA = 4


def _is_cornered(khun: int, chaser: int) -> bool:
    """Tell whether a khun stands on the edge, the other one at most three steps away."""
    file, rank = khun % 8, khun // 8
    near = max(abs(file - chaser % 8), abs(rank - chaser // 8)) <= 3
    return near and (file in (0, 7) or rank in (0, 7))


def random_opening(rng: np.random.Generator, rules: str | Rules, least: int, most: int) -> np.record:
    """Return the position after `least` .. `most` random plies of a game that still goes on, as a POSITION record."""
    while True:
        board = Board(rules=rules)
        for _ in range(int(rng.integers(least, most + 1))):
            if board.outcome is None:
                board.push(int(rng.choice(board.legal_actions())))
        if board.outcome is None:
            return board.position.copy()


def _some_of_army(rng: np.random.Generator, share: float) -> str:
    return "".join(letter for letter in _ARMY if rng.random() < share)


def _uneven_men(rng: np.random.Generator) -> tuple[str, str]:
    """Draw the men of the stronger and of the weaker side, khuns and bia left out."""
    while True:
        strong = _some_of_army(rng, rng.uniform(0.1, 0.8))
        weak = _some_of_army(rng, rng.uniform(0.0, 0.25)) if rng.random() < 0.5 else ""
        if sum(map(_WORTH.__getitem__, strong)) - sum(map(_WORTH.__getitem__, weak)) >= _LEAD:
            return strong, weak


def random_ending(rng: np.random.Generator, rules: str | Rules) -> np.record:
    """Return a lopsided ending as a POSITION record: one side far ahead, the other often with its khun alone.

    From a ruea against a bare khun to a whole army against a few men, on random squares, with up to four bia of the
    stronger side, without which a count would soon end the game. Every third time the weaker khun stands on the edge
    with the other one near, so that a mate is within reach of a short search. Either side may be the stronger or be to
    move; the game goes on, and the count starts as the rules have it.
    """
    strong, weak = _uneven_men(rng)
    bia = int(rng.integers(0, _MOST_BIA + 1))
    cornered = rng.random() < 1 / 3
    while True:
        squares = rng.permutation(64)
        men = "K" + strong + "k" + weak.lower()
        if cornered and not _is_cornered(squares[men.index("k")], squares[0]):
            continue
        board = ["1"] * 64
        for letter, square in zip(men, squares[: len(men)], strict=True):
            board[square] = letter
        for square in [s for s in squares[len(men) :] if 16 <= s < 40][:bia]:  # the 3rd to the 5th rank
            board[square] = "P"
        ranks = ["".join(board[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1)]
        if rng.random() < 0.5:
            ranks = [rank[::-1].swapcase() for rank in reversed(ranks)]
        try:
            start = Board(f"{'/'.join(ranks)} {'wb'[int(rng.integers(2))]} - - 0 1", rules)
        except FenError:
            continue
        if start.outcome is None:
            return start.position.copy()


_MEN = re.compile(r"(K[MSNRP]{0,15}) ?v ?(K[MSNRP]{0,15})")
_OPENING = re.compile(r"opening(?::(\d{1,3})-(\d{1,3}))?")
_TRIES = 10_000


def make_start(text: str | None, rules: str | Rules) -> Start | None:
    """Return what draws the start positions that a text names; None, for None, stands for the usual array.

    A FEN; `opening` or `opening:4-12`, so many random plies from the array; `ending`, any lopsided ending; or men, as
    in `KRM v K` and `KNNM v K`, on random squares (see `random_placing`).
    Raises `StartError` for any other text and `FenError` for a wrong FEN.
    """
    rules = Rules.of(rules)
    if text is None:
        return None
    if not isinstance(text, str):
        raise StartError(f"start: expected a text or None, got {text!r}")
    if "/" in text:
        return partial(_always, position=Board(text, rules).position.copy())
    if text == "ending":
        return partial(random_ending, rules=rules)
    if opening := _OPENING.fullmatch(text):
        least, most = int(opening[1] or 4), int(opening[2] or 12)
        if least <= most:
            return partial(random_opening, rules=rules, least=least, most=most)
    elif men := _MEN.fullmatch(text):
        return partial(random_placing, rules=rules, strong=men[1], weak=men[2])
    raise StartError(f"start: expected a FEN, ending, opening:4-12 or men like KRM v K, got {text!r}")


def _always(rng: np.random.Generator, position: np.record) -> np.record:
    return position


def random_placing(rng: np.random.Generator, rules: str | Rules, strong: str, weak: str) -> np.record:
    """Return the given men of two sides on random squares, as a POSITION record of a game that goes on.

    strong, weak: letters of men, each with its K; bia stand on their 2nd to 5th rank. Either side may be White, and
    either may be to move. Where `weak` is bare and no bia stands, its pieces count has begun, unless the rules have
    none: with n at the number of all men. Raises `StartError` where no such position is found.
    """
    rules = Rules.of(rules)
    for _ in range(_TRIES):
        men = strong + weak.lower()
        squares = rng.permutation(64)[: len(men)]
        white_is_strong = bool(rng.integers(2))
        side = Colour(int(rng.integers(2)))
        if not white_is_strong:
            men, squares = men.swapcase(), squares ^ 63
        if not all(_may_stand(letter, square) for letter, square in zip(men, squares, strict=True)):
            continue
        board = ["1"] * 64
        for letter, square in zip(men, squares, strict=True):
            board[square] = letter
        placed = "/".join("".join(board[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1))
        fen = f"{placed} {'wb'[side]} - - 0 1"
        try:
            start = Board(fen, rules)
        except FenError:
            continue
        if weak == "K" and "P" not in strong and rules.pieces_count != "off" and start.outcome is None:
            start = _counting(start, Colour.BLACK if white_is_strong else Colour.WHITE)
        if start.outcome is None:
            return start.position.copy()
    raise StartError(f"start: expected men that can stand in a game that goes on, got {strong} v {weak}")


def _may_stand(letter: str, square: int) -> bool:
    """Tell whether a bia stands on its 2nd to 5th rank; other men stand anywhere."""
    rank = square // 8 if letter.isupper() else 7 - square // 8
    return letter not in "Pp" or 1 <= rank <= 4


def _counting(board: Board, bare: Colour) -> Board:
    """Return the board with the pieces count of its bare side just begun."""
    placed, side, rights, *_ = board.fen().split()
    men = sum(letter.isalpha() for letter in placed)
    table = OPTIONS["pieces_table"].index(board.rules.pieces_table)
    limit = 2 * pieces_limit(board.position, 1 - bare, table) - (2 if board.rules.count_end == "reach" else 0)
    return Board(f"{placed} {side} {rights} {limit} {2 * men - (board.turn != bare)} 1", board.rules)
