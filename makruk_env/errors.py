"""What a caller got wrong, by name: `ValueError`s that say what was expected and what came; a missing library."""

from __future__ import annotations


class RulesError(ValueError):
    """An unknown preset, an unknown option, or a value that an option does not take."""


class FenError(ValueError):
    """A FEN that cannot be read, or a position that cannot be."""


class MoveTextError(ValueError):
    """A text that names no move."""


class IllegalMoveError(ValueError):
    """A move or an action that is not legal in its position."""


class StartError(ValueError):
    """A text that names no start position and no way to draw one."""


class OpponentError(ValueError):
    """What was given as an opponent is none, or returned what is no legal action."""


class StateError(ValueError):
    """Bytes that are no state of an environment, or one of other rules."""


class RenderError(ValueError):
    """A picture that cannot be drawn as asked: its size, its orientation, a weight or a colour."""


class MissingLibraryError(ImportError):
    """A library that pictures need and that is not installed; the message says how to install it."""


class PgnError(ValueError):
    """A game in a PGN file that cannot be read, or one that cannot be written."""
