"""Searches in turns: none waits for another's end, and what fails is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from agents.errors import EngineError
from agents.search.analysis import Line
from makruk_web import pool as pools
from makruk_web.game import Failure
from makruk_web.pool import Job, Pool
from makruk_web.thinkers import Thinker


class Steps:
    """A search of so many stretches, each of which is written down."""

    simulations = 0

    def __init__(self, name: str, stretches: int, told: list[str]) -> None:
        self.name, self.left, self.told = name, stretches, told

    def go_on(self) -> bool:
        self.told.append(self.name)
        self.left -= 1
        return self.left > 0

    def lines(self) -> list[Line]:
        return []

    def choice(self) -> int:
        return 0


class Run:
    """Jobs and what became of them."""

    def __init__(self, threads: int) -> None:
        self.told: list[str] = []
        self.failures: list[Failure] = []
        self.pool = Pool(threads)
        self._ended = threading.Semaphore(0)

    def submit(self, name: str, stretches: int, cost: int = 0, fault: Exception | None = None) -> Job:
        def make() -> Thinker:
            if fault:
                raise fault
            return Steps(name, stretches, self.told)

        def done(_: Thinker) -> None:
            self.told.append(f"{name} done")
            self._ended.release()

        def failed(failure: Failure) -> None:
            self.failures.append(failure)
            self._ended.release()

        job = Job(cost, make, done, failed)
        self.pool.submit(job)
        return job

    def wait(self, jobs: int) -> None:
        """Wait for so many jobs to end."""
        for _ in range(jobs):
            assert self._ended.acquire(timeout=20)


@pytest.fixture
def run() -> Iterator[Run]:
    made = Run(1)
    yield made
    made.pool.close()


def test_a_short_search_does_not_wait_for_a_long_one(run: Run) -> None:
    with run.pool._changed:
        run.submit("long", 50)
        run.submit("short", 1)
    run.wait(2)
    assert run.told.index("short done") < 5
    assert run.told[-1] == "long done"


def test_what_fails_is_told_and_ends_nothing_else(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    run.submit("bad", 1, fault=EngineError("engine: gone"))
    run.submit("worse", 1, fault=ZeroDivisionError("secret"))
    run.submit("good", 2)
    run.wait(3)
    assert run.failures[0] == Failure("EngineError", "engine: gone")
    assert run.failures[1].name == "InternalError"
    assert "secret" not in run.failures[1].message
    assert "secret" in caplog.text
    assert run.told[-1] == "good done"


def test_a_cancelled_search_is_dropped(run: Run) -> None:
    with run.pool._changed:
        job = run.submit("dropped", 1_000_000)
        job.cancel()
        run.submit("other", 1)
    run.wait(1)
    assert run.told == ["other", "other done"]
    assert len(run.pool) == 0


def test_searches_that_somebody_waits_for_come_first(run: Run) -> None:
    with run.pool._changed:
        run.submit("unseen", 30)
        run.submit("seen", 30).urgent = True
        run.submit("large", 30, cost=pools.LARGE)
    run.wait(3)
    at = run.told.index("seen done")
    assert run.told[:at].count("unseen") + run.told[:at].count("large") <= at // pools._FAIR + 1
    assert run.told.count("unseen") == 30


def test_a_pool_is_full_with_those_that_wait_for_room_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "MOST", pools.LARGE)
    monkeypatch.setattr(pools, "MOST_JOBS", 2)
    with run.pool._changed:
        run.submit("first", 3, cost=pools.LARGE)
        assert not run.pool.is_full
        run.submit("second", 3, cost=pools.LARGE)
        assert run.pool.is_full
    run.wait(2)
    assert not run.pool.is_full


def test_a_search_that_waits_for_room_can_be_dropped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "MOST", pools.LARGE)
    with run.pool._changed:
        first, second, third = (run.submit(name, 3, cost=pools.LARGE) for name in ("first", "second", "third"))
        second.cancel()
        first.cancel()
        assert list(run.pool._jobs) == [third]
    run.wait(1)
    assert run.told == ["third"] * 3 + ["third done"]


def test_a_search_that_is_dropped_leaves_no_memory_behind(run: Run) -> None:
    """Whether it waits for its next stretch, or is in one and its thread has nothing more to do."""
    first, second = run.submit("first", 10**9), run.submit("second", 10**9)
    ends = time.monotonic() + 20.0
    while not (first.spent and second.spent) and time.monotonic() < ends:
        time.sleep(0.001)
    for job in (first, second):
        job.cancel()
    while any(job._thinker for job in (first, second)) and time.monotonic() < ends:
        time.sleep(0.001)
    assert (first._thinker, second._thinker) == (None, None)


def test_a_search_is_charged_for_its_own_stretches() -> None:
    job = Job(0, lambda: Steps("one", 2, []), lambda _: None, lambda _: None)
    assert job.spent is None
    assert job.step()
    spent = job.spent
    assert spent is not None
    assert spent == job.spent
    assert not job.step()
    assert job.spent is not None
    assert job.spent > spent


def test_large_searches_wait_for_room_and_small_ones_pass(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "MOST", 2 * pools.LARGE)
    with run.pool._changed:
        for name in ("first", "second", "third"):
            run.submit(name, 3, cost=pools.LARGE)
        run.submit("small", 1)
        large = run.pool._sizes[pools.LARGE]
        assert (len(run.pool._jobs), len(large.waiting)) == (3, 1)
    run.wait(4)
    assert run.told.index("small done") < run.told.index("third")
    assert large.taken == 0
