"""Faults that training loops were shipped with, by their numbers in tests/mutants/faults.py: small tests of each."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import agents
from tests.training.games import random_game
from tests.training.test_loop import TINY, trained
from training.arena import play_match
from training.config import ReplayConfig, load_config
from training.ledger import recorded_match
from training.replay import Replay
from training.targets import rows_of


def test_05_an_agent_that_answers_nonsense_is_not_replaced_by_chance() -> None:
    class Wrong(agents.Agent):
        name = "wrong"

        def select(self, games: object, which: np.ndarray) -> np.ndarray:
            return np.full(len(which), 1473)  # no count can be stopped at the start

        def settings(self) -> dict[str, object]:
            return {}

    with pytest.raises(ValueError, match="legal"):
        play_match(Wrong(), agents.make("random"), 2)


def test_16_a_replay_does_not_grow() -> None:
    config = ReplayConfig(window_min=64, window_max=256)
    replay = Replay(config, "ttakji", 0)
    rows = rows_of(random_game(seed=1, plies=60, truncate=True), config)
    sizes = {name: value.nbytes for name, value in vars(replay).items() if isinstance(value, np.ndarray)}
    for _ in range(10):
        replay.add(rows)
        assert len(replay) <= replay.window <= 256
    assert sizes == {name: value.nbytes for name, value in vars(replay).items() if isinstance(value, np.ndarray)}
    assert replay.total == 10 * len(rows) > 256


def test_20_no_row_is_trained_on_more_often_than_reuse_allows(tmp_path: Path) -> None:
    config = load_config(None, [*TINY, "learner.reuse=2", "run.iterations=4"])
    trainer = trained(config, tmp_path / "run")
    assert 0 < trainer.learner.steps * config.learner.batch <= 2 * trainer.replay.total


def test_21_a_match_tells_the_settings_each_side_played_with() -> None:
    first, second = (agents.make(f"mcts:evaluator=uniform,simulations={n}") for n in (2, 3))
    told = recorded_match(None, (first, second), 2).sides
    assert [side.settings["simulations"] for side in told] == [2, 3]
    assert [side.settings["c_init"] for side in told] == [1.25, 1.25]
    assert told[0].digest != told[1].digest


def test_22_games_begin_in_many_ways() -> None:
    """Openings are drawn at random and endings are among the starts, so that not all games end alike."""
    from tests.training.test_selfplay import SHORT, played

    starts = [record.start[0] for record in played(SHORT, moves=50)]
    assert len({start.tobytes() for start in starts}) > len(starts) / 2
    men = [int(start["white"] | start["black"]).bit_count() for start in starts]
    assert min(men) < 16
    assert max(men) >= 30
