"""The training loop: play, learn, play on with the better network.

RUN/config.yaml   the resolved configuration      RUN/games/        what was played, a file an iteration
RUN/checkpoints/  see training.checkpoint         RUN/tensorboard/  curves
RUN/ledger.jsonl  every match, both sides' settings                 RUN/report.md  what came out
"""

from __future__ import annotations

import signal
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType

import numpy as np
import torch

from agents.network.evaluator import NetworkEvaluator
from makruk_env.core.threads import run_together, set_threads
from makruk_env.rules import Termination
from training import checkpoint
from training.clock import Clock, TimedEvaluator
from training.config import Config, save_config
from training.display import Display, Status
from training.errors import RunError
from training.gate import Gate
from training.learner import Learner, Losses
from training.loggers import TensorBoardLogger
from training.records import GameRecord, write_games
from training.replay import Replay
from training.selfplay import Table
from training.targets import join, rows_of

_LATE_GAMES = 500
"""How many of the latest games the display tells the ends of."""


def ending_of(record: GameRecord) -> str:
    """Return the name of a game's end."""
    return Termination(record.termination).name if record.termination else "TRUNCATED"


class Trainer:
    """One run: its network, its games and its clock. Make it with `begin` or `resume`, then `train`."""

    def __init__(self, config: Config, run: Path) -> None:
        set_threads(config.run.threads)
        torch.set_num_threads(1)  # the threads are ours: one for each table of games, and one for the learner
        self.config = config
        self.run = run
        self.clock = Clock()
        self.learner = Learner(config.learner, config.network, config.seed)
        self.replay = Replay(config.replay, config.rules, config.seed)
        self.gate = Gate(config, run)
        self.iteration = 0
        self.seconds = 0.0
        self.games = 0
        self.endings: Counter[str] = Counter()
        self.stopped = False
        self._debt = 0.0  # rows that the learner may still train on
        self._late: deque[str] = deque(maxlen=_LATE_GAMES)
        self._losses: Losses | None = None
        self._saved_at = 0.0

    @classmethod
    def begin(cls, config: Config, run: Path) -> Trainer:
        """Start a run in a new folder, with the checkpoint of the untrained network.

        Raises `RunError` where a run lies already, or the folder cannot be made.
        """
        if (run / "config.yaml").exists():
            raise RunError(f"run folder: expected a new one, got {str(run)!r}; go on with --resume, or name another")
        try:
            for folder in ("checkpoints", "games", "tensorboard"):
                (run / folder).mkdir(parents=True, exist_ok=True)
            save_config(run / "config.yaml", config)
        except OSError as error:
            raise RunError(f"run folder: expected to write to {str(run)!r}, got {error}") from error
        trainer = cls(config, run)
        trainer.save()
        return trainer

    @classmethod
    def resume(cls, config: Config, run: Path) -> Trainer:
        """Go on from a run's last checkpoint: games that were under way then begin anew. Raises `CheckpointError`."""
        trainer = cls(config, run)
        folder = checkpoint.latest(run)
        trainer.learner.load_state_dict(checkpoint.load_part(folder, "learner"))
        trainer.replay.load_state_dict(checkpoint.as_arrays(checkpoint.load_part(folder, "replay")))
        state = checkpoint.as_arrays(checkpoint.load_part(folder, "loop"))
        trainer.iteration, trainer.games = int(state["iteration"]), int(state["games"])
        trainer.seconds = trainer._saved_at = float(state["seconds"])
        trainer._debt = float(state["debt"])
        trainer.gate.load_state_dict(state)
        trainer.endings.update({kind: int(n) for kind, n in zip(_KINDS, state["endings"], strict=True) if n})
        return trainer

    @property
    def share(self) -> float:
        """How much of the run is over, 0 .. 1."""
        if self.config.run.iterations:
            return min(1.0, self.iteration / self.config.run.iterations)
        return min(1.0, self.seconds / (60 * self.config.run.minutes))

    def save(self) -> Path:
        """Write a checkpoint of all that the run needs to go on."""
        state = {
            "iteration": np.array(self.iteration),
            "games": np.array(self.games),
            "seconds": np.array(self.seconds),
            "debt": np.array(self._debt),
            **self.gate.state_dict(),
            "endings": np.array([self.endings[kind] for kind in _KINDS]),
        }
        parts: dict[str, checkpoint.Part] = {
            "learner": self.learner.state_dict(),
            "replay": self.replay.state_dict(),
            "loop": state,
        }
        folder = checkpoint.save(self.run, self.learner.steps, self.learner.average, self.config.rules, parts)
        checkpoint.prune(self.run, 1)
        self._saved_at = self.seconds
        return folder

    def status(self) -> Status:
        """Return how the run stands."""
        left = self.seconds * (1 / self.share - 1) if self.share else 60 * self.config.run.minutes
        return Status(
            share=self.share,
            seconds=self.seconds,
            seconds_left=left,
            games=self.games,
            positions=self.replay.total,
            steps=self.learner.steps,
            policy_loss=self._losses.policy if self._losses else float("nan"),
            value_loss=self._losses.value if self._losses else float("nan"),
            endings=Counter(self._late),
        )

    def train(self, display: Display) -> None:
        """Train to the end of the run, or until Ctrl-C; then save."""
        count = max(1, self.config.run.threads)
        sizes = [self.config.selfplay.games * (k + 1) // count - self.config.selfplay.games * k // count
                 for k in range(count)]  # fmt: skip
        seeds = np.random.SeedSequence((self.config.seed, self.iteration)).generate_state(count)
        tables = [
            Table(self.config.selfplay, self.config.rules, size, int(seed))
            for size, seed in zip(sizes, seeds, strict=True)
            if size
        ]
        with TensorBoardLogger(self.run / "tensorboard") as logger, self._stop_on_interrupt():
            while self.share < 1.0 and not self.stopped:
                begun = time.perf_counter()
                if self.gate.is_due(self.iteration):
                    self.gate.judge(self.save())
                records = self._iterate(tables, logger)
                seconds = time.perf_counter() - begun
                self.iteration += 1
                self.seconds += seconds
                logger.selfplay(self.learner.steps, records, seconds)
                logger.run(self.status(), self.clock.seconds, self.endings)
                display.update(self.status())
                if self.seconds - self._saved_at >= 60 * self.config.run.checkpoint_every_minutes:
                    self.save()
        self.save()

    def _iterate(self, tables: Sequence[Table], logger: TensorBoardLogger) -> list[GameRecord]:
        """Let every table make its moves with the network as it stands, and beside them the learner take its steps.

        The learner's rows are those of the iterations before, so nothing depends on which thread was faster.
        """
        playing = self.gate.network or self.learner.average
        shared = NetworkEvaluator(playing, precision=self.config.selfplay.precision)
        clocks = [Clock() for _ in tables]

        share = self.share

        def play(table: Table, clock: Clock) -> list[GameRecord]:
            with clock.part("search"):
                return table.play(TimedEvaluator(shared, clock), self.config.run.moves_per_iteration, share)

        learn = partial(self._learn, logger, share)
        played = run_together([*(partial(play, *job) for job in zip(tables, clocks, strict=True)), learn])[:-1]
        for clock in clocks:
            self.clock.seconds["network"] += clock.seconds["network"]
            self.clock.seconds["search"] += clock.seconds["search"] - clock.seconds["network"]
        records = [record for part in played for record in part]
        self._take(records)
        return records

    def _take(self, records: Sequence[GameRecord]) -> None:
        """Write new games down and give their rows to the replay."""
        rows = join([rows_of(record, self.config.replay, fade=1 - self.share) for record in records])
        self.replay.add(rows)
        self._debt += self.config.learner.reuse * len(rows)
        ends = [ending_of(record) for record in records]
        self.games += len(records)
        self.endings.update(ends)
        self._late.extend(ends)
        if records:
            write_games(self.run / "games" / f"{self.iteration:06d}.npz", records)

    def _learn(self, logger: TensorBoardLogger, share: float) -> None:
        """Train on as many rows as the new ones pay for."""
        with self.clock.part("learner"):
            while self._debt >= self.config.learner.batch:
                self._debt -= self.config.learner.batch
                self._losses = self.learner.step(self.replay.sample(self.config.learner.batch), share)
                logger.losses(self.learner.steps, self._losses)

    @contextmanager
    def _stop_on_interrupt(self) -> Iterator[None]:
        """Let the first Ctrl-C end the run after its iteration, and the second one at once."""

        def stop(number: int, frame: FrameType | None) -> None:
            self.stopped = True
            signal.signal(signal.SIGINT, signal.default_int_handler)

        before = signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


_KINDS = ("TRUNCATED", *(kind.name for kind in Termination))
