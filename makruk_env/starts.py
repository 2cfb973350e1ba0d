"""Start positions to learn from and to play matches from, drawn by a generator that the caller seeds."""

from __future__ import annotations

import numpy as np

from makruk_env.board import Board
from makruk_env.errors import FenError
from makruk_env.rules import Rules

_STRONG = ("R", "RR", "RS", "RN", "RM", "RMM", "SS", "SSM", "SNM", "SMM", "NNM", "NNMM", "SNN", "RSN", "RRS", "RNM")
_WEAK = ("", "", "", "", "m", "mm", "s", "n")
_MOST_BIA = 2


def random_opening(rng: np.random.Generator, rules: str | Rules, least: int, most: int) -> np.record:
    """Return the position after `least` .. `most` random plies of a game that still goes on, as a POSITION record."""
    while True:
        board = Board(rules=rules)
        for _ in range(int(rng.integers(least, most + 1))):
            if board.outcome is None:
                board.push(int(rng.choice(board.legal_actions())))
        if board.outcome is None:
            return board.position.copy()


def random_ending(rng: np.random.Generator, rules: str | Rules) -> np.record:
    """Return a lopsided ending as a POSITION record: one side with men enough to mate, the other with a man at most.

    Men stand on random squares, a few bia among them every second time; either side may be the stronger or be to move;
    the game goes on, and the count starts as the rules have it.
    """
    while True:
        men = "K" + str(rng.choice(_STRONG)) + "k" + str(rng.choice(_WEAK))
        bia = int(rng.integers(0, _MOST_BIA + 1)) if rng.random() < 0.5 else 0
        squares = rng.permutation(64)[: len(men)]
        bia_squares = [s for s in 16 + rng.permutation(24) if s not in squares][:bia]
        board = ["1"] * 64
        for letter, square in zip(men, squares, strict=True):
            board[square] = letter
        for square in bia_squares:
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
