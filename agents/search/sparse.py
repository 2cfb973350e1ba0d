"""A sparse network inside the search: one wide layer over the features that hold, a small value trunk, and one row of
policy weights for each action, of which only the legal ones are multiplied.

    features -> sum of their rows of `wide` -> clip to [0, 1], squared -> [W]
    [W] -> [H] -> win, draw, loss                  [W] . row of a legal action -> its logit

F features, W units, H units of the trunk, A actions. `agents.network.sparse` is the same in torch, to be trained.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from agents.features import list_features
from makruk_env.core.jit import kernel, summing_kernel

_ZERO, _ONE = np.float32(0), np.float32(1)
SCALE: Final = 2048
"""What is a one in the wide layer's int16 numbers: sums from -16 to 16, to half a thousandth. Half the bytes of float32
are read in half the time, and those reads are the largest part of an evaluation."""
_PER_UNIT = np.float32(1 / SCALE)
_LINE: Final = 64


class SparseWeights(NamedTuple):
    """Weights as the kernels read them, in C order, float32 but for the wide layer's.

    wide: [F, W] int16, wide_bias: [W] int16, in units of 1 / SCALE; inner: [H, W], inner_bias: [H], H a multiple of 4;
    outcome: [H, 3], outcome_bias: [3]; policy: [A, W], policy_bias: [A].
    """

    wide: np.ndarray
    wide_bias: np.ndarray
    inner: np.ndarray
    inner_bias: np.ndarray
    outcome: np.ndarray
    outcome_bias: np.ndarray
    policy: np.ndarray
    policy_bias: np.ndarray


def aligned_zeros(shape: tuple[int, ...], kind: type[np.generic]) -> np.ndarray:
    """Return noughts that begin where a line of the processor's cache does: a vector that lies across two lines is read
    twice."""
    size = math.prod(shape) * np.dtype(kind).itemsize
    room = np.zeros(size + _LINE, np.uint8)
    first = -room.ctypes.data % _LINE
    return room[first : first + size].view(kind).reshape(shape)


def empty_weights(features: int, width: int, inner: int, actions: int) -> SparseWeights:
    """Return weights of nought in these shapes."""
    shapes = ((features, width), (width,), (inner, width), (inner,), (inner, 3), (3,), (actions, width), (actions,))
    return SparseWeights(*(aligned_zeros(shape, np.int16 if k < 2 else np.float32) for k, shape in enumerate(shapes)))


NO_WEIGHTS = empty_weights(0, 0, 0, 0)


@kernel
def sum_rows(bias, table, rows, n, to):
    """Write a bias and the first n of these rows of a table, added up: two at a time, which halves what is written."""
    for j in range(len(to)):  # to[:] = bias takes three times as long
        to[j] = bias[j]
    for k in range(0, n - 1, 2):
        one, other = table[rows[k]], table[rows[k + 1]]
        for j in range(len(to)):
            to[j] += one[j] + other[j]
    if n % 2:
        last = table[rows[n - 1]]
        for j in range(len(to)):
            to[j] += last[j]


@summing_kernel
def dot(a, b):
    """Return the sum of the products of two rows of the same length."""
    total = _ZERO
    for j in range(len(a)):
        total += a[j] * b[j]
    return total


@summing_kernel
def four_dots(a, b, c, d, e):
    """Return the dot products of a with b, c, d and e: a number of it is read once for the four."""
    to_b, to_c, to_d, to_e = _ZERO, _ZERO, _ZERO, _ZERO
    for j in range(len(a)):
        to_b += a[j] * b[j]
        to_c += a[j] * c[j]
        to_d += a[j] * d[j]
        to_e += a[j] * e[j]
    return to_b, to_c, to_d, to_e


@kernel
def activate(sums, hidden):
    """Clip each unit to [0, 1] and square it: nothing below, and a slope that grows with what speaks for it."""
    for j in range(len(sums)):
        x = min(max(np.float32(sums[j]) * _PER_UNIT, _ZERO), _ONE)
        hidden[j] = x * x


@kernel
def outcome_value(weights, hidden):
    """Return win less loss, in [-1, 1]."""
    win, draw, loss = weights.outcome_bias[0], weights.outcome_bias[1], weights.outcome_bias[2]
    inner = weights.inner
    for first in range(0, len(inner), 4):
        sums = four_dots(hidden, inner[first], inner[first + 1], inner[first + 2], inner[first + 3])
        for k in range(4):
            j = first + k
            x = max(weights.inner_bias[j] + sums[k], _ZERO)
            win += x * weights.outcome[j, 0]
            draw += x * weights.outcome[j, 1]
            loss += x * weights.outcome[j, 2]
    highest = max(win, draw, loss)
    win, draw, loss = math.exp(win - highest), math.exp(draw - highest), math.exp(loss - highest)
    return (win - loss) / (win + draw + loss)


@kernel
def write_logits(weights, hidden, edges, first, last):
    """Write the logits of the actions of edges first .. last - 1 into their priors."""
    policy, bias = weights.policy, weights.policy_bias
    e = first
    while e + 4 <= last:
        a, b, c, d = edges[e].action, edges[e + 1].action, edges[e + 2].action, edges[e + 3].action
        sums = four_dots(hidden, policy[a], policy[b], policy[c], policy[d])
        for k in range(4):
            edges[e + k].prior = bias[edges[e + k].action] + sums[k]
        e += 4
    while e < last:
        action = edges[e].action
        edges[e].prior = bias[action] + dot(hidden, policy[action])
        e += 1


@kernel
def judge(weights, nodes, edges, position, leaf, rules, features, sums, hidden):
    """Write the logits of a leaf's actions into the priors of its edges and return its value, in [-1, 1].

    features: [>= MAX_FEATURES] int32, sums: [W] int16, hidden: [W] float32, all room to work in.
    """
    sum_rows(weights.wide_bias, weights.wide, features, list_features(position, rules, features), sums)
    activate(sums, hidden)
    here = nodes[leaf]
    write_logits(weights, hidden, edges, here.first_edge, here.first_edge + here.num_edges)
    return np.float64(outcome_value(weights, hidden))
