"""The clocks of a game: a main time, then some periods, of which one is lost each time that it runs out.

Times are seconds of any clock that runs evenly; whoever asks says what time it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Left:
    """What a side has left: seconds of the main time, and periods of `PERIOD` seconds."""

    main: float
    periods: int


MAIN, PERIODS, PERIOD = 300.0, 3, 30.0
"""Five minutes, then three times half a minute."""


def spend(left: Left, seconds: float) -> Left | None:
    """Return what is left after a turn of so many seconds, None where that is more than there was.

    A turn that ends within a period costs nothing of it.
    """
    if seconds <= left.main:
        return replace(left, main=left.main - seconds)
    lost = int((seconds - left.main) // PERIOD)
    return None if lost >= left.periods else Left(0.0, left.periods - lost)


@dataclass
class Clock:
    """Both sides' clocks; side: whose turn is timed, None before the first move.

    spent: seconds of this turn up to `since`; since: when the clock was last started, None while it stands.
    """

    left: list[Left] = field(default_factory=lambda: [Left(MAIN, PERIODS), Left(MAIN, PERIODS)])
    side: int | None = None
    spent: float = 0.0
    since: float | None = None

    def elapsed(self, now: float) -> float:
        """Return how long this turn has been timed."""
        return self.spent + (max(0.0, now - self.since) if self.since is not None else 0.0)

    def flagged(self, now: float) -> bool:
        """Tell whether the side that is timed has run out of time."""
        return self.side is not None and spend(self.left[self.side], self.elapsed(now)) is None

    def turn(self, side: int, now: float) -> None:
        """Time this side from now on; what the other one spent is taken off, where the turn has passed."""
        if self.side == side:
            self.start(now)
            return
        if self.side is not None:
            self.left[self.side] = spend(self.left[self.side], self.elapsed(now)) or Left(0.0, 0)
        self.side, self.spent, self.since = side, 0.0, now

    def start(self, now: float) -> None:
        """Let a clock that stands go on."""
        if self.side is not None and self.since is None:
            self.since = now

    def charge(self, seconds: float, since: float | None) -> None:
        """Set what this turn has cost so far, and since when the clock runs, None where it stands."""
        self.spent, self.since = seconds, since

    def stop(self, now: float) -> None:
        """Let the clock stand; the turn goes on."""
        self.spent, self.since = self.elapsed(now), None

    def told(self, side: int, now: float) -> Left:
        """Return what a side has left at this moment, the turn under way taken off."""
        if side != self.side:
            return self.left[side]
        left, seconds = self.left[side], self.elapsed(now)
        if seconds <= left.main:
            return replace(left, main=left.main - seconds)
        return spend(left, seconds) or Left(0.0, 0)

    def of_period(self, side: int, now: float) -> float:
        """Return the seconds left of the period that a side is in, all of one where it is in none."""
        left, seconds = self.left[side], self.elapsed(now)
        if side != self.side or seconds <= left.main:
            return PERIOD
        return 0.0 if spend(left, seconds) is None else PERIOD - (seconds - left.main) % PERIOD
