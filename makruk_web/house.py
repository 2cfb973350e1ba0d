"""What all requests share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, Self, TypeVar

from agents.baselines import LEVELS
from makruk_env.rules import PRESETS
from makruk_web.errors import BusyError
from makruk_web.opponents import Opponents
from makruk_web.runs import Runs
from makruk_web.table import Table
from makruk_web.thinking import Thinking

MOST_BEGUN = 1_000
"""New games that wait to be begun at once."""
MOST_WRITTEN = 32
"""Games that wait to be read from PGN or written as it at once; a long one takes more than a second."""
MOST_READ = 200
"""Looks into runs that wait at once."""
P = ParamSpec("P")
T = TypeVar("T")


class Desk:
    """A thread for work that no loop should wait for; most: how much of it there may be at once, what waits included.

    Use it as a context.
    """

    def __init__(self, name: str, most: int) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._name, self._most, self._waiting = name, most, 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._thread.shutdown()

    async def do(self, what: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Return what something returns. Raises `BusyError` where too much waits already, and what it raises."""
        if self._waiting >= self._most:
            raise BusyError(f"{self._name}: expected at most {self._most} of them at once, got another one")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, partial(what, *arguments, **named))
        finally:
            self._waiting -= 1


@dataclass
class House:
    """The parts of a server; beginning, writing, reading: the desks of new games, of PGN, and of runs."""

    table: Table
    thinking: Thinking
    opponents: Opponents
    runs: Runs
    beginning: Desk
    writing: Desk
    reading: Desk


def options(house: House) -> dict[str, Any]:
    """Return what a new game may be."""
    return {
        "rules": list(PRESETS),
        "agents": list(house.opponents.offered),
        "levels": [name for name in LEVELS if name in house.opponents.offered],
        "runs": list(house.runs.names),
    }
