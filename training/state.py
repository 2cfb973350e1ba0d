"""What a checkpoint holds of records and random numbers, as plain arrays."""

from __future__ import annotations

import json

import numpy as np

from makruk_env.core.position import POSITION
from training.records import without_padding


def positions_to_bytes(positions: np.ndarray) -> np.ndarray:
    """Return positions, [N] POSITION, as [N, itemsize] uint8; equal ones are equal bytes."""
    return without_padding(positions).view(np.uint8).reshape(len(positions), POSITION.itemsize)


def positions_from_bytes(rows: np.ndarray) -> np.ndarray:
    """Return the positions, [N] POSITION, that `positions_to_bytes` was given."""
    return np.ascontiguousarray(rows).view(POSITION).reshape(-1)


def random_to_bytes(random: np.random.Generator) -> np.ndarray:
    """Return the state of a generator as uint8."""
    return np.array(list(json.dumps(random.bit_generator.state).encode()), np.uint8)


def set_random(random: np.random.Generator, state: np.ndarray) -> None:
    """Let a generator go on where `random_to_bytes` was called."""
    random.bit_generator.state = json.loads(bytes(state).decode())
