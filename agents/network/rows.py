"""What torch has no fast operation for: products with single rows of a table, there and back, and rounding to a grid.

A policy over legal actions needs the first. Of a makruk position's 1474 actions some 25 are legal. torch multiplies by
the whole table or gathers copies of the rows; these kernels touch the rows alone: 1,024 positions of 256 units there
and back in a tenth of the time (docs/log.md).

B rows of a batch, K places for actions, W units, A actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable

from agents.search.sparse import SCALE, dot
from makruk_env.core.jit import kernel

_ZERO = np.float32(0)
_SCALE, _PER_UNIT = np.float32(SCALE), np.float32(1 / SCALE)
_LOWEST, _HIGHEST = np.float32(-(2**15)), np.float32(2**15 - 1)


@kernel
def _multiply(hidden: np.ndarray, table: np.ndarray, actions: np.ndarray, out: np.ndarray) -> None:
    """Write hidden[b] . table[actions[b, k]] to out[b, k], 0 where the action is -1."""
    for b in range(len(actions)):
        for k in range(actions.shape[1]):
            action = actions[b, k]
            out[b, k] = dot(hidden[b], table[action]) if action >= 0 else _ZERO


@kernel
def _go_back(
    hidden: np.ndarray,
    table: np.ndarray,
    actions: np.ndarray,
    gradient: np.ndarray,
    hidden_gradient: np.ndarray,
    table_gradient: np.ndarray,
) -> None:
    """Add the gradients of `_multiply`; gradient: [B, K], of its output; the last two: [B, W] and [A, W]."""
    for b in range(len(actions)):
        for k in range(actions.shape[1]):
            action, g = actions[b, k], gradient[b, k]
            if action >= 0 and g != _ZERO:
                row, row_gradient = table[action], table_gradient[action]
                for j in range(len(row)):
                    hidden_gradient[b, j] += g * row[j]
                    row_gradient[j] += g * hidden[b, j]


class _RowProducts(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, table: Tensor, actions: Tensor) -> Tensor:
        """[B, W], [A, W], [B, K] -> [B, K]."""
        ctx.save_for_backward(hidden, table, actions)
        out = torch.empty(actions.shape, dtype=torch.float32)  # [B, K]
        _multiply(hidden.detach().numpy(), table.detach().numpy(), actions.numpy(), out.numpy())
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None]:
        hidden, table, actions = ctx.saved_tensors
        hidden_gradient, table_gradient = torch.zeros_like(hidden), torch.zeros_like(table)
        _go_back(
            hidden.detach().numpy(),
            table.detach().numpy(),
            actions.numpy(),
            gradients[0].contiguous().numpy(),
            hidden_gradient.numpy(),
            table_gradient.numpy(),
        )
        return hidden_gradient, table_gradient, None


def row_products(hidden: Tensor, table: Tensor, actions: Tensor) -> Tensor:
    """Return hidden[b] . table[actions[b, k]], [B, K] float32, 0 where the action is -1.

    hidden: [B, W], table: [A, W], both float32 in C order; actions: [B, K] int64, -1 .. A - 1.
    """
    if hidden.device.type == "cpu":
        out: Tensor = _RowProducts.apply(hidden, table, actions)  # type: ignore[no-untyped-call]
        return out
    logits = F.linear(hidden, table)  # [B, A]
    return logits.gather(1, actions.clamp_min(0)).masked_fill(actions < 0, 0)  # [B, K]


@kernel
def _round(weights: np.ndarray, out: np.ndarray) -> None:
    """Write weights, [N], rounded to the grid."""
    for i in range(len(weights)):
        out[i] = min(max(np.rint(weights[i] * _SCALE), _LOWEST), _HIGHEST) * _PER_UNIT


class _Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weights: Tensor) -> Tensor:
        """[...] -> [...]."""
        out = torch.empty_like(weights)
        _round(weights.detach().view(-1).numpy(), out.view(-1).numpy())
        return out

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        return gradients[0]


def on_grid(weights: Tensor) -> Tensor:
    """Return weights rounded to the grid of int16 numbers that the kernels sum, in units of 1 / SCALE; any shape.

    The gradient passes straight through (Bengio, Leonard and Courville 2013, section 3).
    """
    if weights.device.type == "cpu":
        out: Tensor = _Rounded.apply(weights)  # type: ignore[no-untyped-call]
        return out
    rounded = (weights.detach() * SCALE).round().clamp(-(2**15), 2**15 - 1) / SCALE
    return weights + (rounded - weights).detach()
