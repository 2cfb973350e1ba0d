"""The games of training runs, to be looked through: each ply with its position, its visits and values."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from makruk_env.board import Board
from makruk_env.notation.fen import write as fen_of
from makruk_web import view
from makruk_web.errors import ServeError, UnknownError
from makruk_web.thoughts import LINES, Thought, Way, texts
from training.games import Listed, games_of
from training.records import GAMES_FILE, GameRecord

PAGE = 50
"""Games of a page of the list."""
_KEPT = 16


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
        self._lists: dict[str, tuple[tuple[int, int], list[Listed]]] = {}
        self._opened: OrderedDict[tuple[str, int], _Opened] = OrderedDict()

    @property
    def names(self) -> tuple[str, ...]:
        """The runs' names."""
        return tuple(self._folders)

    def page(self, name: str, skip: int) -> dict[str, Any]:
        """Return the number of games of a run and some of them, the latest first, `skip` passed over.

        Raises `UnknownError`, and `RecordError` for damage.
        """
        games = self._listed(name)
        latest = games[::-1][skip : skip + PAGE]
        return {"run": name, "count": len(games), "skip": skip, "games": [asdict(game) for game in latest]}

    def game(self, name: str, number: int) -> dict[str, Any]:
        """Return a game of a run with its moves; values are White's. Raises `UnknownError` and `RecordError`."""
        opened = self._open(name, number)
        record, board = opened.record, opened.start.copy()
        moves = []
        for ply, (uci, san, thai) in enumerate(opened.moves):
            value = float(record.root_value[ply]) * (1 if board.turn == 0 else -1) if record.full[ply] else None
            told = None if value is None else round(value, 4)
            moves.append({"uci": uci, "san": san, "thai": thai, "turn": board.turn, "agent": True, "value": told})
            board.push(int(record.actions[ply]))
        seen = np.flatnonzero(record.full).tolist()
        return {**asdict(opened.listed), "run": name, "start": opened.start.ply, "moves": moves, "seen": seen}

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

    def _folder(self, name: str) -> Path:
        if name not in self._folders:
            raise UnknownError(f"run: expected one of {self.names}, got {name[:80]!r}")
        return self._folders[name]

    def _listed(self, name: str) -> list[Listed]:
        """Return all games of a run, read anew where the file has changed."""
        folder = self._folder(name)
        file = (folder / GAMES_FILE if folder.is_dir() else folder).stat()
        stamp = file.st_mtime_ns, file.st_size
        if name not in self._lists or self._lists[name][0] != stamp:
            self._lists[name] = stamp, [game for game, _ in games_of(folder, skip_damage=True)]
        return self._lists[name][1]

    def _open(self, name: str, number: int) -> _Opened:
        folder, key = self._folder(name), (name, number)
        if key not in self._opened:
            for listed, record in games_of(folder, skip_damage=True):
                if listed.number == number:
                    self._opened[key] = _open(listed, record)
                    break
            else:
                raise UnknownError(f"game: expected one of run {name!r}, got {number!r}")
            if len(self._opened) > _KEPT:
                self._opened.popitem(last=False)
        self._opened.move_to_end(key)
        return self._opened[key]


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
