"""Spreading a loop over independent games to threads.

The kernels release the interpreter lock, so plain Python threads run them side by side. Against Numba's own parallel
loops this compiles in half the time, needs no threading layer, can be used from several threads at once, and does not
stall at a barrier when another process takes one of the cores.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import Any

_state = threading.local()
_lock = threading.Lock()
_limit = os.cpu_count() or 1
_ready: set[Any] = set()
"""The kernels that have been called once. Asking a kernel whether it is compiled takes longer than a small step."""
_pool: ThreadPoolExecutor | None = None


def set_threads(count: int) -> None:
    """Let work be spread to at most `count` threads, this process over. Raises `ValueError` for less than one."""
    global _limit
    if count < 1:
        raise ValueError(f"threads: expected at least 1, got {count!r}")
    _limit = count


def threads() -> int:
    """Return how many threads work that starts here may be spread to: one inside work that is spread already."""
    return 1 if getattr(_state, "inside", False) else _limit


@contextmanager
def inside() -> Iterator[None]:
    """Mark the block as one of several that run side by side: nothing in it is spread further."""
    before = getattr(_state, "inside", False)
    _state.inside = True
    try:
        yield
    finally:
        _state.inside = before


def run_together(tasks: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run the tasks, the first one on this thread, and return their results in order."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(max(32, _limit), thread_name_prefix="makruk")
    if len(tasks) == 1:
        return [tasks[0]()]
    others = [_pool.submit(_run_inside, task) for task in tasks[1:]]
    first = [_run_inside(task) for task in tasks[:1]]
    return first + [other.result() for other in others]


def _run_inside(task: Callable[[], Any]) -> Any:
    with inside():
        return task()


def spread(kernel: Callable[..., None], count: int, grain: int, *arguments: Any) -> None:
    """Call kernel(first, last, *arguments) so that the ranges cover 0 .. count, each of at least `grain` unless alone.

    A kernel touches only the rows of its range, so how the rows are spread does not change what comes out.
    """
    if kernel not in _ready:
        with _lock:  # compile on one thread, over no rows, before several need it
            kernel(0, 0, *arguments)
            _ready.add(kernel)
    parts = min(threads(), count // grain)
    if parts <= 1:
        kernel(0, count, *arguments)
        return
    cuts = [count * part // parts for part in range(parts + 1)]
    run_together([partial(kernel, first, last, *arguments) for first, last in pairwise(cuts)])
