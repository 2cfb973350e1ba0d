"""Where the time goes."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from agents.search.evaluators import CompiledEvaluator
from agents.search.search import AnyEvaluator, Evaluator


class Clock:
    """Sums the seconds spent in named parts of a run."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count the time inside the block for `name`."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - begun


class TimedEvaluator:
    """An evaluator whose time is counted for "network", and its positions in `evaluations`."""

    def __init__(self, evaluator: Evaluator, clock: Clock) -> None:
        self._evaluator = evaluator
        self._clock = clock
        self.evaluations = 0

    def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Evaluator`."""
        self.evaluations += len(planes)
        with self._clock.part("network"):
            return self._evaluator.evaluate(planes)


def timed(evaluator: Evaluator | CompiledEvaluator, clock: Clock) -> AnyEvaluator:
    """Return an evaluator whose time is counted; one inside the search's kernels is part of the search."""
    return evaluator if isinstance(evaluator, CompiledEvaluator) else TimedEvaluator(evaluator, clock)
