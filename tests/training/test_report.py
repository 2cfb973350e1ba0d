"""The report of a run, made from its folder alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import agents
from training.arena import MatchResult
from training.config import Config, load_config, save_config
from training.display import Status
from training.errors import ReportError
from training.learner import Losses
from training.ledger import Ledger, MatchLine, Side
from training.loggers import TensorBoardLogger
from training.plots import draw
from training.report import changed_settings, match_cells, read_run, run_figures, write_report

from .games import WHITE_MATES, played

MATCH = MatchLine.of(
    (Side.of(agents.make("greedy"), "mcts:checkpoint=checkpoints/000012"), Side.of(agents.make("random"))),
    "ttakji",
    0,
    MatchResult(np.array([1, 1, 1, 0.5]), Counter({"CHECKMATE": 3, "REPETITION": 1}), 4, 240),
)


def make_run(run: Path, steps: int = 3) -> Path:
    with TensorBoardLogger(run / "tensorboard") as logger:
        for step in range(1, steps + 1):
            logger.losses(step, Losses(3.0, 2.0, 1.0, 0.5, 1e-3))
            logger.selfplay(step, [played(WHITE_MATES, ["a7a8"])], seconds=2.0)
            ends = Counter({"CHECKMATE": 2 * step, "REPETITION": step})
            logger.run(
                Status(seconds=60.0 * step, cpu_seconds=120.0 * step, games=3 * step, positions=40 * step, steps=step),
                {"network": 6.0 * step, "search": 2.0 * step},
                ends,
            )
    save_config(run / "config.yaml", load_config(None, ["learner.batch=64", "run.minutes=3"]))
    Ledger(run / "ledger.jsonl").append(MATCH)
    return run


def test_the_figures_are_those_at_the_end(tmp_path: Path) -> None:
    figures = dict(run_figures(read_run(make_run(tmp_path))))
    assert figures["minutes of training"] == "3.0"
    assert figures["CPU-hours of training"] == "0.10"
    assert figures["games"] == "9 (0.1/s)"
    assert figures["positions"] == "120 (1/s)"
    assert figures["learner's steps"] == "3"
    assert figures["moves that lost more than 0.2, of late"] == "0.00%"
    assert figures["time in network"] == "75%"
    assert figures["games ended by checkmate"] == "6 (66.7%)"
    assert figures["games ended by repetition"] == "3 (33.3%)"


def test_the_report_shows_tables_pictures_and_changed_settings_and_can_be_made_again(tmp_path: Path) -> None:
    for steps in (2, 3):
        run = make_run(tmp_path / str(steps), steps)
        path = write_report(read_run(run))
    first = path.read_text()
    assert write_report(read_run(run)).read_text() == first
    assert "| learner.batch | 256 | 64 |" in first
    assert "learner.reuse" not in first
    assert "| mcts:checkpoint=checkpoints/000012 | random | 4 | 3 | 1 | 0 | 0 0 0 1 1 | 87.5% |" in first
    for name in ("losses", "speed", "blunders", "endings", "matches"):
        assert f"(pictures/{name}.png)" in first
        with Image.open(run / "pictures" / f"{name}.png") as picture:
            assert len(np.unique(np.asarray(picture.convert("RGB")).reshape(-1, 3), axis=0)) > 10


def test_pictures_are_drawn_of_what_there_is(tmp_path: Path) -> None:
    assert draw({}, [], tmp_path) == []
    only = {"loss/value": [(step, 1 / step) for step in range(1, 500)], "endings/truncated": [(1, 0.0)]}
    assert [path.name for path in draw(only, [], tmp_path)] == ["losses.png"]
    assert [path.name for path in draw({}, [MATCH], tmp_path)] == ["matches.png"]


def test_a_match_tells_pairs_and_elo() -> None:
    cells = match_cells(MATCH)
    assert cells[6] == "0 0 0 1 1"
    assert cells[9].startswith(f"{MATCH.elo:+.0f} (")
    assert cells[-1] == "checkmate 3, repetition 1"


def test_defaults_do_not_differ() -> None:
    assert changed_settings(Config()) == []
    assert changed_settings(load_config(None, ["network.blocks=2", "seed=5"])) == [
        ("seed", "0", "5"),
        ("network.blocks", str(Config().network.blocks), "2"),
    ]


def test_a_network_of_another_kind_differs_from_its_own_defaults() -> None:
    assert changed_settings(load_config(None, ["network.kind=sparse", "network.width=64"])) == [
        ("network.kind", "residual", "sparse"),
        ("network.width", "256", "64"),
    ]


def test_a_folder_without_curves_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="folder of a run"):
        read_run(tmp_path)
    (tmp_path / "tensorboard").mkdir()
    with pytest.raises(ReportError, match="logged"):
        read_run(tmp_path)
