"""Checkpoints: whole or absent, back to the bit, and refused by name where they do not hold."""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

from agents.errors import CheckpointError
from agents.network import NetworkEvaluator, load_evaluator
from agents.network.manifest import MANIFEST_FILE
from agents.network.weights import MODEL_FILE, load_network
from training import checkpoint
from training.config import LearnerConfig, ReplayConfig
from training.learner import Learner
from training.replay import Replay
from training.targets import rows_of

from .games import random_game
from .test_learner import SMALL, draw


def learner() -> Learner:
    one = Learner(LearnerConfig(), SMALL, seed=1)
    for i in range(2):
        one.step(draw(seed=i), 0.0)
    return one


def replay() -> Replay:
    one = Replay(ReplayConfig(), "ttakji", 0)
    one.add(rows_of(random_game(seed=1, plies=40, truncate=True), ReplayConfig()))
    one.sample(3)
    return one


@cache
def fixed() -> tuple[Learner, Replay]:
    """Return a learner and a replay that no test changes."""
    return learner(), replay()


def saved(run: Path, step: int) -> Path:
    one, rows = fixed()
    parts = {"learner": one.state_dict(), "replay": rows.state_dict()}
    return checkpoint.save(run, step, one.average, "ttakji", parts)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_run_goes_on_from_it_to_the_bit(tmp_path: Path) -> None:
    one, rows = learner(), replay()
    folder = checkpoint.save(
        tmp_path, 2, one.average, "ttakji", {"learner": one.state_dict(), "replay": rows.state_dict()}
    )
    assert folder == checkpoint.latest(tmp_path) == tmp_path / "checkpoints" / "000002"
    other, other_rows = Learner(LearnerConfig(), SMALL, seed=5), Replay(ReplayConfig(), "ttakji", 5)
    other.load_state_dict(checkpoint.load_part(folder, "learner"))
    other_rows.load_state_dict(checkpoint.as_arrays(checkpoint.load_part(folder, "replay")))
    assert one.step(rows.sample(8), 0.1) == other.step(other_rows.sample(8), 0.1)
    left, right = one.state_dict(), other.state_dict()
    assert all(torch.equal(left[name], right[name]) for name in left)


def test_it_holds_the_average_that_plays(tmp_path: Path) -> None:
    one = fixed()[0]
    checkpoint.save(tmp_path, 2, one.average, "fairy", {})
    kept = load_network(tmp_path, SMALL)
    assert (kept.rules, kept.step) == ("fairy", 2)
    left, right = kept.network.state_dict(), one.average.state_dict()
    assert all(torch.equal(left[name], right[name]) for name in right)
    planes = draw().inputs
    expected = NetworkEvaluator(one.average).evaluate(planes)[0]
    np.testing.assert_array_equal(load_evaluator(tmp_path).evaluate(planes)[0], expected)


def test_the_same_run_leaves_the_same_bytes(tmp_path: Path) -> None:
    parts = {"learner": learner().state_dict(), "replay": replay().state_dict()}
    again = checkpoint.save(tmp_path / "b", 7, learner().average, "ttakji", parts)
    assert contents(saved(tmp_path / "a", 7)) == contents(again)


def test_the_last_one_is_the_one_of_the_highest_step(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="got none"):
        checkpoint.latest(tmp_path)
    for step in (999_999, 1_000_000, 5):
        checkpoint.save(tmp_path, step, fixed()[0].average, "ttakji", {})
    assert checkpoint.latest(tmp_path).name == "1000000"


@pytest.mark.parametrize("what", ["save_file", "_flush"])
def test_a_kill_while_writing_harms_no_earlier_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    before = contents(saved(tmp_path, 1))
    with monkeypatch.context() as patched:
        patched.setattr(checkpoint, what, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        for step in (1, 2):
            with pytest.raises(KeyboardInterrupt):
                saved(tmp_path, step)
    assert checkpoint.latest(tmp_path).name == "000001"
    assert contents(checkpoint.latest(tmp_path)) == before
    saved(tmp_path, 2)
    saved(tmp_path, 1)
    assert sorted(os.listdir(tmp_path / "checkpoints")) == ["000001", "000002"]


def test_one_of_the_same_step_is_replaced(tmp_path: Path) -> None:
    saved(tmp_path, 3)
    folder = checkpoint.save(tmp_path, 3, fixed()[0].average, "fairy", {})
    assert sorted(os.listdir(folder)) == [MANIFEST_FILE, MODEL_FILE]
    assert load_network(folder).rules == "fairy"


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_part_cut_short(tmp_path: Path, share: float) -> None:
    folder = saved(tmp_path, 1)
    file = folder / "learner.safetensors"
    data = file.read_bytes()
    file.write_bytes(data[: int(share * len(data))])
    with pytest.raises(CheckpointError, match="damaged"):
        checkpoint.load_part(folder, "learner")
    assert checkpoint.load_part(folder, "replay")


def test_a_part_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="which is none"):
        checkpoint.load_part(saved(tmp_path, 1), "optimizer")


def test_a_part_of_another_network(tmp_path: Path) -> None:
    folder = saved(tmp_path, 1)
    other = Learner(LearnerConfig(), SMALL.model_copy(update={"blocks": 3}), seed=1)
    before = {name: value.clone() for name, value in other.state_dict().items()}
    with pytest.raises(CheckpointError, match="not in both"):
        other.load_state_dict(checkpoint.load_part(folder, "learner"))
    assert all(torch.equal(value, before[name]) for name, value in other.state_dict().items())


def test_a_learner_takes_its_state_back_before_the_first_step_too() -> None:
    fresh = Learner(LearnerConfig(), SMALL, seed=1)
    other = Learner(LearnerConfig(), SMALL, seed=2)
    other.step(draw(), 0.0)
    other.load_state_dict(fresh.state_dict())
    assert other.step(draw(), 0.0) == fresh.step(draw(), 0.0)
    state = fresh.state_dict()
    del state["optimizer.3.exp_avg"]
    with pytest.raises(CheckpointError, match="exp_avg"):
        other.load_state_dict(state)


def test_old_ones_keep_their_networks(tmp_path: Path) -> None:
    for step in (1, 2, 3):
        saved(tmp_path, step)
    checkpoint.prune(tmp_path, keep=2)
    left = {folder.name: len(os.listdir(folder)) for folder in (tmp_path / "checkpoints").iterdir()}
    assert left == {"000001": 2, "000002": 4, "000003": 4}
    assert load_network(tmp_path / "checkpoints" / "000001").step == 1
    with pytest.raises(ValueError, match="at least 1"):
        checkpoint.prune(tmp_path, keep=0)
