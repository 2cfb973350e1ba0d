"""Games as they go on: what their records will say, kept from ply to ply and from one start of a run to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from agents.search.search import RootResult
from training.records import GameRecord
from training.state import positions_from_bytes, positions_to_bytes

EDGES = np.dtype([("actions", np.int16), ("shares", np.float32), ("visits", np.int32), ("priors", np.float32)])
"""A legal action of a searched ply, as `GameRecord` tells it."""


@dataclass
class GameLog:
    """A game that goes on; see `GameRecord`.

    start: [1] POSITION; temperature_plies: how many plies are played at the temperature; edges: for each ply its
    legal actions, [E] EDGES, none where it was searched in haste.
    """

    start: np.ndarray
    temperature_plies: int
    actions: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    edges: list[np.ndarray] = field(default_factory=list)

    def add(self, roots: RootResult, i: int, full: bool) -> None:
        """Note the move of game i, and what its search found if it was a full one."""
        count = roots.counts[i] if full else 0
        edges = np.empty(count, EDGES)
        edges["actions"] = roots.actions[i, :count]
        edges["shares"] = roots.policy[i, :count]
        edges["visits"] = roots.visits[i, :count]
        edges["priors"] = roots.priors[i, :count]
        self.actions.append(int(roots.chosen[i]))
        self.values.append(float(roots.values[i]) if full else 0.0)
        self.edges.append(edges)

    def finish(self, rules: str, winner: int, termination: int) -> GameRecord:
        """Return the record; a game without a termination was truncated."""
        lengths = np.array([len(edges) for edges in self.edges], np.int32)
        edges = _joined(self.edges)
        return GameRecord(
            start=self.start,
            rules=rules,
            actions=np.array(self.actions, np.int16),
            full=lengths > 0,
            root_value=np.array(self.values, np.float32),
            edge_offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
            **{f"edge_{name}": np.ascontiguousarray(edges[name]) for name in EDGES.names or ()},
            winner=winner,
            termination=termination,
            truncated=termination == 0,
        )


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.empty(0, EDGES), *parts])


def logs_to_state(logs: Sequence[GameLog]) -> dict[str, np.ndarray]:
    """Return games as arrays: one entry for each game, for each ply of all games, for each edge of all plies."""
    edges = [part for log in logs for part in log.edges]
    joined = _joined(edges)
    return {
        "log_starts": positions_to_bytes(np.concatenate([log.start for log in logs])),
        "log_temperature_plies": np.array([log.temperature_plies for log in logs], np.int32),
        "log_plies": np.array([len(log.actions) for log in logs], np.int32),
        "log_actions": np.array([action for log in logs for action in log.actions], np.int16),
        "log_values": np.array([value for log in logs for value in log.values], np.float32),
        "log_lengths": np.array([len(part) for part in edges], np.int32),
        **{f"log_edge_{name}": np.ascontiguousarray(joined[name]) for name in EDGES.names or ()},
    }


def logs_from_state(state: Mapping[str, np.ndarray]) -> list[GameLog]:
    """Return the games that `logs_to_state` was given."""
    joined = np.empty(len(state["log_edge_actions"]), EDGES)
    for name in EDGES.names or ():
        joined[name] = state[f"log_edge_{name}"]
    edges = np.split(joined, np.cumsum(state["log_lengths"])[:-1]) if len(state["log_lengths"]) else []
    starts = positions_from_bytes(state["log_starts"]).copy()
    logs, first = [], 0
    for i, (plies, warm) in enumerate(zip(state["log_plies"], state["log_temperature_plies"], strict=True)):
        span = slice(first, first + int(plies))
        logs.append(
            GameLog(
                start=starts[i : i + 1],
                temperature_plies=int(warm),
                actions=state["log_actions"][span].tolist(),
                values=state["log_values"][span].tolist(),
                edges=edges[span],
            )
        )
        first = span.stop
    return logs
