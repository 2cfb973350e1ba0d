"""The games of training runs, to be looked through: each ply with its position, its visits and values."""

from __future__ import annotations

import io
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from makruk_env import pgn
from makruk_env.board import Board
from makruk_env.notation.fen import write as fen_of
from makruk_web import view
from makruk_web.errors import ServeError, UnknownError
from makruk_web.thoughts import LINES, Thought, Way, texts
from training.chunks import chunks_from
from training.games import Listed, listed, to_pgn
from training.records import GAMES_FILE, GameRecord, unpack

PAGE = 50
"""Games of a page of the list."""
_KEPT = 16
_Stamp = tuple[int, int, int]
"""What changes with a file: its number, its time in nanoseconds, its size."""


@dataclass(frozen=True)
class _Chunk:
    """A chunk of a file: the byte where it begins, its checksum, how many games stand up to its end."""

    begin: int
    check: int
    games: int


@dataclass
class _Index:
    """The games of a file as it was at that stamp, and its chunks. A file that has grown is read on, not anew."""

    file: Path
    stamp: _Stamp = (0, 0, 0)
    games: list[Listed] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    chunks: list[_Chunk] = field(default_factory=list)

    def is_of(self, stamp: _Stamp) -> bool:
        """Tell whether the file only grew: a run that goes on from a checkpoint cuts it back."""
        if stamp[0] != self.stamp[0] or not self.chunks:
            return False
        last = self.chunks[-1]
        at, payload = next(chunks_from(self.file, last.begin, skip_damage=True), (-1, b""))
        return (at, crc32(payload)) == (last.begin, last.check)

    def read_on(self) -> None:
        """Read the chunks behind those that are known."""
        known = self.chunks[-1].begin if self.chunks else -1
        for at, payload in chunks_from(self.file, max(known, 0), skip_damage=True):
            if at > known:
                iteration, records = unpack(payload)
                self.games += listed(records, iteration, len(self.games))
                self.rules += [record.rules for record in records]
                self.chunks.append(_Chunk(at, crc32(payload), len(self.games)))

    def chunk_of(self, number: int) -> tuple[_Chunk, int]:
        """Return the chunk of a game by its number, from 1, and the game's place in it."""
        k = bisect_left(self.chunks, number, key=lambda chunk: chunk.games)
        return self.chunks[k], number - 1 - (self.chunks[k - 1].games if k else 0)


@dataclass(frozen=True)
class _Opened:
    listed: Listed
    record: GameRecord
    start: Board
    moves: list[tuple[str, str, str]]


