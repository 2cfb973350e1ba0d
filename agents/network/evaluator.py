"""Asking the network: arrays in, arrays out, for whoever searches.

The softmax over legal actions is not taken here but where the legal actions are known, in the search's kernels.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import torch

from agents.network.resnet import ResNet
from agents.network.weights import load_network
from makruk_env.core.observe import NUM_PLANES
from makruk_env.core.threads import threads

Precision = Literal["fp32", "bf16"]


class NetworkEvaluator:
    """A copy of a network made ready for inference; later training of the network does not change it.

    network: left as it is; device: as torch names it; precision: of the arithmetic, "fp32" or "bf16" (half the time on
    a processor with bfloat16 matrix units, and about two correct decimals); what goes in and comes out is float32.
    Raises `ValueError` for another precision.
    """

    def __init__(self, network: ResNet, device: str = "cpu", precision: Precision = "fp32") -> None:
        types = {"fp32": torch.float32, "bf16": torch.bfloat16}
        if precision not in types:
            raise ValueError(f"precision: expected one of {tuple(types)}, got {precision!r}")
        self.device = torch.device(device)
        self._type = types[precision]
        # Convolution kernels read channels together; without this each call would reorder its weights.
        self._network = network.folded().to(self.device, self._type)
        self._network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # missing in torch's stub

    @classmethod
    def load(cls, path: str | Path, device: str = "cpu", precision: Precision = "fp32") -> NetworkEvaluator:
        """Return the evaluator of a weights file, a checkpoint folder or a run's latest checkpoint.

        Raises `CheckpointError`.
        """
        return cls(load_network(path).network, device, precision)

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
        if threads() == 1:  # others evaluate beside us: torch's own threads would wait for each other's time slices
            torch.set_num_threads(1)
        with torch.inference_mode():
            batch = torch.from_numpy(planes).to(self.device, self._type, memory_format=torch.channels_last)
            logits, outcomes = self._network(batch)  # [M, A], [M, 3]
            shares = torch.softmax(outcomes.float(), 1)  # [M, 3]
            return logits.float().cpu().numpy(), shares.cpu().numpy()
