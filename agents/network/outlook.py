"""What a network says of one position by itself, without a search."""

from __future__ import annotations

import numpy as np
import torch

from agents.features import MAX_FEATURES, list_features
from agents.network.build import Network
from agents.network.sparse import NO_FEATURE, SparseNet
from makruk_env.board import Board


def outcomes(network: Network, board: Board) -> tuple[float, float, float]:
    """Return the chances of win, draw and loss for the side to move, which sum to 1; network: on the CPU."""
    if isinstance(network, SparseNet):
        inputs = np.full((1, MAX_FEATURES), NO_FEATURE, np.int32)
        list_features(board.position, board.rules.record, inputs[0])
    else:
        inputs = board.observation()[None]
    no_actions = torch.full((1, 1), -1)
    with torch.inference_mode():
        _, logits, _ = network.eval().for_learner(torch.from_numpy(inputs), no_actions)
        win, draw, loss = torch.softmax(logits[0].float(), 0).tolist()
    return win, draw, loss
