"""Games of runs: listed, opened, looked through with their visits and values."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest
from fastapi.testclient import TestClient

from makruk_env import Board, move_of, pgn
from makruk_web.api import Settings, make_app
from makruk_web.errors import ServeError, UnknownError
from makruk_web.runs import PAGE, Runs
from tests.training.games import ROOK_ENDING, WHITE_MATES, played, random_game
from tests.web.conftest import HERE
from training.records import GAMES_FILE, GameRecord, append_games, unpack


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with three games, the last of which was searched from its third ply on."""
    run = tmp_path_factory.mktemp("runs") / "quick"
    (run / GAMES_FILE).parent.mkdir(parents=True)
    append_games(run / GAMES_FILE, [random_game(ROOK_ENDING, seed=1), random_game(seed=2, plies=6, truncate=True)])
    append_games(run / GAMES_FILE, [random_game(ROOK_ENDING, seed=3, searched_from=2)], iteration=1)
    return run


@pytest.fixture
def client(folder: Path, tmp_path: Path) -> Iterator[TestClient]:
    app = make_app(Settings(tmp_path / "games.sqlite", runs=(folder,), threads=1, warm=False))
    with TestClient(app, base_url=HERE) as client:
        yield client


def test_a_runs_network_is_offered_by_the_runs_name(folder: Path, tmp_path: Path) -> None:
    (folder / "checkpoints").mkdir()
    app = make_app(Settings(tmp_path / "games.sqlite", runs=(folder,), threads=1, warm=False))
    (folder / "checkpoints").rmdir()
    with TestClient(app, base_url=HERE) as client:
        told = client.get("/api/options").json()
    assert "run:quick" in told["agents"]
    assert str(folder) not in str(told)


def test_games_are_listed_the_latest_first(client: TestClient) -> None:
    assert client.get("/api/options").json()["runs"] == ["quick"]
    page = client.get("/api/runs/quick/games").json()
    assert (page["count"], [game["number"] for game in page["games"]]) == (3, [3, 2, 1])
    assert page["games"][1]["termination"] == "TRUNCATED"
    assert [game["number"] for game in client.get("/api/runs/quick/games?skip=2").json()["games"]] == [1]
    assert client.get(f"/api/runs/quick/games?skip={PAGE}").json()["games"] == []


def test_a_game_is_looked_through(client: TestClient) -> None:
    game = client.get("/api/runs/quick/games/3").json()
    assert [move["value"] is None for move in game["moves"][:3]] == [True, True, False]
    assert game["seen"][0] == 2
    board = Board(ROOK_ENDING)
    for ply, move in enumerate(game["moves"]):
        at = client.get(f"/api/runs/quick/games/3/at/{ply}").json()
        assert at["position"]["fen"] == board.fen()
        assert (at["thought"] is None) == (ply < 2)
        if at["thought"]:
            visits = [way["visits"] for way in at["thought"]["ways"]]
            assert visits == sorted(visits, reverse=True)
            assert at["thought"]["value"] == pytest.approx(move["value"] * (1 if board.turn == 0 else -1), abs=1e-3)
        board.push_uci(move["uci"])
    last = client.get(f"/api/runs/quick/games/3/at/{len(game['moves'])}").json()
    assert (last["thought"], last["position"]["legal"]) == (None, [])


def test_a_games_rules_go_with_it(tmp_path: Path) -> None:
    for run, rules in (("one", "fairy"), ("two", "ttakji:met_leap=on")):
        append_games(tmp_path / run / GAMES_FILE, [played(WHITE_MATES, ["a7a8"], rules=rules)])
        runs = Runs([tmp_path / run])
        assert [game["rules"] for game in runs.page(run, 0)["games"]] == [rules]
        game = runs.game(run, 1)
        assert (game["rules"], game["value"]) == (rules, 1.0)


def test_a_game_goes_out_as_pgn(client: TestClient) -> None:
    text = client.get("/api/runs/quick/games/3/pgn").text
    game = next(pgn.read(io.StringIO(text)))
    told = client.get("/api/runs/quick/games/3").json()
    assert (game.error, game.result, game.headers["Event"]) == (None, told["result"], "self-play of quick")
    assert [move.uci() for move in game.moves] == [move["uci"] for move in told["moves"]]
    assert "[%eval" in text
    assert client.get("/api/runs/quick/games/4/pgn").status_code == 404


def test_what_a_run_has_not(client: TestClient) -> None:
    for path in ("other/games", "quick/games/4", "quick/games/0", "quick/games/1/at/9999"):
        answer = client.get(f"/api/runs/{path}")
        assert (answer.status_code, answer.json()["error"]["name"]) == (404, "UnknownError"), path


def test_a_run_that_grows_is_read_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks that are known are not read again; a file that was cut back, as a run does that goes on, is read anew."""
    file = tmp_path / "run" / GAMES_FILE
    games = [random_game(seed=n, plies=6, truncate=True) for n in range(8)]
    for iteration in range(3):
        append_games(file, games[2 * iteration : 2 * iteration + 2], iteration)
    runs, whole, sizes = Runs([tmp_path / "run"]), file.read_bytes(), []
    count = runs.page("run", 0)["count"]
    plain = unpack
    monkeypatch.setattr("makruk_web.runs.unpack", lambda payload: (sizes.append(len(payload)), plain(payload))[1])
    append_games(file, games[6:8], 3)
    assert (count, runs.page("run", 0)["count"], len(sizes)) == (6, 8, 1)
    for number, game in enumerate(games, 1):
        assert [move["uci"] for move in runs.game("run", number)["moves"]] == game_of(game)
    with file.open("r+b") as cut:
        cut.truncate(len(whole))
    append_games(file, [games[0], games[1], games[2]], 3)
    assert runs.page("run", 0)["count"] == 9
    assert [move["uci"] for move in runs.game("run", 7)["moves"]] == game_of(games[0])
    assert [move["uci"] for move in runs.game("run", 9)["moves"]] == game_of(games[2])


def game_of(record: GameRecord) -> list[str]:
    """Return the moves of a game's record."""
    board, moves = Board(rules=record.rules), []
    for action in record.actions.tolist():
        moves.append(move_of(action, board).uci())
        board.push(action)
    return moves


def test_a_run_that_goes_on_is_read_anew(folder: Path, tmp_path: Path) -> None:
    run = tmp_path / "quick"
    (run / GAMES_FILE).parent.mkdir(parents=True)
    (run / GAMES_FILE).write_bytes((folder / GAMES_FILE).read_bytes())
    runs = Runs([folder, run])
    assert runs.names == ("quick", "quick+")
    assert runs.page("quick+", 0)["count"] == 3
    before = runs.game("quick+", 3)
    append_games(run / GAMES_FILE, [random_game(ROOK_ENDING, seed=4)], iteration=2)
    assert runs.game("quick+", 3) == before
    assert runs.page("quick+", 0)["count"] == 4
    assert runs.page("quick", 0)["count"] == 3
    with pytest.raises(UnknownError):
        runs.game("quick", 4)
    (run / GAMES_FILE).unlink()
    append_games(run / GAMES_FILE, [random_game(seed=n, plies=6, truncate=True) for n in (5, 6, 7)])
    assert runs.game("quick+", 3) != before
    rmtree(run)
    for ask in (lambda: runs.page("quick+", 0), lambda: runs.game("quick+", 3)):
        with pytest.raises(UnknownError, match="gone"):
            ask()
    with pytest.raises(ServeError, match=r"games\.bin"):
        Runs([tmp_path])
