"""The games of a run: listed, chosen, counted, and written as PGN that can be read back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from makruk_env import Board, pgn
from makruk_env.core.position import POSITION
from tests.training.test_cli import run as command
from training.errors import RecordError, RunError, StorageError
from training.games import GameFilter, Listed, games_of, list_games, to_pgn
from training.records import GAMES_FILE, append_games

from .games import DECLARED_THEN_MATED, WHITE_MATES, played, random_game

MATE = played(WHITE_MATES, ["a7a8"])
DECLARED = played(DECLARED_THEN_MATED, ["start", "a1b2", "a7a8"])
OPENING = Board()
for _move in ("e3e4", "e6e5"):
    OPENING.push_uci(_move)
GAMES = [MATE, random_game(seed=1, plies=30, truncate=True), DECLARED, random_game(OPENING.fen(), seed=2)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    append_games(tmp_path / GAMES_FILE, GAMES[:2], iteration=4)
    append_games(tmp_path / GAMES_FILE, GAMES[2:], iteration=9)
    return tmp_path


def listed(folder: Path, **chosen: object) -> list[Listed]:
    return [game for game, _ in games_of(folder, GameFilter(**chosen))]  # type: ignore[arg-type]


def test_they_are_listed_with_what_is_known_of_them(folder: Path) -> None:
    first, second, third, fourth = listed(folder)
    assert first == Listed(1, 4, 1, "1-0", "CHECKMATE", "ending")
    assert second == Listed(2, 4, 30, "*", "TRUNCATED", "array")
    assert third == Listed(3, 9, 3, "1-0", "CHECKMATE", "ending")
    assert (fourth.number, fourth.iteration, fourth.start) == (4, 9, "opening")
    assert [game.number for game, _ in games_of(folder / GAMES_FILE)] == [1, 2, 3, 4]


def test_they_are_chosen(folder: Path) -> None:
    assert [game.number for game in listed(folder, termination="checkmate")][:2] == [1, 3]
    assert [game.number for game in listed(folder, result="*")] == [2]
    assert [game.number for game in listed(folder, min_plies=3, max_plies=30)] == [2, 3]
    with pytest.raises(RecordError, match="termination: expected one of"):
        GameFilter(termination="mate")
    with pytest.raises(RecordError, match="result: expected one of"):
        GameFilter(result="1")
    with pytest.raises(RunError, match=r"games\.bin"):
        listed(folder / "games")


def test_all_are_counted_and_the_latest_named(folder: Path) -> None:
    seen: list[int] = []
    listing = list_games(folder, GameFilter(), limit=1, progress=seen.append)
    assert (listing.count, [game.number for game in listing.latest], seen) == (4, [4], [2, 4])
    assert listing.ends["CHECKMATE", "1-0"] >= 2
    assert listing.ends["TRUNCATED", "*"] == 1


def test_pgn_comes_back_with_its_comments_in_the_text(folder: Path) -> None:
    file = folder / "games.pgn"
    list_games(folder, GameFilter(), 0, file)
    back = list(pgn.read(file))
    for game, record in zip(back, GAMES, strict=True):
        assert game.error is None
        assert game.start.position.item() == record.start.view(POSITION)[0].item()
        assert list(game.board().actions) == record.actions.tolist()
    assert [game.result for game in back[:3]] == ["1-0", "*", "1-0"]
    assert (back[1].headers["Event"], back[1].headers["Round"]) == ("self-play", "2")
    text = file.read_text()
    assert max(len(line) for line in text.splitlines() if not line.startswith("[")) <= 80
    assert text.count("[%eval") == sum(map(len, GAMES))
    assert not list(folder.glob(".games.pgn*"))


@pytest.mark.parametrize("record", GAMES)
def test_a_comment_says_what_the_search_found(record) -> None:
    game = to_pgn(Listed(1, 0, len(record), "", "", ""), record)
    board = game.start.copy()
    for ply, move in enumerate(game.moves):
        span = slice(record.edge_offsets[ply], record.edge_offsets[ply + 1])
        visits = dict(zip(record.edge_actions[span].tolist(), record.edge_visits[span].tolist(), strict=True))
        told = re.match(r"\[%eval (-?\d\.\d\d)\] visits (\d+)/(\d+), prior (\d+)%(.*)", game.comments[ply])
        assert told is not None
        white = record.root_value[ply] * (1 if board.turn == 0 else -1)
        assert float(told[1]) == pytest.approx(white, abs=0.006)
        total, own = sum(visits.values()), visits.pop(int(record.actions[ply]))
        assert (int(told[2]), int(told[3])) == (own, total)
        others = [part.split() for part in told[5].split(";")[1:]]
        assert [int(other[1]) for other in others] == sorted(filter(None, visits.values()), reverse=True)[:3]
        for other in others:
            parsed = other[0] if other[0] in ("start", "stop") else board.parse_san(other[0])
            if not isinstance(parsed, str):
                assert visits[board.action(parsed)] == int(other[1])
        board.push(move)


def test_a_disk_that_refuses(folder: Path) -> None:
    with pytest.raises(StorageError, match="nowhere"):
        list_games(folder, GameFilter(), 0, folder / "nowhere" / "games.pgn")


def test_the_command(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(monkeypatch, "games", str(folder), "--json", "--limit", "2", "--max-plies", "30") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 3
    assert [game["number"] for game in told["latest"]] == [2, 3]
    assert {"termination": "TRUNCATED", "result": "*", "games": 1} in told["ends"]
    assert command(monkeypatch, "games", str(folder)) == 0
    shown = capsys.readouterr().out
    assert "how they ended" in shown
    assert "opening" in shown
    assert command(monkeypatch, "games", str(folder), "--termination", "mate") == 2
    data = (folder / GAMES_FILE).read_bytes()
    (folder / GAMES_FILE).write_bytes(data[:40] + b"damage" + data[46:])
    assert command(monkeypatch, "games", str(folder)) == 2
    assert "got damage up to byte" in capsys.readouterr().err
    assert command(monkeypatch, "games", str(folder), "--skip-damage", "--json") == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
