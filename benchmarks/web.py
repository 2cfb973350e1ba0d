"""The page under load: 50 games at once against `easy` on loopback, server and clients on one machine."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import httpx2

from benchmarks.measure import Figure, figure

GAMES = 50
SECONDS = 10.0
"""Of one run."""
PAUSE = 1.0
"""Seconds that a player thinks on average."""
_EASY = "easy"


@dataclass
class Load:
    """What the clients saw. moves: seconds from a move to its confirmation; answers: to the agent's move."""

    moves: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    requests: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.requests / self.seconds


class Client:
    """One game: a stream of its own, and random moves until the time is over; pause: seconds before each of them."""

    def __init__(self, address: str, load: Load, until: float, pause: float, seed: int) -> None:
        self._pause = pause
        self._http = httpx2.Client(base_url=address, timeout=60)
        self._load, self._until, self._random = load, until, random.Random(seed)

    def play(self) -> None:
        """Play games one after the other."""
        while time.perf_counter() < self._until:
            game = self._post("/api/games", {"agent": _EASY})
            self._play_one(game)

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self._http.post(path, json=body)
        answer.raise_for_status()
        self._load.requests += 1
        told: dict[str, Any] = answer.json()
        return told

    def _play_one(self, game: dict[str, Any]) -> None:
        path = f"/api/games/{game['id']}"
        with self._http.stream("GET", f"{path}/events") as stream:
            states = _states(stream.iter_lines())
            state = next(states)
            while time.perf_counter() < self._until and state["outcome"] is None:
                time.sleep(self._random.uniform(0, 2 * self._pause))
                begun = time.perf_counter()
                body = {"version": state["version"], "move": self._random.choice(state["position"]["legal"])}
                self._post(f"{path}/moves", body)
                self._load.moves.append(time.perf_counter() - begun)
                for state in states:
                    if state["can"]["move"] or state["outcome"]:
                        break
                self._load.answers.append(time.perf_counter() - begun)


def _states(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Yield the states of a stream of events."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: ") and name == "state":
            yield json.loads(line.removeprefix("data: "))


def measure(address: str, seconds: float, pause: float, games: int = GAMES) -> Load:
    """Return what so many clients see in so many seconds."""
    load, begun = Load(), time.perf_counter()
    clients = [Client(address, load, begun + seconds, pause, seed) for seed in range(games)]
    with ThreadPoolExecutor(games) as crowd:
        for played in [crowd.submit(client.play) for client in clients]:
            played.result()  # a request that is refused is a failure of the whole
    load.seconds = time.perf_counter() - begun
    return load


def web(runs: int) -> list[Figure]:
    """Latencies with a second's thought before each move, and moves a second without a pause."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "makruk_web", "serve", "--port", "0"]
        command += ["--database", os.path.join(folder, "games.sqlite")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().split()[1]
            try:
                measure(address, 3.0, 0.0, 4)  # loads the network
                loads = [measure(address, SECONDS, PAUSE) for _ in range(runs)]
                hurried = [measure(address, SECONDS, 0.0) for _ in range(runs)]
            finally:
                server.terminate()
    found = []
    for name, times, most in (
        ("a move is taken", [load.moves for load in loads], "below 300"),
        ("the answer is seen", [load.answers for load in loads], "below 1000"),
    ):
        for percent in (50, 95, 99):
            values = [statistics.quantiles(one, n=100)[percent - 1] * 1e3 for one in times]
            mark = most if percent == 99 else ""
            found.append(figure(f"{GAMES} games against {_EASY}: {name}, p{percent}", "ms", values, mark))
    for name, some in (("a second's thought", loads), ("no pause", hurried)):
        found.append(figure(f"{GAMES} games against {_EASY}, {name}", "requests/s", [load.rate for load in some], ""))
    return found
