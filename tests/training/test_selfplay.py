"""Self-play: records that the rules confirm, from both kinds of start, whatever the number of threads."""

from __future__ import annotations

import numpy as np

from agents.search.tree import NONE
from makruk_env import Termination
from training.config import ReplayConfig, SelfplayConfig
from training.records import GameRecord
from training.selfplay import Table
from training.targets import replay, rows_of


class Uniform:
    """Knows nothing, and watches that it is asked nothing but unfinished games."""

    def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((len(planes), 1474), np.float32), np.full((len(planes), 3), 1 / 3, np.float32)


def played(config: SelfplayConfig, moves: int = 60, seed: int = 3) -> list[GameRecord]:
    return Table(config, "ttakji", 8, seed).play(Uniform(), moves)


SHORT = SelfplayConfig(simulations=6, max_episode_plies=40)


def test_every_record_is_confirmed_by_its_own_moves() -> None:
    records = played(SHORT)
    assert len(records) > 8
    for record in records:
        positions = replay(record)
        assert len(positions) == len(record) + 1
        assert record.truncated == (record.termination == 0)
        assert np.allclose(np.add.reduceat(record.edge_shares, record.edge_offsets[:-1]), 1, atol=1e-5)
        assert (np.abs(record.root_value) <= 1).all()


def test_a_game_cut_short_has_no_result_to_learn() -> None:
    cut = [record for record in played(SHORT) if record.truncated]
    assert cut
    for record in cut:
        assert len(record) == SHORT.max_episode_plies
        assert (rows_of(record, ReplayConfig()).value_weight == 0).all()


def test_games_start_from_openings_and_from_endings() -> None:
    men = [int(record.start["white"][0] | record.start["black"][0]).bit_count() for record in played(SHORT)]
    assert any(count >= 30 for count in men)
    assert any(count <= 10 for count in men)


def test_the_same_seed_plays_the_same_games_and_another_seed_others() -> None:
    first, again, other = played(SHORT), played(SHORT), played(SHORT, seed=4)
    assert [record.actions.tolist() for record in first] == [record.actions.tolist() for record in again]
    assert [record.actions.tolist() for record in first] != [record.actions.tolist() for record in other]


def test_without_temperature_the_most_visited_move_is_played() -> None:
    config = SHORT.model_copy(update={"temperature_plies": 0, "ending_temperature_plies": 0, "c_scale": 0.0})
    for record in played(config):
        for ply, action in enumerate(record.actions):
            span = slice(record.edge_offsets[ply], record.edge_offsets[ply + 1])
            shares = record.edge_shares[span]
            assert shares[record.edge_actions[span].tolist().index(action)] == shares.max()


def test_finished_games_name_their_end() -> None:
    for record in played(SHORT, moves=80):
        if not record.truncated:
            assert record.termination in set(Termination)


def test_nothing_is_in_flight_after_a_search() -> None:
    table = Table(SHORT, "ttakji", 4, 1)
    table.move(Uniform())
    assert (table.search.heads["leaf"] == NONE).all()


def test_moves_searched_in_haste_are_played_and_not_learnt() -> None:
    config = SHORT.model_copy(update={"full_share": 0.25, "fast_simulations": 2, "noise_share": 0.0})
    records = played(config)
    full = np.concatenate([record.full for record in records])
    assert 0.15 < full.mean() < 0.35
    for record in records:
        assert len(rows_of(record, ReplayConfig())) == record.full.sum()
        assert (record.root_value[~record.full] == 0).all()
        for ply in np.flatnonzero(record.full):
            visits = record.edge_visits[record.edge_offsets[ply] : record.edge_offsets[ply + 1]]
            assert visits.sum() == 6 or abs(record.root_value[ply]) in (0, 1)  # or proven before


def test_simulations_rise_over_the_run() -> None:
    config = SHORT.model_copy(update={"first_simulations": 2})
    table = Table(config, "ttakji", 4, 1)
    assert [table.simulations(share) for share in (0.0, 0.24, 0.5, 1.0, 1.2)] == [2, 3, 4, 6, 6]
    table.move(Uniform(), 0.0)
    assert (table.search.heads["budget"] == 2).all()
    table.move(Uniform(), 1.0)
    assert (table.search.heads["budget"] == 6).all()


def test_a_gumbel_root_plays_whole_games() -> None:
    config = SHORT.model_copy(update={"root": "gumbel", "considered": 4})
    records = played(config)
    assert len(records) > 8
    for record in records:
        for ply in range(len(record)):
            visits = record.edge_visits[record.edge_offsets[ply] : record.edge_offsets[ply + 1]]
            assert np.count_nonzero(visits) <= 4 or abs(record.root_value[ply]) in (0, 1)
