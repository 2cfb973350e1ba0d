"""The kernels uncompiled, and compiled with every index checked, play the same games as ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLAY = """
import random
import numpy as np
from makruk_env import Board

np.seterr(over="ignore")  # hashes wrap around; scalars outside compiled code would warn of it
print(Board().perft(2))
for rules, start in (("ttakji", None), ("fairy", "8/4k3/8/3p4/2RM4/2K1P3/8/8 w - - 0 1")):
    rng = random.Random(1)
    board = Board(start, rules)
    while board.outcome is None and len(board.actions) < 40:
        board.push(rng.choice(board.legal_actions()))
    print(board.fen(), board.outcome, board.observation().sum(), board.action_mask().sum(), board.key)
"""


def played(**environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("setting", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_plays_the_same_games(setting: str) -> None:
    text = played(**{setting: "1"})
    assert text.startswith("529\n")
    assert text == played()
