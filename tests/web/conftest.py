"""What the tests of the page share: times that a test sets, an application to ask, a game to ask about."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from makruk_web.api import Settings, make_app
from makruk_web.table import Table

HERE = "http://127.0.0.1:8000"


@dataclass
class Time:
    """A time that stands until a test moves it on."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Page:
    """An application asked as the page asks it."""

    client: TestClient
    time: Time
    opened: list[str] = field(default_factory=list)

    @property
    def table(self) -> Table:
        """The games in memory."""
        table: Table = self.client.app.state.house.table  # type: ignore[attr-defined]
        return table

    def on_loop(self, what: Callable[..., Any], *arguments: Any) -> Any:
        """Do something on the thread that alone touches the games."""
        assert self.client.portal is not None
        return self.client.portal.call(what, *arguments)

    def sweep(self) -> None:
        """Let time do to the games what it does every few seconds."""
        self.on_loop(self.table.sweep)

    def begin(self, **asked: Any) -> dict[str, Any]:
        """Begin a game and return its state."""
        answer = self.client.post("/api/games", json={"agent": "random", **asked})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def state(self, game: dict[str, Any]) -> dict[str, Any]:
        """Return a game as it stands now."""
        return dict(self.client.get(f"/api/games/{game['id']}").json())

    def post(self, game: dict[str, Any], what: str, **more: Any) -> Any:
        """Ask for a change of the game as it stands in this version."""
        return self.client.post(f"/api/games/{game['id']}/{what}", json={"version": game["version"], **more})

    def move(self, game: dict[str, Any], text: str) -> dict[str, Any]:
        """Make a move, and return the state after the agent's answer."""
        answer = self.post(game, "moves", move=text)
        assert answer.status_code == 200, answer.text
        return self.wait(game)

    def wait(
        self, game: dict[str, Any], until: Callable[[dict[str, Any]], bool] = lambda state: not state["thinking"]
    ) -> dict[str, Any]:
        """Return the state of a game as soon as it is so; fails after a minute."""
        for _ in range(3_000):
            state = self.state(game)
            if until(state):
                return state
            time.sleep(0.02)
        raise AssertionError(state)


@pytest.fixture
def clock() -> Time:
    """The time of `page`."""
    return Time()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The file of games of `page`."""
    return tmp_path / "games.sqlite"


@pytest.fixture
def page(database: Path, clock: Time) -> Iterator[Page]:
    """An application with a file of its own."""
    app = make_app(Settings(database, threads=2, warm=False, now=clock))
    with TestClient(app, base_url=HERE, raise_server_exceptions=False, client=("127.0.0.1", 50_000)) as client:
        yield Page(client, clock)
