"""Makruk (Thai chess) for reinforcement learning: rules core, boards, batches and environments."""

from makruk_env import batch, pgn
from makruk_env.board import Board
from makruk_env.core.actions import COUNT_START, COUNT_STOP, NUM_ACTIONS
from makruk_env.core.observe import NUM_PLANES
from makruk_env.envs.registration import register as _register
from makruk_env.errors import (
    FenError,
    IllegalMoveError,
    MissingLibraryError,
    MoveTextError,
    PgnError,
    RenderError,
    RulesError,
)
from makruk_env.notation.uci import Move, action_of, move_of
from makruk_env.outcome import Count, Outcome
from makruk_env.rules import Colour, CountKind, Rules, Termination

__version__ = "0.1.0"

_register()

__all__ = [
    "COUNT_START",
    "COUNT_STOP",
    "NUM_ACTIONS",
    "NUM_PLANES",
    "Board",
    "Colour",
    "Count",
    "CountKind",
    "FenError",
    "IllegalMoveError",
    "MissingLibraryError",
    "Move",
    "MoveTextError",
    "Outcome",
    "PgnError",
    "RenderError",
    "Rules",
    "RulesError",
    "Termination",
    "action_of",
    "batch",
    "move_of",
    "pgn",
]
