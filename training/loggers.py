"""The curves of a run, in TensorBoard."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

from agents.network.heads import AUXILIARY
from makruk_env.rules import Termination
from training.blunders import blunder_share
from training.closing import Closing
from training.display import Status
from training.learner import Losses
from training.records import GameRecord


class TensorBoardLogger(Closing):
    """Writes scalars under `folder`; the abscissa is the training step. Use it as a context, or call `close`.

    after: the step that a resumed run goes on from; what an earlier try logged of later ones is then not shown.
    """

    def __init__(self, folder: Path, after: int | None = None) -> None:
        self._writer = SummaryWriter(str(folder), purge_step=None if after is None else after + 1)

    def _scalar(self, name: str, value: float, step: int) -> None:
        self._writer.add_scalar(name, value, step)

    def losses(self, step: int, losses: Losses) -> None:
        """Log what one training step measured."""
        for name in ("total", "policy", "value"):
            self._scalar(f"loss/{name}", getattr(losses, name), step)
        for name, loss in zip(AUXILIARY, losses.auxiliary, strict=False):  # there are none in a network without heads
            self._scalar(f"loss/{name}", loss, step)
        self._scalar("learner/gradient_norm", losses.gradient_norm, step)
        self._scalar("learner/learning_rate", losses.learning_rate, step)

    def selfplay(self, step: int, games: Sequence[GameRecord], seconds: float) -> None:
        """Log an iteration's games: how fast they were made, how long they are, how many of their moves were blunders,
        and the share of each kind of ending.

        Draws are told apart by termination: a run whose games are nearly all drawn one way has stopped learning.
        """
        if not games:
            return
        searched = sum(int(game.full.sum()) for game in games)
        self._scalar("selfplay/games_per_second", len(games) / seconds, step)
        self._scalar("selfplay/positions_per_second", searched / seconds, step)
        self._scalar("selfplay/plies_per_game", sum(map(len, games)) / len(games), step)
        if not math.isnan(blunders := blunder_share(games)):
            self._scalar("selfplay/blunder_share", blunders, step)
        ends = Counter(_ending(game) for game in games)
        for name in _ENDINGS:
            self._scalar(f"endings/{name}", ends[name] / len(games), step)

    def run(self, status: Status, seconds: Mapping[str, float], endings: Mapping[str, int]) -> None:
        """Log what the run has come to: amounts, seconds spent in each part, and games ended in each way."""
        amounts = {
            "games": status.games,
            "positions": status.positions,
            "minutes": status.seconds / 60,
            "cpu_hours": status.cpu_seconds / 3600,
        }
        for group, values in (("run", amounts), ("time", seconds), ("ends", endings)):
            for name, value in values.items():
                self._scalar(f"{group}/{name}", value, status.steps)

    def scalar(self, name: str, value: float, step: int) -> None:
        """Log any other number."""
        self._scalar(name, value, step)

    def close(self) -> None:
        """Write what is still in memory."""
        self._writer.close()


_ENDINGS = ("white_wins", "black_wins", "truncated", *(f"draw_{kind.name.lower()}" for kind in Termination))


def _ending(game: GameRecord) -> str:
    if game.truncated:
        return "truncated"
    if game.winner >= 0:
        return "white_wins" if game.winner == 0 else "black_wins"
    return f"draw_{Termination(game.termination).name.lower()}"
