"""Agents asked a stretch at a time, so that many games share a few threads, and none waits for a long search.

A thinker is made on the thread that asks it first. `cost` is known before: the bytes that it will take.
"""

from __future__ import annotations

import time
from typing import Protocol

import numpy as np

from agents.alphabeta import DEFAULT_DEPTH, AlphaBeta
from agents.base import Agent
from agents.heuristics import HALF_WON
from agents.mcts import Mcts
from agents.negamax import begin, search_on
from agents.room import LEVELS, MAX_DEPTH, Room, make_room
from agents.search.analysis import Line
from agents.thinking import BYTES_A_NODE
from makruk_env import batch
from makruk_env.board import Board
from makruk_web.opponents import MOST_SIMULATIONS, has_tree

STRETCH = 0.02
"""Seconds of a stretch."""
MOST_SECONDS = 60.0
"""Seconds of work after which any search plays what it has."""
_SLICE = 5_000
"""Nodes of alpha-beta between two looks at the clock."""
_ROOM_BYTES = 4_500_000
_PAST = 2_048


class Thinker(Protocol):
    """A search of one position under way."""

    @property
    def simulations(self) -> int:
        """How many simulations have been done, 0 for an agent without a tree."""
        ...

    def go_on(self) -> bool:
        """Think for a stretch; return whether there is more to think."""
        ...

    def lines(self) -> list[Line]:
        """Return what has been found, the best first; empty for an agent without a tree."""
        ...

    def choice(self) -> int:
        """Return the action to play."""
        ...

    def value(self) -> float | None:
        """Return what the position is worth to the side to move, -1 to 1, None where that is not known."""
        ...


class TreeThinker:
    """The tree search of an `mcts` agent; simulations: instead of the agent's own budget."""

    def __init__(self, agent: Mcts, board: Board, seed: int, simulations: int | None = None) -> None:
        self._budget = simulations or (MOST_SIMULATIONS if agent.seconds else agent.simulations)
        self._seconds = MOST_SECONDS if simulations or not agent.seconds else agent.seconds
        self._analysis = agent.analysis(self._budget)
        self._analysis.begin(batch.of_boards([board], seed), 0, 0.0 if simulations else agent.temperature)
        self._rate, self._spent = 1_000.0, 0.0

    @property
    def simulations(self) -> int:
        return self._analysis.simulations

    def go_on(self) -> bool:
        analysis, begun = self._analysis, time.perf_counter()
        if analysis.proof is not None:
            return False
        done = min(max(1, int(self._rate * STRETCH)), analysis.room)
        analysis.go_on(done)
        seconds = time.perf_counter() - begun
        self._spent += seconds
        self._rate = 0.5 * (self._rate + done / max(seconds, 1e-6))
        return analysis.proof is None and analysis.room > 0 and self._spent < self._seconds

    def lines(self) -> list[Line]:
        analysis = self._analysis
        return analysis.lines(64) if analysis.simulations or analysis.proof else []

    def choice(self) -> int:
        return int(self._analysis.read().chosen[0])

    def value(self) -> float | None:
        lines = self._analysis.lines(1)
        return lines[0].value if lines else None


class AlphaBetaThinker:
    """The search of an `alphabeta` agent, as `AlphaBeta.think` does it, broken off in between."""

    def __init__(self, agent: AlphaBeta, board: Board, seed: int) -> None:
        limited = agent.seconds is not None or agent.nodes is not None
        most = agent.depth or (MAX_DEPTH if limited else DEFAULT_DEPTH)
        games = batch.of_boards([board], seed)
        self._rules = games.rules.array
        self._room = _borrow(int(games.positions["quiet"][0]) + 1)
        begin(self._room, self._rules, *games.arrays, 0, most)
        self._nodes, self._most_nodes = 0, agent.nodes or 2**62
        self._spent, self._seconds = 0.0, min(agent.seconds or MOST_SECONDS, MOST_SECONDS)
        self._choice: int | None = None
        self._value: float | None = None
        self.simulations = 0

    def go_on(self) -> bool:
        begun, done = time.perf_counter(), False
        while not done and time.perf_counter() - begun < STRETCH and self._nodes < self._most_nodes:
            self._nodes = min(self._nodes + _SLICE, self._most_nodes)
            done = bool(search_on(self._room, self._rules, self._nodes))
        self._spent += time.perf_counter() - begun
        if not done and self._nodes < self._most_nodes and self._spent < self._seconds:
            return True
        root = self._room.root[0]
        score = float(root["score"])
        self._choice = int(root["chosen"])
        self._value = score / (abs(score) + HALF_WON) if root["depth"] else None
        _rooms.append(self._room)
        return False

    def lines(self) -> list[Line]:
        return []

    def choice(self) -> int:
        assert self._choice is not None
        return self._choice

    def value(self) -> float | None:
        return self._value


class WholeThinker:
    """Any other agent, asked once."""

    def __init__(self, agent: Agent, board: Board, seed: int) -> None:
        self._agent, self._board, self._seed = agent, board, seed
        self._choice = -1
        self.simulations = 0

    def go_on(self) -> bool:
        self._choice = self._agent.choose(self._board, self._seed)
        return False

    def lines(self) -> list[Line]:
        return []

    def choice(self) -> int:
        return self._choice

    def value(self) -> float | None:
        return None


_rooms: list[Room] = []
"""Rooms that no search uses now."""


def _borrow(keys: int) -> Room:
    """Return room for a search from a position with so many keys in its past."""
    try:
        room = _rooms.pop()
    except IndexError:
        return make_room(max(keys, _PAST))
    return room if len(room.path) >= keys + LEVELS else room._replace(path=np.zeros(2 * keys + LEVELS, np.uint64))


def make_thinker(agent: Agent, board: Board, seed: int, simulations: int | None = None) -> Thinker:
    """Return a search of a board whose game goes on; simulations: of a tree, instead of the agent's own budget.

    Raises `CheckpointError`, `DeviceError` and `EngineError`.
    """
    if isinstance(agent, Mcts) and has_tree(agent):
        return TreeThinker(agent, board, seed, simulations)
    if isinstance(agent, AlphaBeta):
        return AlphaBetaThinker(agent, board, seed)
    return WholeThinker(agent, board, seed)


def cost_of(agent: Agent, simulations: int | None = None) -> int:
    """Return the bytes that a search will take."""
    if isinstance(agent, Mcts):
        return (simulations or (MOST_SIMULATIONS if agent.seconds else agent.simulations)) * BYTES_A_NODE
    return _ROOM_BYTES if isinstance(agent, AlphaBeta) else 0
