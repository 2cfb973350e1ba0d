"""The server as the command starts it: streams, two clients, a restart in mid-game, the command's own errors."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest

from makruk_web import connection
from makruk_web.api import Settings
from makruk_web.limits import MOST_CONNECTIONS, room_for_connections
from makruk_web.main import main
from makruk_web.server import address_of, addresses_of, listen
from tests.web.serving import serving


@contextmanager
def stream(address: str, game: str) -> Iterator[Iterator[tuple[str, dict[str, Any]]]]:
    """Yield the events of a game as they come: name and contents."""

    def events(lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        name = ""
        for line in lines:
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield name, json.loads(line.removeprefix("data: "))

    with httpx2.stream("GET", f"{address}/api/games/{game}/events", timeout=20) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield events(answer.iter_lines())


def begin(address: str, **asked: Any) -> dict[str, Any]:
    """Begin a game."""
    answer = httpx2.post(f"{address}/api/games", json={"agent": "greedy", **asked})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def move(address: str, game: dict[str, Any], text: str) -> Any:
    """Make a move."""
    body = {"version": game["version"], "move": text}
    return httpx2.post(f"{address}/api/games/{game['id']}/moves", json=body, timeout=30)


def settled(address: str, game: dict[str, Any]) -> dict[str, Any]:
    """Return a game once its agent has moved."""
    for _ in range(500):
        state = httpx2.get(f"{address}/api/games/{game['id']}").json()
        if not state["thinking"]:
            return dict(state)
        time.sleep(0.02)
    raise AssertionError(state)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(Settings(tmp_path_factory.mktemp("games") / "games.sqlite", threads=2, warm=False)) as address:
        yield address


def test_two_clients_watch_one_game(address: str) -> None:
    game = begin(address, you="both")
    with stream(address, game["id"]) as one, stream(address, game["id"]) as two:
        assert [next(one)[1]["version"], next(two)[1]["version"]] == [1, 1]
        assert move(address, game, "e3e4").status_code == 200
        for events in (one, two):
            name, state = next(events)
            assert (name, state["version"], state["moves"][0]["san"]) == ("state", 2, "e4")
    with stream(address, game["id"]) as again:
        assert next(again)[1]["moves"][0]["san"] == "e4"


def test_two_clients_at_once_make_one_move(address: str) -> None:
    game, answers = begin(address, you="both"), []
    texts = [f"{file}3{file}4" for file in "abcdefgh"]
    asking = [
        threading.Thread(target=lambda t=text: answers.append(move(address, game, t).status_code)) for text in texts
    ]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert sorted(answers) == [200, *[409] * 7]
    assert len(settled(address, game)["moves"]) == 1


def test_looks_into_a_search_are_sent_while_it_goes_on(address: str) -> None:
    game = begin(address, agent="mcts:evaluator=rollout,simulations=20000")
    with stream(address, game["id"]) as events:
        next(events)
        move(address, game, "e3e4")
        names, looks = [], []
        for name, told in events:
            names.append(name)
            if name == "thinking":
                looks.append(told)
            if len(looks) == 2:
                break
    assert names[0] == "state"
    assert looks[0]["ply"] == 1
    assert looks[0]["simulations"] < looks[1]["simulations"]
    assert {"uci", "san", "thai", "visits", "prior", "value"} <= set(looks[0]["ways"][0])
    latest = httpx2.get(f"{address}/api/games/{game['id']}").json()
    httpx2.post(f"{address}/api/games/{game['id']}/resign", json={"version": latest["version"]})


def test_a_game_survives_a_restart(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "games.sqlite", threads=1, warm=False)
    with serving(settings) as address:
        game = begin(address, clock=True, agent="mcts:evaluator=heuristic,simulations=20")
        move(address, game, "e3e4")
        before = settled(address, game)
        thoughts = httpx2.get(f"{address}/api/games/{game['id']}/at/1").json()
    with serving(settings) as address:
        after = settled(address, game)
        for what in ("version", "moves", "position", "you", "agent", "seen"):
            assert after[what] == before[what], what
        assert after["clock"]["running"] == 0
        assert after["clock"]["left"][0]["main"] <= before["clock"]["left"][0]["main"]
        assert httpx2.get(f"{address}/api/games/{game['id']}/at/1").json() == thoughts
        assert move(address, after, "d3d4").status_code == 200
        assert len(settled(address, game)["moves"]) == 4


def test_an_agent_goes_on_thinking_after_a_restart(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "games.sqlite", threads=1, warm=False)
    with serving(settings) as address:
        game = begin(address, agent="mcts:evaluator=rollout,seconds=3")
        move(address, game, "e3e4")
    with serving(settings) as address:
        assert len(settled(address, game)["moves"]) == 2


def test_one_slow_body_holds_nobody_up(address: str) -> None:
    begun, going, answers = threading.Event(), threading.Event(), []

    def slowly() -> Iterator[bytes]:
        yield b'{"agent":'
        begun.set()
        going.wait(60)
        yield b'"greedy"}'

    def ask() -> None:
        told = {"content-type": "application/json"}
        answers.append(httpx2.post(f"{address}/api/games", content=slowly(), headers=told, timeout=60))

    slow = threading.Thread(target=ask)
    slow.start()
    assert begun.wait(20)
    assert httpx2.get(f"{address}/api/options", timeout=60).status_code == 200
    assert answers == []
    going.set()
    slow.join()
    assert answers[0].status_code == 201


@contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    """Yield a connection to a server."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as made:
        yield made


