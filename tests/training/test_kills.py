"""Killed at random moments, a run comes to the same bits; the long form is `python -m tests.training.kills`."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(("threads", "seed"), [(1, 3), (2, 4)])
def test_a_run_that_is_killed_comes_to_the_same_bits(threads: int, seed: int) -> None:
    command = [sys.executable, "-m", "tests.training.kills", "--kills", "3"]
    done = subprocess.run(
        [*command, "--threads", str(threads), "--seed", str(seed)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("kill ") == 3
    assert "different: nothing" in done.stdout
