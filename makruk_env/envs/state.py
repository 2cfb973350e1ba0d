"""The state of lanes as bytes: a header, and for each lane a fixed record and the keys of its game that can recur."""

from __future__ import annotations

import hashlib

import numpy as np

from makruk_env import batch
from makruk_env.core.position import POSITION
from makruk_env.envs.lanes import Lanes
from makruk_env.errors import StateError

_MAGIC = b"makruk-lanes-1"
_LANE = np.dtype(
    [
        ("start", POSITION),
        ("position", POSITION),
        ("stream", "u8", 2),
        ("sampling", "u8", 2),
        ("seed", "u8"),
        ("episode", "i8"),
        ("steps", "i8"),
        ("first_ply", "i4"),
        ("number", "i4"),
        ("colour", "i1"),
        ("termination", "i1"),
        ("winner", "i1"),
        ("truncated", "?"),
    ]
)


def _head(lanes: Lanes, count: int) -> bytes:
    rules = hashlib.sha256(lanes.rules.array.tobytes()).digest()[:8]
    return _MAGIC + rules + count.to_bytes(4, "little")


def write(lanes: Lanes, steps: np.ndarray, sampling: np.ndarray, which: np.ndarray) -> bytes:
    """Return the state of some lanes; steps: [N] int64; sampling: [N, 2] uint64 streams."""
    games = lanes.games
    parts = [_head(lanes, len(which))]
    for lane in which:
        row = np.zeros(1, _LANE)
        row["start"], row["position"] = games.starts[lane], games.positions[lane]
        row["stream"], row["sampling"] = games.streams[lane], sampling[lane]
        row["seed"], row["episode"], row["steps"] = lanes.seeds[lane], lanes.episodes[lane], steps[lane]
        row["first_ply"], row["number"] = lanes.first_plies[lane], games.numbers[lane]
        row["colour"], row["termination"] = lanes.colours[lane], lanes.terminations[lane]
        row["winner"], row["truncated"] = lanes.winners[lane], lanes.truncated[lane]
        now = int(games.positions["ply"][lane] - games.origins[lane])
        quiet = int(games.positions["quiet"][lane])
        keys = games.history[lane, now - quiet : now + 1]
        moves = games.moves[lane, : games.numbers[lane]]
        parts += [row.tobytes(), keys.tobytes(), moves.tobytes()]
    return b"".join(parts)


def read(saved: bytes, lanes: Lanes, steps: np.ndarray, sampling: np.ndarray, which: np.ndarray) -> None:
    """Put lanes back to a state that `write` returned of as many; what is wrong is found before anything changes.

    Raises `StateError`.
    """
    head = _head(lanes, len(which))
    if not isinstance(saved, bytes) or saved[: len(_MAGIC)] != _MAGIC:
        raise StateError(f"state: expected the bytes of get_state, got {saved[:20]!r}")
    if saved[: len(head)] != head:
        raise StateError(f"state: expected one of {len(which)} lanes under {lanes.rules.name!r}, got another")
    rows: list[np.void] = []
    keys, moves, at = [], [], len(head)
    for _ in which:
        if at + _LANE.itemsize > len(saved):
            raise StateError(f"state: expected {len(which)} lanes, got bytes that end after {len(rows)}")
        row = np.frombuffer(saved, _LANE, 1, at)[0]
        at += _LANE.itemsize
        long, wide = 8 * (int(row["position"]["quiet"]) + 1), 2 * int(row["number"])
        if at + long + wide > len(saved):
            raise StateError(f"state: expected {len(which)} lanes, got bytes that end in lane {len(rows)}")
        rows.append(row)
        keys.append(np.frombuffer(saved, np.uint64, long // 8, at))
        moves.append(np.frombuffer(saved, np.int16, wide // 2, at + long))
        at += long + wide
    if at != len(saved):
        raise StateError(f"state: expected {at} bytes, got {len(saved)}")
    games = lanes.games
    batch.make_room(games, max(len(each) for each in keys))
    for lane, row, past, legal in zip(which, rows, keys, moves, strict=True):
        games.starts[lane], games.positions[lane] = row["start"], row["position"]
        games.history[lane, : len(past)] = past
        games.origins[lane] = row["position"]["ply"] - len(past) + 1
        games.numbers[lane] = row["number"]
        games.moves[lane, : len(legal)] = legal
        games.streams[lane], sampling[lane] = row["stream"], row["sampling"]
        lanes.seeds[lane], lanes.episodes[lane], steps[lane] = row["seed"], row["episode"], row["steps"]
        lanes.first_plies[lane], lanes.colours[lane] = row["first_ply"], row["colour"]
        lanes.terminations[lane], lanes.winners[lane] = row["termination"], row["winner"]
        lanes.truncated[lane] = row["truncated"]
        lanes.forget(lane)
