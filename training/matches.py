"""The matches of a run among its own checkpoints; the run's ledger names them without the run's folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import agents
from agents.base import Agent
from agents.network.device import find_device
from agents.network.weights import checkpoints_of
from training.config import Config
from training.ledger import Ledger, MatchLine, recorded_match

LEDGER_FILE = "ledger.jsonl"


def checkpoint_player(config: Config, folder: Path, simulations: int) -> tuple[Agent, str]:
    """Return the agent of a checkpoint's folder, and its name inside the run."""
    device = find_device(config.run.device)
    precision = device.precision(config.selfplay.precision)
    search = f"simulations={simulations},precision={precision},device={device.name}"
    name = f"mcts:checkpoint={folder.parent.name}/{folder.name},{search}"
    return agents.make(f"mcts:checkpoint={folder},{search}"), name


def final_matches(config: Config, run: Path, progress: Callable[[str, int, int], None]) -> list[MatchLine]:
    """Play the trained network against `random` and against the run's first checkpoint, unless the ledger has it."""
    ledger, folders = Ledger(run / LEDGER_FILE), checkpoints_of(run)
    player = checkpoint_player(config, folders[-1], config.run.final_simulations)
    others = {
        "random": (agents.make("random"), "random"),
        "first checkpoint": checkpoint_player(config, folders[0], config.run.final_simulations),
    }
    lines = []
    for title, other in others.items():

        def show(done: int, games: int, title: str = title) -> None:
            progress(title, done, games)

        pair, names = (player[0], other[0]), (player[1], other[1])
        lines.append(recorded_match(ledger, pair, config.run.final_games, config.rules, config.seed, show, names))
    return lines
