"""All games of a server: those in memory, their way to the file and back, who looks on, and what time does to them.

The loop's thread alone touches them; searches run elsewhere and come back through `loop.call_soon_threadsafe`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from agents.base import Agent
from agents.errors import AgentError
from makruk_web import saved, view
from makruk_web.errors import BusyError, UnknownError
from makruk_web.game import Game
from makruk_web.opponents import Opponents
from makruk_web.pool import Job
from makruk_web.store import Store
from makruk_web.watchers import Watcher

IDLE = 600.0
"""Seconds after which a game that nobody looks at leaves memory."""
MOST_UNTOUCHED = 200
"""Games in memory in which no player has done anything and that nobody looks at; older ones are removed."""
MOST_GAMES = 5_000
"""Games in memory."""
MOST_LISTED = 100
"""Games of the list."""
MOST_WATCHERS = 32, 1_000
"""Lookers-on of one game, and of all."""
SWEEP_EVERY = 0.2
"""Seconds between two looks at the clocks."""
_log = logging.getLogger(__name__)


@dataclass
class Seat:
    """A game in memory; used: when anybody last asked about it; job: the search for it; analysing: after how many
    moves the position stands that is looked into; unsaved: whether the disk refused its last change; serial: rises
    with everything that is told; shown: the state that was told last, and what it depends on."""

    game: Game
    used: float
    watchers: set[Watcher] = field(default_factory=set)
    job: Job | None = None
    analysing: int | None = None
    unsaved: bool = False
    serial: int = 0
    shown: tuple[tuple[object, ...], dict[str, Any]] | None = None


class Table:
    """The games. now, wall: seconds of an even clock, and since 1970; advance: lets the agent of a seat think."""

    def __init__(
        self,
        store: Store,
        opponents: Opponents,
        now: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.opponents, self.now = opponents, now
        self.advance: Callable[[Seat], None] = lambda seat: None
        self._store, self._wall = store, wall
        self._seats: dict[str, Seat] = {}
        self._store.remove_untouched(wall() - IDLE)

    def __len__(self) -> int:
        return len(self._seats)

    @property
    def looks(self) -> int:
        """How many positions are looked into now."""
        return sum(seat.analysing is not None for seat in self._seats.values())

    def add(self, game: Game) -> Seat:
        """Seat a new game under a name of its own. Raises `BusyError`."""
        self._make_room()
        game.id = secrets.token_urlsafe(12)
        seat = self._seats[game.id] = Seat(game, self.now())
        self.changed(seat)
        return seat

    def seat(self, id_: str) -> Seat:
        """Return a game's seat, read from the file if need be. Raises `UnknownError`."""
        seat = self._seats.get(id_)
        if seat is None:
            kept = self._store.load(id_)
            if kept is None:
                raise UnknownError(f"game: expected one that is kept here, got {id_[:40]!r}")
            self._make_room()
            game = saved.load(id_, kept[0])
            game.thoughts = kept[1]
            seat = self._seats[id_] = Seat(game, self.now())
            game.restart_clock(self.now())
            self.advance(seat)
        seat.used = self.now()
        if seat.game.flag(self.now()):
            self.changed(seat)
        return seat

    def listed(self) -> list[dict[str, Any]]:
        """Return the games that were played last, at most `MOST_LISTED`; changed: seconds since 1970."""
        names = "id", "changed", "agent", "you", "plies", "result"
        return [dict(zip(names, row, strict=True)) for row in self._store.newest(MOST_LISTED)]

    def change(self, id_: str, version: int, what: Callable[[Game, float], Any]) -> Seat:
        """Change a game, if that is its present version, and tell everybody.

        Raises `UnknownError`, `StaleError` and what the change raises; then nothing is changed.
        """
        seat = self.seat(id_)
        seat.game.expect(version)
        what(seat.game, self.now())
        self.changed(seat)
        return seat

    def changed(self, seat: Seat) -> None:
        """Keep a changed game, let its agent think, and tell everybody."""
        if seat.job is not None:
            seat.job.cancelled = True
            seat.job = seat.analysing = None
        self.save(seat)
        self.advance(seat)
        self.tell(seat)

    def save(self, seat: Seat) -> None:
        """Write a game to the file."""
        game = seat.game
        try:
            self._store.save(game.id, saved.dump(game, self.now()), game.touched, self._wall(), len(game.plies))
            for ply in (len(game.plies) - 1, len(game.plies)):
                if ply in game.thoughts:
                    self._store.save_thought(game.id, ply, game.thoughts[ply])
            seat.unsaved = False
        except sqlite3.Error:
            _log.exception("a game could not be kept")
            seat.unsaved = True

    def keep_thought(self, seat: Seat, ply: int) -> None:
        """Write what was thought after so many plies to the file."""
        try:
            self._store.save_thought(seat.game.id, ply, seat.game.thoughts[ply])
        except sqlite3.Error:
            _log.exception("a thought could not be kept")

    def agent_of(self, game: Game) -> Agent | None:
        """Return a game's agent, None where it has none or it cannot be made."""
        with suppress(AgentError):
            return self.opponents.make(game.agent) if game.agent else None
        return None

    def state(self, seat: Seat) -> dict[str, Any]:
        """Return all that the page shows of a game."""
        game, thinking = seat.game, seat.job is not None and seat.analysing is None
        clock, thoughts = game.clock and self.now(), len(game.thoughts)
        key = game.version, seat.serial, game.offer, clock, thoughts, thinking, seat.analysing, seat.unsaved
        if seat.shown is None or seat.shown[0] != key:
            told = view.state(game, self.agent_of(game), self.now(), thinking, seat.unsaved)
            seat.shown = key, told | {"analysing": seat.analysing, "serial": seat.serial}
        return seat.shown[1]

    def tell(self, seat: Seat) -> None:
        """Tell everybody who looks on how the game stands."""
        seat.serial += 1
        if seat.watchers:
            text = json.dumps(self.state(seat))
            for watcher in seat.watchers:
                watcher.tell("state", text)

    def watch(self, seat: Seat) -> Watcher:
        """Return a new looker-on, to be told of the state at once. Raises `BusyError`."""
        alone, together = MOST_WATCHERS
        if len(seat.watchers) >= alone or sum(len(other.watchers) for other in self._seats.values()) >= together:
            raise BusyError(f"events: expected at most {alone} lookers-on at a game and {together} in all")
        watcher = Watcher()
        watcher.tell("state", json.dumps(self.state(seat)))
        seat.watchers.add(watcher)
        return watcher

    def leave(self, seat: Seat, watcher: Watcher) -> None:
        """Let a looker-on go."""
        seat.watchers.discard(watcher)
        seat.used = self.now()

    def end_streams(self) -> None:
        """Let all lookers-on go."""
        for seat in self._seats.values():
            for watcher in seat.watchers:
                watcher.close()

    def close(self) -> None:
        """End what is under way and close the file; running clocks are kept as they stand."""
        self.end_streams()
        for seat in self._seats.values():
            if seat.job is not None:
                seat.job.cancelled, seat.job = True, None
            if seat.game.clock is not None and seat.game.touched:
                self.save(seat)
        self._store.close()

    async def sweep_for_ever(self) -> None:
        """Look at clocks and idle games again and again."""
        while True:
            await asyncio.sleep(SWEEP_EVERY)
            self.sweep()

    def sweep(self) -> None:
        """End the games whose time is up, save again what the disk refused, let idle games leave memory."""
        now = self.now()
        for seat in list(self._seats.values()):
            if seat.game.flag(now):
                self.changed(seat)
            elif seat.unsaved:
                self.save(seat)
        idle = [seat for seat in self._seats.values() if self._is_free(seat) and now - seat.used > IDLE]
        untouched = [seat for seat in self._seats.values() if self._is_free(seat) and not seat.game.touched]
        self._drop([*idle, *untouched[: max(0, len(untouched) - MOST_UNTOUCHED)]])

    @staticmethod
    def _is_free(seat: Seat) -> bool:
        """Tell whether nobody needs the game in memory."""
        clock = seat.game.clock
        runs = clock is not None and clock.since is not None
        return not seat.watchers and seat.job is None and not seat.unsaved and not (runs and seat.game.touched)

    def _drop(self, seats: list[Seat]) -> None:
        for seat in seats:
            self._seats.pop(seat.game.id, None)
        untouched = [seat.game.id for seat in seats if not seat.game.touched]
        if untouched:
            self._store.remove(untouched)

    def _make_room(self) -> None:
        if len(self._seats) < MOST_GAMES:
            return
        free = sorted((seat for seat in self._seats.values() if self._is_free(seat)), key=lambda seat: seat.used)
        if not free:
            raise BusyError(f"game: expected at most {MOST_GAMES:,} games at once, got another one")
        self._drop(free[: max(1, MOST_GAMES // 10)])
