"""The command `makruk`: what it prints, and exit status 2 without a traceback for what the user got wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from agents.network import SparseConfig, SparseNet
from agents.network.weights import load_network, save_network
from tests.training.test_loop import TINY
from training.cli import main


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command in this process and return its exit status."""
    monkeypatch.setattr(sys, "argv", ["makruk", *arguments])
    with pytest.raises(SystemExit) as exit_:
        main()
    return int(exit_.value.code or 0)


def test_perft(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "perft", "--depth", "3", "--json") == 0
    assert json.loads(capsys.readouterr().out)["nodes"] == 12_012


def test_rules(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "rules", "fairy", "ttakji:material=none,met_leap=on,tilted_ruea=black:h", "--json") == 0
    fairy, changed = json.loads(capsys.readouterr().out).values()
    assert (fairy["pieces_table"], fairy["material"], fairy["max_plies"]) == ("minimum", "dead", "0")
    assert (changed["material"], changed["met_leap"], changed["tilted_ruea"]) == ("none", "on", "black:h")
    assert run(monkeypatch, "rules") == 0
    told = capsys.readouterr().out
    assert "cambodian" in told
    assert "last_reply, exceed, reach" in told


def test_pgn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text('[Result "1-0"]\n\n1. e4 e5 1-0\n\n[Event "x"]\n\n1. e5 *\n', encoding="utf-8")
    assert run(monkeypatch, "pgn", str(file), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["games"], told["whole"], told["moves"], told["results"]) == (2, 1, 2, {"1-0": 1, "*": 1})
    assert told["errors"][0].startswith("IllegalMoveError: game 2")
    assert run(monkeypatch, "pgn", str(file)) == 0
    assert "1 read whole" in capsys.readouterr().out
    assert run(monkeypatch, "pgn", str(tmp_path / "none.pgn")) == 2


