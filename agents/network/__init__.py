"""The residual network: what it is, how it is kept on disk, and how a search asks it."""

from agents.network.evaluator import NetworkEvaluator
from agents.network.resnet import NetworkConfig, ResNet

__all__ = ["NetworkConfig", "NetworkEvaluator", "ResNet"]
