"""One thread for torch: on busy cores its threads wait for each other longer than they work."""

import pytest
import torch


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    torch.set_num_threads(1)
