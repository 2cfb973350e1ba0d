"""The core beside its judges: no difference, and every kind of count and end seen on the way.

`python -m tests.judges` does the same at any length.
"""

from __future__ import annotations

import pytest

from tests.judges import against_oracle, against_pyffish

COUNTS = {"count BOARD 64", *(f"count PIECES {limit}" for limit in (8, 16, 22, 32, 44, 64))}
ENDS = {"CHECKMATE", "PIECES_COUNT", "BOARD_COUNT", "REPETITION", "MATERIAL"}


@pytest.mark.parametrize(
    ("rules", "more"),
    [
        ("ttakji", {"declared start", "declared stop", "end MAX_PLIES"}),
        ("fairy", set[str]()),
    ],
)
def test_no_difference_to_the_oracle(rules: str, more: set[str]) -> None:
    seen = against_oracle(rules, seed=21, plies=15_000)
    missing = (COUNTS | {f"end {end}" for end in ENDS} | more) - set(seen)
    assert not missing


def test_no_difference_to_fairy_stockfish() -> None:
    seen = against_pyffish("fairy", seed=4, plies=800)
    assert seen["ply"] >= 800
