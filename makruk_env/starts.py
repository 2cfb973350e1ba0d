"""Start positions to learn from and to play matches from, drawn by a generator that the caller seeds."""

from __future__ import annotations

import numpy as np

from makruk_env.board import Board
from makruk_env.errors import FenError
from makruk_env.rules import Rules

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
