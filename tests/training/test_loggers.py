"""The curves: what is written is what TensorBoard reads."""

from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from training.blunders import blunder_share
from training.learner import Losses
from training.loggers import TensorBoardLogger

from .games import ROOK_ENDING, WHITE_MATES, played, random_game

GAMES = [
    played(WHITE_MATES, ["a7a8"]),
    random_game(ROOK_ENDING, seed=2),
    random_game(seed=4, searched_from=10, plies=20, truncate=True),
    random_game(seed=4, searched_from=10, plies=20, truncate=True),
]


def read(folder: Path) -> dict[str, list[tuple[int, float]]]:
    events = EventAccumulator(str(folder)).Reload()
    return {name: [(e.step, e.value) for e in events.Scalars(name)] for name in events.Tags()["scalars"]}


def test_curves_of_a_run(tmp_path: Path) -> None:
    with TensorBoardLogger(tmp_path) as logger:
        logger.losses(1, Losses(3.0, 2.0, 1.0, 0.5, 1e-3))
        logger.losses(2, Losses(2.5, 1.75, 0.75, 0.25, 2e-3))
        logger.losses(3, Losses(2.5, 1.75, 0.75, 0.25, 2e-3, (0.5, 0.25, 0.125, 0.0625)))
        logger.selfplay(2, GAMES, seconds=2.0)
        logger.selfplay(3, [], seconds=2.0)
        logger.scalar("replay/rows", 17, 2)
    curves = read(tmp_path)
    assert curves["loss/total"] == [(1, 3.0), (2, 2.5), (3, 2.5)]
    assert curves["loss/policy"] == [(1, 2.0), (2, 1.75), (3, 1.75)]
    assert curves["loss/value"] == [(1, 1.0), (2, 0.75), (3, 0.75)]
    heads = {"near_value": 0.5, "far_value": 0.25, "plies_left": 0.125, "count_margin": 0.0625}
    assert {name: curves[f"loss/{name}"] for name in heads} == {name: [(3, loss)] for name, loss in heads.items()}
    assert curves["learner/gradient_norm"] == [(1, 0.5), (2, 0.25), (3, 0.25)]
    rates = [(1, pytest.approx(1e-3)), (2, pytest.approx(2e-3)), (3, pytest.approx(2e-3))]
    assert curves["learner/learning_rate"] == rates
    assert curves["replay/rows"] == [(2, 17)]
    assert curves["selfplay/games_per_second"] == [(2, 2.0)]
    assert curves["selfplay/blunder_share"] == [(2, pytest.approx(blunder_share(GAMES)))]
    assert curves["selfplay/positions_per_second"] == [(2, (1 + len(GAMES[1]) + 20) / 2)]


def test_draws_are_told_apart_and_all_ends_make_one(tmp_path: Path) -> None:
    with TensorBoardLogger(tmp_path) as logger:
        logger.selfplay(1, GAMES, seconds=1.0)
    ends = {name: curve[0][1] for name, curve in read(tmp_path).items() if name.startswith("endings/")}
    assert ends["endings/white_wins"] == 0.25
    assert ends["endings/draw_pieces_count"] == 0.25
    assert ends["endings/truncated"] == 0.5
    assert ends["endings/black_wins"] == ends["endings/draw_stalemate"] == 0
    assert sum(ends.values()) == 1
