"""What a run played: its games listed, chosen, counted, and written as PGN with what the search found."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TextIO

import numpy as np
from rich.console import Console
from rich.table import Table

from makruk_env import Board, pgn
from makruk_env.core.position import NOBODY
from makruk_env.notation.fen import write as fen_of
from makruk_env.notation.uci import move_of
from training.endings import KINDS, ending_of
from training.errors import RecordError, RunError, StorageError
from training.records import GAMES_FILE, GameRecord, read_iterations

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_ALTERNATIVES = 3


@dataclass(frozen=True)
class Listed:
    """A game of a run.

    number: from 1, in the order they ended; iteration: in which it ended; plies: declarations among them; result: as
    PGN has it, * for a game that was cut off; termination: a `Termination`'s name or TRUNCATED; start: the usual array,
    an opening of random moves from it (both sides have bia), or an ending.
    """

    number: int
    iteration: int
    plies: int
    result: str
    termination: str
    start: str


@dataclass(frozen=True)
class GameFilter:
    """Which games to take: None, or a count of plies that all have, takes any. Raises `RecordError` for what no game
    can have."""

    termination: str | None = None
    result: str | None = None
    min_plies: int = 0
    max_plies: int | None = None

    def __post_init__(self) -> None:
        if self.termination is not None and self.termination.upper() not in KINDS:
            raise RecordError(f"termination: expected one of {KINDS}, got {self.termination!r}")
        if self.result is not None and self.result not in RESULTS:
            raise RecordError(f"result: expected one of {RESULTS}, got {self.result!r}")

    def takes(self, game: Listed) -> bool:
        """Tell whether a game is one of them."""
        return (
            (self.termination is None or game.termination == self.termination.upper())
            and (self.result is None or game.result == self.result)
            and self.min_plies <= game.plies
            and (self.max_plies is None or game.plies <= self.max_plies)
        )


def _result_of(record: GameRecord) -> str:
    if record.truncated:
        return "*"
    return "1/2-1/2" if record.winner == NOBODY else RESULTS[record.winner]


@cache
def _usual(rules: str) -> Board:
    """Return the usual array under the rules of that name."""
    return Board(rules=rules)


def _start_of(record: GameRecord) -> str:
    start, usual = record.start[0], _usual(record.rules)
    if fen_of(start, usual.rules) == usual.fen():
        return "array"
    return "opening" if start.bia & start.white and start.bia & start.black else "ending"


def listed(records: Iterable[GameRecord], iteration: int, before: int) -> list[Listed]:
    """Return what is told of games that ended in an iteration; before: how many stand before them in the run."""
    return [
        Listed(number, iteration, len(record), _result_of(record), ending_of(record), _start_of(record))
        for number, record in enumerate(records, before + 1)
    ]


def games_of(
    run: Path, which: GameFilter | None = None, progress: Callable[[int], None] | None = None, skip_damage: bool = False
) -> Iterator[tuple[Listed, GameRecord]]:
    """Yield the games of a run's folder, or of one file of them, that a filter takes.

    progress: called with the number of games read so far. skip_damage: see `read_games`. Raises `RunError` where no
    games lie, `RecordError` for damage.
    """
    path = run / GAMES_FILE if run.is_dir() else run
    if not path.is_file():
        raise RunError(f"games: expected a run's folder with {GAMES_FILE}, or such a file, got {str(run)!r}")
    number = 0
    for iteration, records in read_iterations(path, skip_damage):
        for game, record in zip(listed(records, iteration, number), records, strict=True):
            if which is None or which.takes(game):
                yield game, record
        number += len(records)
        if progress:
            progress(number)


@dataclass(frozen=True)
class Listing:
    """Chosen games: the latest of them, and of all the number and how many ended in which way with which result."""

    latest: tuple[Listed, ...]
    count: int
    ends: Counter[tuple[str, str]]

    def as_dict(self) -> dict[str, object]:
        """Return it in plain values."""
        ends = [{"termination": kind, "result": result, "games": n} for (kind, result), n in self.ends.most_common()]
        return {"games": self.count, "ends": ends, "latest": [asdict(game) for game in self.latest]}


def list_games(
    run: Path,
    which: GameFilter,
    limit: int,
    pgn_file: Path | None = None,
    skip_damage: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Listing:
    """List the games of a run that a filter takes, at most `limit` of them by name, and write all to `pgn_file`.

    Raises what `games_of` raises, and `StorageError` where the disk refuses; then no such file is left.
    """
    latest: deque[Listed] = deque(maxlen=limit)
    ends: Counter[tuple[str, str]] = Counter()
    chosen = games_of(run, which, progress, skip_damage)
    with ExitStack() as stack:
        file = None if pgn_file is None else stack.enter_context(_replacing(pgn_file))
        for game, record in chosen:
            if file:
                pgn.write(file, to_pgn(game, record))
            ends[game.termination, game.result] += 1
            latest.append(game)
    return Listing(tuple(latest), ends.total(), ends)


@contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    """Open a text file that appears whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            yield file
        os.replace(temporary, path)
    except OSError as error:
        raise StorageError(f"games: expected to write to {str(path)!r}, got {error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def print_games(console: Console, listing: Listing) -> None:
    """Print the latest games, and how all ended."""
    if listing.latest:
        console.print(games_table(listing.latest))
    console.print(ends_table(listing.ends))


def games_table(games: Iterable[Listed]) -> Table:
    """Return games as a table, one a line."""
    table = Table(*Listed.__dataclass_fields__, title="games")
    for game in games:
        table.add_row(*map(str, asdict(game).values()))
    return table


def ends_table(ends: Counter[tuple[str, str]]) -> Table:
    """Return the kinds of ends as a table, the commonest first."""
    table = Table("termination", *RESULTS, "games", "share", title="how they ended")
    kinds: Counter[str] = Counter()
    for (kind, _), count in ends.items():
        kinds[kind] += count
    for kind, count in kinds.most_common():
        results = [str(ends[kind, result] or "") for result in RESULTS]
        table.add_row(kind.lower(), *results, str(count), f"{count / kinds.total():.1%}")
    return table


def _comment(record: GameRecord, board: Board, ply: int) -> str | None:
    """Return what the search said of a ply, None if it was not searched: the value as White sees it, from -1 to 1, the
    visits of the move and of all, and of the most visited others their visits and priors."""
    edges = slice(int(record.edge_offsets[ply]), int(record.edge_offsets[ply + 1]))
    if edges.start == edges.stop:
        return None
    value = float(record.root_value[ply]) * (1 if board.turn == 0 else -1)
    visits, priors = record.edge_visits[edges], record.edge_priors[edges]
    actions = record.edge_actions[edges].tolist()
    played = actions.index(int(record.actions[ply]))
    told = f"[%eval {value:.2f}] visits {visits[played]}/{visits.sum()}, prior {priors[played]:.0%}"
    order = [i for i in np.argsort(-visits, kind="stable").tolist() if i != played and visits[i]]
    others = [f"{_name(board, actions[i])} {visits[i]} {priors[i]:.0%}" for i in order[:_ALTERNATIVES]]
    return "; ".join([told, *others])


def _name(board: Board, action: int) -> str:
    move = move_of(action, board)
    return move.uci() if move.declares is not None else board.san(move)


def to_pgn(game: Listed, record: GameRecord, event: str = "self-play") -> pgn.Game:
    """Return a game with its comments. Raises what `Board.push` raises for a record whose moves are not legal."""
    rules = _usual(record.rules).rules
    board = Board(fen_of(record.start[0], rules), rules)
    comments = {}
    for ply, action in enumerate(record.actions.tolist()):
        if text := _comment(record, board, ply):
            comments[ply] = text
        board.push(action)
    made = pgn.Game.of(board)
    made.headers |= {"Event": event, "Round": str(game.number)}
    made.comments = comments
    return made
