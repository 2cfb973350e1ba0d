"""Ablations: arms that differ in a few settings, trained for the same time, rated by matches against one pool.

    base: ../quick.yaml        # beside this file; what an arm does not set is as there
    minutes: 10                # for each arm and seed; or iterations: 200
    seeds: [0, 1]
    games: 100                 # of each match
    arms:
      - {name: puct, set: {selfplay.root: puct}}
      - {name: gumbel, set: {selfplay.root: gumbel}}

Everything lies in one folder, a run for each arm and seed and the ledger of the matches: what is there is not made
again, and an interrupted run is gone on with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

import agents
from agents.base import Agent
from agents.network.weights import checkpoints_of
from training.config import Config, load_config
from training.display import Display
from training.errors import ConfigError, RunError
from training.ledger import Ledger
from training.loop import Trainer
from training.matches import LEDGER_FILE
from training.rating import Ratings, play_pool
from training.report import markdown
from training.run_folder import CONFIG_FILE


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Arm(_Section):
    """One arm."""

    name: str = Field(pattern=r"^[A-Za-z0-9_.-]+$")
    """Its name, which its runs' folders bear too."""
    set: dict[str, Any] = {}
    """Settings by section.name that differ from the base."""
    base: str | None = None
    """A configuration of its own to begin from."""


class Ablation(_Section):
    """The whole of an ablation's file."""

    base: str | None = None
    """The configuration that arms begin from, beside this file; by default the defaults."""
    minutes: float = Field(10.0, gt=0)
    """Training time of each arm and seed."""
    iterations: int = Field(0, ge=0)
    """If above 0, the length of each run instead: repeatable to the bit."""
    seeds: tuple[int, ...] = Field((0, 1), min_length=1)
    """Seeds of the runs; two show how far equal arms lie apart."""
    anchors: tuple[str, ...] = Field(("random", "greedy", "alphabeta:depth=1"), min_length=1)
    """The pool that every run plays against, the first at 0 Elo: near what ten minutes reach."""
    games: int = Field(100, ge=2, multiple_of=2)
    """Games of each match."""
    rules: str = "ttakji"
    """Of the matches."""
    play: str = "simulations=64"
    """How every trained network plays its matches, as settings of the agent `mcts`: the same for all arms."""
    arms: tuple[Arm, ...] = Field(min_length=1)
    """The arms."""


def load_ablation(path: Path) -> tuple[Ablation, dict[str, Config]]:
    """Read an ablation's file; return it and the configuration of every run by the run's name.

    Raises `ConfigError` for whatever is wrong with the file or with an arm's settings.
    """
    try:
        ablation = Ablation.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError) as error:
        raise ConfigError(f"ablation: expected a YAML file of arms, got {str(path)!r}: {error}") from error
    names = [arm.name for arm in ablation.arms]
    if len(set(names)) < len(names):
        raise ConfigError(f"ablation {str(path)!r}: expected arms of different names, got {names}")
    length = {"run.iterations": ablation.iterations, "run.minutes": ablation.minutes, "run.final_games": 0}
    configs = {}
    for arm in ablation.arms:
        base = arm.base or ablation.base
        for seed in ablation.seeds:
            settings = {**length, **arm.set, "seed": seed}
            overrides = [f"{key}={yaml.safe_dump(value, default_flow_style=True)}" for key, value in settings.items()]
            configs[run_name(arm, seed)] = load_config(path.parent / base if base else None, overrides)
    return ablation, configs


def run_name(arm: Arm, seed: int) -> str:
    """Return the name of a run and of its folder."""
    return f"{arm.name}-seed{seed}"


def train_arms(configs: dict[str, Config], out: Path, display: Callable[[str], Display]) -> bool:
    """Train every run that is not yet at its end; return whether all are, which a Ctrl-C prevents.

    Raises `RunError` where a run in the folder was made with other settings.
    """
    for name, config in configs.items():
        run = out / name
        if not (run / CONFIG_FILE).exists():
            trainer = Trainer.begin(config, run)
        elif load_config(run / CONFIG_FILE) == config:
            trainer = Trainer.resume(config, run)
        else:
            raise RunError(
                f"ablation: expected {str(run)!r} to have this arm's settings, got others; name another --out"
            )
        with trainer:
            if trainer.share < 1:
                with display(name) as shown:
                    trainer.train(shown)
            if trainer.stopped:
                return False
    return True


def rate_arms(
    ablation: Ablation, out: Path, progress: Callable[[str, int, int], None]
) -> tuple[Ratings, dict[str, list[int]]]:
    """Play the matches of all runs against the pool; return the ratings, and the places of each arm's runs by seed."""
    players = {
        arm.name: [_player(out / run_name(arm, seed), ablation.play) for seed in ablation.seeds]
        for arm in ablation.arms
    }
    anchors = [agents.make(anchor) for anchor in ablation.anchors]
    everyone = [player for runs in players.values() for player in runs]
    ledger = Ledger(out / LEDGER_FILE)
    ratings = play_pool(ledger, anchors, everyone, ablation.games, ablation.rules, progress=progress)
    return ratings, {name: [ratings.place(player) for player in runs] for name, runs in players.items()}


def _player(run: Path, play: str) -> Agent:
    return agents.make(f"mcts:checkpoint={checkpoints_of(run)[-1]},{play}")


def arms_table(ablation: Ablation, ratings: Ratings, places: Mapping[str, Sequence[int]]) -> str:
    """Return the arms as a Markdown table: the mean Elo over the seeds, its interval, each seed, score by anchor.

    The interval is that of the matches; how far runs of one arm lie apart is told by the Elo of each seed.
    """
    columns = ["arm", "Elo", "95 % of the matches", "Elo by seed", *(f"against {name}" for name in ablation.anchors)]
    rows = []
    for name, which in places.items():
        players = [ratings.players[place] for place in which]
        elo, half = ratings.mean(which)
        scores = [sum(player.scores[k][2] for player in players) / len(players) for k in range(len(ablation.anchors))]
        seeds = ", ".join(f"{player.elo:.0f}" for player in players)
        rows.append([name, f"{elo:.0f}", f"{elo - half:.0f} .. {elo + half:.0f}", seeds, *(f"{s:.1%}" for s in scores)])
    length = f"{ablation.iterations} iterations" if ablation.iterations else f"{ablation.minutes:g} minutes"
    told = f"{length} an arm and seed, {ablation.games} games a match, {ablation.play}; {ablation.anchors[0]} is 0."
    return "\n".join([told, "", *markdown(columns, rows)]) + "\n"
