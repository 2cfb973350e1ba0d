"""Move counts beside Fairy-Stockfish, the program and its Python binding, on random positions.

Debian's program is of version 11.1, older than the binding: there a bia promotes on its 6th rank only, a met's leap may
capture, and a ruea on its rank or file does not end a khun's right to leap. So it judges makruk alone, without bia
beyond the 5th rank; `python -m tests.judges.perft` asks the binding to the same depth.
"""

from __future__ import annotations

import pytest

from makruk_env import Board
from tests.judges.fairy import hold_tables
from tests.judges.perft import of_program, of_pyffish, positions
from tests.judges.starts import VARIANTS
from tests.needs import needs_stockfish


def has_bia_beyond(fen: str) -> bool:
    ranks = fen.split()[0].split("/")
    return "P" in "".join(ranks[:3]) or "p" in "".join(ranks[5:])


@pytest.mark.stockfish
@needs_stockfish
def test_perft_4_of_random_positions_equals_the_program() -> None:
    fens = [fen for fen in positions("fairy", 140) if not has_bia_beyond(fen)]
    assert len(set(fens)) > 100
    assert [Board(fen, "fairy").perft(4) for fen in fens] == of_program("makruk", fens, 4)


@pytest.mark.parametrize("rules", VARIANTS)
def test_perft_3_of_random_positions_equals_pyffish(rules: str) -> None:
    hold_tables(VARIANTS[rules])
    for fen in positions(rules, 18, seed=5):
        assert Board(fen, rules).perft(3) == of_pyffish(VARIANTS[rules], fen, 3), fen
