"""The rows that the learner draws from: a ring with a growing window, in flat memory.

    rows    row r lies at r % capacity        first <= r < end are held
    edges   edge e lies at e % room           those of the rows held, one row behind the other

Rows and edges are numbered from the start of the run. B rows of a batch, K places for legal actions, C planes, M places
for features, H auxiliary heads.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from agents.errors import CheckpointError
from agents.features import MAX_FEATURES
from agents.network.build import NetworkConfig
from agents.network.heads import AUXILIARY, NUM_OUTCOMES
from agents.network.resnet import ResidualConfig
from makruk_env.core.observe import NUM_PLANES
from makruk_env.core.position import POSITION
from makruk_env.rules import Rules
from training.config import ReplayConfig
from training.kernels import draw_edges, draw_features, draw_planes
from training.records import without_padding
from training.targets import Rows


@dataclass(frozen=True, slots=True)
class Batch:
    """What the learner takes: mover's point of view throughout.

    inputs: what the network takes, planes [B, C, 8, 8] float32 or features [B, M] int32; actions: [B, K] int64, the
    legal actions, -1 in places left over; policy: [B, K] float32, their shares of the visits, rows sum to one.
    outcome: [B, 3] float32, target probabilities of win, draw, loss; value_weight: [B] float32.
    auxiliary, auxiliary_weight: [B, H] float32, targets of the auxiliary heads and 1 where they are known, else 0.
    """

    inputs: np.ndarray
    actions: np.ndarray
    policy: np.ndarray
    outcome: np.ndarray
    value_weight: np.ndarray
    auxiliary: np.ndarray
    auxiliary_weight: np.ndarray


_RESIDUAL = ResidualConfig()


class Replay:
    """Holds the newest rows and draws batches from them.

    rules: the preset of all games, which the observation depends on; seed: of the draws alone; network: whose inputs
    they are.
    """

    def __init__(self, config: ReplayConfig, rules: str | Rules, seed: int, network: NetworkConfig = _RESIDUAL) -> None:
        self._sparse = network.kind == "sparse"
        self.config = config
        self.total = 0
        """Rows ever added."""
        self._rules = Rules.of(rules).array
        self._random = np.random.default_rng(seed)
        self._first = self._end = 0  # rows held
        self._edge_end = 0
        rows, edges = config.window_max, config.window_max * config.edges_per_row
        # Zeroed pages cost nothing until they are written to, so a large window is free in a short run.
        self._positions = np.zeros(rows, POSITION)
        self._edge_starts = np.zeros(rows, np.int64)
        self._edge_counts = np.zeros(rows, np.int16)
        self._outcome = np.zeros((rows, NUM_OUTCOMES), np.float32)
        self._value_weight = np.zeros(rows, np.float32)
        self._auxiliary = np.zeros((rows, len(AUXILIARY)), np.float32)
        self._auxiliary_weight = np.zeros((rows, len(AUXILIARY)), np.float32)
        self._draw_weight = np.zeros(rows, np.float32)
        self._draw_sums = np.zeros(rows)  # of the rows held, oldest first: the draw weights up to each
        self._edge_actions = np.zeros(edges, np.int16)
        self._edge_shares = np.zeros(edges, np.float32)

    def __len__(self) -> int:
        return self._end - self._first

    @property
    def window(self) -> int:
        """How many rows are held at most, after the rows seen so far."""
        return min(self.config.window_max, max(self.config.window_min, int(self.config.growth * self.total)))

    def add(self, rows: Rows) -> None:
        """Take in new rows, oldest first; the oldest ones held make room."""
        self.total += len(rows)
        count, edges = len(rows), len(rows.edge_actions)
        too_many = int(np.searchsorted(rows.edge_offsets, edges - len(self._edge_actions)))
        skip = max(0, count - self.window, too_many)  # what could not stay even alone
        if skip:
            self._first = self._end
        self._make_room(count - skip, edges - int(rows.edge_offsets[skip]))
        self._put(rows, skip)

    def _make_room(self, rows: int, edges: int) -> None:
        """Drop the oldest rows until so many new rows and edges fit."""
        capacity, room = len(self._positions), len(self._edge_actions)
        first = max(self._first, min(self._end, self._end + rows - self.window))
        while first < self._end and self._edge_end + edges - self._edge_starts[first % capacity] > room:
            first += 1
        self._first = first

    def _put(self, rows: Rows, skip: int) -> None:
        count = len(rows) - skip
        at = np.arange(self._end, self._end + count) % len(self._positions)
        first_edge = int(rows.edge_offsets[skip])
        edges = np.arange(self._edge_end, self._edge_end + len(rows.edge_actions) - first_edge) % len(
            self._edge_actions
        )
        self._positions[at] = rows.positions[skip:]
        self._edge_starts[at] = self._edge_end + rows.edge_offsets[skip:-1] - first_edge
        self._edge_counts[at] = np.diff(rows.edge_offsets[skip:])
        self._outcome[at] = rows.outcome[skip:]
        self._value_weight[at] = rows.value_weight[skip:]
        self._auxiliary[at] = rows.auxiliary[skip:]
        self._auxiliary_weight[at] = rows.auxiliary_weight[skip:]
        self._draw_weight[at] = rows.draw_weight[skip:]
        self._edge_actions[edges] = rows.edge_actions[first_edge:]
        self._edge_shares[edges] = rows.edge_shares[first_edge:]
        self._end += count
        self._edge_end += len(edges)
        if self.config.surprise_share:
            held = np.arange(self._first, self._end) % len(self._positions)
            np.cumsum(self._draw_weight[held], out=self._draw_sums[: len(self)])

    def sample(self, batch: int) -> Batch:
        """Draw rows with replacement, half of them mirrored if so configured.

        Every row has the same chance, or with `surprise_share` one in proportion to its draw weight.

        Raises `ValueError` while no row is held.
        """
        if not len(self):
            raise ValueError("replay: expected rows to draw from, got none yet")
        chosen = self._numbers(batch) % len(self._positions)
        mirrored = self._random.random(batch) < 0.5 if self.config.mirror else np.zeros(batch, bool)
        return self._batch(chosen, mirrored)

    def _numbers(self, count: int) -> np.ndarray:
        """Draw the numbers of rows, [count] int64."""
        if not self.config.surprise_share:
            return self._random.integers(self._first, self._end, count)
        sums = self._draw_sums[: len(self)]
        places = np.searchsorted(sums, self._random.random(count) * sums[-1], side="right")
        # A product may be rounded up to the whole sum.
        numbers: np.ndarray = self._first + np.minimum(places, len(self) - 1)
        return numbers

    def _batch(self, chosen: np.ndarray, mirrored: np.ndarray) -> Batch:
        where = (chosen, mirrored, self._rules, self._positions)
        if self._sparse:
            inputs = np.empty((len(chosen), MAX_FEATURES), np.int32)
            draw_features(*where, inputs)
        else:
            inputs = np.empty((len(chosen), NUM_PLANES, 8, 8), np.float32)
            draw_planes(*where, inputs)
        most = int(self._edge_counts[chosen].max())
        actions, policy = np.empty((len(chosen), most), np.int64), np.empty((len(chosen), most), np.float32)
        edges = (self._edge_starts, self._edge_counts, self._edge_actions, self._edge_shares)
        draw_edges(chosen, mirrored, *edges, actions, policy)
        return Batch(
            inputs,
            actions,
            policy,
            self._outcome[chosen],
            self._value_weight[chosen],
            self._auxiliary[chosen],  # a mirrored row's are the same
            self._auxiliary_weight[chosen],
        )

    def _held(self) -> Rows:
        """Return a copy of the rows held, oldest first."""
        at = np.arange(self._first, self._end) % len(self._positions)
        offsets = np.concatenate([[0], np.cumsum(self._edge_counts[at], dtype=np.int64)])
        edges = np.arange(self._edge_end - offsets[-1], self._edge_end) % len(self._edge_actions)
        return Rows(
            positions=self._positions[at],
            edge_offsets=offsets,
            edge_actions=self._edge_actions[edges],
            edge_shares=self._edge_shares[edges],
            outcome=self._outcome[at],
            value_weight=self._value_weight[at],
            auxiliary=self._auxiliary[at],
            auxiliary_weight=self._auxiliary_weight[at],
            draw_weight=self._draw_weight[at],
        )

    def state_dict(self) -> dict[str, np.ndarray]:
        """Return all that a resumed run needs to draw the same batches: the rows held, counters, the random state."""
        rows = self._held()
        return {
            "positions": without_padding(rows.positions).view(np.uint8).reshape(len(rows), POSITION.itemsize),
            "edge_offsets": rows.edge_offsets,
            "edge_actions": rows.edge_actions,
            "edge_shares": rows.edge_shares,
            "outcome": rows.outcome,
            "value_weight": rows.value_weight,
            "auxiliary": rows.auxiliary,
            "auxiliary_weight": rows.auxiliary_weight,
            "draw_weight": rows.draw_weight,
            "total": np.array(self.total),
            "random": np.array(list(json.dumps(self._random.bit_generator.state).encode()), np.uint8),
        }

    def _check_state(self, state: Mapping[str, np.ndarray]) -> None:
        if set(state) != set(self.state_dict()):
            raise CheckpointError(f"replay: expected {sorted(self.state_dict())}, got {sorted(state)}")
        if state["positions"].shape[1:] != (POSITION.itemsize,):
            raise CheckpointError(
                f"replay: expected positions of {POSITION.itemsize} bytes, got {state['positions'].shape}"
            )
        room, got = (
            (len(self._positions), len(self._edge_actions)),
            (len(state["positions"]), len(state["edge_actions"])),
        )
        if got[0] > room[0] or got[1] > room[1]:
            raise CheckpointError(f"replay: expected at most {room} rows and edges, as the window allows, got {got}")

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Become what `state_dict` was taken from, under the same configuration; rows held until now are dropped.

        Raises `CheckpointError` for a state that lacks something or does not fit in here.
        """
        self._check_state(state)
        rows = Rows(
            positions=np.ascontiguousarray(state["positions"]).view(POSITION).reshape(-1),
            edge_offsets=state["edge_offsets"],
            edge_actions=state["edge_actions"],
            edge_shares=state["edge_shares"],
            outcome=state["outcome"],
            value_weight=state["value_weight"],
            auxiliary=state["auxiliary"],
            auxiliary_weight=state["auxiliary_weight"],
            draw_weight=state["draw_weight"],
        )
        self._first = self._end = self._edge_end = 0
        self.total = int(state["total"])
        self._put(rows, 0)
        self._random.bit_generator.state = json.loads(bytes(state["random"]).decode())