def rest_of(connection: socket.socket) -> bytes:
    """Return what comes until the other side ends the connection; fails where it does not."""
    found = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(65_536):
            found += part
    return found


@pytest.mark.parametrize("path", ["/static/../api.py", "/static/%2e%2e/api.py", "/static/..%2fapi.py", "/../api.py"])
def test_no_path_leads_out_of_the_pages_files(address: str, path: str) -> None:
    with connected(address) as made:
        made.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = rest_of(made)
    assert answer.startswith(b"HTTP/1.1 404 ")
    assert b"import" not in answer


def test_a_connection_that_says_nothing_is_closed(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    half = b"GET / HTTP/1.1\r\nHost: local"
    with connected(address) as second:
        second.sendall(b"GET /icon HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b""
        while part := second.recv(65_536):
            answer += part
            if answer.endswith(b"}}"):
                break
        assert answer.startswith(b"HTTP/1.1 404 ")
        monkeypatch.setattr(connection, "PATIENCE", 0.2)
        second.sendall(half)
        assert rest_of(second) == b""
    for sent in (b"", half):
        with connected(address) as silent:
            silent.sendall(sent)
            assert rest_of(silent) == b""


def test_a_stream_outlives_the_patience_with_requests(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begin(address, you="both")
    with stream(address, game["id"]) as events:
        next(events)
        with monkeypatch.context() as patch, connected(address) as silent:
            patch.setattr(connection, "PATIENCE", 0.1)
            assert rest_of(silent) == b""
        move(address, game, "e3e4")
        assert next(events)[1]["version"] == 2


def test_connections_beyond_the_limit_are_closed(tmp_path: Path) -> None:
    with (
        serving(Settings(tmp_path / "games.sqlite", threads=1, warm=False, connections=3)) as address,
        ExitStack() as made,
    ):
        held = [made.enter_context(connected(address)) for _ in range(3)]
        with connected(address) as refused:
            assert rest_of(refused) == b""
        for connection in held:  # none of which has been given up for the others
            connection.sendall(b"GET /api/options HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            assert rest_of(connection).startswith(b"HTTP/1.1 200 ")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit: run it on Linux or macOS")
def test_the_limit_of_open_files_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    limits = [256, 4_096]
    monkeypatch.setattr(resource, "getrlimit", lambda _: tuple(limits))
    monkeypatch.setattr(resource, "setrlimit", lambda _, told: limits.__setitem__(0, told[0]))
    assert room_for_connections() == MOST_CONNECTIONS
    assert limits[0] > MOST_CONNECTIONS
    limits[:] = 256, 1_024
    assert room_for_connections() < 1_024


def test_addresses_that_a_browser_takes() -> None:
    with listen("0.0.0.0", 0) as listening:
        port = listening.getsockname()[1]
        first, *others = addresses_of(listening, ["laptop.local"])
    assert (first, others[-1]) == (f"http://127.0.0.1:{port}", f"http://laptop.local:{port}")
    assert not any("0.0.0.0" in address or "127.0.0.1" in address for address in others)
    with listen("127.0.0.1", 0) as listening:
        assert addresses_of(listening, ["laptop.local"]) == [address_of(listening)]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command in this process and return its exit status."""
    monkeypatch.setattr(sys, "argv", ["makruk", *arguments])
    with pytest.raises(SystemExit) as exit_:
        main()
    return int(exit_.value.code or 0)


def test_the_commands_help(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "--help") == 0
    told = capsys.readouterr().out
    assert "serve" in told
    assert "train" in told
    assert run(monkeypatch, "serve", "--help") == 0
    assert "--database" in capsys.readouterr().out


def test_what_the_command_refuses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, address: str
) -> None:
    database = ["--database", str(tmp_path / "games.sqlite")]
    port = address.rpartition(":")[2]
    for arguments, words in (
        (["--port", port], "free port"),
        (["--host", "no.such.host.invalid", "--port", "0"], "no.such.host.invalid"),
        (["--port", "0", "--run", str(tmp_path)], "games.bin"),
        (["--port", "0", "--agent", "nobody"], "expected one of"),
        (["--port", "0", "--name", "http://laptop.local"], "a host's name"),
        (["--port", "0", "--database", str(tmp_path)], "file of games"),
    ):
        assert run(monkeypatch, "serve", *database, *arguments) == 2, arguments
        assert words in capsys.readouterr().err


def test_without_the_extra_the_command_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("makruk_web.")]:
        if name not in ("makruk_web.main", "makruk_web.cli", "makruk_web.errors"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    assert run(monkeypatch, "serve", "--port", "0") == 2
    assert "makruk-env[serve]" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="ends the server by a signal: run it on Linux or macOS")
def test_the_command_serves_until_a_signal(tmp_path: Path) -> None:
    database = str(tmp_path / "games.sqlite")
    command = [sys.executable, "-m", "makruk_web", "serve", "--port", "0", "--database", database]
    command += ["--name", "Laptop.local"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[1]
        assert httpx2.get(address).status_code == 200
        assert httpx2.get(address, headers={"host": "laptop.local:8000"}).status_code == 200
        assert httpx2.get(address, headers={"host": "other.local:8000"}).status_code == 403
        game = begin(address)
        with stream(address, game["id"]) as events:
            next(events)
            server.send_signal(signal.SIGINT)
            assert server.wait(20) == 0
        assert server.stderr is not None
        assert "Traceback" not in server.stderr.read()
