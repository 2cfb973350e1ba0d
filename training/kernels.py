"""Compiled loops of training: replaying a recorded game, and putting a batch together.

T plies, B rows of a batch, K places for legal actions, M for features, C planes, E edges. rules: [1] RULES, as
`Rules.array`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from agents.features import MIRRORED_FEATURE, NUM_FEATURES, list_features
from makruk_env.core.actions import MIRRORED_ACTION
from makruk_env.core.game import advance, set_up
from makruk_env.core.jit import kernel
from makruk_env.core.observe import observe

HOLDS: Final = 0
ILLEGAL_ACTION: Final = 1
WRONG_EDGES: Final = 2

_ZERO = np.float32(0)


@kernel
def _among(action: int, moves: np.ndarray, n: int) -> bool:
    for k in range(n):  # noqa: SIM110  # Numba compiles no generator expression
        if moves[k] == action:
            return True
    return False


@kernel
def _are_the_edges(edges: np.ndarray, moves: np.ndarray, n: int) -> bool:
    """Tell whether the edges of a ply are its `n` legal actions, each once, in any order."""
    if len(edges) != n:
        return False
    for k in range(n):  # noqa: SIM110  # Numba compiles no generator expression
        if not _among(moves[k], edges, n):
            return False
    return True


@kernel
def replay_game(
    rules: np.ndarray,
    actions: np.ndarray,
    edge_offsets: np.ndarray,
    edge_actions: np.ndarray,
    history: np.ndarray,
    moves: np.ndarray,
    positions: np.ndarray,
) -> tuple[int, int]:
    """Play a record through the rules; return (fault, ply): HOLDS, or what does not and where.

    actions: [T] int16; edge_offsets, edge_actions: as in a GameRecord; history: [T + 1] uint64 and moves: [MAX_MOVES]
    int16, room to work in; positions: [T + 1] POSITION, its first the start; the others are written.
    """
    n = set_up(positions[0], rules[0], history, moves)
    origin = positions[0].ply
    for t in range(len(actions)):
        if not _among(actions[t], moves, n):
            return ILLEGAL_ACTION, t
        edges = edge_actions[edge_offsets[t] : edge_offsets[t + 1]]
        if len(edges) and not _are_the_edges(edges, moves, n):
            return WRONG_EDGES, t
        positions[t + 1] = positions[t]
        n = advance(positions[t + 1], rules[0], actions[t], history, origin, moves)
    return HOLDS, len(actions)


@kernel
def _mirror_planes(planes: np.ndarray) -> None:
    """Reflect planes left to right, in place; planes: [C, 8, 8]."""
    for c in range(planes.shape[0]):
        for rank in range(8):
            for file in range(4):
                planes[c, rank, file], planes[c, rank, 7 - file] = planes[c, rank, 7 - file], planes[c, rank, file]


@kernel
def draw_planes(
    chosen: np.ndarray, mirrored: np.ndarray, rules: np.ndarray, positions: np.ndarray, planes: np.ndarray
) -> None:
    """Write the planes of the rows of a batch.

    chosen: [B] int64, where the rows lie; mirrored: [B] bool; positions: [N] POSITION; planes: [B, C, 8, 8] float32.
    """
    for i in range(len(chosen)):
        observe(positions[chosen[i]], rules[0], planes[i])
        if mirrored[i]:
            _mirror_planes(planes[i])


@kernel
def draw_features(
    chosen: np.ndarray, mirrored: np.ndarray, rules: np.ndarray, positions: np.ndarray, features: np.ndarray
) -> None:
    """Write the features of the rows of a batch, [B, M] int32, NUM_FEATURES in places left over; see `draw_planes`."""
    for i in range(len(chosen)):
        n = list_features(positions[chosen[i]], rules[0], features[i])
        if mirrored[i]:
            for k in range(n):
                features[i, k] = MIRRORED_FEATURE[features[i, k]]
        for k in range(n, features.shape[1]):
            features[i, k] = NUM_FEATURES


@kernel
def draw_edges(
    chosen: np.ndarray,
    mirrored: np.ndarray,
    edge_starts: np.ndarray,
    edge_counts: np.ndarray,
    edge_actions: np.ndarray,
    edge_shares: np.ndarray,
    actions: np.ndarray,
    policy: np.ndarray,
) -> None:
    """Write the legal actions of the rows of a batch and their shares of the visits.

    edge_starts: [N] int64 and edge_counts: [N] int16, where in the ring of edges those of each row begin, and how many
    they are; the ring: edge_actions: [E] int16, edge_shares: [E] float32. Written: actions [B, K] int64, -1 in places
    left over, policy [B, K] float32, 0 there; see `draw_planes`.
    """
    room = len(edge_actions)
    for i in range(len(chosen)):
        row = chosen[i]
        for k in range(actions.shape[1]):
            actions[i, k] = -1
            policy[i, k] = _ZERO
            if k < edge_counts[row]:
                edge = (edge_starts[row] + k) % room
                action = edge_actions[edge]
                actions[i, k] = MIRRORED_ACTION[action] if mirrored[i] else action
                policy[i, k] = edge_shares[edge]
