"""What a run left, in a form in which two runs can be compared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from rich.console import Console

from training import checkpoint
from training.display import Display, Status
from training.loop import Trainer
from training.records import GAMES_FILE

_CLOCKS = ("seconds", "cpu_seconds", "clock")
"""What differs from one run to the next as clocks do."""


def quiet() -> Display:
    """Return a display that shows nothing."""
    return Display(Console(quiet=True), "test")


class StopAt(Display):
    """Shows nothing, and stops a run at an iteration."""

    def __init__(self, trainer: Trainer, iteration: int) -> None:
        super().__init__(Console(quiet=True), "test")
        self._trainer, self._iteration = trainer, iteration

    def update(self, status: Status) -> None:
        self._trainer.stopped = self._trainer.iteration == self._iteration


def remains(run: Path) -> dict[str, bytes]:
    """Return all that a run came to, by name: network, learner, replay, unfinished games, counters, games, ledger.

    Clocks are left out.
    """
    folder = checkpoint.latest(run)
    found = {"step": folder.name.encode(), "games": (run / GAMES_FILE).read_bytes()}
    for file in sorted(folder.glob("*.safetensors")):
        if file.stem != "loop":
            found[file.stem] = file.read_bytes()
    for name, value in checkpoint.as_arrays(checkpoint.load_part(folder, "loop")).items():
        if name not in _CLOCKS:
            found[f"loop {name}"] = np.asarray(value).tobytes()
    ledger = run / "ledger.jsonl"
    if ledger.exists():
        found["ledger"] = ledger.read_bytes()
    return found
