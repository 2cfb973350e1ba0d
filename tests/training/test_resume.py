"""To stop and to go on: bit for bit, past damaged checkpoints, with other settings, one process at a time."""

from __future__ import annotations

import errno
import logging
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from agents.errors import CheckpointError
from agents.network.weights import checkpoints_of
from training import checkpoint
from training.config import load_config
from training.errors import ConfigError, RunError, StorageError
from training.loggers import TensorBoardLogger
from training.loop import Trainer
from training.records import GAMES_FILE, read_games
from training.run_folder import CONFIG_FILE
from training.selfplay import Table

from .runs import StopAt, quiet, remains
from .test_loop import tiny
from .test_selfplay import SHORT, Uniform


@cache
def whole(base: Path, threads: int) -> dict[str, bytes]:
    """Return what an uninterrupted run leaves, whose checkpoints are the first and the last."""
    with Trainer.begin(tiny(f"run.threads={threads}"), base / f"whole-{threads}") as trainer:
        trainer.train(quiet())
    return remains(trainer.run)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


def stopped(run: Path, *overrides: str, at: int = 3) -> Path:
    with Trainer.begin(tiny(*overrides), run) as trainer:
        trainer.train(StopAt(trainer, at))
    assert trainer.iteration == at
    return run


def go_on(run: Path, *overrides: str) -> Trainer:
    with Trainer.resume(load_config(run / CONFIG_FILE, overrides), run) as trainer:
        trainer.train(quiet())
    return trainer


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stopped_run_goes_on_bit_for_bit(tmp_path: Path, base: Path, threads: int) -> None:
    run = stopped(tmp_path / "run", f"run.threads={threads}")
    assert remains(run) != whole(base, threads)
    assert go_on(run).iteration == 6
    assert remains(run) == whole(base, threads)


def test_so_does_one_with_every_head_every_target_and_a_gate(tmp_path: Path) -> None:
    settings = [
        "network.auxiliary=true",
        "replay.surprise_share=0.5",
        "replay.q_share_final=0.5",
        "selfplay.root=gumbel",
        "selfplay.full_share=0.5",
        "selfplay.fast_simulations=2",
        "run.gate_every_iterations=2",
        "run.gate_games=2",
        "run.gate_score=0.5",
    ]
    with Trainer.begin(tiny(*settings), tmp_path / "whole") as trainer:
        trainer.train(quiet())
    run = stopped(tmp_path / "run", *settings, at=5)
    go_on(run)
    left, right = remains(run), remains(trainer.run)
    assert left == right
    assert left["ledger"]


def test_what_was_played_after_the_checkpoint_is_played_again(tmp_path: Path, base: Path) -> None:
    run, early = tmp_path / "run", tmp_path / "early"
    with Trainer.begin(tiny("run.threads=1"), run) as trainer:
        trainer.train(StopAt(trainer, 2))
        shutil.copytree(run / "checkpoints", early)
        trainer.stopped = False
        trainer.train(StopAt(trainer, 5))
    games = len(list(read_games(run / GAMES_FILE)))
    shutil.rmtree(run / "checkpoints")
    early.rename(run / "checkpoints")
    with Trainer.resume(tiny("run.threads=1"), run) as trainer:
        assert trainer.iteration == 2
        assert len(list(read_games(run / GAMES_FILE))) == trainer.games < games
        trainer.train(quiet())
    assert remains(run) == whole(base, 1)


def test_how_often_it_saves_changes_nothing(tmp_path: Path, base: Path) -> None:
    with Trainer.begin(tiny("run.threads=1", "run.checkpoint_every_minutes=0"), tmp_path / "run") as trainer:
        trainer.train(quiet())
    assert remains(tmp_path / "run") == whole(base, 1)
    states = [len(list(folder.glob("learner.*"))) for folder in checkpoints_of(tmp_path / "run")]
    assert states[-2:] == [1, 1]
    assert sum(states) == 2


