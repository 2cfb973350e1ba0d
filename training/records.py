"""Finished games on disk: one file for a run, to which every iteration adds a checked chunk (see `training.chunks`).

for game in read_games("runs/quick/games/games.bin"):
    print(len(game), game.termination)

The payload of a chunk is a compressed npz file of the games that ended in one iteration. T plies of a game,
declarations about the count among them; E edges, the legal actions of all its searched plies in a row. Ply t is the
decision of the side to move in the position before action t; the game's start is position 0.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from makruk_env.core.actions import NUM_ACTIONS
from makruk_env.core.position import POSITION
from training.chunks import ChunkWriter, read_chunks
from training.errors import RecordError

GAMES_FILE = Path("games", "games.bin")
"""Where a run's folder keeps its games."""
FORMAT = 2
"""Rises when the meaning of a chunk changes; a chunk of another format is refused."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished or truncated game and what the search found at each of its plies.

    start: [1] POSITION, where it began, as `core.game.set_up` takes it; rules: the preset's name.
    actions: [T] int16, mover's view, in 0..A-1.
    full: [T] bool, the ply was searched and is worth learning from; False for one searched in haste.
    root_value: [T] float32 in [-1, 1], the search's value, side to move of that ply; 0 where `full` is False.
    edge_offsets: [T + 1] int32; the edges of ply t are edge_offsets[t] .. edge_offsets[t + 1]; none where not full.
    edge_actions: [E] int16, all legal actions of the ply, mover's view, each once, in any order.
    edge_shares: [E] float32 in [0, 1], the policy that the search came to; a ply's sum to one.
    edge_visits: [E] int32, the visits; edge_priors: [E] float32 in [0, 1], what the network said, without noise; those
    of a ply sum to one.
    winner: 0 White, 1 Black, -1 nobody; termination: a `Termination`, 0 for a truncated game.
    truncated: the game was cut off at the length cap of self-play, so that its result is not known.
    """

    start: np.ndarray
    rules: str
    actions: np.ndarray
    full: np.ndarray
    root_value: np.ndarray
    edge_offsets: np.ndarray
    edge_actions: np.ndarray
    edge_shares: np.ndarray
    edge_visits: np.ndarray
    edge_priors: np.ndarray
    winner: int
    termination: int
    truncated: bool

    def __len__(self) -> int:
        return len(self.actions)


_Kinds = dict[str, np.dtype[Any]]
_PER_PLY: _Kinds = {"actions": np.dtype(np.int16), "full": np.dtype(np.bool_), "root_value": np.dtype(np.float32)}
_PER_EDGE: _Kinds = {
    "edge_actions": np.dtype(np.int16),
    "edge_shares": np.dtype(np.float32),
    "edge_visits": np.dtype(np.int32),
    "edge_priors": np.dtype(np.float32),
}
_PER_GAME: _Kinds = {"winner": np.dtype(np.int8), "termination": np.dtype(np.int8), "truncated": np.dtype(np.bool_)}
_NAMES = ("format", "iteration", "starts", "rules", "ply_offsets", "edge_offsets", *_PER_PLY, *_PER_EDGE, *_PER_GAME)


def check_record(game: GameRecord) -> None:
    """Check the shapes, types and ranges of a record. Raises `RecordError`."""
    plies, edges = len(game.actions), len(game.edge_actions)
    expected: dict[str, tuple[np.dtype[Any], int]] = {
        "start": (POSITION, 1),
        "edge_offsets": (np.dtype(np.int32), plies + 1),
    }
    expected |= {name: (kind, plies) for name, kind in _PER_PLY.items()}
    expected |= {name: (kind, edges) for name, kind in _PER_EDGE.items()}
    for name, (kind, length) in expected.items():
        array = getattr(game, name)
        if array.dtype != kind or array.shape != (length,):
            raise RecordError(f"{name}: expected {kind} of shape ({length},), got {array.dtype} of shape {array.shape}")
    _check_offsets("edge_offsets", game.edge_offsets, edges)
    lengths = np.diff(game.edge_offsets)
    if (lengths > 0).tolist() != game.full.tolist():
        raise RecordError("edge_offsets: expected edges at the full plies and only there")
    for name in ("actions", "edge_actions"):
        array = getattr(game, name)
        if array.size and not (array.min() >= 0 and array.max() < NUM_ACTIONS):
            raise RecordError(f"{name}: expected 0 .. {NUM_ACTIONS - 1}, got {array.min()} .. {array.max()}")
    if not (np.abs(game.root_value) <= 1).all():
        raise RecordError("root_value: expected values in [-1, 1]")
    for name in ("edge_shares", "edge_priors") if edges else ():
        shares = getattr(game, name)
        sums = np.add.reduceat(shares.astype(np.float64), game.edge_offsets[:-1][game.full])
        if not (shares.min() >= 0 and np.abs(sums - 1).max() < 1e-3):
            raise RecordError(f"{name}: expected a sum of 1 at each ply, got {sums.min()} .. {sums.max()}")
    if edges and game.edge_visits.min() < 0:
        raise RecordError(f"edge_visits: expected at least 0, got {game.edge_visits.min()}")
    if game.winner not in (-1, 0, 1) or (game.truncated and game.winner != -1):
        raise RecordError(f"winner: expected 0, 1 or -1, and -1 in a truncated game, got {game.winner!r}")
    if game.truncated != (game.termination == 0):
        raise RecordError(f"termination: expected 0 in a truncated game and only there, got {game.termination!r}")


