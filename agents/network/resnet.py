"""The residual network: planes in, logits over all actions and over win, draw and loss out.

    planes [B, C, 8, 8] -> stem -> residual blocks -> trunk [B, K, 8, 8]
    trunk -> 43 planes over the from-squares, and 2 logits of the count -> gathered to [B, A], the order of core.actions
    trunk -> [B, 3]: win, draw, loss of the side to move
    the same hidden layer -> [B, H]: auxiliary heads, in training alone

B batch, C observation planes, K trunk channels, A actions, H auxiliary heads. The board is the mover's view; square =
8 * rank + file.
After AlphaZero (Silver et al. 2018, Methods, "Architecture"), with KataGo's global pooling bias (Wu 2019, section 3.3).
"""

from __future__ import annotations

import copy
from typing import Final, Literal

import numpy as np
import torch
import torch.nn.functional as F
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from agents.network.heads import AUXILIARY, NUM_OUTCOMES, bounded
from makruk_env.core.actions import (
    ACTION_FROM,
    ACTION_TO,
    COUNT_START,
    DIAGONAL_DELTAS,
    MA_DELTAS,
    NUM_ACTIONS,
    NUM_PAIRS,
    RUEA_DELTAS,
)
from makruk_env.core.observe import NUM_PLANES

MOVE_DELTAS: Final = (*RUEA_DELTAS, *DIAGONAL_DELTAS, *MA_DELTAS)
"""The (files, ranks) of each of the first 40 policy planes: 28 along ruea lines, 4 diagonal steps, 8 ma jumps."""
DECLINED_DELTAS: Final = ((-1, 1), (0, 1), (1, 1))
"""The (files, ranks) of the last 3 policy planes: a bia's move with the promotion declined."""
NUM_MOVE_PLANES: Final = len(MOVE_DELTAS) + len(DECLINED_DELTAS)


class ResidualConfig(BaseModel):
    """The size of a residual network. The defaults make it as small as it can be and still see the whole board."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    kind: Literal["residual"] = "residual"
    """Says that it is this one."""
    blocks: int = Field(4, ge=1, le=40)
    """Residual blocks. Four make nine 3x3 convolutions in a row, just enough for a corner to see the opposite one."""
    channels: int = Field(48, ge=8, le=1024)
    """Channels of the trunk. On a CPU the cost of an evaluation grows with their square; 48 is a multiple of 16, the
    floats of an AVX-512 register."""
    policy_channels: int = Field(32, ge=4, le=1024)
    """Channels between the trunk and the 43 policy planes; fewer than those would tie the planes to each other."""
    value_channels: int = Field(16, ge=1, le=256)
    """Channels that the value head reads square by square; AlphaZero's 1 loses who stands where."""
    value_hidden: int = Field(64, ge=8, le=1024)
    """Width of the value head's hidden layer; AlphaZero's 256 would hold half of this small network's weights."""
    auxiliary: bool = False
    """Heads beside the value's that training alone uses: the value of the coming plies (KataGo's short-term value
    heads), the plies left (Leela Chess Zero's moves-left head), the margin of a count. The trunk learns more from each
    game, and play costs the same."""


