"""All games of a server: those in memory, their way to the file and back, who looks on, and what time does to them.

The loop's thread alone touches them; searches run elsewhere and come back through `loop.call_soon_threadsafe`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from agents.base import Agent
from agents.errors import AgentError
from makruk_web import saved, view
from makruk_web.errors import BusyError, NoGameError
from makruk_web.game import Game
from makruk_web.opponents import Opponents
from makruk_web.seat import Seat
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
MOST_KEPT = 10_000
"""Games in the file; those that changed longest ago are removed."""
MOST_WATCHERS = 32, 1_000
"""Lookers-on of one game, and of all."""
PATIENCE = 10.0
"""Seconds after which an agent thinks no longer for a game that nobody has played in, looks at or asks about."""
LOOK_EVERY = 0.2
"""Seconds between two looks at the clocks."""
SWEEP_EVERY = 25
"""Looks at the clocks between two sweeps: what runs is saved, and what nobody needs goes."""
_log = logging.getLogger(__name__)


class Table:
    """The games. now, wall: seconds of an even clock, and since 1970; most_watchers: lookers-on of all games, if fewer
    than usual; advance: lets the agent of a seat think, if it is to move or to answer, and does not yet."""

    def __init__(
        self,
        store: Store,
        opponents: Opponents,
        now: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        most_watchers: int = MOST_WATCHERS[1],
    ) -> None:
        self.opponents, self.now = opponents, now
        self._most_watchers = min(most_watchers, MOST_WATCHERS[1])
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

    @property
    def thinking(self) -> list[Seat]:
        """The seats for which an agent thinks."""
        return [seat for seat in self._seats.values() if seat.job is not None]

    def add(self, game: Game) -> Seat:
        """Seat a new game under a name of its own. Raises `BusyError`."""
        self._make_room()
        game.id = secrets.token_urlsafe(12)
        seat = self._seats[game.id] = Seat(game, self.now())
        game.restart_clock(self.now())
        self.changed(seat)
        return seat

    def seat(self, id_: str) -> Seat:
        """Return a game's seat, read from the file if need be; its agent goes on thinking. Raises `NoGameError`."""
        seat = self._seats.get(id_) or self._load(id_)
        seat.used = self.now()
        if self._flag(seat):
            self.changed(seat)
        elif seat.job is None:
            version = seat.game.version
            self.advance(seat)
            if seat.game.version != version:
                self.save(seat)
                self.tell(seat)
        return seat

    def _load(self, id_: str) -> Seat:
        kept = self._store.load(id_)
        if kept is None:
            raise NoGameError(f"game: expected one that is kept here, got {id_[:40]!r}; begin a new one")
        self._make_room()
        body, changed, thoughts = kept
        game = saved.load(id_, body)
        game.thoughts = thoughts
        seat = self._seats[id_] = Seat(game, self.now(), changed)
        game.restart_clock(self.now())
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
        seat.failed = None
        self.changed(seat)
        return seat

    def changed(self, seat: Seat) -> None:
        """Let the agent of a changed game think, keep the game, and tell everybody."""
        self.stop(seat)
        self.advance(seat)
        self.save(seat)
        self.tell(seat)

    def stop(self, seat: Seat) -> None:
        """Drop the search for a game, if there is one."""
        if seat.job is not None:
            seat.job.cancel()
        seat.job = seat.task = seat.analysing = None

    def park(self, seat: Seat) -> None:
        """Drop the search for a game until somebody asks about it again; the agent's clock stands meanwhile."""
        seat.charge(self.now())
        if seat.game.clock is not None and seat.task == "move":
            seat.game.clock.stop(self.now())
        self.stop(seat)
        self.tell(seat)

    def touch(self, seat: Seat) -> None:
        """Note that the player has done something with a game, so that it is kept."""
        if not seat.game.touched:
            seat.game.touched = True
            self.save(seat)

    def _flag(self, seat: Seat) -> bool:
        seat.charge(self.now())
        return seat.game.flag(self.now())

    def save(self, seat: Seat, changed: bool = True) -> None:
        """Write a game to the file; changed: whether anything but its clock has."""
        game = seat.game
        if changed:
            seat.changed = self._wall()
        try:
            self._store.save(game.id, saved.dump(game, self.now()), game.touched, seat.changed, len(game.plies))
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
        seat.charge(self.now())
        game, thinking = seat.game, seat.task in ("move", "offer")
        clock, thoughts = game.clock and self.now(), len(game.thoughts)
        key = game.version, seat.serial, game.offer, clock, thoughts, seat.task, seat.analysing, seat.unsaved
        if seat.shown is None or seat.shown[0] != key:
            told = view.state(game, self.agent_of(game), self.now(), thinking, seat.unsaved)
            failed = seat.failed and {"job": seat.failed[0], **asdict(seat.failed[1])}
            more = {"job": seat.task, "failed": failed, "analysing": seat.analysing, "serial": seat.serial}
            seat.shown = key, told | more
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
        alone, together = MOST_WATCHERS[0], self._most_watchers
        if len(seat.watchers) >= alone or sum(len(other.watchers) for other in self._seats.values()) >= together:
            raise BusyError(f"events: expected at most {alone} lookers-on at a game and {together} in all")
        watcher = Watcher()
        watcher.tell("state", json.dumps(self.state(seat)))
        seat.watchers.add(watcher)
        if seat.job is not None:
            seat.job.urgent = True
        return watcher

    def leave(self, seat: Seat, watcher: Watcher) -> None:
        """Let a looker-on go."""
        seat.watchers.discard(watcher)
        seat.used = self.now()
        if seat.job is not None:
            seat.job.urgent = bool(seat.watchers)

    def end_streams(self) -> None:
        """Let all lookers-on go."""
        for seat in self._seats.values():
            for watcher in seat.watchers:
                watcher.close()

    def close(self) -> None:
        """End what is under way and close the file; running clocks are kept as they stand."""
        self.end_streams()
        for seat in self._seats.values():
            seat.charge(self.now())
            runs = self._runs(seat)
            self.stop(seat)
            if seat.unsaved or runs:
                self.save(seat, changed=False)
        self._store.close()

    async def sweep_for_ever(self) -> None:
        """Look at clocks and idle games again and again, whatever fails."""
        for look in itertools.count(1):
            await asyncio.sleep(LOOK_EVERY)
            try:
                self.look_at_clocks()
                if look % SWEEP_EVERY == 0:
                    self.sweep()
            except Exception:  # one game's fault must not leave all the others without a clock
                _log.exception("a sweep failed")

    def look_at_clocks(self) -> None:
        """End the games whose time is up."""
        for seat in list(self._seats.values()):
            if self._flag(seat):
                self.changed(seat)

    def sweep(self) -> None:
        """Save running clocks and what the disk refused, stop searches that nobody waits for, let idle games leave
        memory, and the oldest ones the file."""
        now = self.now()
        for seat in list(self._seats.values()):
            if seat.unsaved or self._runs(seat):
                self.save(seat, changed=False)
            waits = seat.watchers or seat.game.touched or now - seat.used <= PATIENCE
            if seat.job is not None and not waits:
                self.park(seat)
        idle = [seat for seat in self._seats.values() if self._is_free(seat) and now - seat.used > IDLE]
        untouched = [seat for seat in self._seats.values() if self._is_free(seat) and not seat.game.touched]
        self._drop([*idle, *untouched[: max(0, len(untouched) - MOST_UNTOUCHED)]])
        self._remove([id_ for id_ in self._store.oldest(MOST_KEPT) if id_ not in self._seats])

    @staticmethod
    def _runs(seat: Seat) -> bool:
        """Tell whether a clock runs in a game that is kept."""
        return seat.game.clock is not None and seat.game.clock.since is not None and seat.game.touched

    def _is_free(self, seat: Seat) -> bool:
        """Tell whether nobody needs the game in memory."""
        return not seat.watchers and seat.job is None and not seat.unsaved and not self._runs(seat)

    def _drop(self, seats: list[Seat]) -> None:
        for seat in seats:
            self._seats.pop(seat.game.id, None)
        self._remove([seat.game.id for seat in seats if not seat.game.touched])

    def _remove(self, ids: Sequence[str]) -> None:
        """Remove games from the file; those that it refuses to let go are removed when the server starts again."""
        try:
            if ids:
                self._store.remove(ids)
        except sqlite3.Error:
            _log.exception("games could not be removed")

    def _make_room(self) -> None:
        if len(self._seats) < MOST_GAMES:
            return
        free = sorted((seat for seat in self._seats.values() if self._is_free(seat)), key=lambda seat: seat.used)
        if not free:
            raise BusyError(f"game: expected at most {MOST_GAMES:,} games at once, got another one")
        self._drop(free[: max(1, MOST_GAMES // 10)])
