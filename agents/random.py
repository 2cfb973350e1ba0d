"""The agent that plays any legal action."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.base import Agent
from makruk_env.batch import Games
from makruk_env.core.jit import kernel
from makruk_env.core.random import draw_below


@kernel
def draw_actions(which, moves, numbers, streams, chosen):
    """Write a uniformly drawn legal action of each game numbered in `which` to `chosen`, [G] int64."""
    for g in range(len(which)):
        i = which[g]
        chosen[g] = moves[i, draw_below(streams, i, numbers[i])]


@dataclass(frozen=True)
class Random(Agent):
    """Plays a uniformly random legal action."""

    name = "random"

    def select(self, games: Games, which: np.ndarray) -> np.ndarray:
        chosen = np.zeros(len(which), np.int64)
        draw_actions(which, games.moves, games.numbers, games.streams, chosen)
        return chosen
