"""The opponents of an environment in which one agent learns: agents by name, agents, or plain functions."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np

from makruk_env.batch import Games
from makruk_env.core import lanes as kernels
from makruk_env.core.actions import NUM_ACTIONS
from makruk_env.core.observe import NUM_PLANES
from makruk_env.errors import OpponentError

Policy = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""A function of planes [M, C, 8, 8] float32 and masks [M, A] int8, the mover's view, that returns actions [M]."""


class Opponent(Protocol):
    """Whatever picks actions for many games at once, as every agent does."""

    def select(self, games: Games, which: np.ndarray) -> np.ndarray:
        """Return one legal action, [M] int64, for each of the running games numbered in `which`, [M] int64."""
        ...


def make(opponent: str | Opponent | Policy) -> Opponent:
    """Return an opponent: an agent's name such as `random` or `alphabeta:depth=2`, an agent, or a `Policy`.

    Raises `OpponentError` for what is none of these, and what `agents.make` raises for a name.
    """
    if isinstance(opponent, str):
        # By name at run time: `agents` is built upon this package, which does without it otherwise.
        return cast(Opponent, importlib.import_module("agents").make(opponent))
    if hasattr(opponent, "select"):
        return cast(Opponent, opponent)
    if callable(opponent):
        return PolicyOpponent(opponent)
    raise OpponentError(f"opponent: expected an agent's name, an agent or a function, got {opponent!r}")


@dataclass(frozen=True)
class PolicyOpponent:
    """Plays by a function of observations."""

    policy: Policy

    def select(self, games: Games, which: np.ndarray) -> np.ndarray:
        """Ask the function. Raises `OpponentError` for actions of another shape or type."""
        planes = np.empty((len(which), NUM_PLANES, 8, 8), np.float32)
        masks = np.empty((len(which), NUM_ACTIONS), np.int8)
        kernels.look_at_movers(which, games.positions, games.rules.array, games.moves, games.numbers, planes, masks)
        actions = np.asarray(self.policy(planes, masks))
        if actions.shape != (len(which),) or actions.dtype.kind not in "iu":
            raise OpponentError(
                f"opponent: expected [{len(which)}] whole numbers, got {actions.dtype} of shape {actions.shape}"
            )
        return actions.astype(np.int64)
