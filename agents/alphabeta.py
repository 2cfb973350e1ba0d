"""The agent that looks ahead with alpha-beta: a yardstick of fixed depth, or an opponent limited in time or nodes."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass

import numpy as np

from agents.base import Agent
from agents.errors import AgentError
from agents.negamax import begin, search_on
from agents.room import LEVELS, MAX_DEPTH, Room, make_room
from makruk_env.batch import Games
from makruk_env.core.threads import spread

DEFAULT_DEPTH = 2
SLICE = 5_000
"""Nodes between two looks at the clock: a few milliseconds."""
_UNLIMITED = 2**62
_PAST = 512
_now = time.monotonic
_rooms: list[Room] = []
"""Rooms that no thread uses now. There are never more than threads have searched at once."""


@contextmanager
def _room(keys: int) -> Iterator[Room]:
    """Lend room for a search from a position with so many keys in its past."""
    try:
        room = _rooms.pop()
    except IndexError:
        room = make_room(max(keys, _PAST))
    if len(room.path) < keys + LEVELS:
        room = room._replace(path=np.zeros(2 * keys + LEVELS, np.uint64))
    try:
        yield room
    finally:
        _rooms.append(room)


@dataclass(frozen=True)
class AlphaBeta(Agent):
    """Looks ahead by alpha-beta, follows captures further, and judges by the men and where they stand.

    depth: plies looked ahead, 2 where nothing is told, and the most beside another limit; seconds: that each move may
    take; nodes: how many positions each move may look at. Whichever is reached first ends a search.

    A search that is stopped plays the best move of the depth that it has finished last, or of the next one if its first
    move is done.
    """

    name = "alphabeta"
    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and not 1 <= self.depth <= MAX_DEPTH:
            raise AgentError(f"agent {self.name}: expected a depth of 1 .. {MAX_DEPTH}, got {self.depth!r}")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise AgentError(f"agent {self.name}: expected seconds above 0, got {self.seconds!r}")
        if self.nodes is not None and self.nodes < 1:
            raise AgentError(f"agent {self.name}: expected at least 1 node, got {self.nodes!r}")
        if self.depth == self._usual_depth:
            object.__setattr__(self, "depth", None)  # the same agent, so the same text

    @property
    def _usual_depth(self) -> int:
        return DEFAULT_DEPTH if self.seconds is None and self.nodes is None else MAX_DEPTH

    @property
    def most_depth(self) -> int:
        """The depth that a search goes to at most."""
        return self._usual_depth if self.depth is None else self.depth

    def settings(self) -> Mapping[str, object]:
        """See `Agent`; the depth as it came out."""
        return {**asdict(self), "depth": self.most_depth}

    def select(self, games: Games, which: np.ndarray) -> np.ndarray:
        chosen = np.zeros(len(which), np.int64)
        spread(_choose_some, len(which), 1, self, games, which, chosen)
        return chosen

    def think(self, room: Room, games: Games, i: int) -> int:
        """Search game i and return the action to play; what was found stays in the room."""
        rules = games.rules.array
        ends = _now() + self.seconds if self.seconds is not None else math.inf
        begin(room, rules, *games.arrays, i, self.most_depth)
        most = self.nodes or _UNLIMITED
        nodes = most if self.seconds is None else min(SLICE, most)
        while not search_on(room, rules, nodes) and nodes < most and _now() < ends:
            nodes = min(nodes + SLICE, most)
        return int(room.root["chosen"][0])


def _choose_some(first: int, last: int, agent: AlphaBeta, games: Games, which: np.ndarray, chosen: np.ndarray) -> None:
    """Write the actions of the games numbered by which[first:last] to `chosen`."""
    if first == last:
        return
    with _room(int(games.positions["quiet"][which[first:last]].max()) + 1) as room:
        for g in range(first, last):
            chosen[g] = agent.think(room, games, int(which[g]))
