"""The core beside its judges: no difference, and the counts, ends and first moves seen on the way.

`python -m tests.judges` does the same at any length, and asks for everything that the rules provide for.
"""

from __future__ import annotations

import pytest

from makruk_env.rules import PRESETS
from tests.judges.fairy import against_pyffish
from tests.judges.naive import against_oracle
from tests.judges.starts import VARIANTS

SEEN_SOON = {"count PIECES", "promotion", "end PIECES_COUNT", "end REPETITION"}
SEEN_ALSO = {
    "ouk": {"leap of a khun", "leap of a met", "count BOARD"},
    "cambodian": {"leap of a khun", "leap of a met", "end BOARD_COUNT"},
    "sut": {"leap of a khun", "sut of a met", "sut of a ma"},
    "pychess": {"declared start", "declared stop", "end MATERIAL"},
    "ttakji": {"declared start", "declared stop", "count BOARD"},
}


@pytest.mark.parametrize("rules", PRESETS)
def test_no_difference_to_the_oracle(rules: str) -> None:
    seen = against_oracle(rules, seed=21, plies=2_500)
    assert (SEEN_SOON | SEEN_ALSO.get(rules, set())) - set(seen) == set()


def test_no_difference_to_the_oracle_under_random_options() -> None:
    seen = against_oracle(None, seed=22, plies=5_000)
    assert (SEEN_SOON | {"promotion declined", "declared start", "end MAX_PLIES"}) - set(seen) == set()


@pytest.mark.parametrize("rules", VARIANTS)
def test_no_difference_to_fairy_stockfish(rules: str) -> None:
    seen = against_pyffish(rules, seed=4, plies=4_000)
    assert (SEEN_SOON | {"count BOARD", "end MATERIAL"} | SEEN_ALSO.get(rules, set())) - set(seen) == set()
