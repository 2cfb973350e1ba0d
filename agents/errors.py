"""What a caller got wrong, by name; all are `ValueError`s that say what was expected and what came."""

from __future__ import annotations


class CheckpointError(ValueError):
    """A checkpoint that is missing, cut short, damaged, or of another network or rules than asked for."""


class DeviceError(ValueError):
    """A device that does not exist, or is not there."""


class AgentError(ValueError):
    """An agent's text that names no agent, or a setting that the agent does not have or cannot take."""


class EngineError(ValueError):
    """An engine that is not there, died, fell silent, or answered what is no legal move.

    game: the number of the game, among those asked about, in which it failed; None where none could begin.
    """

    game: int | None = None
