"""The replay takes no more memory however many rows have passed. For a million: tests.training.flat_memory."""

from __future__ import annotations

import sys

import pytest

from .flat_memory import MOST_GROWTH, arrays_of, watch


@pytest.mark.skipif(sys.platform != "linux", reason="resident memory is read from /proc: run it on Linux")
def test_memory_stays_flat_however_many_rows_pass() -> None:
    replay, sizes, memory = watch(rows=50_000, window=8_000)
    assert replay.total >= 50_000
    assert len(replay) == 8_000
    assert arrays_of(replay) == sizes
    assert len(sizes) >= 6
    assert max(memory) - memory[0] < MOST_GROWTH