class Runs:
    """The runs that a server shows, by name; used by one thread at a time.

    Raises `ServeError` for a folder without games.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._folders: dict[str, Path] = {}
        for folder in folders:
            if not (folder / GAMES_FILE if folder.is_dir() else folder).is_file():
                raise ServeError(f"run: expected a run's folder with {GAMES_FILE}, or such a file, got {str(folder)!r}")
            name = folder.resolve().name
            while name in self._folders:
                name += "+"
            self._folders[name] = folder
        self._indices: dict[str, _Index] = {}
        self._opened: OrderedDict[tuple[str, int, _Chunk], _Opened] = OrderedDict()

    @property
    def names(self) -> tuple[str, ...]:
        """The runs' names."""
        return tuple(self._folders)

    @property
    def folders(self) -> Mapping[str, Path]:
        """The runs' folders, or files of games, by name."""
        return self._folders

    def page(self, name: str, skip: int) -> dict[str, Any]:
        """Return the number of games of a run and some of them, the latest first, `skip` passed over.

        Raises `UnknownError`, and `RecordError` for damage.
        """
        index = self._index(name)
        count = len(index.games)
        latest = range(count - 1, -1, -1)[skip : skip + PAGE]
        games = [{**asdict(index.games[k]), "rules": index.rules[k]} for k in latest]
        return {"run": name, "count": count, "skip": skip, "games": games}

    def game(self, name: str, number: int) -> dict[str, Any]:
        """Return a game of a run with its rules and moves; values are White's. Raises `UnknownError` and
        `RecordError`."""
        opened = self._open(name, number)
        record, board = opened.record, opened.start.copy()
        moves = []
        for ply, (uci, san, thai) in enumerate(opened.moves):
            value = float(record.root_value[ply]) * (1 if board.turn == 0 else -1) if record.full[ply] else None
            told = None if value is None else round(value, 4)
            moves.append({"uci": uci, "san": san, "thai": thai, "turn": board.turn, "agent": True, "value": told})
            board.push(int(record.actions[ply]))
        seen = np.flatnonzero(record.full).tolist()
        game = {"run": name, "rules": opened.start.rules.name, "start": opened.start.ply, "moves": moves, "seen": seen}
        return {**asdict(opened.listed), **game, "value": view.ended_value(board)}

    def at(self, name: str, number: int, ply: int) -> dict[str, Any]:
        """Return the position after so many plies, and what was thought there. Raises as `game` does."""
        opened = self._open(name, number)
        if not 0 <= ply <= len(opened.record):
            raise UnknownError(f"ply: expected 0 .. {len(opened.record)}, got {ply!r}")
        board = opened.start.copy()
        for action in opened.record.actions[:ply].tolist():
            board.push(action)
        thought = _thought(opened.record, board, ply) if ply < len(opened.record) else None
        return {"ply": ply, "position": view.position(board), "thought": thought and thought.as_dict()}

    def pgn(self, name: str, number: int) -> str:
        """Return a game as PGN, with what the search found as comments. Raises as `game` does."""
        opened, text = self._open(name, number), io.StringIO()
        pgn.write(text, to_pgn(opened.listed, opened.record, f"self-play of {name}"))
        return text.getvalue()

    def _index(self, name: str) -> _Index:
        """Return what a run holds now."""
        if name not in self._folders:
            raise UnknownError(f"run: expected one of {self.names}, got {name[:80]!r}")
        folder = self._folders[name]
        file = folder / GAMES_FILE if folder.is_dir() else folder
        try:
            told = file.stat()
        except OSError as error:
            raise UnknownError(f"run: expected the games of {name!r}, which are gone") from error
        stamp = told.st_ino, told.st_mtime_ns, told.st_size
        index = self._indices.get(name)
        if index is None or (index.stamp != stamp and not index.is_of(stamp)):
            index = _Index(file)
        if index.stamp != stamp:
            index.read_on()
            index.stamp = stamp
            self._indices[name] = index
        return index

    def _open(self, name: str, number: int) -> _Opened:
        index = self._index(name)
        if not 1 <= number <= len(index.games):
            raise UnknownError(f"game: expected one of run {name!r}, got {number!r}")
        chunk, place = index.chunk_of(number)
        key = name, number, chunk
        if key not in self._opened:
            self._opened[key] = _open(index.games[number - 1], _record(index.file, chunk, place))
            if len(self._opened) > _KEPT:
                self._opened.popitem(last=False)
        self._opened.move_to_end(key)
        return self._opened[key]


def _record(file: Path, chunk: _Chunk, place: int) -> GameRecord:
    """Return the game that stands at a place in a chunk of a file."""
    at, payload = next(chunks_from(file, chunk.begin, skip_damage=True), (-1, b""))
    if (at, crc32(payload)) != (chunk.begin, chunk.check):
        raise UnknownError("game: expected one that the run still holds; its file has changed")
    return unpack(payload)[1][place]


def _open(listed: Listed, record: GameRecord) -> _Opened:
    start = Board(rules=record.rules)
    start = Board(fen_of(record.start[0], start.rules), start.rules)
    board, moves = start.copy(), []
    for action in record.actions.tolist():
        moves.append(texts(board, action))
        board.push(action)
    return _Opened(listed, record, start, moves)


def _thought(record: GameRecord, board: Board, ply: int) -> Thought | None:
    """Return what the search said of a ply, None where it was not kept."""
    edges = slice(int(record.edge_offsets[ply]), int(record.edge_offsets[ply + 1]))
    if edges.start == edges.stop:
        return None
    visits, priors, actions = record.edge_visits[edges], record.edge_priors[edges], record.edge_actions[edges]
    order = [k for k in np.argsort(-visits, kind="stable").tolist() if visits[k]][:LINES]
    ways = [Way(*texts(board, int(actions[k])), int(visits[k]), round(float(priors[k]), 4), None) for k in order]
    return Thought("self-play", int(visits.sum()), round(float(record.root_value[ply]), 4), tuple(ways))
