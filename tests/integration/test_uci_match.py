"""The engine plays a real opponent under a clock, by the protocol alone."""

from __future__ import annotations

import sys

import pytest

from tests.needs import needs_stockfish
from tests.uci_match import FAIRY, OURS, UCI_LINE, Tally, play_match


@pytest.mark.parametrize(
    ("variant", "opponent"),
    [
        pytest.param("makruk", FAIRY, marks=needs_stockfish),
        # Not Fairy-Stockfish: its version 11.1 lets a met's first leap capture, and so plays moves that are none.
        ("cambodian", f"{OURS} alphabeta:depth=2"),
    ],
)
def test_two_games_without_a_fault(variant: str, opponent: str) -> None:
    said: list[str] = []
    commands = [f"{OURS} mcts:evaluator=heuristic", opponent]
    tally = play_match(commands, 2, seconds=4.0, increment=0.02, variant=variant, write=said.append)
    assert tally.faults["illegal moves"] == tally.faults["protocol errors"] == 0, tally.odd
    assert tally.wins + tally.draws + tally.losses == 2
    answers = sum(line.startswith(("w bestmove", "b bestmove")) for line in said)
    assert answers == tally.moves + tally.faults["time losses"] > 20


def test_a_program_that_ends_loses_and_the_match_goes_on() -> None:
    lines = "print('uciok'); print('readyok'); print('readyok', flush=True); [input() for line in range(4)]"
    dead = f'{sys.executable} -c "{lines}"'
    tally = play_match([f"{OURS} mcts:evaluator=uniform", dead], 2, seconds=60.0, increment=0.0)
    assert (tally.wins, tally.faults["protocol errors"], tally.ends["engine_fault"]) == (2, 2, 2)


def test_what_is_no_uci_is_told_apart() -> None:
    assert UCI_LINE.fullmatch(
        "info depth 3 seldepth 3 multipv 1 score cp -5 wdl 1 990 9 nodes 5 nps 9 time 1 pv a3a4 b6b5m"
    )
    assert UCI_LINE.fullmatch("bestmove a3a4 ponder b6b5")
    for line in ("bestmove a3a9", "info score 5", "Traceback (most recent call last):", "bestmove"):
        assert not UCI_LINE.fullmatch(line)
    assert str(Tally()) == "+0 =0 -0 in 0 moves (); 0 illegal moves, 0 time losses, 0 protocol errors"
