"""A few threads that many searches share in turns of one stretch each, so that none has to wait for another's end."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from agents.errors import AgentError, CheckpointError, DeviceError, EngineError
from makruk_env.core.threads import inside
from makruk_web.game import Failure
from makruk_web.thinkers import Thinker

LARGE, MIDDLING = 5_000_000, 100_000
"""Bytes from which on a search counts as a large one, and as one of middle size; alpha-beta is of the middle ones."""
MOST = 400_000_000
"""Bytes that all searches of one size under way take together; another one waits. Small ones never do."""
MOST_JOBS = 256
"""Searches that wait for a thread or for room at once in one pool."""
_FAIR = 4
"""Each so many turns it is that of the job that has waited longest, whether anybody waits for it or not."""
LOOK_EVERY = 0.2
"""Seconds between two looks into a search."""
_NAMED = (AgentError, CheckpointError, DeviceError, EngineError)
_log = logging.getLogger(__name__)


class Job:
    """A search to be done; cost: the bytes that it takes; make: called on a thread of the pool, as the others are.

    look: told of the search between stretches; done: told at its end; failed: told what went wrong instead; begun: told
    at the first stretch. urgent: whether somebody waits for it; such jobs have their turns before the others.
    """

    def __init__(
        self,
        cost: int,
        make: Callable[[], Thinker],
        done: Callable[[Thinker], None],
        failed: Callable[[Failure], None],
        look: Callable[[Thinker], None] | None = None,
        begun: Callable[[], None] | None = None,
        urgent: bool = False,
    ) -> None:
        self.cost, self.cancelled, self.urgent = cost, False, urgent
        self._begun = begun
        self._timed: tuple[float, float | None] | None = None  # seconds thought, and since when it thinks now
        self._make, self._done, self._failed, self._look = make, done, failed, look
        self._thinker: Thinker | None = None
        self._looked = 0.0
        self.pool: Pool | None = None

    def cancel(self) -> None:
        """Drop the job; a stretch that is under way is its last one."""
        self.cancelled = True
        if self.pool is not None:
            self.pool.drop(self)

    @property
    def spent(self) -> float | None:
        """Seconds of thinking so far, those of waiting left out; None before the first stretch."""
        timed = self._timed
        if timed is None:
            return None
        spent, since = timed
        return spent if since is None else spent + time.monotonic() - since

    def step(self) -> bool:
        """Think for a stretch; return whether there is more to think. Whatever goes wrong is told, and ends it."""
        try:
            if self._thinker is None:
                self._thinker, self._looked = self._make(), time.monotonic()
                self._timed = 0.0, None
                if self._begun:
                    self._begun()
            if self._go_on(self._thinker):
                if self._look and time.monotonic() - self._looked >= LOOK_EVERY:
                    self._looked = time.monotonic()
                    self._look(self._thinker)
                return True
            self._done(self._thinker)
        except _NAMED as error:
            self._failed(Failure(type(error).__name__, str(error)))
        except Exception:  # a fault of an agent must not end the thread, nor the games of others
            _log.exception("a search failed")
            self._failed(Failure("InternalError", "the agent failed; the server's log tells more"))
        return False

    def forget(self) -> None:
        """Let the search's memory go; called between two stretches."""
        self._thinker = None

    def _go_on(self, thinker: Thinker) -> bool:
        assert self._timed is not None
        spent, since = self._timed[0], time.monotonic()
        self._timed = spent, since
        goes_on = thinker.go_on()
        self._timed = spent + time.monotonic() - since, None
        return goes_on


class _Size:
    """The searches of one size: the bytes that those under way take, and those that wait for room."""

    def __init__(self) -> None:
        self.taken = 0
        self.waiting: deque[Job] = deque()


class Pool:
    """Threads that do jobs in turns: those that somebody waits for before the others, else the first to come first."""

    def __init__(self, threads: int, name: str = "search") -> None:
        self._changed = threading.Condition()
        self._jobs: deque[Job] = deque()
        self._sizes = {LARGE: _Size(), MIDDLING: _Size()}
        self._closed = False
        self._turns = 0
        self._threads = [threading.Thread(target=self._work, name=f"{name}-{k}", daemon=True) for k in range(threads)]
        for thread in self._threads:
            thread.start()

    @property
    def is_full(self) -> bool:
        """Whether no job more is taken."""
        return len(self) >= MOST_JOBS

    def submit(self, job: Job) -> None:
        """Do a job when its turn comes; whoever submits it sees to it that the pool is not full."""
        with self._changed:
            job.pool, size = self, self._size(job)
            if size is None:
                self._jobs.append(job)
            else:
                size.waiting.append(job)
                self._admit(size)
            self._changed.notify()

    def drop(self, job: Job) -> None:
        """Let a job go that has been cancelled."""
        with self._changed:
            if job in self._jobs:
                self._jobs.remove(job)
                job.forget()
                self._leave(job)
            elif (size := self._size(job)) is not None and job in size.waiting:
                size.waiting.remove(job)

    def close(self) -> None:
        """End the threads after their present stretches; jobs that are left are dropped."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout=2.0)

    def __len__(self) -> int:
        """How many jobs wait for a stretch."""
        with self._changed:
            return len(self._jobs) + sum(len(size.waiting) for size in self._sizes.values())

    def _size(self, job: Job) -> _Size | None:
        """Return the searches of a job's size, None for a small one."""
        return next((size for least, size in self._sizes.items() if job.cost >= least), None)

    def _admit(self, size: _Size) -> None:
        """Let waiting jobs begin, as far as there is room; one always has it."""
        while size.waiting:
            job = _first(size.waiting)
            if size.taken and size.taken + job.cost > MOST:
                return
            size.waiting.remove(job)
            size.taken += job.cost
            self._jobs.append(job)
            self._changed.notify()

    def _leave(self, job: Job) -> None:
        size = self._size(job)
        if size is not None:
            size.taken -= job.cost
            self._admit(size)

    def _work(self) -> None:
        with inside():
            while (job := self._next()) is not None:
                goes_on = job.step()
                with self._changed:
                    if goes_on and not job.cancelled:
                        self._jobs.append(job)
                        self._changed.notify()
                    else:
                        job.forget()
                        self._leave(job)

    def _next(self) -> Job | None:
        """Wait for a job and return it, None at the end."""
        with self._changed:
            while not self._closed:
                if not self._jobs:
                    self._changed.wait()
                    continue
                self._turns += 1
                job = _first(self._jobs) if self._turns % _FAIR else self._jobs[0]
                self._jobs.remove(job)
                return job
        return None


def _first(jobs: deque[Job]) -> Job:
    """Return the first job that somebody waits for, else the first one."""
    return next((job for job in jobs if job.urgent), jobs[0])
