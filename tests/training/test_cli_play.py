"""The commands to play with: `makruk play`, `makruk uci`, `makruk analyse`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.training.test_cli import run

ENDING = "8/3k4/8/2K1S1R1/8/8/8/7R w - - 0 1"


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let the player type these lines."""
    typed = iter(lines)

    def read(_: str) -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)


def test_play_takes_moves_in_both_notations_and_tells_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "e3e4", "d4", "e9", "back", "moves", "fen", "hint", "nonsense", "quit")
    assert run(monkeypatch, "play", "--agent", "greedy", "--seed", "0") == 0
    told = capsys.readouterr().out
    assert told.count("greedy: ") == 2
    assert " w - - 1 2\n" in told
    assert "a3a4" not in told
    assert "nonsense" in told
    assert "White to move, move 2" in told


def test_play_black_in_thai(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    type_in(monkeypatch, "resign")
    assert run(monkeypatch, "play", "--agent", "random", "--black", "--thai") == 0
    told = capsys.readouterr().out
    assert "you resign" in told
    assert any("\u0e00" < letter < "\u0e7f" for letter in told)


def test_play_to_the_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    type_in(monkeypatch, "e3e5", "back", "fen", "what", "h1h8")
    assert run(monkeypatch, "play", "--agent", "random", "--fen", "k7/8/1K6/8/8/8/8/7R w - - 0 1") == 0
    told = capsys.readouterr().out
    assert "White wins: checkmate" in told
    assert "expected a legal move" in told
    assert "k7/8/1K6/8/8/8/8/7R w - - 0 1" in told


def test_analyse_tells_lines_and_the_outlook(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    svg = tmp_path / "board.svg"
    common = ["analyse", "--agent", "mcts:evaluator=uniform", "--fen", ENDING, "--svg", str(svg)]
    assert run(monkeypatch, *common, "--simulations", "5000") == 0
    told = capsys.readouterr().out
    assert "win in 3 plies" in told
    assert "a pieces count from 5 to 8" in told
    assert svg.read_text().startswith("<svg")
    assert run(monkeypatch, *common, "--simulations", "40", "--lines", "2", "--json", "--moves", "g5g1") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["simulations"] == 40
    assert told["outlook"][0] == "Pieces count: 5 of 8, Black counts"
    first, second = told["lines"]
    assert first["visits"] >= second["visits"]
    assert first["line"][0] == first["move"]


def test_analyse_for_some_time_on_two_threads(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--agent", "mcts:evaluator=heuristic", "--seconds", "0.1", "--threads", "2", "--json"]
    assert run(monkeypatch, "analyse", *arguments) == 0
    assert json.loads(capsys.readouterr().out)["simulations"] > 10


def test_analyse_of_a_finished_game_and_of_another_agent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = ["--agent", "mcts:evaluator=uniform"]
    assert run(monkeypatch, "analyse", *agent, "--fen", "k7/2K5/8/8/8/8/8/R7 b - - 0 1") == 0
    assert "White wins: checkmate" in capsys.readouterr().out
    assert run(monkeypatch, "analyse", *agent, "--fen", "k7/2K5/8/8/8/8/8/R7 b - - 0 1", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["outcome"], told["lines"]) == ({"winner": 0, "termination": "checkmate"}, [])
    assert run(monkeypatch, "analyse", "--agent", "greedy") == 2
    assert "mcts" in capsys.readouterr().err
    assert run(monkeypatch, "analyse", *agent, "--moves", "e2e4") == 2
    assert "expected a legal move" in capsys.readouterr().err


@pytest.mark.parametrize("last", ["quit\n", ""])
def test_uci_reads_and_writes_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], last: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"uci\nisready\nposition startpos\ngo infinite\n{last}"))
    assert run(monkeypatch, "uci", "--agent", "mcts:evaluator=uniform") == 0
    told = capsys.readouterr().out.splitlines()
    assert "uciok" in told
    assert "readyok" in told
    assert told[-1].startswith("bestmove ")
