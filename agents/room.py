"""The stack of an alpha-beta search: a frame for each level, and the arrays that all levels share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.transpositions import ENTRY, TABLE_ROWS
from makruk_env.core.actions import NUM_ACTIONS
from makruk_env.core.position import MAX_MOVES, POSITION

MAX_DEPTH = 32
MOST_EXTENSIONS = 4
"""Plies by which checks may lengthen a line."""
QUIET_PLIES = 8
"""How far captures and promotions are followed beyond the depth."""
LEVELS = MAX_DEPTH + MOST_EXTENSIONS + QUIET_PLIES + 2

FRAME = np.dtype(
    (
        np.record,
        [
            ("key", "u8"),  # in the table
            ("stood", "u8"),  # what may come again: see `leave_marks`
            ("trail", "u8"),
            ("alpha", "i4"),  # the window, as it has narrowed
            ("beta", "i4"),
            ("floor", "i4"),  # alpha as it was
            ("best", "i4"),  # the best value found
            ("chosen", "i2"),  # its action
            ("listed", "i2"),  # how many actions are legal here
            ("n", "i2"),  # how many of them are to be tried
            ("at", "i2"),  # which one is being tried
            ("depth", "i2"),  # plies still to look ahead; 0: captures and promotions only
            ("left", "i1"),  # extensions still allowed
            ("quiet", "i1"),  # plies of captures still allowed
            ("scouting", "i1"),  # the action being tried is only asked whether it is better at all
            ("turned", "i1"),  # it passes the turn, as all but declarations do
        ],
    )
)
ROOT = np.dtype(
    (
        np.record,
        [
            ("nodes", "i8"),  # actions taken since the search began
            ("level", "i4"),  # of the node whose actions are being tried
            ("origin", "i4"),  # the ply of the first key in `path`
            ("score", "i4"),  # of the last depth that was finished
            ("depth", "i2"),  # the last one that was finished
            ("most", "i2"),  # the last one to be searched
            ("chosen", "i2"),  # the action to play, as far as is known
            ("generation", "u2"),  # of the table's rows
            ("done", "i1"),
        ],
    )
)


class Room(NamedTuple):
    """Room for one search; L levels, P keys. What an earlier search left in it makes no difference to the next.

    root: [1] ROOT; frames: [L] FRAME; positions: [L] POSITION; moves: [L, MAX_MOVES] int16; ranks: [L, MAX_MOVES]
    int32; killers: [L, 2] int16; history: [2, A] int32; path: [P] uint64; table: [T] ENTRY.
    """

    root: np.ndarray
    frames: np.ndarray
    positions: np.ndarray
    moves: np.ndarray
    ranks: np.ndarray
    killers: np.ndarray
    history: np.ndarray
    path: np.ndarray
    table: np.ndarray


def make_room(keys: int) -> Room:
    """Return room for a search from a position with so many keys in its past."""
    return Room(
        root=np.zeros(1, ROOT),
        frames=np.zeros(LEVELS, FRAME),
        positions=np.zeros(LEVELS, POSITION),
        moves=np.zeros((LEVELS, MAX_MOVES), np.int16),
        ranks=np.zeros((LEVELS, MAX_MOVES), np.int32),
        killers=np.zeros((LEVELS, 2), np.int16),
        history=np.zeros((2, NUM_ACTIONS), np.int32),
        path=np.zeros(keys + LEVELS, np.uint64),
        table=np.zeros(TABLE_ROWS, ENTRY),
    )
