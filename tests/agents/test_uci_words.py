"""The words of the engine: limits and clocks, scores, lines of play."""

from __future__ import annotations

import pytest

import agents
from agents.search.analysis import Line
from agents.uci_words import Limits, limited, play_of, read_limits, score, wdl
from makruk_env import Board
from makruk_env.core.actions import COUNT_START


def test_limits_of_an_agent_that_is_asked_once() -> None:
    alphabeta = agents.make("alphabeta:depth=3")
    assert str(limited(alphabeta, Limits(seconds=2.0))) == "alphabeta:depth=3,seconds=2.0"
    assert str(limited(agents.make("alphabeta:seconds=1"), Limits(seconds=2.0))) == "alphabeta:seconds=1.0"
    assert str(limited(agents.make("alphabeta"), Limits(seconds=2.0))) == "alphabeta:depth=2,seconds=2.0"
    both = limited(agents.make("alphabeta:nodes=900"), Limits(seconds=2.0, nodes=50, depth=5))
    assert str(both) == "alphabeta:depth=5,seconds=2.0,nodes=50"
    assert str(limited(agents.make("alphabeta:nodes=900"), Limits(nodes=9999))) == "alphabeta:nodes=900"
    assert limited(alphabeta, Limits(infinite=True)) is alphabeta


def test_a_move_gets_its_share_of_the_clock() -> None:
    assert read_limits(["movetime", "500"], 0, 0.03).seconds == pytest.approx(0.47)
    white = read_limits(["wtime", "60000", "btime", "9000", "winc", "1000", "binc", "0"], 0, 0.03)
    assert white.seconds == pytest.approx(59 / 30 + 0.8 - 0.03)
    black = read_limits(["wtime", "60000", "btime", "9000", "winc", "1000", "binc", "0"], 1, 0.03)
    assert black.seconds == pytest.approx(8 / 30 - 0.03)
    assert read_limits(["wtime", "1000", "winc", "5000"], 0, 0).seconds == pytest.approx(0.5)  # never all that is left
    assert read_limits(["wtime", "4000", "movestogo", "3"], 0, 0).seconds == pytest.approx(1)
    assert read_limits(["wtime", "4000", "movestogo", "1"], 0, 0).seconds == pytest.approx(3)
    assert read_limits(["wtime", "10"], 0, 0.03).seconds == pytest.approx(1e-3)
    assert read_limits(["infinite"], 0, 0) == Limits(infinite=True)
    assert read_limits(["searchmoves", "e3e4", "d3d4"], 0, 0).moves == ("e3e4", "d3d4")


def test_a_stall_of_half_a_second_loses_no_game_on_time() -> None:
    left, increment, lost = 3.0, 0.05, 0.03
    for _ in range(200):
        words = ["wtime", str(int(1000 * left)), "winc", "50"]
        left += increment - lost - (read_limits(words, 0, 0.03).seconds or 0.0)
        assert left > 0.5


def test_scores() -> None:
    assert score(Line((1,), 1, 0.1, 1.0, "win", 3)) == "mate 2"
    assert score(Line((1,), 1, 0.1, -1.0, "loss", 4)) == "mate -2"
    assert score(Line((1,), 1, 0.1, 0.0, "draw", 0)) == "cp 0"
    assert score(Line((1,), 1, 0.1, 0.5, None, 0)) == "cp 89"
    assert abs(int(score(Line((1,), 1, 0.1, -1.0, None, 0)).split()[1])) < 20_000
    assert (wdl(0.25), wdl(-1.0)) == ("250 750 0", "0 0 1000")
    assert (wdl(0.25, 0.5), wdl(-0.75, 0.5), wdl(0.0, 0.0)) == ("375 500 125", "0 250 750", "500 0 500")
    for value in (0.947, 0.0015, -0.947, 1.0, -1.0):
        parts = [int(part) for part in wdl(value, 0.0).split()]
        assert sum(parts) == 1000
        assert min(parts) >= 0


def test_a_line_of_play_leaves_declarations_out() -> None:
    board = Board("8/3k4/8/2K1S3/8/8/1r6/8 w - - 0 1")
    move = next(action for action in board.legal_actions() if action < COUNT_START)
    assert play_of(board, [COUNT_START, move]) == play_of(board, [move])
