"""The spaces that the faces share. C planes, A actions.

Each call makes a new space: a space holds the state of its own sampling, which no two agents or environments share.
"""

from __future__ import annotations

import copy
from typing import Any, Literal, get_args

import numpy as np
from gymnasium import spaces

from makruk_env.core.actions import NUM_ACTIONS
from makruk_env.core.observe import NUM_PLANES, PLANE_NAMES
from makruk_env.notation.fen import MOST_PLIES

Observation = Literal["dict", "planes", "flat"]
"""How Gymnasium environments show what is seen: planes and mask in a dictionary, the planes alone, or these flat."""

# A FEN may bring a count of up to MOST_PLIES plies, hence of half as many numbers (rounded up), and the last number
# may pass the limit by one. In a game from the usual array the two planes stay between -0.15 and 1.02.
_MOST_COUNT = np.float32((MOST_PLIES // 2 + 2) / 64)


def planes_space() -> spaces.Box:
    """Return the space of what `core.observe` writes, [C, 8, 8] float32.

    All planes lie in [0, 1] but the two of a count's numbers: what is left is below zero where the number of all men,
    at which a pieces count begins, is beyond its limit already.
    """
    low = np.zeros((NUM_PLANES, 8, 8), np.float32)
    high = np.ones((NUM_PLANES, 8, 8), np.float32)
    high[PLANE_NAMES.index("count number / 64")] = _MOST_COUNT
    low[PLANE_NAMES.index("count left / 64")] = -_MOST_COUNT
    high[PLANE_NAMES.index("count left / 64")] = _MOST_COUNT
    return spaces.Box(low, high, dtype=np.float32)


def observation_space() -> spaces.Dict:
    """Return the space of `{"observation": [C, 8, 8] float32, "action_mask": [A] int8}`; a mask holds 0 and 1."""
    return spaces.Dict({"observation": planes_space(), "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)})


def action_space() -> spaces.Discrete:
    """Return the space of actions, 0 .. A - 1."""
    return spaces.Discrete(NUM_ACTIONS)


def shaped_space(observation: Observation) -> spaces.Space[Any]:
    """Return the space of observations of a kind: a Dict, a Box [C, 8, 8] or a Box [C * 64].

    Raises `ValueError` for another kind.
    """
    if observation not in get_args(Observation):
        raise ValueError(f"observation: expected one of {get_args(Observation)}, got {observation!r}")
    if observation == "dict":
        return observation_space()
    box = planes_space()
    return box if observation == "planes" else spaces.Box(box.low.ravel(), box.high.ravel(), dtype=np.float32)


def shown(observation: Observation, planes: np.ndarray, masks: np.ndarray) -> Any:
    """Return planes [..., C, 8, 8] and masks [..., A] as observations of a kind."""
    if observation == "dict":
        return {"observation": planes, "action_mask": masks}
    return planes if observation == "planes" else planes.reshape(*planes.shape[:-3], -1)


def copied(space: spaces.Space[Any]) -> spaces.Space[Any]:
    """Return a space that samples on from where the other stands; a Dict that nothing was drawn from yet is shared."""
    parts = (space, *space.values()) if isinstance(space, spaces.Dict) else (space,)
    for part in parts:
        if getattr(part, "_np_random", None) is not None:
            return copy.deepcopy(space)
    if len(parts) > 1:
        return space
    twin = type(space).__new__(type(space))
    twin.__dict__.update(space.__dict__)
    return twin
