"""Ablations: the shipped files, a dummy run of them, and going on after an interruption."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from rich.console import Console

from agents.network.weights import checkpoints_of
from tests.training.test_loop import TINY
from training.ablate import arms_table, load_ablation, rate_arms, train_arms
from training.config import Config
from training.display import Display
from training.errors import ConfigError, RunError
from training.ledger import Ledger
from training.loop import Trainer

SHIPPED = sorted((Path(__file__).parents[2] / "configs" / "ablations").glob("*.yaml"))


def quiet(name: str) -> Display:
    return Display(Console(quiet=True), name)


def write_small(path: Path, **changes: object) -> Path:
    """Write an ablation of two arms that differ in a setting, each a run of two iterations."""
    base = path.parent / "base.yaml"
    base.write_text(yaml.safe_dump(_nested(TINY)))
    values: dict[str, object] = {
        "base": "base.yaml",
        "iterations": 2,
        "games": 2,
        "anchors": ["random"],
        "play": "simulations=2",
        "arms": [{"name": "plain"}, {"name": "mixed", "set": {"replay.q_share": 0.5}}],
    }
    path.write_text(yaml.safe_dump(values | changes))
    return path


def _nested(lines: list[str]) -> dict[str, dict[str, object]]:
    values: dict[str, dict[str, object]] = {}
    for line in lines:
        key, _, value = line.partition("=")
        section, _, name = key.partition(".")
        values.setdefault(section, {})[name] = yaml.safe_load(value)
    return values


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_every_shipped_ablation_makes_a_dummy_run(file: Path, tmp_path: Path) -> None:
    shipped, _ = load_ablation(file)
    small = {f"{section}.{name}": value for section, part in _nested(TINY).items() for name, value in part.items()}
    arms = []
    for arm in shipped.arms:
        kept = {key: value for key, value in arm.set.items() if key not in small}
        assert kept
        arms.append({"name": arm.name, "set": small | kept | {"run.iterations": 2}})
    path = write_small(tmp_path / "a.yaml", arms=arms, seeds=[0])
    ablation, configs = load_ablation(path)
    assert train_arms(configs, tmp_path / "out", quiet)
    table = arms_table(ablation, *rate_arms(ablation, tmp_path / "out", lambda *_: None))
    assert [line.split(" | ")[0] for line in table.splitlines()[4:]] == [f"| {arm.name}" for arm in shipped.arms]


def test_the_search_ablation_is_what_it_is_called() -> None:
    file = next(file for file in SHIPPED if file.stem == "search")
    ablation, configs = load_ablation(file)
    told = {
        name: (config.selfplay.root, config.selfplay.simulations, config.replay.q_share, config.run.minutes)
        for name, config in configs.items()
        if config.seed == ablation.seeds[0]
    }
    assert told == {
        "gumbel-n16-zq-seed0": ("gumbel", 16, 0.25, 10),
        "puct-n16-seed0": ("puct", 16, 0.25, 10),
        "gumbel-n16-z-seed0": ("gumbel", 16, 0.0, 10),
    }
    assert len(configs) == 6


def test_arms_are_trained_and_rated_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ablation, configs = load_ablation(write_small(tmp_path / "a.yaml", iterations=6))
    out = tmp_path / "out"
    assert train_arms(configs, out, quiet)
    table = arms_table(ablation, *rate_arms(ablation, out, lambda *_: None))
    assert sorted(path.name for path in out.iterdir() if path.is_dir()) == sorted(configs)
    assert len(list(Ledger(out / "ledger.jsonl").matches)) == 4
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    monkeypatch.setattr("training.ledger.play_match", None)
    monkeypatch.setattr(Trainer, "train", None)
    assert train_arms(configs, out, quiet)
    assert arms_table(ablation, *rate_arms(ablation, out, lambda *_: None)) == table
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    assert "| plain | " in table
    assert "6 iterations an arm and seed" in table


def iterations(configs: dict[str, Config], out: Path) -> int:
    """How far the plain arm has come."""
    with Trainer.resume(configs["plain-seed0"], out / "plain-seed0") as trainer:
        return trainer.iteration


def test_an_interrupted_arm_is_gone_on_with(tmp_path: Path) -> None:
    _, configs = load_ablation(write_small(tmp_path / "a.yaml", seeds=[0]))
    out, stop = tmp_path / "out", [True]

    class Stopping(Display):
        def update(self, status: object) -> None:
            trainers[-1].stopped = stop[0]

    trainers: list[Trainer] = []
    with pytest.MonkeyPatch.context() as patched:
        plain = Trainer.begin.__func__  # type: ignore[attr-defined]
        patched.setattr(Trainer, "begin", lambda *given: trainers.append(plain(Trainer, *given)) or trainers[-1])
        assert not train_arms(configs, out, lambda name: Stopping(Console(quiet=True), name))
    assert [folder.name for folder in out.iterdir()] == ["plain-seed0"]
    assert iterations(configs, out) == 1
    assert train_arms(configs, out, quiet)
    assert iterations(configs, out) == 2
    assert checkpoints_of(out / "mixed-seed0")


def test_a_run_of_other_settings_is_not_taken_for_an_arm(tmp_path: Path) -> None:
    path = write_small(tmp_path / "a.yaml", seeds=[0])
    Trainer.begin(load_ablation(path)[1]["plain-seed0"], tmp_path / "out" / "plain-seed0").close()
    _, changed = load_ablation(write_small(path, seeds=[0], iterations=3))
    with pytest.raises(RunError, match="plain-seed0"):
        train_arms(changed, tmp_path / "out", quiet)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"arms": []}, "arms"),
        ({"arms": [{"name": "a b"}]}, "name"),
        ({"arms": [{"name": "a"}, {"name": "a"}]}, "different names"),
        ({"arms": [{"name": "a", "set": {"selfplay.roots": 1}}]}, "selfplay.roots"),
        ({"colour": "red"}, "colour"),
        ({"base": "nowhere.yaml"}, "nowhere"),
        ({"games": 3}, "games"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_a_wrong_file_is_told(tmp_path: Path, changes: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_ablation(write_small(tmp_path / "a.yaml", **changes))
