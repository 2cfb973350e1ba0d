"""Requests that nobody should send: each gets a clear answer, tells nothing, and holds nobody up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from makruk_web import table as tables
from makruk_web.guard import MOST_BYTES
from tests.web.conftest import Page, Time

JSON = {"content-type": "application/json"}


def refused(answer: Any, status: int, name: str) -> str:
    """Check an error and return its message."""
    assert answer.status_code == status, answer.text
    told = answer.json()
    assert list(told) == ["error"]
    assert told["error"]["name"] == name
    message: str = told["error"]["message"]
    assert "Traceback" not in message
    assert "/makruk_web/" not in message
    return message


@pytest.mark.parametrize("body", [b"", b"{", b"[[[[", b"[" * 60_000, b"\xff\xfe", b'{"agent": NaN}', b"nul", b"[]"])
def test_bad_json(page: Page, body: bytes) -> None:
    refused(page.client.post("/api/games", content=body, headers=JSON), 422, "RequestError")


def test_oversized_bodies(page: Page) -> None:
    huge = json.dumps({"pgn": "x" * MOST_BYTES}).encode()
    refused(page.client.post("/api/games", content=huge, headers=JSON), 413, "SizeError")
    parts = (huge[at : at + 8192] for at in range(0, len(huge), 8192))
    refused(page.client.post("/api/games", content=parts, headers=JSON), 413, "SizeError")
    told = {**JSON, "content-length": "9" * 30}
    refused(page.client.post("/api/games", content=b"{}", headers=told), 413, "SizeError")


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ({"fen": "nonsense"}, "FenError"),
        ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "FenError"),
        ({"fen": "x" * 201}, "RequestError"),
        ({"fen": "\u0000"}, "FenError"),
        ({"rules": "chess"}, "RulesError"),
        ({"rules": "ttakji:promotion=never"}, "RulesError"),
        ({"pgn": "1. e5 *"}, "IllegalMoveError"),
        ({"pgn": "1. $$$ {"}, "PgnError"),
        ({"pgn": '[FEN "nonsense"]\n\n1. e4 *'}, "FenError"),
        ({"pgn": '[Variant "Shogi"]\n\n1. e4 *'}, "PgnError"),
        ({"pgn": "   "}, "PgnError"),
        ({"pgn": "1. e4 *", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "WebError"),
        ({"agent": "nobody"}, "AgentError"),
        ({"agent": "random:depth=3"}, "AgentError"),
        ({"agent": "alphabeta:depth=many"}, "AgentError"),
        ({"agent": "x" * 301}, "RequestError"),
        ({"you": "red"}, "RequestError"),
        ({"clock": "yes"}, "RequestError"),
        ({"more": 1}, "RequestError"),
    ],
)
def test_games_that_cannot_be(page: Page, asked: dict[str, Any], name: str) -> None:
    refused(page.client.post("/api/games", json={"agent": "random", **asked}), 422, name)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("uci:command=touch /tmp/x", "makruk serve --agent"),
        ("mcts:checkpoint=/etc/passwd", "makruk serve --run"),
        ("mcts:baseline=../../secret", "baseline"),
        ("mcts:evaluator=uniform,simulations=1000000", "simulations"),
        ("mcts:evaluator=uniform,seconds=nan", "seconds"),
        ("mcts:evaluator=uniform,seconds=1e9", "seconds"),
        ("mcts:evaluator=uniform,c_init=nan", "c_init"),
        ("mcts:evaluator=uniform,temperature=inf", "temperature"),
        ("mcts:evaluator=uniform,considered=8", "considered"),
        ("mcts:evaluator=uniform,device=cuda", "device"),
        ("alphabeta:seconds=1000", "seconds"),
        ("alphabeta:nodes=999999999999", "nodes"),
    ],
)
def test_agents_that_a_page_may_not_name(page: Page, agent: str, words: str) -> None:
    assert words in refused(page.client.post("/api/games", json={"agent": agent}), 422, "AgentError")
    game = page.begin()
    assert words in refused(page.post(game, "agent", agent=agent), 422, "AgentError")
    assert page.state(game)["agent"]["text"] == "random"


@pytest.mark.parametrize(
    ("move", "name"),
    [("e3e5", "IllegalMoveError"), ("stop", "IllegalMoveError"), ("e9e9", "MoveTextError"), ("", "MoveTextError")],
)
def test_moves_that_are_not_legal(page: Page, move: str, name: str) -> None:
    game = page.begin()
    refused(page.post(game, "moves", move=move), 422, name)
    assert page.state(game)["version"] == game["version"]


@pytest.mark.parametrize("version", [-1, "1", 1.5, True, 2**64, None])
def test_versions_that_are_none(page: Page, version: object) -> None:
    game = page.begin()
    refused(page.post({**game, "version": version}, "resign"), 422, "RequestError")


def test_what_is_not_there(page: Page) -> None:
    for path in ("", "/events", "/pgn", "/at/0"):
        assert "begin a new one" in refused(page.client.get(f"/api/games/nobody{path}"), 404, "NoGameError")
    for path in ("/api/nothing", "/x"):
        refused(page.client.get(path), 404, "UnknownError")
    game = page.begin()
    refused(page.client.get(f"/api/games/{game['id']}/at/1"), 404, "UnknownError")
    refused(page.client.get("/api/runs/none/games"), 404, "UnknownError")
    refused(page.client.get(f"/api/games/{game['id']}/at/x"), 422, "RequestError")
    refused(page.client.put(f"/api/games/{game['id']}"), 405, "MethodError")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil", ""])
def test_another_name_for_this_address(page: Page, host: str) -> None:
    refused(page.client.get("/api/options", headers={"host": host}), 403, "AccessError")


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "192.168.1.5", "LOCALHOST"])
def test_names_that_are_this_servers(page: Page, host: str) -> None:
    assert page.client.get("/api/options", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_sites_page(page: Page, headers: dict[str, str]) -> None:
    refused(page.client.post("/api/games", json={"agent": "random"}, headers=headers), 403, "AccessError")
    refused(page.client.get("/api/options", headers=headers), 403, "AccessError")


def test_forms_of_another_site_send_no_json(page: Page) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = page.client.post("/api/games", content=b'{"agent": "random"}', headers={"content-type": kind})
        refused(answer, 422, "WebError")


def test_every_answer_bears_the_policy(page: Page) -> None:
    for path in ("/", "/static/js/main.js", "/api/options", "/nothing"):
        headers = page.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
    assert "<script>" not in page.client.get("/").text
    assert "style=" not in page.client.get("/").text


def test_a_fault_of_ours_tells_nothing(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(tables.Table, "state", fail)
    answer = page.client.post("/api/games", json={"agent": "random"})
    assert "secret" not in refused(answer, 500, "InternalError")


def test_a_thousand_games_opened_and_dropped(page: Page, clock: Time) -> None:
    kept = page.move(page.begin(agent="greedy"), "e3e4")
    for _ in range(1_000):
        page.begin()
    page.sweep()
    assert len(page.table) <= tables.MOST_UNTOUCHED + 1
    clock.now += tables.IDLE + 1
    page.sweep()
    assert len(page.table) == 0
    assert len(page.table._store) == 1
    assert page.state(kept)["moves"] == kept["moves"]


def test_more_games_than_there_is_room_for(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_GAMES", 3)
    games = [page.move(page.begin(you="both"), "e3e4") for _ in range(5)]
    assert len(page.table) <= 3
    assert all(page.state(game)["moves"] == game["moves"] for game in games)
