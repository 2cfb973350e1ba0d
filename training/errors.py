"""What a caller got wrong, by name; all are `ValueError`s that say what was expected and what came."""

from __future__ import annotations


class ConfigError(ValueError):
    """A configuration file or override with an unknown key or a value that does not fit."""


class RecordError(ValueError):
    """A file of game records that is missing or damaged, or a record that its own moves contradict."""


class RunError(ValueError):
    """A run folder that is not what it has to be: one that exists already, none, or one that another process holds."""


class MatchError(ValueError):
    """A match that cannot be played."""


class LedgerError(ValueError):
    """A ledger with a line that is none."""


class RatingError(ValueError):
    """A rating that no chain of matches ties to the anchor."""


class ReportError(ValueError):
    """A run's folder that there is nothing to report of."""


class StorageError(ValueError):
    """A disk that refuses to be written to: full, or without permission. What was whole before still is."""
