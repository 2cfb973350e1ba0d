"""The native vector environments: autoreset modes, masks, seeds, states, buffers, what is refused."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from makruk_env import IllegalMoveError, Termination
from makruk_env.envs.autoreset import AutoresetMode
from makruk_env.envs.vector import VectorMakruk, VectorSelfPlay
from makruk_env.errors import StateError
from tests.envs.games import WHITE_MATES
from tests.envs.test_solo import number

MATE = number("h1", "h8")


def played(env: VectorSelfPlay | VectorMakruk, steps: int) -> list[Any]:
    """Return what some steps of sampled actions give."""
    return [env.step(env.sample_actions()) for _ in range(steps)]


def test_gymnasium_makes_them_with_native_vectors() -> None:
    env = gymnasium.make_vec("makruk_env:Makruk-v0", num_envs=3, opponent="greedy", colour="black")
    assert isinstance(env.unwrapped, VectorMakruk)
    observations, infos = env.reset(seed=1)
    assert observations["observation"].shape == (3, 26, 8, 8)
    assert env.observation_space.contains(observations)
    assert infos["colour"].tolist() == [1, 1, 1]
    assert infos["_colour"].all()
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    actions = env.action_space.sample(mask=tuple(observations["action_mask"]))
    assert env.step(actions)[1].dtype == np.float64


def test_the_mode_belongs_to_the_instance() -> None:
    one, other = VectorSelfPlay(1, autoreset_mode="SameStep"), VectorSelfPlay(1)
    assert one.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert other.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP


def test_next_step_resets_a_step_later_and_ignores_that_action() -> None:
    env = VectorSelfPlay(2, start=WHITE_MATES)
    env.reset(seed=1)
    _, rewards, ended, cut, infos = env.step(np.array([MATE, number("h1", "h2")]))
    assert (rewards.tolist(), ended.tolist(), cut.tolist()) == ([1, 0], [True, False], [False, False])
    assert infos["termination"].tolist() == [Termination.CHECKMATE, 0]
    assert env.action_masks().any(axis=1).tolist() == [False, True]
    observations, rewards, ended, _, infos = env.step(np.array([-5, number("a8", "b8", black=True)]))
    assert (rewards.tolist(), ended.tolist(), infos["ply"].tolist()) == ([0, 0], [False, False], [0, 2])
    assert observations["action_mask"][0].any()


def test_same_step_tells_the_last_observation_and_info() -> None:
    env = VectorSelfPlay(2, start=WHITE_MATES, autoreset_mode="SameStep")
    first, _ = env.reset(seed=1)
    observations, rewards, ended, _, infos = env.step(np.array([number("h1", "h2"), MATE]))
    assert (rewards.tolist(), ended.tolist()) == ([0, 1], [False, True])
    assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == [False, True]
    assert infos["final_obs"][0] is None
    assert not infos["final_obs"][1]["action_mask"].any()
    assert infos["final_info"]["termination"].tolist() == [0, Termination.CHECKMATE]
    assert infos["final_info"]["_termination"].tolist() == [False, True]
    assert infos["termination"].tolist() == [0, 0]
    assert np.array_equal(observations["observation"][1], first["observation"][1])


def test_disabled_waits_for_a_reset_of_the_ended_lanes() -> None:
    env = VectorSelfPlay(2, start=WHITE_MATES, autoreset_mode="Disabled")
    env.reset(seed=1)
    env.step(np.array([MATE, number("h1", "h2")]))
    with pytest.raises(ValueError, match=r"reset of lanes \[0\]"):
        env.step(np.array([MATE, number("a8", "b8", black=True)]))
    _, infos = env.reset(options={"reset_mask": np.array([True, False])})
    assert infos["ply"].tolist() == [0, 1]
    assert infos["_ply"].tolist() == [True, False]
    assert env.step(np.array([MATE, number("a8", "b8", black=True)]))[2].tolist() == [True, False]


def test_what_was_returned_is_not_written_to_again() -> None:
    env = VectorSelfPlay(4)
    observations, _ = env.reset(seed=2)
    kept = {name: rows.copy() for name, rows in observations.items()}
    later = played(env, 5)
    for name, rows in kept.items():
        assert np.array_equal(observations[name], rows)
        assert not np.shares_memory(later[0][0][name], later[1][0][name])
    assert not np.shares_memory(later[0][4]["ply"], later[1][4]["ply"])


def test_buffers_are_reused_on_demand() -> None:
    env, plain = VectorSelfPlay(4, reuse_buffers=True), VectorSelfPlay(4)
    first, _ = env.reset(seed=2)
    expected, _ = plain.reset(seed=2)
    for _ in range(30):
        actions = env.sample_actions()
        assert np.array_equal(actions, plain.sample_actions())
        second, expected = env.step(actions)[0], plain.step(actions)[0]
        assert second["observation"] is first["observation"]
        assert np.array_equal(second["observation"], expected["observation"])


def test_an_episode_may_be_cut_by_steps() -> None:
    env = gymnasium.make_vec("makruk_env:Makruk-v0", num_envs=2, max_episode_steps=3)
    env.reset(seed=1)
    cuts = [env.step(env.unwrapped.sample_actions())[3].tolist() for _ in range(5)]
    assert cuts == [[False] * 2, [False] * 2, [True] * 2, [False] * 2, [False] * 2]


def test_sampled_actions_are_legal_and_spread() -> None:
    env = VectorSelfPlay(64, illegal_action="raise")
    env.reset(seed=3)
    drawn = {int(a) for _ in range(20) for a in env.sample_actions()}
    assert drawn == set(np.flatnonzero(env.action_masks()[0]).tolist())
    played(env, 60)


@pytest.mark.parametrize("make", [VectorMakruk, VectorSelfPlay])
def test_states_of_one_lane_and_of_all(make: Any) -> None:
    env, other = make(3, start="ending"), make(3, start="ending")
    env.reset(seed=6)
    other.reset(seed=60)
    played(env, 9)
    other.set_state(env.get_state())
    for one, two in zip(played(env, 20), played(other, 20), strict=True):
        assert np.array_equal(one[0]["observation"], two[0]["observation"])
        assert np.array_equal(one[1], two[1])
    lane = env.get_state(lane=1)
    other.reset(seed=7)
    other.set_state(lane, lane=2)
    assert other.get_state(lane=2) == lane
    with pytest.raises(StateError, match="3 lanes"):
        other.set_state(lane)


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([0], ValueError, r"expected \[2\] integers"),
        ([0.0, 1.0], ValueError, r"expected \[2\] integers"),
        ([number("e3", "e4"), 0], IllegalMoveError, "got 0 in lane 1, 'rnsm"),
    ],
)
def test_bad_actions_change_nothing(actions: list[Any], error: type[Exception], message: str) -> None:
    env = VectorSelfPlay(2, illegal_action="raise")
    env.reset(seed=1)
    before = env.get_state()
    with pytest.raises(error, match=message):
        env.step(np.array(actions))
    assert env.get_state() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"autoreset_mode": "Sometimes"}, "Sometimes"),
        ({"max_episode_steps": 0}, "max_episode_steps"),
        ({"num_envs": 0}, "count: expected at least 1"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        VectorSelfPlay(**arguments)


@pytest.mark.parametrize("mask", [[True, False], np.array([1, 0]), np.array([True]), np.zeros(2, bool)])
def test_bad_reset_masks_are_refused(mask: Any) -> None:
    env = VectorSelfPlay(2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": mask})


def test_seeds() -> None:
    env = VectorMakruk(3, start="opening:3-6")
    by_number = env.reset(seed=4)[0]["observation"]
    by_list = env.reset(seed=[4, 5, 6])[0]["observation"]
    assert np.array_equal(by_number, by_list)
    assert not np.array_equal(env.reset()[0]["observation"], by_list)
    with pytest.raises(ValueError, match="each of 3 lanes"):
        env.reset(seed=[1, 2])
