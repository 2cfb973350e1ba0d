"""Asking the network: arrays in, arrays out, for whoever searches.

The softmax over legal actions is not taken here but where the legal actions are known, in the search's kernels.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from agents.network.build import Network
from agents.network.device import TYPES, DeviceName, Precision, find_device
from agents.network.resnet import ResNet
from agents.network.sparse import SparseNet
from agents.network.weights import load_network
from agents.search.evaluators import CompiledEvaluator
from makruk_env.core.observe import NUM_PLANES


class NetworkEvaluator:
    """A copy of a residual network made ready for inference; later training of the network does not change it.

    network: left as it is; device: see `find_device`; precision: of the arithmetic, "fp32", "bf16" (half the time on a
    processor with bfloat16 matrix units, and about two correct decimals) or "auto", the device's usual one; what goes
    in and comes out is float32. May be asked by several threads at once.
    Raises `ValueError` for another precision, `DeviceError`.
    """

    def __init__(self, network: ResNet, device: DeviceName = "cpu", precision: Precision = "fp32") -> None:
        self.device = find_device(device)
        self._type = TYPES[self.device.precision(precision)]
        self._network = network.folded().to(self._type)
        self.device.place(self._network)
        self._call = self.device.compiled(self._network)
        self.device.settle()

    def update(self, network: ResNet) -> None:
        """Take the weights of another network of the same size, while nobody asks; what was compiled stays so."""
        self._network.load_state_dict(network.folded().state_dict())
        self.device.settle()

    def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (logits, outcomes) of M positions, mover's view.

        planes: [M, C, 8, 8] float32, as `core.observe` writes them. logits: [M, A] float32, unmasked, any range;
        outcomes: [M, 3] float32, the probabilities of win, draw and loss for the side to move; each row sums to one.
        Raises `ValueError` for planes of another shape or type.
        """
        if planes.ndim != 4 or planes.shape[1:] != (NUM_PLANES, 8, 8) or planes.dtype != np.float32:
            raise ValueError(
                f"planes: expected float32 [M, {NUM_PLANES}, 8, 8], got {planes.dtype} of shape {planes.shape}"
            )
        with self.device.evaluating():
            batch = self.device.send(planes).to(self._type, memory_format=torch.channels_last)
            with self.device.launching():
                logits, outcomes = self._call(batch)  # [M, A], [M, 3]
            logits, shares = self.device.fetch(logits.float(), torch.softmax(outcomes.float(), 1))
            return logits, shares


def make_evaluator(
    network: Network, device: DeviceName = "cpu", precision: Precision = "fp32"
) -> NetworkEvaluator | CompiledEvaluator:
    """Return what judges with a copy of a network: a sparse one inside the search's kernels, whatever the device.

    Raises what `NetworkEvaluator` raises.
    """
    return network.compiled() if isinstance(network, SparseNet) else NetworkEvaluator(network, device, precision)


def load_evaluator(
    path: str | Path, device: DeviceName = "cpu", precision: Precision = "fp32"
) -> NetworkEvaluator | CompiledEvaluator:
    """Return the evaluator of a weights file, a checkpoint folder or a run's latest checkpoint.

    Raises `CheckpointError`, and what `NetworkEvaluator` raises.
    """
    return make_evaluator(load_network(path).network, device, precision)


def update_evaluator(evaluator: NetworkEvaluator | CompiledEvaluator, network: Network) -> None:
    """Give an evaluator the weights of another network of the same size, while nobody asks."""
    if isinstance(evaluator, CompiledEvaluator):
        assert isinstance(network, SparseNet)
        network.write_to(evaluator.weights)
    else:
        assert isinstance(network, ResNet)
        evaluator.update(network)
