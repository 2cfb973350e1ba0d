"""Kills a small run at random moments and compares what it comes to with the same run left alone.

    python -m tests.training.kills --kills 10 --threads 1

The runs are forked from a process that has imported and compiled everything, so that a start takes no seconds.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import torch
from rich.console import Console

from makruk_env.core.threads import set_threads
from training.config import Config, ReplayConfig, load_config
from training.display import Display, Status
from training.learner import Learner
from training.loop import Trainer
from training.matches import final_matches
from training.replay import Replay
from training.run_folder import CONFIG_FILE
from training.selfplay import Table
from training.targets import rows_of

from .runs import remains
from .test_loop import tiny
from .test_selfplay import SHORT, Uniform

SETTINGS = ("run.moves_per_iteration=3", "selfplay.max_episode_plies=15")
ITERATIONS_A_KILL = 6
"""About what a try does before it is killed, so that all kills fall before the end of the run."""
RUN = Path("run")
"""Relative, as the ledger names the checkpoints that played."""


class Reporting(Display):
    """Writes a byte to a pipe after every iteration."""

    def __init__(self, pipe: int) -> None:
        super().__init__(Console(quiet=True), "test")
        self._pipe = pipe

    def update(self, status: Status) -> None:
        os.write(self._pipe, b".")


def train(folder: Path, config: Config, pipe: int) -> None:
    """Begin or resume the run in a folder and bring it to its end, matches included."""
    os.chdir(folder)
    if (RUN / CONFIG_FILE).exists():
        trainer = Trainer.resume(load_config(RUN / CONFIG_FILE), RUN)
    else:
        trainer = Trainer.begin(config, RUN)
    with trainer:
        trainer.train(Reporting(pipe))
        final_matches(trainer.config, trainer.run, lambda *_: None)


def fork(work: Callable[[int], None]) -> tuple[int, int]:
    """Run `work` in a process of its own, given a pipe to write to; return its id and the other end."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    try:
        os.close(reading)
        work(writing)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def finish(folder: Path, config: Config) -> None:
    """Run to the end."""
    child, pipe = fork(lambda out: train(folder, config, out))
    while os.read(pipe, 4096):
        pass
    os.close(pipe)
    if os.waitpid(child, 0)[1]:
        raise SystemExit(f"kills: expected a run that ends well, got one that failed in {folder}")


def kill(folder: Path, config: Config, wait_for: int, delay: float) -> int:
    """Run until so many iterations are done and a moment longer, then kill; return how many iterations were done."""
    child, pipe = fork(lambda out: train(folder, config, out))
    done = 0
    while done < wait_for and os.read(pipe, 1):
        done += 1
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    if os.WEXITSTATUS(os.waitpid(child, 0)[1]):
        raise SystemExit(f"kills: expected a run that ends well, got one that failed in {folder}")
    done += len(os.read(pipe, 4096))
    os.close(pipe)
    return done


def warm_up() -> None:
    """Load the compiled kernels, without a thread: a process that has any cannot be forked safely."""
    set_threads(1)
    torch.set_num_threads(1)
    Learner(tiny().learner, tiny().network, 0)  # torch imports a good deal at the first optimizer
    rows = Replay(ReplayConfig(), "ttakji", 0)
    for record in Table(SHORT, "ttakji", 4, 1).play(Uniform(), SHORT.max_episode_plies):
        rows.add(rows_of(record, ReplayConfig(draw_material=0.5)))
    rows.sample(2)


def compare(kills: int, threads: int, seed: int, base: Path) -> list[str]:
    """Make both runs and return the names of what differs, none if the kills have changed nothing."""
    rng = random.Random(seed)
    alone, killed = base / "alone", base / "killed"
    for folder in (alone, killed):
        folder.mkdir()
    length = f"run.iterations={ITERATIONS_A_KILL * (kills + 1)}"
    config, hasty = (
        tiny(*SETTINGS, length, f"run.threads={threads}", f"run.checkpoint_every_minutes={minutes}")
        for minutes in (60, 0.001)  # the first and the last checkpoint alone; one after nearly every iteration
    )
    finish(alone, config)
    for number in range(1, kills + 1):
        wait_for, delay = rng.randint(0, ITERATIONS_A_KILL - 2), rng.uniform(0, 0.15)
        done = kill(killed, hasty, wait_for, delay)
        print(f"kill {number}: {1000 * delay:.0f} ms after iteration {wait_for} of this try, {done} done", flush=True)
    finish(killed, hasty)
    left, right = remains(alone / RUN), remains(killed / RUN)
    return sorted(name for name in set(left) | set(right) if left.get(name) != right.get(name))


def main() -> int:
    """Run the comparison, return 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    warm_up()
    with tempfile.TemporaryDirectory() as base:
        different = compare(arguments.kills, arguments.threads, arguments.seed, Path(base))
    print(f"{arguments.kills} kills, {arguments.threads} threads; different: {', '.join(different) or 'nothing'}")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main())
