"""What every agent is: something that picks one legal action for each of many games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields

import numpy as np

from makruk_env import batch
from makruk_env.batch import Games
from makruk_env.board import Board


class Agent(ABC):
    """Picks actions; whatever is random in it comes from the streams of the games, so that a game can be played again.

    Every subclass is a frozen dataclass whose fields are its settings.
    """

    name: str

    @abstractmethod
    def select(self, games: Games, which: np.ndarray) -> np.ndarray:
        """Return one legal action, [G] int64, for each of the running games numbered in `which`, [G] int64."""

    def select_after(self, games: Games, which: np.ndarray, pasts: Sequence[Sequence[int]]) -> np.ndarray:
        """Return what `select` does, for a caller that knows the actions made since `games.starts`.

        pasts: those of each game in `which`. Most agents need none, as `games` holds what a repetition depends on.
        """
        return self.select(games, which)

    def choose(self, board: Board, seed: int = 0) -> int:
        """Return a legal action for one board whose game goes on."""
        return int(self.select(batch.of_boards([board], seed), np.zeros(1, np.int64))[0])

    def settings(self) -> Mapping[str, object]:
        """Return the settings as they came out, defaults included, in plain values."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]  # every subclass is a dataclass

    @property
    def spec(self) -> str:
        """The text that makes this agent: its name and the settings that differ from the defaults."""
        own = fields(self)  # type: ignore[arg-type]  # every subclass is a dataclass
        changed = [f"{f.name}={getattr(self, f.name)}" for f in own if getattr(self, f.name) != f.default]
        return f"{self.name}:{','.join(changed)}" if changed else self.name

    def __str__(self) -> str:
        return self.spec
