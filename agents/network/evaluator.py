"""Asking the network: arrays in, arrays out, for whoever searches.

The softmax over legal actions is not taken here but where the legal actions are known, in the search's kernels.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from agents.network.device import TYPES, DeviceName, Precision, find_device
from agents.network.resnet import ResNet
from agents.network.weights import load_network
from makruk_env.core.observe import NUM_PLANES


class NetworkEvaluator:
    """A copy of a network made ready for inference; later training of the network does not change it.

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

    @classmethod
    def load(cls, path: str | Path, device: DeviceName = "cpu", precision: Precision = "fp32") -> NetworkEvaluator:
        """Return the evaluator of a weights file, a checkpoint folder or a run's latest checkpoint.

        Raises `CheckpointError`, and what the constructor does.
        """
        return cls(load_network(path).network, device, precision)

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
