"""A whole small run: folder, curves, checkpoints, resume, and what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console

from agents import CheckpointError
from agents.errors import DeviceError
from agents.network.weights import checkpoints_of, load_network
from training import checkpoint
from training.config import Config, load_config
from training.display import Display
from training.errors import RunError
from training.loop import Trainer
from training.matches import final_matches
from training.records import GAMES_FILE, read_games
from training.report import read_run, write_report
from training.selfplay import Table

RESIDUAL = ["network.blocks=1", "network.channels=8"]
SPARSE = ["network.kind=sparse", "network.width=16"]
SHORT = [
    "selfplay.games=8",
    "selfplay.simulations=4",
    "selfplay.max_episode_plies=24",
    "learner.batch=16",
    "replay.window_min=64",
    "replay.window_max=2000",
    "replay.draw_material=0.5",
    "run.iterations=6",
    "run.final_games=2",
    "run.final_simulations=2",
]
TINY = [*RESIDUAL, *SHORT]


def tiny(*overrides: str, network: list[str] = RESIDUAL) -> Config:
    return load_config(None, [*network, *SHORT, *overrides])


def trained(config: Config, run: Path) -> Trainer:
    trainer = Trainer.begin(config, run)
    with trainer:
        trainer.train(Display(Console(quiet=True), "test"))
    return trainer


def weights(run: Path) -> dict[str, np.ndarray]:
    state = load_network(checkpoint.latest(run)).network.state_dict()
    return {name: value.numpy() for name, value in state.items()}


def test_a_run_leaves_what_it_promises(tmp_path: Path) -> None:
    trainer = trained(tiny(), tmp_path / "run")
    final_matches(trainer.config, trainer.run, lambda name, done, games: None)
    report = write_report(read_run(trainer.run)).read_text()
    assert load_config(tmp_path / "run" / "config.yaml") == tiny()
    assert len(checkpoints_of(tmp_path / "run")) == 2  # the untrained network and the last one
    assert trainer.learner.steps > 0
    assert list((tmp_path / "run" / "tensorboard").iterdir())
    records = list(read_games(tmp_path / "run" / GAMES_FILE))
    assert len(records) == trainer.games > 0
    ledger = [json.loads(line) for line in (tmp_path / "run" / "ledger.jsonl").read_text().splitlines()]
    assert [line["games"] for line in ledger] == [2, 2]
    assert ledger[0]["sides"][0]["settings"]["simulations"] == 2
    assert "random" in report
    assert "checkpoints/000000" in report
    assert "time in network" in report


@pytest.mark.parametrize("network", [RESIDUAL, SPARSE], ids=["residual", "sparse"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_by_iterations_repeats_to_the_bit(tmp_path: Path, threads: int, network: list[str]) -> None:
    for name in ("a", "b"):
        trained(tiny(f"run.threads={threads}", network=network), tmp_path / name)
    first, again = weights(tmp_path / "a"), weights(tmp_path / "b")
    assert all((first[name] == again[name]).all() for name in first)


@pytest.mark.parametrize("network", [RESIDUAL, SPARSE], ids=["residual", "sparse"])
def test_training_changes_the_network(tmp_path: Path, network: list[str]) -> None:
    trained(tiny(network=network), tmp_path / "run")
    before, after = (load_network(folder).network.state_dict() for folder in checkpoints_of(tmp_path / "run"))
    assert any((before[name] != after[name]).any() for name in before)


@pytest.mark.parametrize("network", [RESIDUAL, SPARSE], ids=["residual", "sparse"])
def test_a_teacher_judges_in_its_share_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, network: list[str]
) -> None:
    judges = []
    plain = Table.play
    monkeypatch.setattr(
        Table, "play", lambda table, judge, *rest: (judges.append(judge), plain(table, judge, *rest))[1]
    )
    config = tiny("selfplay.teacher=heuristic", "selfplay.teacher_share=0.5", "run.threads=1", network=network)
    assert trained(config, tmp_path / "run").learner.steps > 0
    assert [judge == "heuristic" for judge in judges] == [True] * 3 + [False] * 3


def test_a_share_of_the_games_is_written_down(tmp_path: Path) -> None:
    """Every fourth game, and all else as if all were."""
    whole = trained(tiny(network=SPARSE), tmp_path / "whole")
    thinned = trained(tiny("run.archive_share=0.25", network=SPARSE), tmp_path / "thinned")
    every, fourth = (list(read_games(run / GAMES_FILE)) for run in (tmp_path / "whole", tmp_path / "thinned"))
    assert len(fourth) == thinned.games // 4 > 0
    assert [game.actions.tolist() for game in every[3::4]] == [game.actions.tolist() for game in fourth]
    first, other = weights(tmp_path / "whole"), weights(tmp_path / "thinned")
    assert all((first[name] == other[name]).all() for name in first)
    assert whole.games == thinned.games


def test_an_old_run_is_not_overwritten_and_a_missing_one_not_resumed(tmp_path: Path) -> None:
    Trainer.begin(tiny(), tmp_path / "run").close()
    with pytest.raises(RunError, match="--resume"):
        Trainer.begin(tiny(), tmp_path / "run")
    with pytest.raises(CheckpointError, match="none"):
        Trainer.resume(tiny(), tmp_path / "other")
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="write"):
        Trainer.begin(tiny(), tmp_path / "file" / "run")


def test_a_missing_device_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(DeviceError, match="CUDA"):
        Trainer.begin(tiny("run.device=cuda"), tmp_path / "run")
    assert not (tmp_path / "run").exists()  # so the same command can be given again


@pytest.mark.parametrize("file", sorted((Path(__file__).parents[2] / "configs").glob("*.yaml")), ids=lambda f: f.stem)
def test_every_shipped_config_makes_a_dummy_run(file: Path, tmp_path: Path) -> None:
    network = SPARSE if load_config(file).network.kind == "sparse" else RESIDUAL
    short = [*(line for line in SHORT if not line.startswith("replay.draw")), "selfplay.first_simulations=4"]
    config = load_config(file, [*network, *short])
    trained(config, tmp_path / "run")
    assert checkpoints_of(tmp_path / "run")


@pytest.mark.parametrize("network", [RESIDUAL, SPARSE], ids=["residual", "sparse"])
def test_a_run_with_every_head_and_target_goes_on_from_the_same_state(tmp_path: Path, network: list[str]) -> None:
    """What is saved at the end of a run is what a resumed one begins with, to the bit."""
    heads = ("network.auxiliary=true", "replay.surprise_share=0.5", "replay.q_share=0.25", "replay.q_share_final=0.75")
    config = tiny(*heads, network=network)
    ended = trained(config, tmp_path / "run")
    assert ended.replay.total > 0
    assert ended.learner.steps > 0
    with Trainer.resume(config, tmp_path / "run") as resumed:
        assert resumed.iteration == 6
    for part in ("learner", "replay"):
        left, right = getattr(ended, part).state_dict(), getattr(resumed, part).state_dict()
        assert left.keys() == right.keys()
        assert all(np.array_equal(left[name], right[name]) for name in left)
    assert np.ptp(ended.replay.state_dict()["draw_weight"]) > 0
    batch, again = ended.replay.sample(64), resumed.replay.sample(64)
    assert ended.learner.step(batch, 1.0) == resumed.learner.step(again, 1.0)
