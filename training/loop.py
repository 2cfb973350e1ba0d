"""The training loop: play, learn, play on with the better network.

RUN/config.yaml   the resolved configuration      RUN/games/        what was played, see training.records
RUN/checkpoints/  see training.checkpoint         RUN/tensorboard/  curves
RUN/ledger.jsonl  every match, both sides' settings                 RUN/report.md  what came out
RUN/run.log, RUN/.lock  see training.run_folder

With `run.iterations` on a CPU what comes out depends neither on when checkpoints are written nor on where a kill falls.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch

from agents.network.device import find_device
from agents.network.evaluator import make_evaluator, update_evaluator
from agents.network.weights import checkpoints_of
from makruk_env.core.threads import run_together, set_threads
from training import checkpoint
from training.chunks import ChunkWriter
from training.clock import Clock, timed
from training.closing import Closing
from training.config import Config, save_config
from training.display import Display, Status
from training.endings import LATE_GAMES, Endings
from training.errors import RunError
from training.gate import Gate
from training.interrupts import first_interrupt
from training.learner import Learner, Losses
from training.loggers import TensorBoardLogger
from training.records import GAMES_FILE, GameRecord, pack
from training.replay import Replay
from training.run_folder import CONFIG_FILE, change_config, check_change, lock, naming_errors
from training.selfplay import Table
from training.targets import join, rows_of

_CLOCK = ("network", "search", "learner")
_log = logging.getLogger(__name__)


def _tables(config: Config) -> list[Table]:
    """Return the tables, one for each thread, with their games shared out."""
    count, games = max(1, config.run.threads), config.selfplay.games
    sizes = [games * (k + 1) // count - games * k // count for k in range(count)]
    seeds = np.random.SeedSequence((config.seed, 0)).generate_state(count).tolist()
    return [Table(config.selfplay, config.rules, size, seed) for size, seed in zip(sizes, seeds, strict=True) if size]


class Trainer(Closing):
    """One run: its network, its games and its clock. Make it with `begin` or `resume`, then `train`.

    It holds the run's folder against other processes until `close`, which it does itself as a context.
    """

    def __init__(self, config: Config, run: Path) -> None:
        set_threads(config.run.threads)
        torch.set_num_threads(1)  # the threads are ours: one for each table of games, and one for the learner
        self.config = config
        self.run = run
        self.clock = Clock()
        self.learner = Learner(config.learner, config.network, config.seed, config.run.device)
        self.evaluator = make_evaluator(self.learner.average, config.run.device, config.selfplay.precision)
        self.replay = Replay(config.replay, config.rules, config.seed, config.network)
        self.gate = Gate(config, run)
        self.tables = _tables(config)
        self.iteration = 0
        self.seconds = self.cpu_seconds = 0.0
        self.games = 0
        self.ends = Endings()
        self.stopped = False
        self._untaken: list[GameRecord] = []  # games of the last iteration, whose rows the learner takes in its turn
        self._fade = 1.0  # what was left of the run when they ended
        self._debt = 0.0  # rows that the learner may still train on
        self._losses: Losses | None = None
        self._resumed_at: int | None = None
        self._saved_at, self._saved_iteration = 0.0, -1
        self._checkpoint_seconds = 0.0
        self._alarm_from = 0  # games played when the alarm may be told again
        self._lock = lock(run)
        self._archive: ChunkWriter | None = None

    @classmethod
    def begin(cls, config: Config, run: Path) -> Trainer:
        """Start a run in a new folder, with the checkpoint of the untrained network.

        Raises `RunError` where a run lies already, or the folder cannot be made, `StorageError` where the disk refuses,
        `DeviceError`.
        """
        find_device(config.run.device)  # before anything is written
        if (run / CONFIG_FILE).exists() or any(int(folder.name) for folder in checkpoints_of(run)):
            raise RunError(f"run folder: expected a new one, got {str(run)!r}; go on with --resume, or name another")
        try:
            for folder in ("checkpoints", "games", "tensorboard"):
                (run / folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"run folder: expected to write to {str(run)!r}, got {error}") from error
        trainer = cls(config, run)
        try:
            trainer._archive = ChunkWriter(run / GAMES_FILE)
            trainer.save()
            with naming_errors(run):
                save_config(run / CONFIG_FILE, config)  # last: where it stands, a run can be resumed
        except BaseException:
            trainer.close()
            raise
        return trainer

    @classmethod
    def resume(cls, config: Config, run: Path) -> Trainer:
        """Go on from a run's last whole checkpoint, bit for bit; a configuration that differs becomes the run's own.

        Raises `CheckpointError` where none is whole, `ConfigError` for a setting that cannot change, `RunError` where
        another process trains in the folder, `StorageError` where the disk refuses.
        """
        checkpoint.latest(run)
        trainer = cls(config, run)
        try:
            with naming_errors(run):
                changed = check_change(run, config)
                checkpoint.load_newest(run, trainer._load)
                if changed:
                    change_config(run, config)
                _log.info("resumed at iteration %d%s", trainer.iteration, f"; changed: {changed}" if changed else "")
        except BaseException:
            trainer.close()
            raise
        return trainer

    def close(self) -> None:
        """Let go of the run's folder."""
        if self._archive:
            self._archive.close()
        self._lock.release()

    def _load(self, folder: Path) -> None:
        """Become what `save` wrote, and cut back the games to those of then."""
        state = checkpoint.as_arrays(checkpoint.load_part(folder, "loop"))
        self._archive = ChunkWriter(self.run / GAMES_FILE, int(state["games_bytes"]))
        self.learner.load_state_dict(checkpoint.load_part(folder, "learner"))
        self.replay.load_state_dict(checkpoint.as_arrays(checkpoint.load_part(folder, "replay")))
        for i, table in enumerate(self.tables):
            table.load_state_dict(checkpoint.as_arrays(checkpoint.load_part(folder, f"games-{i}")))
        self.ends.load_state_dict(state)
        self.gate.load_state_dict(state)
        self.iteration, self.games = int(state["iteration"]), int(state["games"])
        self.seconds = self._saved_at = float(state["seconds"])
        self.cpu_seconds = float(state["cpu_seconds"])
        self._debt = float(state["debt"])
        self.clock.seconds.update(zip(_CLOCK, state["clock"].tolist(), strict=True))
        self._saved_iteration = self.iteration
        self._resumed_at = self.learner.steps

    @property
    def endings(self) -> Counter[str]:
        """How many games ended in which way."""
        return self.ends.counts

    @property
    def share(self) -> float:
        """How much of the run is over, 0 .. 1."""
        if self.config.run.iterations:
            return min(1.0, self.iteration / self.config.run.iterations)
        return min(1.0, self.seconds / (60 * self.config.run.minutes))

    def save(self) -> Path:
        """Write a checkpoint of all that the run needs to go on."""
        begun = time.perf_counter()
        self._take()  # as the learner would: it is the same whoever does it
        assert self._archive is not None
        self._archive.flush()  # before the checkpoint that counts on it
        state = {
            "iteration": np.array(self.iteration),
            "games": np.array(self.games),
            "games_bytes": np.array(self._archive.length),
            "seconds": np.array(self.seconds),
            "cpu_seconds": np.array(self.cpu_seconds),
            "clock": np.array([self.clock.seconds[name] for name in _CLOCK]),
            "debt": np.array(self._debt),
            **self.gate.state_dict(),
            **self.ends.state_dict(),
        }
        parts: dict[str, checkpoint.Part] = {
            "learner": self.learner.state_dict(),
            "replay": self.replay.state_dict(),
            "loop": state,
            **{f"games-{i}": table.state_dict() for i, table in enumerate(self.tables)},
        }
        folder = checkpoint.save(self.run, self.learner.steps, self.learner.average, self.config.rules, parts)
        checkpoint.prune(self.run, checkpoint.KEPT)
        self._saved_at, self._saved_iteration = self.seconds, self.iteration
        self._checkpoint_seconds = time.perf_counter() - begun
        return folder

    def status(self) -> Status:
        """Return how the run stands."""
        left = self.seconds * (1 / self.share - 1) if self.share else 60 * self.config.run.minutes
        return Status(
            share=self.share,
            seconds=self.seconds,
            cpu_seconds=self.cpu_seconds,
            seconds_left=left,
            games=self.games,
            positions=self.replay.total,
            steps=self.learner.steps,
            policy_loss=self._losses.policy if self._losses else float("nan"),
            value_loss=self._losses.value if self._losses else float("nan"),
            endings=self.ends.late,
            checkpoint_seconds=self._checkpoint_seconds,
            alarm=self.ends.alarm,
        )

    def train(self, display: Display) -> None:
        """Train to the end of the run, or until Ctrl-C; then save. Raises `StorageError` where the disk refuses."""
        with (
            naming_errors(self.run),
            TensorBoardLogger(self.run / "tensorboard", self._resumed_at) as logger,
            first_interrupt(self._stop),
        ):
            while self.share < 1.0 and not self.stopped:
                begun, cpu_begun = time.perf_counter(), time.process_time()
                if self.gate.is_due(self.iteration):
                    self.gate.judge(self.save())
                records = self._iterate(logger)
                seconds = time.perf_counter() - begun
                self.iteration += 1
                self.seconds += seconds
                self.cpu_seconds += time.process_time() - cpu_begun
                logger.selfplay(self.learner.steps, records, seconds)
                logger.run(self.status(), self.clock.seconds, self.endings)
                self._tell_alarm()
                display.update(self.status())
                if self.seconds - self._saved_at >= 60 * self.config.run.checkpoint_every_minutes:
                    self.save()
                    logger.scalar("run/checkpoint_ms", 1000 * self._checkpoint_seconds, self.learner.steps)
            if self._saved_iteration < self.iteration:
                self.save()

    def _stop(self) -> None:
        self.stopped = True

    def _tell_alarm(self) -> None:
        """Say in the log that the games are nearly all drawn, if they are, once in as many games as it looks at."""
        if self.games >= self._alarm_from and (alarm := self.ends.alarm):
            _log.warning(alarm)
            self._alarm_from = self.games + LATE_GAMES

    def _iterate(self, logger: TensorBoardLogger) -> list[GameRecord]:
        """Let every table make its moves with the network as it stands, and beside them the learner take its steps.

        The learner's rows are those of the iterations before, so nothing depends on which thread was faster.
        """
        update_evaluator(self.evaluator, self.gate.network or self.learner.average)
        clocks = [Clock() for _ in self.tables]
        share, teacher = self.share, self.config.selfplay.teacher
        taught = teacher != "none" and share < self.config.selfplay.teacher_share

        def play(table: Table, clock: Clock) -> list[GameRecord]:
            with clock.part("search"):
                judge = teacher if taught else timed(self.evaluator, clock)
                return table.play(judge, self.config.run.moves_per_iteration, share)

        learn = partial(self._learn, logger, share)
        played = run_together([*(partial(play, *job) for job in zip(self.tables, clocks, strict=True)), learn])[:-1]
        for clock in clocks:
            self.clock.seconds["network"] += clock.seconds["network"]
            self.clock.seconds["search"] += clock.seconds["search"] - clock.seconds["network"]
        records = [record for part in played for record in part]
        self._note(records)
        return records

    def _note(self, records: Sequence[GameRecord]) -> None:
        """Count new games, write them down, and keep them for the learner's next turn."""
        self._untaken, self._fade = list(records), 1 - self.share
        share = self.config.run.archive_share
        kept = [record for k, record in enumerate(records, self.games) if int((k + 1) * share) > int(k * share)]
        self.games += len(records)
        self.ends.add(records)
        if kept:
            assert self._archive is not None
            self._archive.append(pack(kept, self.iteration))

    def _take(self) -> None:
        """Give the rows of the games that are kept to the replay."""
        rows = join([rows_of(record, self.config.replay, fade=self._fade) for record in self._untaken])
        self._untaken = []
        self.replay.add(rows)
        self._debt += self.config.learner.reuse * len(rows)

    def _learn(self, logger: TensorBoardLogger, share: float) -> None:
        """Take the rows of the games just ended, and train on as many as they pay for."""
        with self.clock.part("learner"):
            self._take()
            while self._debt >= self.config.learner.batch:
                self._debt -= self.config.learner.batch
                self._losses = self.learner.step(self.replay.sample(self.config.learner.batch), share)
                logger.losses(self.learner.steps, self._losses)
