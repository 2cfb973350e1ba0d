"""The agent over an engine: what is asked, what is played, and every fault by name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

import agents
from agents import AgentError, EngineError
from agents.uci import Uci
from makruk_env import Board, batch
from tests.needs import needs_stockfish
from training.arena import play_match

FAKE = Path(__file__).with_name("fake_engine.py")


def fake(fault: str = "fine", timeout: float = 60.0) -> Uci:
    return Uci(command=f"{sys.executable} {FAKE} {fault}", nodes=7, timeout=timeout)


def test_the_engine_is_told_variant_position_moves_and_nodes(tmp_path: Path) -> None:
    log = tmp_path / "log"
    board = Board()
    for move in ("e3e4", "d6d5", "e4d5", "b8d7", "b1d2"):
        board.push_uci(move)
    action = fake(f"fine@{log}").choose(board)
    assert action in board.legal_actions()
    told = log.read_text().splitlines()
    assert "setoption name UCI_Variant value makruk" in told
    capture = "rnsmksnr/8/ppp1pppp/3P4/8/PPPP1PPP/8/RNSKMSNR b - - 0 2"
    assert told[-3:] == ["ucinewgame", f"position fen {capture} moves b8d7 b1d2", "go nodes 7"]


def test_what_a_match_asks_holds_the_moves_and_what_games_alone_ask_does_not(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = fake(f"fine@{log}")
    play_match(player, agents.make("random"), 2, seed=1)
    assert any(" moves " in line for line in log.read_text().splitlines())
    games = batch.new(2)
    assert player.select(games, np.arange(2)).tolist() == [player.choose(Board())] * 2
    assert log.read_text().splitlines()[-2] == f"position fen {Board().fen()}"


def test_a_declaration_is_not_told_but_the_count_is(tmp_path: Path) -> None:
    log = tmp_path / "log"
    board = Board("8/3k4/8/2K1S1R1/8/8/8/7r b - - 0 1", "pychess")
    assert board.can_declare
    board.push_uci("start")
    fake(f"fine@{log}").choose(board)
    asked = log.read_text().splitlines()[-2]
    assert asked == f"position fen {' '.join(board.fen().split()[:6])}"


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("crash", "got its end.*exit status 3"),
        ("illegal", "expected a legal move of .*got 'bestmove a1h8'"),
        ("nonsense", "got 'bestmove O-O'"),
        ("none", r"got 'bestmove \(none\)'"),
        ("chess", "expected one that plays 'makruk'"),
    ],
)
def test_a_fault_is_told(fault: str, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        fake(fault).choose(Board())


@pytest.mark.parametrize("fault", ["hang", "chatter"])
def test_an_engine_that_does_not_answer_is_ended(fault: str) -> None:
    player = fake(fault)
    player._started[0]._timeout = 0.2  # after its start, which takes as long as Python's
    with pytest.raises(EngineError, match=r"'bestmove' within 0\.2 s.*exit status -9"):
        player.choose(Board())
    assert "_started" not in vars(player)  # the next question starts a new one


def test_an_engine_that_fails_in_a_game_loses_that_game_and_a_new_one_plays_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The fault comes at one move of all; the other three games are those of a match without it."""
    boards: list[Board] = []
    player = fake(f"once@{tmp_path / 'log'}")
    told = play_match(player, agents.make("random"), 4, seed=1, boards=boards)
    whole: list[Board] = []
    fine = play_match(fake(f"fine@{tmp_path / 'other'}"), agents.make("random"), 4, seed=1, boards=whole)
    assert told.endings["ENGINE_FAULT"] == 1
    assert not fine.endings["ENGINE_FAULT"]
    (lost,) = (i for i in range(4) if boards[i].outcome is None)
    assert told.points[lost] == 0.0
    assert boards[lost].actions == whole[lost].actions[: len(boards[lost].actions)]
    assert [b.actions for i, b in enumerate(boards) if i != lost] == [
        b.actions for i, b in enumerate(whole) if i != lost
    ]
    assert f"game {lost} is lost by uci" in caplog.text


def test_an_engine_that_fails_always_loses_all_and_one_that_cannot_start_plays_no_match() -> None:
    result = play_match(agents.make("random"), fake("crash"), 2, seed=1)
    assert (result.score, dict(result.endings)) == (1.0, {"ENGINE_FAULT": 2})
    with pytest.raises(EngineError, match="plays 'makruk'"):
        play_match(agents.make("random"), fake("chess"), 2, seed=1)


def test_an_engine_that_never_is_ready_is_ended() -> None:
    with pytest.raises(EngineError, match=r"'uciok' within 0\.2 s"):
        fake("mute", timeout=0.2).choose(Board())


def test_a_program_that_is_missing_or_cannot_start_is_told(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="install"):
        agents.make("uci:command=no-such-engine").choose(Board())
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    with pytest.raises(EngineError, match="that starts"):
        agents.make(f"uci:command={broken}").choose(Board())


@pytest.mark.parametrize("spec", ["uci", "uci:command=x,nodes=0", "uci:command=x,timeout=0"])
def test_wrong_settings_are_told(spec: str) -> None:
    with pytest.raises(AgentError, match="uci"):
        agents.make(spec)


def test_the_engine_ends_with_its_agent() -> None:
    player = fake()
    player.choose(Board())
    pid = player._started[0]._process.pid
    os.kill(pid, 0)
    del player
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.stockfish
@needs_stockfish
def test_fairy_stockfish_mates_and_plays_the_same_match_again() -> None:
    spec = "uci:command=fairy-stockfish,variant=makruk,nodes=200"
    player = agents.make(spec)
    assert "Fairy-Stockfish" in str(player.settings()["engine"])
    board = Board("k7/8/1K6/8/8/8/8/7R w - - 0 1")
    board.push(player.choose(board))
    assert board.outcome
    first, again = (play_match(agents.make(spec), agents.make("greedy"), 2, seed=3) for _ in range(2))
    assert first.score == 1
    assert (first.plies, first.distinct) == (again.plies, again.distinct)
