"""A game in memory, with who looks on and what an agent does for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from makruk_web.game import Failure, Game
from makruk_web.pool import Job
from makruk_web.watchers import Watcher

Task = Literal["move", "offer", "analysis"]
"""What an agent thinks for: its move, its answer to an offer of a draw, a look into a position."""


@dataclass
class Seat:
    """A game in memory.

    used: when anybody last asked about it; changed: when the game changed, seconds since 1970; job, task: the search
    for it, and what it is for; before: seconds of its turn that were spent before the job began; analysing: after how
    many moves the position stands that is looked into; failed: the last thing that an agent failed at beside its moves,
    until the game changes; unsaved: whether the disk refused its last change; serial: rises with everything that is
    told; shown: the state that was told last, and what it depends on.
    """

    game: Game
    used: float
    changed: float = 0.0
    watchers: set[Watcher] = field(default_factory=set)
    job: Job | None = None
    task: Task | None = None
    before: float = 0.0
    analysing: int | None = None
    failed: tuple[Task, Failure] | None = None
    unsaved: bool = False
    serial: int = 0
    shown: tuple[tuple[object, ...], dict[str, Any]] | None = None

    def charge(self, now: float) -> None:
        """Charge an agent's clock for its own thinking, not for its wait for a thread."""
        clock = self.game.clock
        if clock is not None and self.job is not None and self.task == "move":
            spent = self.job.spent
            clock.charge(self.before + (spent or 0.0), None if spent is None else now)
