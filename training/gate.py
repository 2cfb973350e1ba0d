"""The gate: the network that plays is replaced only by one that wins a match against it (AlphaGo Zero, Silver 2017)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from agents.network.build import Network
from agents.network.weights import CHECKPOINTS, load_network
from training.config import Config
from training.ledger import Ledger, recorded_match
from training.matches import LEDGER_FILE, checkpoint_player

_NOBODY = -1


class Gate:
    """Knows which checkpoint plays; none where `run.gate_every_iterations` is 0, and the learner's average does.

    It judges before an iteration, right after a checkpoint was saved: a run resumed from there asks again, and finds
    the match in the ledger.
    """

    def __init__(self, config: Config, run: Path) -> None:
        self._config = config
        self._run = run
        self._network: Network | None = None
        self.step = _NOBODY
        """The training step of the checkpoint that plays, or -1."""

    def is_due(self, iteration: int) -> bool:
        """Tell whether the newest network is to be judged before an iteration; the first one plays unjudged."""
        every = self._config.run.gate_every_iterations
        return every > 0 and iteration % every == 0

    @property
    def network(self) -> Network | None:
        """The network that plays, or None where the learner's average does. Raises `CheckpointError`."""
        if not self._config.run.gate_every_iterations or self.step == _NOBODY:
            return None
        if self._network is None:
            self._network = load_network(self._folder).network
        return self._network

    @property
    def _folder(self) -> Path:
        return self._run / CHECKPOINTS / f"{self.step:06d}"

    def judge(self, folder: Path) -> None:
        """Let the checkpoint in a folder play from now on if nobody plays yet, or if it wins its match."""
        step = int(folder.name)
        if self.step not in (_NOBODY, step) and not self._wins(folder, step):
            return
        self.step, self._network = step, None

    def _wins(self, folder: Path, step: int) -> bool:
        config = self._config
        new, old = (checkpoint_player(config, each, config.selfplay.simulations) for each in (folder, self._folder))
        seed = int(np.random.SeedSequence((config.seed, step)).generate_state(1)[0])
        line = recorded_match(
            Ledger(self._run / LEDGER_FILE),
            (new[0], old[0]),
            config.run.gate_games,
            config.rules,
            seed,
            names=(new[1], old[1]),
        )
        return line.score >= config.run.gate_score

    def state_dict(self) -> dict[str, np.ndarray]:
        """Return what the gate needs to go on."""
        return {"gate": np.array(self.step)}

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Become what `state_dict` told."""
        self.step, self._network = int(state["gate"]), None
