"""What every network says besides its policy: the outcome, and in training the auxiliary heads."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor

NUM_OUTCOMES: Final = 3
WIN, DRAW, LOSS = range(NUM_OUTCOMES)
AUXILIARY: Final = ("near_value", "far_value", "plies_left", "count_margin")
"""The auxiliary heads in their order; `training.auxiliary` says what each is told."""
PLIES_LEFT: Final = AUXILIARY.index("plies_left")


def bounded(auxiliary: Tensor) -> Tensor:
    """Return auxiliary heads, [B, H], brought to [-1, 1]; the plies left stay in any range."""
    plies = torch.arange(len(AUXILIARY), device=auxiliary.device) == PLIES_LEFT  # [H]
    return torch.where(plies, auxiliary, torch.tanh(auxiliary))
