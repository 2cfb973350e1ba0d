"""One thread for torch: on busy cores its threads wait for each other longer than they work; sums differ by them."""

import pytest
import torch


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)
