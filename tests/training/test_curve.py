"""Elo along runs: which checkpoints are taken, what they had cost, and what is drawn and told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.training.test_cli import run
from tests.training.test_loop import tiny, trained
from training.curve import Point, Rated, draw_curve, points_of
from training.errors import ReportError

PLAY = ["--play", "simulations=2", "--games", "2", "--anchors", "random", "--anchors", "greedy"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny run that keeps a checkpoint of every iteration."""
    path = tmp_path_factory.mktemp("curve") / "tiny"
    trained(tiny("run.iterations=8", "run.checkpoint_every_minutes=0"), path)
    return path


def test_points_lie_evenly_and_the_last_is_the_end(folder: Path) -> None:
    steps = sorted(int(each.name) for each in (folder / "checkpoints").iterdir() if int(each.name))
    assert len(steps) > 2
    everything, two, one = points_of(folder, 100), points_of(folder, 2), points_of(folder, 1)
    assert [point.step for point in everything] == steps
    hours = [point.cpu_hours for point in everything]
    assert hours == sorted(hours)
    assert hours[0] > 0
    assert [point.step for point in one] == [steps[-1]]
    assert len(two) == 2
    assert two[1] == one[0]
    middle = min(everything, key=lambda point: abs(point.cpu_hours - hours[-1] / 2))
    assert two[0] == middle


def test_a_run_without_checkpoints_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="run"):
        points_of(tmp_path, 2)


def test_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    ledger, picture = tmp_path / "ledger.jsonl", tmp_path / "strength.png"
    files = ["--ledger", str(ledger), "--picture", str(picture)]
    assert run(monkeypatch, "curve", str(folder), "--points", "2", *PLAY, *files, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [point["step"] for point in told] == [point.step for point in points_of(folder, 2)]
    assert all(point["half"] > 0 for point in told)
    assert picture.stat().st_size > 1000
    assert len(ledger.read_text().splitlines()) == 1 + 2 * 2  # the anchors, and each point against both
    assert run(monkeypatch, "curve", str(folder), "--points", "2", *PLAY, *files) == 0
    assert "CPU-hours" in capsys.readouterr().out
    assert len(ledger.read_text().splitlines()) == 5


def test_a_line_for_each_run(tmp_path: Path) -> None:
    rated = [Rated(Point(name, 1, hours, tmp_path), 100 * hours, 20) for name in "ab" for hours in (0.5, 1.0)]
    drawn = draw_curve(rated, "random", tmp_path / "x.svg").read_text()
    assert drawn.count("LineCollection") >= 2
