"""Products of a hidden layer with single rows of a table, there and back: what a policy over legal actions needs.

Of a makruk position's 1474 actions some 25 are legal. torch multiplies by the whole table or gathers copies of the
rows; these kernels touch the rows alone: 1,024 positions of 256 units there and back in a tenth of the time (docs/log).

B rows of a batch, K places for actions, W units, A actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable

from agents.search.sparse import dot
from makruk_env.core.jit import kernel

_ZERO = np.float32(0)


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