def _check_offsets(name: str, offsets: np.ndarray, last: int) -> None:
    if not (len(offsets) and offsets[0] == 0 and offsets[-1] == last and (np.diff(offsets) >= 0).all()):
        raise RecordError(f"{name}: expected rising numbers from 0 to {last}")


def without_padding(positions: np.ndarray) -> np.ndarray:
    """Return a copy, [N] POSITION, with zeros between the fields, so that equal positions are equal bytes on disk."""
    clean = np.zeros(len(positions), POSITION)
    for name in POSITION.names or ():
        clean[name] = positions[name]
    return clean


def _stacked(arrays: list[np.ndarray], kind: np.dtype[Any]) -> np.ndarray:
    return np.concatenate([np.empty(0, kind), *arrays])


def _offsets(lengths: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def pack(games: Sequence[GameRecord], iteration: int = 0) -> bytes:
    """Return games as the payload of a chunk. Raises `RecordError` for a record that does not hold."""
    for game in games:
        check_record(game)
    arrays = {
        "format": np.array(FORMAT),
        "iteration": np.array(iteration),
        "starts": without_padding(np.concatenate([np.empty(0, POSITION), *(game.start for game in games)])),
        "rules": np.array([game.rules for game in games], np.str_),
        "ply_offsets": _offsets([len(game) for game in games]),
        "edge_offsets": _offsets([length for game in games for length in np.diff(game.edge_offsets)]),
    }
    arrays |= {name: _stacked([getattr(g, name) for g in games], kind) for name, kind in (_PER_PLY | _PER_EDGE).items()}
    arrays |= {name: np.array([getattr(g, name) for g in games], kind) for name, kind in _PER_GAME.items()}
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # its stub takes the names for flags
    return file.getvalue()


def append_games(path: Path, games: Sequence[GameRecord], iteration: int = 0) -> None:
    """Add games to a file, which is made if it is missing, and have them on the disk.

    Raises `RecordError` for a record that does not hold or a file damaged in the middle, `StorageError` where the disk
    refuses; the file then keeps what it had.
    """
    payload = pack(games, iteration)
    with ChunkWriter(path) as writer:
        writer.append(payload)
        writer.flush()


def _load(payload: bytes) -> dict[str, np.ndarray]:
    try:
        with np.load(io.BytesIO(payload), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except Exception as error:  # damage makes zipfile, zlib and NumPy raise a dozen kinds
        raise RecordError(f"game records: expected a chunk of npz bytes, got {len(payload)} bytes: {error}") from error
    if "format" not in arrays or arrays["format"].tolist() != FORMAT:
        raise RecordError(f"game records: expected format {FORMAT}, got {arrays.get('format')!r}")
    if set(arrays) != set(_NAMES):
        raise RecordError(f"game records: expected arrays {sorted(_NAMES)}, got {sorted(arrays)}")
    return arrays


def unpack(payload: bytes) -> tuple[int, list[GameRecord]]:
    """Return the iteration and the games of a chunk. Raises `RecordError` for a contradictory one."""
    arrays = _load(payload)
    starts, ply_offsets, edge_offsets = arrays["starts"], arrays["ply_offsets"], arrays["edge_offsets"]
    if starts.dtype.descr != POSITION.descr:  # a position's fields have changed since
        raise RecordError(f"game records: expected positions {POSITION.descr}, got {starts.dtype.descr}")
    _check_offsets("ply_offsets", ply_offsets, len(arrays["actions"]))
    _check_offsets("edge_offsets", edge_offsets, len(arrays["edge_actions"]))
    counts = {len(starts), len(ply_offsets) - 1, len(arrays["rules"]), *(len(arrays[name]) for name in _PER_GAME)}
    if len(counts) != 1 or len(edge_offsets) != ply_offsets[-1] + 1:
        raise RecordError(f"game records: expected one entry a game and a ply, got lengths {counts}")
    starts = starts.view(POSITION)
    games = []
    for i, (first, last) in enumerate(pairwise(ply_offsets.tolist())):
        edges = slice(int(edge_offsets[first]), int(edge_offsets[last]))
        game = GameRecord(
            start=starts[i : i + 1],
            rules=str(arrays["rules"][i]),
            **{name: arrays[name][first:last] for name in _PER_PLY},
            edge_offsets=(edge_offsets[first : last + 1] - edges.start).astype(np.int32),
            **{name: arrays[name][edges] for name in _PER_EDGE},
            winner=int(arrays["winner"][i]),
            termination=int(arrays["termination"][i]),
            truncated=bool(arrays["truncated"][i]),
        )
        check_record(game)
        games.append(game)
    return int(arrays["iteration"]), games


def read_iterations(path: Path, skip_damage: bool = False) -> Iterator[tuple[int, list[GameRecord]]]:
    """Yield (iteration, games) of every chunk of a file; see `read_games`."""
    for payload in read_chunks(path, skip_damage):
        yield unpack(payload)


def read_games(path: Path, skip_damage: bool = False) -> Iterator[GameRecord]:
    """Yield the games of a file, reading it chunk by chunk.

    skip_damage: pass over damaged chunks, saying so in the log. Raises `RecordError` for a missing file, for games that
    contradict themselves, and for damage, saying where, after the games before it.
    """
    for _, games in read_iterations(path, skip_damage):
        yield from games