def test_train_then_evaluate_then_selfplay(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    settings = [word for line in TINY for word in ("--set", line)]
    assert run(monkeypatch, "train", "--out", str(out), *settings) == 0
    assert "report" in capsys.readouterr().out
    spec = f"mcts:checkpoint={out},simulations=4"
    assert run(monkeypatch, "evaluate", spec, "random", "--games", "4", "--json") == 0
    line = json.loads(capsys.readouterr().out)
    assert line["games"] == line["wins"] + line["draws"] + line["losses"] == 4
    low, high = line["interval_95"]
    assert low <= line["score"] <= high
    assert run(monkeypatch, "report", str(out)) == 0
    assert "report.md" in capsys.readouterr().out
    games = tmp_path / "games.npz"
    assert run(monkeypatch, "selfplay", str(out), "--out", str(games), "--games", "2", "--simulations", "2") == 0
    assert games.is_file()
    weights = tmp_path / "network.safetensors"
    assert run(monkeypatch, "export", str(out), str(weights)) == 0
    assert "bytes" in capsys.readouterr().out
    assert load_network(weights).step == load_network(out).step
    assert run(monkeypatch, "export", str(out), str(tmp_path / "none" / "network.safetensors")) == 2
    assert "expected to write" in capsys.readouterr().err


def test_an_exported_sparse_network_is_small_and_plays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run_folder, weights = tmp_path / "trained.safetensors", tmp_path / "network.safetensors"
    save_network(run_folder, SparseNet(SparseConfig(width=16)), "ttakji", 7)
    assert run(monkeypatch, "export", str(run_folder), str(weights)) == 0
    assert weights.stat().st_size < 0.6 * run_folder.stat().st_size
    spec = f"mcts:checkpoint={weights},simulations=4"
    assert run(monkeypatch, "evaluate", spec, "random", "--games", "2", "--json") == 0


def test_evaluate_keeps_a_ledger_and_writes_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ledger, games = tmp_path / "ledger.jsonl", tmp_path / "games.pgn"
    files = ["--ledger", str(ledger), "--pgn", str(games)]
    for _ in range(2):
        assert run(monkeypatch, "evaluate", "greedy", "random", "--games", "4", *files) == 0
    assert "Elo" in capsys.readouterr().out
    assert len(ledger.read_text().splitlines()) == 1
    assert games.read_text().count("[White ") == 4
    assert run(monkeypatch, "evaluate", "greedy", "random", "--games", "4", "--ledger", str(ledger), "--json") == 0
    assert capsys.readouterr().out == ledger.read_text()


def test_rate(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["rate", "alphabeta:depth=1", "--games", "4", "--ledger", str(tmp_path / "ledger.jsonl")]
    words += ["--anchors", "random", "--anchors", "greedy"]
    assert run(monkeypatch, *words, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [player["agent"] for player in told] == ["random", "greedy", "alphabeta:depth=1"]
    assert told[0]["elo"] == 0 < told[2]["elo"]
    assert run(monkeypatch, *words) == 0
    printed = capsys.readouterr().out
    assert printed.index("alphabeta:depth=1") < printed.index("random", printed.index("alphabeta:depth=1"))
    assert "of 4 against greedy" in printed


def test_sprt(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    words = ["sprt", "greedy", "random", "--elo1", "200", "--batch", "4", "--ledger", str(ledger)]
    assert run(monkeypatch, *words, "--games", "4") == 0
    assert "the games ran out" in capsys.readouterr().out
    assert run(monkeypatch, *words, "--json") == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "elo1"
    assert json.loads(ledger.read_text().splitlines()[-1])["kind"] == "sprt"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["evaluate", "stockfish", "random"], "expected one of"),
        (["evaluate", "random", "random", "--games", "3"], "even number"),
        (["evaluate", "random", "random", "--rules", "shogi"], "shogi"),
        (["evaluate", "mcts:checkpoint=nowhere", "random", "--games", "2"], "nowhere"),
        (["evaluate", "uci:command=no-such-engine", "random", "--games", "2"], "no-such-engine"),
        (["evaluate", "greedy", "random", "--games", "2", "--ledger", __file__], "line 1"),
        (["rate", "random", "--games", "3", "--ledger", "OUT"], "even number"),
        (["sprt", "random", "greedy", "--elo0", "5", "--elo1", "5"], "elo0 < elo1"),
        (["ablate", "nowhere.yaml", "--out", "OUT"], "nowhere.yaml"),
        (["agree", "nowhere", "--games", "nowhere.pgn"], "nowhere.pgn"),
        (["evaluate", "random", "greedy", "--pgn", "nowhere/games.pgn"], "folder"),
        (["curve", "nowhere", "--picture", "strength.gif"], "FILE.png"),
        (["analyse", "--svg", "nowhere/board.svg"], "folder"),
        (["analyse", "--agent", "mcts:evaluator=uniform,considered=8"], "considered"),
        (["report", "nowhere"], "nowhere"),
        (["perft", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "khun"),
        (["perft", "--fen", "nonsense"], "FEN"),
        (["rules", "ttakji:promotion=never"], "never"),
        (["rules", "ttakji:colour=red"], "colour"),
        (["train", "--config", "nowhere.yaml", "--out", "OUT"], "nowhere.yaml"),
        (["train", "--out", "OUT", "--set", "learner.batches=3"], "learner.batches"),
        (["train", "--out", "OUT", "--set", "learner.batch=many"], "learner.batch"),
        (["train", "--out", "OUT", "--set", "rules=shogi"], "shogi"),
        (["train", "--resume", "OUT"], "config.yaml"),
        (["train"], "--out"),
        (["selfplay", "nowhere", "--out", "OUT"], "nowhere"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:2]),
)
def test_what_the_user_got_wrong_is_told_with_status_2(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: list[str],
    words: str,
) -> None:
    out = tmp_path / "out"
    assert run(monkeypatch, *[str(out) if word == "OUT" else word for word in arguments]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert "Traceback" not in error
    assert not out.exists()


@pytest.mark.parametrize(
    "command", ["train", "evaluate", "rate", "sprt", "ablate", "report", "play", "analyse", "uci", "bench"]
)
def test_every_command_explains_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert run(monkeypatch, command, "--help") == 0
    assert "usage" in capsys.readouterr().out.lower()