def action_index() -> np.ndarray:
    """Return where each action's logit lies, [A] int64: 64 * plane + from-square, then the two of the count."""
    plane_of = {delta: plane for plane, delta in enumerate(MOVE_DELTAS)}
    declined_of = {delta: plane for plane, delta in enumerate(DECLINED_DELTAS, len(MOVE_DELTAS))}
    index = np.empty(NUM_ACTIONS, np.int64)
    for action in range(COUNT_START):
        start, stop = int(ACTION_FROM[action]), int(ACTION_TO[action])
        delta = (stop % 8 - start % 8, stop // 8 - start // 8)
        planes = plane_of if action < NUM_PAIRS else declined_of
        index[action] = 64 * planes[delta] + start
    index[COUNT_START:] = 64 * NUM_MOVE_PLANES + np.arange(NUM_ACTIONS - COUNT_START)
    return index


def pooled(x: Tensor) -> Tensor:
    """Return mean and maximum over the squares of each channel: [B, K, 8, 8] -> [B, 2K]."""
    # Pooling kernels read channels together: 0.12 ms where a reduction takes 0.75 (128 x 32 channels, bfloat16).
    mean, highest = F.avg_pool2d(x, 8), F.max_pool2d(x, 8)  # [B, K, 1, 1] each
    return torch.cat([mean, highest], 1).flatten(1)  # [B, 2K]


class ConvNorm(nn.Module):
    """A convolution without bias and its batch normalisation; `fold` makes one convolution with a bias of both."""

    def __init__(self, inputs: int, outputs: int, size: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)
        self.norm: nn.Module = nn.BatchNorm2d(outputs)
        nn.init.kaiming_normal_(self.conv.weight, nonlinearity="relu")

    def forward(self, x: Tensor) -> Tensor:
        """[B, inputs, 8, 8] -> [B, outputs, 8, 8]."""
        out: Tensor = self.norm(self.conv(x))
        return out

    def fold(self) -> None:
        """Put the running statistics into the convolution's weights; the module must be in evaluation mode."""
        assert isinstance(self.norm, nn.BatchNorm2d)
        self.conv = fuse_conv_bn_eval(self.conv, self.norm)
        self.norm = nn.Identity()


class Block(nn.Module):
    """conv-BN-ReLU-conv-BN beside the identity; with `pooling`, the whole board adds a bias to each inner channel."""

    def __init__(self, channels: int, pooling: bool) -> None:
        super().__init__()
        self.first = ConvNorm(channels, channels, 3)
        self.bias = nn.Linear(2 * channels, channels, bias=False) if pooling else None
        self.second = ConvNorm(channels, channels, 3)
        if self.bias is not None:
            nn.init.normal_(self.bias.weight, std=0.1 * (2 * channels) ** -0.5)  # a small say at first
        nn.init.zeros_(self.second.norm.weight)  # type: ignore[arg-type]  # each block starts as the identity

    def forward(self, x: Tensor) -> Tensor:
        """[B, K, 8, 8] -> [B, K, 8, 8]."""
        inner = self.first(x)
        if self.bias is not None:
            inner = inner + self.bias(pooled(F.relu(inner)))[:, :, None, None]  # [B, K, 1, 1] over the squares
        out: Tensor = F.relu(x + self.second(F.relu(inner)))
        return out


class ResNet(nn.Module):
    """Policy logits and outcome logits of positions, both from the mover's point of view."""

    action_index: Tensor

    def __init__(self, config: ResidualConfig) -> None:
        super().__init__()
        self.config = config
        channels = config.channels
        self.stem = ConvNorm(NUM_PLANES, channels, 3)
        # Every second block sees the whole board at once: counts, material and ruea lines are not local.
        self.blocks = nn.Sequential(*(Block(channels, pooling=i % 2 == 1) for i in range(config.blocks)))
        self.policy = ConvNorm(channels, config.policy_channels, 3)
        self.policy_planes = nn.Conv2d(config.policy_channels, NUM_MOVE_PLANES, 1)
        self.policy_count = nn.Linear(2 * channels, NUM_ACTIONS - COUNT_START)
        self.value = ConvNorm(channels, config.value_channels, 1)
        self.value_hidden = nn.Linear(config.value_channels * 64, config.value_hidden)
        self.value_out = nn.Linear(config.value_hidden, NUM_OUTCOMES)
        for last in (self.policy_planes, self.policy_count, self.value_out):
            nn.init.normal_(last.weight, std=0.01)  # a fresh network hardly prefers anything
            nn.init.zeros_(last.bias)  # type: ignore[arg-type]  # all three have one
        # Last, so that the other weights of a seed are the same with it and without.
        self.auxiliary_out = nn.Linear(config.value_hidden, len(AUXILIARY)) if config.auxiliary else None
        # Not in the weights file: it is a fact of the action space, not learnt.
        self.register_buffer("action_index", torch.from_numpy(action_index()), persistent=False)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return (logits, outcomes).

        planes: [B, C, 8, 8] float32, mover's view. logits: [B, A], unmasked, mover's view; outcomes: [B, 3] logits of
        win, draw and loss, side to move.
        """
        logits, outcomes, _ = self._judge(planes)
        return logits, outcomes

    def for_learner(self, planes: Tensor, actions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return (logits, outcomes, auxiliary): what `forward` returns, of chosen actions alone, and the other heads.

        actions: [B, K] int64, -1 in places left over. logits: [B, K], 0 there; auxiliary: [B, H] in the order of
        `AUXILIARY`, in [-1, 1], but the plies left in any range; [B, 0] unless the configuration asks for them.
        """
        logits, outcomes, hidden = self._judge(planes)
        auxiliary = bounded(self.auxiliary_out(hidden)) if self.auxiliary_out else hidden.new_zeros(len(hidden), 0)
        chosen = logits.gather(1, actions.clamp_min(0)).masked_fill(actions < 0, 0)  # [B, A] -> [B, K]
        return chosen, outcomes, auxiliary

    def _judge(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits, outcomes, and the value head's hidden layer, [B, value_hidden]."""
        trunk = self.blocks(F.relu(self.stem(planes)))  # [B, K, 8, 8]
        moves = self.policy_planes(F.relu(self.policy(trunk)))  # [B, 43, 8, 8]
        count = self.policy_count(pooled(trunk))  # [B, 2]
        placed = torch.cat([moves.flatten(1), count], 1).float()  # [B, 43 * 64 + 2]
        logits = placed.index_select(1, self.action_index)  # [B, A]; of float32 it takes half the time of bfloat16
        squares = F.relu(self.value(trunk)).flatten(1)  # [B, value_channels * 64]
        hidden = F.relu(self.value_hidden(squares))  # [B, value_hidden]
        return logits, self.value_out(hidden), hidden

    def folded(self) -> ResNet:
        """Return a copy for inference alone, the normalisation folded in, without auxiliary heads; this one stays."""
        network = copy.deepcopy(self).eval().requires_grad_(False)
        network.config = self.config.model_copy(update={"auxiliary": False})
        network.auxiliary_out = None
        for module in network.modules():
            if isinstance(module, ConvNorm):
                module.fold()
        return network
