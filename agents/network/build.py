"""The kinds of networks, and how one is made of its configuration."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Tag

from agents.network.resnet import ResidualConfig, ResNet
from agents.network.sparse import SparseConfig, SparseNet

Network = ResNet | SparseNet


def _kind_of(values: Any) -> str | None:
    """Return the kind that a configuration names; without one it is residual."""
    kind = values.get("kind", "residual") if isinstance(values, dict) else getattr(values, "kind", None)
    return kind if isinstance(kind, str) else None


NetworkConfig = Annotated[
    Annotated[ResidualConfig, Tag("residual")] | Annotated[SparseConfig, Tag("sparse")], Discriminator(_kind_of)
]
"""The size of a network of either kind."""


def build(config: ResidualConfig | SparseConfig) -> Network:
    """Return a new network with weights drawn from torch's generator."""
    return SparseNet(config) if isinstance(config, SparseConfig) else ResNet(config)
