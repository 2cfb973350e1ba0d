"""What time does to games: sweeps, searches that nobody waits for, clocks, what is kept and what goes."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from makruk_web import table as tables
from makruk_web.api import Settings, make_app
from makruk_web.pool import Pool
from makruk_web.seat import Seat
from makruk_web.store import Store
from makruk_web.table import Table
from makruk_web.watchers import Watcher
from tests.web.conftest import HERE, Page, Time

LOST_FOR_BLACK = "8/8/8/3k4/8/2K5/8/RR6 w - - 0 60"
LONG = {"you": "black", "agent": "mcts:evaluator=rollout,seconds=30"}


def fail(*_: object) -> None:
    raise sqlite3.OperationalError("disk I/O error")


def seat_of(page: Page, game: dict[str, Any]) -> Seat:
    """Return a game's seat without asking for it."""
    return page.table._seats[game["id"]]


def wait(until: Callable[[], bool]) -> None:
    """Return as soon as it is so; fails after a minute."""
    for _ in range(3_000):
        if until():
            return
        time.sleep(0.02)
    raise AssertionError


def test_a_sweep_lives_through_a_disk_that_fails(page: Page, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    page.begin()
    monkeypatch.setattr(Store, "remove", fail)
    clock.now += tables.IDLE + 1
    page.sweep()
    assert len(page.table) == 0
    page.begin()
    monkeypatch.setattr(tables, "MOST_GAMES", 1)
    page.begin()


def test_games_end_by_time_after_a_failure_too(page: Page, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    failures = []

    def fail_once(table: Table) -> None:
        monkeypatch.undo()
        failures.append(table)
        fail()

    monkeypatch.setattr(Table, "look_at_clocks", fail_once)
    wait(lambda: bool(failures))
    game = page.move(page.begin(clock=True), "e3e4")
    clock.now += 400.0
    wait(lambda: seat_of(page, game).game.outcome is not None)


def test_one_part_that_cannot_be_closed_keeps_none_of_the_others_open(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Table, "close", fail)
    app = make_app(Settings(database, threads=1, warm=False))
    with pytest.raises(sqlite3.OperationalError), TestClient(app, base_url=HERE):
        thinking = app.state.house.thinking
    assert thinking._pool._closed
    assert thinking._single._closed


def test_nobody_thinks_for_a_game_that_nobody_asks_about(page: Page, clock: Time) -> None:
    game = page.begin(**LONG)
    seat = seat_of(page, game)
    clock.now += tables.PATIENCE - 1
    page.sweep()
    assert seat.task == "move"
    clock.now += 2
    page.sweep()
    assert (seat.job, seat.task) == (None, None)
    assert page.state(game)["job"] == "move"
    watcher = page.on_loop(page.table.watch, seat)
    clock.now += tables.PATIENCE + 1
    page.sweep()
    assert seat.job is not None
    assert seat.job.urgent
    page.on_loop(page.table.leave, seat, watcher)
    assert not seat.job.urgent


def test_a_full_pool_drops_what_nobody_looks_on_at(page: Page, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pool, "is_full", property(lambda pool: len(page.table.thinking) >= 3))
    games = []
    for _ in range(5):
        clock.now += 1
        games.append(page.begin(**LONG))
    assert [seat_of(page, game).task for game in games] == [None, None, "move", "move", "move"]
    for game in games[2:]:
        seat_of(page, game).watchers.add(Watcher())
    refused = page.begin(**LONG)
    assert refused["failure"]["name"] == "BusyError"
    assert not refused["thinking"]


def test_an_agent_is_not_charged_for_the_wait(page: Page, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    submitted = []
    monkeypatch.setattr(Pool, "submit", lambda pool, job: submitted.append((pool, job)))
    game = page.post(page.begin(clock=True), "moves", move="e3e4").json()
    clock.now += 1_000.0
    told = page.state(game)
    assert (told["job"], told["outcome"], told["clock"]["running"]) == ("move", None, None)
    assert told["clock"]["left"][1]["main"] == 300.0
    monkeypatch.undo()
    pool, job = submitted[0]
    pool.submit(job)
    answered = page.wait(game)
    assert (len(answered["moves"]), answered["clock"]["running"]) == (2, 0)
    assert answered["clock"]["left"][1]["main"] > 0.0


def test_running_clocks_are_saved_by_the_sweep(page: Page, clock: Time) -> None:
    game = page.move(page.begin(clock=True), "e3e4")
    clock.now += 50.0
    page.sweep()
    kept = page.table._store.load(game["id"])
    assert kept is not None
    assert json.loads(kept[0])["clock"]["spent"] == pytest.approx(50.0)


def test_a_game_changes_when_a_player_or_an_agent_acts_alone(
    database: Path, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a restart nor a clock that runs makes a game a newer one; a change that the disk refused is not lost."""
    now = Time(1_000.0)

    def app() -> TestClient:
        made = make_app(Settings(database, threads=1, warm=False, now=clock))
        return TestClient(made, base_url=HERE, client=("127.0.0.1", 50_000))

    def changes(page: Page) -> dict[str, float]:
        return {game["id"]: game["changed"] for game in page.client.get("/api/games").json()}

    with app() as client:
        page = Page(client, clock)
        page.table._wall = now
        games = [page.move(page.begin(clock=timed), "e3e4") for timed in (True, True, False)]
        ended, running, other = (game["id"] for game in games)
        page.post(games[0], "resign")
        now.now = 2_000.0
        page.sweep()
        assert changes(page) == {ended: 1_000.0, running: 1_000.0, other: 1_000.0}
        now.now = 3_000.0
        with monkeypatch.context() as patch:
            patch.setattr(Store, "save", fail)
            page.move(games[2], "d3d4")
        now.now = 4_000.0
    now.now = 9_000.0
    with app() as client:
        page = Page(client, clock)
        page.table._wall = now
        assert [page.state(game)["version"] for game in games[:2]] == [games[0]["version"] + 1, games[1]["version"]]
        page.sweep()
        assert changes(page) == {ended: 1_000.0, running: 1_000.0, other: 3_000.0}
        assert len(page.state(games[2])["moves"]) == 4


def test_a_timed_game_from_a_pgn_is_timed_at_once(page: Page, clock: Time) -> None:
    game = page.begin(pgn="1. e4 e5 *", clock=True)
    assert game["clock"]["running"] == 0
    clock.now += 10.0
    assert page.state(game)["clock"]["left"][0]["main"] == 290.0


def test_what_counts_as_an_act_of_the_player(page: Page) -> None:
    read = page.begin(pgn="1. e4 e5 *")
    assert not seat_of(page, read).game.touched
    assert page.client.post(f"/api/games/{read['id']}/analyse", json={"ply": 1}).status_code == 202
    assert seat_of(page, read).game.touched
    assert [game["id"] for game in page.client.get("/api/games").json()] == [read["id"]]
    assert seat_of(page, page.begin(fen="k7/8/1K6/8/8/8/8/7R w - - 0 1")).game.touched
    page.wait(read, lambda state: state["analysing"] is None)


def test_the_oldest_games_leave_the_file(page: Page, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_KEPT", 2)
    games = [page.move(page.begin(), "e3e4") for _ in range(4)]
    page.sweep()
    assert len(page.table._store) == 4
    clock.now += tables.IDLE + 1
    page.sweep()
    assert [page.client.get(f"/api/games/{game['id']}").status_code for game in games] == [404, 404, 200, 200]


def test_an_offer_is_answered_after_a_restart(database: Path, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    def app() -> TestClient:
        made = make_app(Settings(database, threads=1, warm=False, now=clock))
        return TestClient(made, base_url=HERE)

    with monkeypatch.context() as patch, app() as client:
        patch.setattr(Pool, "submit", lambda *_: None)
        before = Page(client, clock)
        game = before.begin(agent="mcts:evaluator=heuristic,simulations=20", fen=LOST_FOR_BLACK)
        game = before.post(game, "draw").json()
        assert (game["offer"], game["job"]) == ("asked", "offer")
    with app() as client:
        after = Page(client, clock)
        assert after.wait(game)["outcome"]["termination"] == "AGREEMENT"
