"""What a board tells of its game: how it ended, and the count that runs."""

from __future__ import annotations

from dataclasses import dataclass

from makruk_env.rules import CountKind, Termination


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended; `winner` is 0 (White), 1 (Black) or None for a draw."""

    winner: int | None
    termination: Termination


@dataclass(frozen=True, slots=True)
class Count:
    """A running count: `number` is the last number spoken, n; `limit` is L; `counter` the side that counts."""

    kind: CountKind
    counter: int
    number: int
    limit: int
