"""The networks: what they are, how it is kept on disk, and how a search asks them."""

from agents.network.build import Network, NetworkConfig, build
from agents.network.evaluator import NetworkEvaluator, load_evaluator, make_evaluator
from agents.network.resnet import ResidualConfig, ResNet
from agents.network.sparse import SparseConfig, SparseNet

__all__ = [
    "Network",
    "NetworkConfig",
    "NetworkEvaluator",
    "ResNet",
    "ResidualConfig",
    "SparseConfig",
    "SparseNet",
    "build",
    "load_evaluator",
    "make_evaluator",
]
