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

LARGE = 4_000_000
"""Bytes from which on a search counts as a large one."""
MOST_LARGE = 400_000_000
"""Bytes that all large searches under way take together; another one waits for its turn."""
LOOK_EVERY = 0.2
"""Seconds between two looks into a search."""
_NAMED = (AgentError, CheckpointError, DeviceError, EngineError)
_log = logging.getLogger(__name__)


class Job:
    """A search to be done; cost: the bytes that it takes; make: called on a thread of the pool, as the others are.

    look: told of the search between stretches; done: told at its end; failed: told what went wrong instead.
    """

    def __init__(
        self,
        cost: int,
        make: Callable[[], Thinker],
        done: Callable[[Thinker], None],
        failed: Callable[[Failure], None],
        look: Callable[[Thinker], None] | None = None,
    ) -> None:
        self.cost, self.cancelled = cost, False
        self._make, self._done, self._failed, self._look = make, done, failed, look
        self._thinker: Thinker | None = None
        self._looked = 0.0

    @property
    def is_large(self) -> bool:
        """Whether it takes much memory."""
        return self.cost >= LARGE

    def step(self) -> bool:
        """Think for a stretch; return whether there is more to think. Whatever goes wrong is told, and ends it."""
        try:
            if self._thinker is None:
                self._thinker, self._looked = self._make(), time.monotonic()
            if self._thinker.go_on():
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
        self._thinker = None
        return False


class Pool:
    """Threads that do jobs in turns; the first job to come begins first."""

    def __init__(self, threads: int, name: str = "search") -> None:
        self._changed = threading.Condition()
        self._jobs: deque[Job] = deque()
        self._later: deque[Job] = deque()
        self._large = 0
        self._closed = False
        self._threads = [threading.Thread(target=self._work, name=f"{name}-{k}", daemon=True) for k in range(threads)]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job) -> None:
        """Do a job when its turn comes."""
        with self._changed:
            self._later.append(job) if job.is_large else self._jobs.append(job)
            self._admit()
            self._changed.notify()

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
            return len(self._jobs) + len(self._later)

    def _admit(self) -> None:
        """Let large jobs begin, as far as there is room; one always has it."""
        while self._later and (not self._large or self._large + self._later[0].cost <= MOST_LARGE):
            job = self._later.popleft()
            if not job.cancelled:
                self._large += job.cost
                self._jobs.append(job)

    def _leave(self, job: Job) -> None:
        if job.is_large:
            self._large -= job.cost
            self._admit()

    def _work(self) -> None:
        with inside():
            while (job := self._next()) is not None:
                goes_on = job.step()
                with self._changed:
                    if goes_on and not job.cancelled:
                        self._jobs.append(job)
                        self._changed.notify()
                    else:
                        self._leave(job)

    def _next(self) -> Job | None:
        """Wait for a job and return it, None at the end."""
        with self._changed:
            while not self._closed:
                if not self._jobs:
                    self._changed.wait()
                    continue
                job = self._jobs.popleft()
                if not job.cancelled:
                    return job
                self._leave(job)
        return None
