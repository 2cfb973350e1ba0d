"""The sparse network: a sum of rows for the features that hold, and little behind it.

    features [B, M] -> the sum of their rows -> clipped to [0, 1], squared: hidden [B, W]
    hidden -> [B, H] -> [B, 3]: win, draw, loss of the side to move
    hidden . a row of weights for each action asked for -> logits [B, K]

B batch, M places for features, F features, W wide units, H units of the value trunk, K places for actions, A actions.
An efficiently updatable network (Nasu 2018, "Efficiently Updatable Neural-Network-based Evaluation Functions for
Computer Shogi") with a policy. It is made to be asked one position at a time by `agents.search.sparse`, compiled into
the search; the module here is what is trained.
"""

from __future__ import annotations

import copy
from typing import Final, Literal

import torch
import torch.nn.functional as F
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor, nn

from agents.features import NUM_FEATURES, NUM_MEN, NUM_STATES
from agents.network.heads import AUXILIARY, NUM_OUTCOMES, bounded
from agents.network.rows import on_grid, row_products
from agents.search.evaluators import SPARSE, CompiledEvaluator
from agents.search.sparse import SCALE, SparseWeights, empty_weights
from makruk_env.core.actions import NUM_ACTIONS

NO_FEATURE: Final = NUM_FEATURES
"""Fills the places that a position has no features for."""


class SparseConfig(BaseModel):
    """The size of a sparse network."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    kind: Literal["sparse"] = "sparse"
    """Says that it is this one."""
    width: int = Field(256, ge=8, le=4096, multiple_of=8)
    """Units of the wide layer. The cost of an evaluation grows with it, and so does the weights file: 256 make 5 MB in
    float32; a multiple of 8, the floats of an AVX register."""
    value_hidden: int = Field(32, ge=8, le=1024, multiple_of=8)
    """Units of the value trunk, as in Stockfish's networks."""
    factored: bool = True
    """A man on a square has a row of its own beside one for each of his states: what is common to them is learnt once.
    `SparseNet.folded` adds them up, for play alone."""
    auxiliary: bool = False
    """Heads beside the value's that training alone uses, see `ResidualConfig.auxiliary`."""


class SparseNet(nn.Module):
    """Policy logits and outcome logits of positions, both from the mover's point of view."""

    def __init__(self, config: SparseConfig) -> None:
        super().__init__()
        self.config = config
        width, inner = config.width, config.value_hidden
        self.wide = nn.Parameter(torch.empty(NUM_FEATURES + 1, width))
        # What a man on a square is worth in whatever state: learnt from all four of them, added in before use.
        self.men = nn.Parameter(torch.empty(NUM_MEN, 1, 64, width)) if config.factored else None
        self.wide_bias = nn.Parameter(torch.full((width,), 0.25))  # where the square of the clipped sum has a slope
        self.value_hidden = nn.Linear(width, inner)
        self.value_out = nn.Linear(inner, NUM_OUTCOMES)
        self.policy = nn.Parameter(torch.empty(NUM_ACTIONS, width))
        self.policy_bias = nn.Parameter(torch.zeros(NUM_ACTIONS))
        nn.init.normal_(self.wide, std=0.02)
        if self.men is not None:
            nn.init.normal_(self.men, std=0.05)  # some 30 of them add up to a spread of a quarter
        nn.init.normal_(self.policy, std=0.01)  # a fresh network hardly prefers anything
        nn.init.normal_(self.value_out.weight, std=0.01)
        nn.init.zeros_(self.value_out.bias)
        # Last, so that the other weights of a seed are the same with it and without.
        self.auxiliary_out = nn.Linear(inner, len(AUXILIARY)) if config.auxiliary else None

    def _rows(self) -> Tensor:
        """Return the rows of the features as they are summed, [F + 1, W]."""
        if self.men is None:
            return on_grid(self.wide)
        states, others = self.wide.tensor_split([NUM_MEN * NUM_STATES * 64])
        men = states.view(NUM_MEN, NUM_STATES, 64, -1) + self.men  # [men, states, 64, W]
        return on_grid(torch.cat([men.flatten(0, 2), others]))

    def _hidden(self, features: Tensor) -> Tensor:
        """Return the wide layer; features: [B, M] int32 -> [B, W]."""
        total = F.embedding_bag(features, self._rows(), mode="sum", padding_idx=NO_FEATURE)  # [B, W]
        return (total + on_grid(self.wide_bias)).clamp(0, 1).square()

    def for_learner(self, features: Tensor, actions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return (logits, outcomes, auxiliary).

        features: [B, M] int32, mover's view, as `agents.features` lists them, NO_FEATURE in places left over; actions:
        [B, K] int64, -1 in places left over. logits: [B, K], 0 there; outcomes: [B, 3] logits of win, draw and loss,
        side to move; auxiliary: [B, H'], as `ResNet.for_learner` returns it, [B, 0] without those heads.
        """
        hidden = self._hidden(features)  # [B, W]
        bias = self.policy_bias[actions.clamp_min(0)].masked_fill(actions < 0, 0)  # [B, K]
        logits = row_products(hidden, self.policy, actions) + bias  # [B, K]
        inner = F.relu(self.value_hidden(hidden))  # [B, H]
        auxiliary = bounded(self.auxiliary_out(inner)) if self.auxiliary_out else inner.new_zeros(len(inner), 0)
        return logits, self.value_out(inner), auxiliary

    def folded(self) -> SparseNet:
        """Return a copy for play alone that judges alike: one row for each feature, no auxiliary heads."""
        network = copy.deepcopy(self).eval().requires_grad_(False)
        network.config = self.config.model_copy(update={"factored": False, "auxiliary": False})
        network.wide = nn.Parameter(self._rows().detach().clone(), requires_grad=False)
        network.men = network.auxiliary_out = None
        return network

    @torch.no_grad()
    def write_to(self, weights: SparseWeights) -> None:
        """Write the weights into arrays of this network's shapes, as the compiled evaluator reads them."""
        sources = (
            self._rows()[:-1] * SCALE,
            on_grid(self.wide_bias) * SCALE,
            self.value_hidden.weight,
            self.value_hidden.bias,
            self.value_out.weight.T,
            self.value_out.bias,
            self.policy,
            self.policy_bias,
        )
        for to, source in zip(weights, sources, strict=True):
            to[...] = source.numpy(force=True)

    def compiled(self) -> CompiledEvaluator:
        """Return a copy of the network that judges inside the search's kernels."""
        weights = empty_weights(NUM_FEATURES, self.config.width, self.config.value_hidden, NUM_ACTIONS)
        self.write_to(weights)
        return CompiledEvaluator(SPARSE, weights)
