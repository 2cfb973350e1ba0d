"""Self-play inside compiled code makes the moves that self-play from Python makes."""

from __future__ import annotations

import numpy as np
import pytest

from training.config import SelfplayConfig
from training.records import GameRecord
from training.selfplay import Table
from training.targets import replay

SMALL = {"simulations": 8, "games": 6, "opening_plies_max": 4}


def play(
    inside: bool, calls: int, moves: int, count: int = 6, seed: int = 3, **config: object
) -> tuple[list[GameRecord], Table]:
    table = Table(SelfplayConfig(**{**SMALL, **config}), "ttakji", count, seed)
    records: list[GameRecord] = []
    for _ in range(calls):
        if inside:
            records += table.play("heuristic", moves)
        else:
            for _ in range(moves):
                records += table.move("heuristic")
    return records, table


def same_logs(one: Table, other: Table) -> bool:
    left, right = one.state_dict(), other.state_dict()
    return all(np.array_equal(left[name], right[name]) for name in left)


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"root": "gumbel", "considered": 4},
        {"full_share": 0.5, "fast_simulations": 2, "noise_share": 0.25},
        {"temperature_plies": 2, "ending_temperature_plies": 1},
    ],
)
def test_the_same_moves_are_made(config: dict[str, object]) -> None:
    """As long as no game ends: a new one begins at once in the one, between two calls in the other."""
    inner, outer = (play(inside, 1, 5, endings_share=0.0, **config) for inside in (True, False))
    assert inner[0] == outer[0] == []
    assert same_logs(inner[1], outer[1])
    assert all(len(log.actions) == 5 for log in inner[1]._logs)


def test_games_end_and_new_ones_begin_in_their_places() -> None:
    records, table = play(True, 30, 8, endings_share=1.0, max_episode_plies=30)
    assert len(records) > 20
    assert all(len(record) <= 30 for record in records)
    assert {record.truncated for record in records} == {True, False}
    for record in records:
        positions = replay(record)  # raises where the rules say otherwise
        assert len(positions) == len(record) + 1
    assert not table.games.ended.any()
    assert all(len(log.actions) < 30 for log in table._logs)


def test_what_is_played_depends_on_the_seed_alone() -> None:
    one, again, other = (play(True, 4, 8, seed=seed)[1] for seed in (1, 1, 2))
    assert same_logs(one, again)
    assert not same_logs(one, other)
