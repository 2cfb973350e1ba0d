"""Where games are kept: one SQLite file, written after every change, so that a game survives a restart."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from makruk_web.errors import ServeError
from makruk_web.thoughts import Thought

_TABLES = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, changed REAL NOT NULL, touched INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS by_age ON games (changed);
CREATE TABLE IF NOT EXISTS thoughts (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE, ply INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (game, ply)
) WITHOUT ROWID;
PRAGMA user_version = 1;
"""
_FORMAT = 1


class Store:
    """The file of games; used by one thread, and by one server at a time.

    Raises `ServeError` where the file cannot be used. Later faults of the disk come as `sqlite3.Error`.
    """

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, timeout=1.0, isolation_level=None, check_same_thread=False)
        except (sqlite3.Error, OSError) as error:
            raise _unusable(path, error) from error
        try:
            self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")
            self._file.execute("PRAGMA foreign_keys = ON")
            version = self._file.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, _FORMAT):
                raise ServeError(f"database: expected a file of format {_FORMAT}, got {version!r} in {str(path)!r}")
            self._file.executescript(_TABLES)
        except (sqlite3.Error, ServeError) as error:
            self._file.close()
            raise error if isinstance(error, ServeError) else _unusable(path, error) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def save(self, id_: str, body: str, touched: bool, when: float, last: int) -> None:
        """Keep a game; when: seconds since 1970; last: thoughts about later plies are dropped."""
        with self._file:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                "changed = excluded.changed, touched = excluded.touched, body = excluded.body",
                (id_, when, touched, body),
            )
            self._file.execute("DELETE FROM thoughts WHERE game = ? AND ply > ?", (id_, last))

    def save_thought(self, id_: str, ply: int, thought: Thought) -> None:
        """Keep what was thought after so many plies of a game that is kept."""
        body = json.dumps(thought.as_dict(), ensure_ascii=False, separators=(",", ":"))
        self._file.execute("INSERT OR REPLACE INTO thoughts VALUES (?, ?, ?)", (id_, ply, body))

    def load(self, id_: str) -> tuple[str, float, dict[int, Thought]] | None:
        """Return a game's text, when it changed, and its thoughts by ply; None where there is no such game."""
        row = self._file.execute("SELECT body, changed FROM games WHERE id = ?", (id_,)).fetchone()
        if row is None:
            return None
        kept = self._file.execute("SELECT ply, body FROM thoughts WHERE game = ?", (id_,))
        return *row, {ply: Thought.of_dict(json.loads(body)) for ply, body in kept}

    def newest(self, most: int) -> list[tuple[str, float, str, int | None, int, str]]:
        """Return the games in which a player did anything, the one that changed last first.

        Of each: its name, when it changed in seconds since 1970, its agent, the player's colour, its plies, its result.
        """
        fields = "json_extract(body, '$.agent'), json_extract(body, '$.you'), json_array_length(body, '$.plies')"
        return self._file.execute(
            f"SELECT id, changed, {fields}, COALESCE(json_extract(body, '$.result'), '*') FROM games WHERE id IN "
            "(SELECT id FROM games WHERE touched ORDER BY changed DESC LIMIT ?) ORDER BY changed DESC",
            (most,),
        ).fetchall()

    def remove(self, ids: Iterable[str]) -> None:
        """Remove games with their thoughts."""
        with self._file:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.executemany("DELETE FROM games WHERE id = ?", [(id_,) for id_ in ids])

    def oldest(self, most: int) -> list[str]:
        """Return the names of the games that are left when so many are kept, those that changed last."""
        found = self._file.execute("SELECT id FROM games ORDER BY changed DESC LIMIT -1 OFFSET ?", (most,))
        return [row[0] for row in found]

    def remove_untouched(self, before: float) -> int:
        """Remove the games in which no player did anything and that have not changed since; return how many."""
        return self._file.execute("DELETE FROM games WHERE NOT touched AND changed < ?", (before,)).rowcount

    def __len__(self) -> int:
        return int(self._file.execute("SELECT count(*) FROM games").fetchone()[0])


def _unusable(path: Path, error: Exception) -> ServeError:
    return ServeError(f"database: expected a file of games that no other server uses, got {str(path)!r}: {error}")
