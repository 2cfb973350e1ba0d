"""The spaces of the environments hold what the environments show."""

import random

import numpy as np
import pytest

from makruk_env import NUM_ACTIONS, NUM_PLANES, makruk_v0
from tests.envs.games import play_randomly, started


def test_each_agent_has_spaces_of_its_own_the_same_ones_each_time() -> None:
    env = makruk_v0.env()
    spaces = []
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert space is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert set(space.spaces) == {"observation", "action_mask"}
        assert (space["observation"].shape, space["observation"].dtype) == ((NUM_PLANES, 8, 8), np.float32)
        assert (space["action_mask"].shape, space["action_mask"].dtype) == ((NUM_ACTIONS,), np.int8)
        assert env.action_space(agent).n == NUM_ACTIONS
        spaces += [space, env.action_space(agent)]
    assert len({id(space) for space in spaces}) == 4


@pytest.mark.parametrize("fen", ["3k4/8/8/8/3KS3/4R3/8/MMMMMMMM w - - 0 1", "k6R/8/8/8/8/8/8/K7 b - 9998 9998 1"])
def test_observations_with_the_widest_counts_are_in_the_space(fen: str) -> None:
    env = started(fen=fen)
    play_randomly(env, random.Random(1), 6)
    for agent in env.possible_agents:
        assert env.observation_space(agent).contains(env.observe(agent))
