"""What all requests share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, TypeVar

from agents.baselines import LEVELS
from makruk_env.rules import PRESETS
from makruk_web.errors import BusyError
from makruk_web.opponents import Opponents
from makruk_web.runs import Runs
from makruk_web.table import Table
from makruk_web.thinking import Thinking

MOST_WAITING = 32
"""Games that are read from a request or written as PGN at once, the waiting ones among them."""
P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class House:
    """The parts of a server; slow: threads for what no loop should wait for; reading: the one that reads runs."""

    table: Table
    thinking: Thinking
    opponents: Opponents
    runs: Runs
    slow: ThreadPoolExecutor
    reading: ThreadPoolExecutor
    waiting: int = 0

    async def slowly(self, what: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Return what something slow returns. Raises `BusyError` where too much of it waits, and what it raises."""
        if self.waiting >= MOST_WAITING:
            raise BusyError(f"games: expected at most {MOST_WAITING} to be begun or written at once, got another one")
        self.waiting += 1
        try:
            call = partial(what, *arguments, **named)
            return await asyncio.get_running_loop().run_in_executor(self.slow, call)
        finally:
            self.waiting -= 1


def options(house: House) -> dict[str, Any]:
    """Return what a new game may be."""
    return {
        "rules": list(PRESETS),
        "agents": list(house.opponents.offered),
        "levels": [name for name in LEVELS if name in house.opponents.offered],
        "runs": list(house.runs.names),
    }
