"""The gate: who plays, when it is asked, and that a resumed run finds its matches."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from agents.network.weights import checkpoints_of, load_network
from tests.training.test_loop import tiny, trained
from training.config import Config
from training.gate import Gate
from training.loop import Trainer
from training.matches import final_matches


def gated(score: float, *more: str) -> Config:
    return tiny("run.gate_every_iterations=2", "run.gate_games=2", f"run.gate_score={score}", *more)


def test_without_a_gate_the_average_plays(tmp_path: Path) -> None:
    gate = Gate(tiny(), tmp_path)
    assert not any(gate.is_due(iteration) for iteration in range(10))
    assert gate.network is None


@pytest.mark.parametrize(("score", "replaced"), [(0.55, True), (0.54, False)])
def test_a_challenger_plays_if_it_scores_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, score: float, replaced: bool
) -> None:
    asked = []

    def answer(*given: object, names: tuple[str, str]) -> SimpleNamespace:
        asked.append(names)
        return SimpleNamespace(score=score)

    monkeypatch.setattr("training.gate.recorded_match", answer)
    trainer = trained(gated(0.55, "run.iterations=7"), tmp_path / "run")
    saved = [int(folder.name) for folder in checkpoints_of(tmp_path / "run")]
    assert asked
    assert trainer.gate.step == (saved[-2] if replaced else 0)  # the last one is saved behind the last gate
    assert [f"{trainer.gate.step:06d}" in names[0] for names in asked][-1] == replaced


def test_the_network_that_plays_is_the_checkpoint_and_not_the_average(tmp_path: Path) -> None:
    trainer = trained(gated(1.0), tmp_path / "run")
    assert trainer.gate.step == 0
    playing, first = trainer.gate.network, load_network(checkpoints_of(tmp_path / "run")[0]).network
    assert playing is not None
    own, average = playing.state_dict(), trainer.learner.average.state_dict()
    assert all((own[name] == value).all() for name, value in first.state_dict().items())
    assert any((own[name] != value).any() for name, value in average.items())


def test_matches_stand_in_the_ledger_without_the_folder_and_a_resumed_run_goes_on_alike(tmp_path: Path) -> None:
    config = gated(0.5)
    whole = trained(config, tmp_path / "whole")
    ledger = (tmp_path / "whole" / "ledger.jsonl").read_text()
    lines = [json.loads(line) for line in ledger.splitlines()]
    assert lines
    assert str(tmp_path) not in ledger
    assert lines[0]["sides"][1]["agent"].startswith("mcts:checkpoint=checkpoints/000000,")
    assert len({line["seed"] for line in lines}) == len(lines)
    with Trainer.resume(config, tmp_path / "whole") as again:
        assert again.gate.step == whole.gate.step


def test_a_gate_asked_again_plays_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = trained(gated(0.5), tmp_path / "run")
    first, last = checkpoints_of(tmp_path / "run")[0], checkpoints_of(tmp_path / "run")[-1]
    answers = []
    for _ in range(2):
        gate = Gate(trainer.config, trainer.run)
        gate.judge(first)
        assert gate.step == 0
        gate.judge(last)
        answers.append(gate.step)
        monkeypatch.setattr("training.ledger.play_match", None)
    assert answers[0] == answers[1]


def test_final_matches_are_played_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = trained(tiny("run.iterations=1"), tmp_path / "run")
    before = final_matches(trainer.config, trainer.run, lambda *_: None)
    monkeypatch.setattr("training.ledger.play_match", None)
    assert final_matches(trainer.config, trainer.run, lambda *_: None) == before
