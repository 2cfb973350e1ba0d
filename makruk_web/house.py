"""What all requests share."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from agents.baselines import LEVELS
from makruk_env.rules import PRESETS
from makruk_web.opponents import Opponents
from makruk_web.runs import Runs
from makruk_web.table import Table
from makruk_web.thinking import Thinking


@dataclass
class House:
    """The parts of a server; slow: threads for what no loop should wait for; reading: the one that reads runs."""

    table: Table
    thinking: Thinking
    opponents: Opponents
    runs: Runs
    slow: ThreadPoolExecutor
    reading: ThreadPoolExecutor


def options(house: House) -> dict[str, Any]:
    """Return what a new game may be."""
    return {
        "rules": list(PRESETS),
        "agents": list(house.opponents.offered),
        "levels": [name for name in LEVELS if name in house.opponents.offered],
        "runs": list(house.runs.names),
    }
