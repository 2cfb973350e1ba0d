"""Marks of tests that need what not every machine has; a skip says what to do about it."""

import pytest
import torch

from agents.uci import find_program

needs_gpu = pytest.mark.skipif(
    not torch.cuda.is_available(),
    reason="no CUDA GPU, or torch is built without CUDA: install torch's CUDA build on a machine with a GPU, "
    "then run pytest -m gpu",
)
needs_stockfish = pytest.mark.skipif(
    find_program("fairy-stockfish") is None, reason="fairy-stockfish is missing: apt-get install fairy-stockfish"
)
