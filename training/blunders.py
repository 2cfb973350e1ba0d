"""What exploring costs: by how much each move of a game fell short of what its search had found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from makruk_env.core.actions import COUNT_START, COUNT_STOP
from makruk_env.core.position import NOBODY
from training.records import GameRecord

BLUNDER: Final = 0.2
"""A move that loses more than this is a blunder: a tenth of what lies between a win and a loss. No more, because values
learnt with a discount are close to nought for most of a game."""


def losses_of(game: GameRecord) -> np.ndarray:
    """Return by how much each move worsened its mover's prospects, [K] float64 in [-2, 2], below 0 where it bettered
    them: the search's value before the move, less that of the next search, or less the result of the game.

    K is the number of moves that are judged from both sides: searched in full, and the next ply too, or the last of a
    game that was not cut off.
    """
    turns = ~np.isin(game.actions, (COUNT_START, COUNT_STOP))  # a declaration leaves the turn where it is
    sides = (int(game.start["side"][0]) + np.cumsum(turns) - turns) % 2
    signs = np.where(sides == 0, 1.0, -1.0)
    result = 0.0 if game.winner == NOBODY else 1.0 - 2.0 * game.winner
    white = np.append(signs * game.root_value, result)  # as White sees it
    judged = np.append(game.full, not game.truncated)
    losses: np.ndarray = (signs * (white[:-1] - white[1:]))[judged[:-1] & judged[1:]]
    return losses


def blunder_share(games: Sequence[GameRecord]) -> float:
    """Return the share of blunders among the moves of games that can be judged, in [0, 1], NaN where none can."""
    losses = np.concatenate([np.empty(0), *map(losses_of, games)])
    return float(np.mean(losses > BLUNDER)) if len(losses) else math.nan