def test_a_finished_run_stays_as_it_is(tmp_path: Path) -> None:
    run = stopped(tmp_path / "run", at=6)
    before = remains(run)
    go_on(run)
    assert remains(run) == before


def test_unfinished_games_go_on_from_a_table_s_state() -> None:
    table, other = Table(SHORT, "ttakji", 6, 1), Table(SHORT, "ttakji", 6, 2)
    table.play(Uniform(), 17)
    other.load_state_dict({name: value.copy() for name, value in table.state_dict().items()})
    left, right = table.play(Uniform(), 45), other.play(Uniform(), 45)
    assert len(left) > 6
    assert [record.actions.tolist() for record in left] == [record.actions.tolist() for record in right]
    assert [record.edge_priors.tolist() for record in left] == [record.edge_priors.tolist() for record in right]
    state = table.state_dict()
    assert all(np.array_equal(value, other.state_dict()[name]) for name, value in state.items())
    with pytest.raises(CheckpointError, match="shape"):
        Table(SHORT, "ttakji", 5, 1).load_state_dict(state)
    del state["random"]
    with pytest.raises(CheckpointError, match="expected"):
        other.load_state_dict(state)


def test_a_damaged_checkpoint_is_set_aside_and_the_one_before_used(
    tmp_path: Path, base: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run = stopped(tmp_path / "run", "run.threads=1", "run.checkpoint_every_minutes=0", at=6)
    before, last = checkpoints_of(run)[-2:]
    data = (last / "replay.safetensors").read_bytes()
    (last / "replay.safetensors").write_bytes(data[:-100] + bytes([data[-100] ^ 1]) + data[-99:])
    with Trainer.resume(load_config(run / CONFIG_FILE), run) as trainer:
        assert trainer.learner.steps == int(before.name)
        assert f"damaged-{last.name} now, going on from the checkpoint before, {before.name}" in caplog.text
        assert checkpoint.latest(run) == before
        trainer.train(quiet())
    assert remains(run) == whole(base, 1)


@pytest.mark.parametrize("what", ["cut", "missing", "manifest", "games"])
def test_other_damage_is_found_too(tmp_path: Path, what: str) -> None:
    run = stopped(tmp_path / "run", "run.checkpoint_every_minutes=0", at=6)
    before, last = checkpoints_of(run)[-2:]
    if what == "cut":
        data = (last / "learner.safetensors").read_bytes()
        (last / "learner.safetensors").write_bytes(data[: len(data) // 2])
    elif what == "missing":
        (last / "games-1.safetensors").unlink()
    elif what == "manifest":
        (last / "manifest.json").unlink()
    else:
        at, end = (int(checkpoint.load_part(folder, "loop")["games_bytes"]) for folder in (before, last))
        assert at < end == (run / GAMES_FILE).stat().st_size
        (run / GAMES_FILE).write_bytes((run / GAMES_FILE).read_bytes()[: end - 1])
    with Trainer.resume(load_config(run / CONFIG_FILE), run) as trainer:
        assert trainer.learner.steps == int(before.name)
    assert last.with_name(f"damaged-{last.name}").is_dir()


def test_without_a_whole_checkpoint_it_says_why(tmp_path: Path) -> None:
    run = stopped(tmp_path / "run", at=6)
    for folder in checkpoints_of(run):
        (folder / "replay.safetensors").write_bytes(b"")
    with pytest.raises(CheckpointError, match=r"expected a whole one.*replay\.safetensors.*replay\.safetensors"):
        Trainer.resume(tiny(), run)
    assert len(checkpoints_of(run)) == 2


def test_one_put_aside_by_a_kill_comes_back(tmp_path: Path) -> None:
    run = stopped(tmp_path / "run", at=6)
    last = checkpoints_of(run)[-1]
    last.rename(last.with_name(f".replaced-{last.name}"))
    (last.parent / ".writing-000007").mkdir()
    with Trainer.resume(tiny(), run) as trainer:
        assert trainer.iteration == 6
    assert {entry.name[0] for entry in last.parent.iterdir()} == {"0"}


def test_changed_settings_are_written_down_and_the_old_ones_kept(tmp_path: Path) -> None:
    run = stopped(tmp_path / "run")
    go_on(run, "run.iterations=4", "learner.batch=32")
    assert load_config(run / CONFIG_FILE) == tiny("run.iterations=4", "learner.batch=32")
    assert load_config(run / "config-0001.yaml") == tiny()
    go_on(run, "selfplay.simulations=6", "selfplay.root=gumbel")
    assert load_config(run / "config-0002.yaml") == tiny("run.iterations=4", "learner.batch=32")
    go_on(run)
    assert sorted(file.name for file in run.glob("config*")) == ["config-0001.yaml", "config-0002.yaml", "config.yaml"]


@pytest.mark.parametrize("setting", ["seed=1", "rules=fairy", "network.blocks=2", "selfplay.games=9", "run.threads=3"])
def test_what_a_run_keeps_to_its_end(tmp_path: Path, setting: str) -> None:
    run = tmp_path / "run"
    Trainer.begin(tiny(), run).close()
    before = {file.name: file.read_bytes() for file in run.iterdir() if file.is_file()}
    with pytest.raises(ConfigError, match=setting.partition("=")[0]):
        Trainer.resume(tiny(setting), run)
    assert {file.name: file.read_bytes() for file in run.iterdir() if file.is_file()} == before


_HOLDER = """
import sys, time
from filelock import FileLock
lock = FileLock(sys.argv[1])
lock.acquire()
print("held", flush=True)
time.sleep(600)
"""


def test_a_folder_is_held_by_one_process_until_it_ends_or_is_killed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with Trainer.begin(tiny(), run), pytest.raises(RunError, match="nobody trains in"):
        Trainer.resume(tiny(), run)
    command = [sys.executable, "-c", _HOLDER, str(run / ".lock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(RunError, match="nobody trains in"):
            Trainer.resume(tiny(), run)
        other.kill()
    Trainer.resume(tiny(), run).close()


def full(*args: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("where", ["save_file", "write_manifest", "_flush"])
def test_a_disk_that_is_full_when_a_checkpoint_is_written(
    tmp_path: Path, base: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    run = tmp_path / "run"
    with Trainer.begin(tiny("run.threads=1"), run) as trainer:
        trainer.train(StopAt(trainer, 2))
        trainer.stopped = False
        with monkeypatch.context() as patched:
            patched.setattr(checkpoint, where, full)
            with pytest.raises(StorageError, match=r"checkpoint: expected to write .* No space left"):
                trainer.train(StopAt(trainer, 4))
    assert all(entry.name.isdigit() for entry in (run / "checkpoints").iterdir())
    go_on(run)
    assert remains(run) == whole(base, 1)


def test_a_disk_that_is_full_when_curves_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Trainer.begin(tiny(), tmp_path / "run") as trainer, monkeypatch.context() as patched:
        patched.setattr(TensorBoardLogger, "selfplay", full)
        with pytest.raises(StorageError, match=r"expected to write .* No space left"):
            trainer.train(quiet())


def test_a_run_half_begun_is_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("training.loop.save_config", full)
        with pytest.raises(StorageError, match="No space left"):
            Trainer.begin(tiny(), tmp_path / "run")
    Trainer.begin(tiny(), tmp_path / "run").close()
    assert len(checkpoints_of(tmp_path / "run")) == 1


def test_the_alarm_is_told_once_in_a_while(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Trainer.begin(
        tiny("selfplay.games=70", "selfplay.max_episode_plies=1", "learner.reuse=0.1"), tmp_path / "run"
    ) as trainer:
        trainer.train(quiet())
    told = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert trainer.games == 6 * 8 * 70
    assert len(told) == 6  # an iteration ends 560 games
    assert "of the last 500 games were won by nobody" in told[0].message
    assert trainer.status().alarm in told[-1].message
