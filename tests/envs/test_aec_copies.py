"""Copies and pickles of the PettingZoo environment in mid-game, and environments side by side."""

import copy
import pickle
import random
from collections.abc import Callable

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from makruk_env import Board, IllegalMoveError, Rules
from tests.envs.games import FACES, OPEN_BOARD, WHITE_MATES, Env, play, play_randomly, started, told

WAYS: list[Callable[[Env], Env]] = [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]


@pytest.mark.parametrize("make", FACES)
@pytest.mark.parametrize("duplicate", WAYS)
def test_a_copy_in_mid_game_keeps_the_game(make: Callable[..., Env], duplicate: Callable[[Env], Env]) -> None:
    env = started(make, rules="fairy", fen=OPEN_BOARD, max_episode_plies=150, illegal_action="raise")
    play_randomly(env, random.Random(12), 9)
    twin = duplicate(env)
    before = told(env)
    assert data_equivalence(told(twin), before)
    assert twin.unwrapped.board.actions == env.unwrapped.board.actions
    draw = random.Random(13)
    play_randomly(twin, draw, 5)
    assert data_equivalence(told(env), before)
    assert not data_equivalence(told(twin), before)
    play_randomly(env, random.Random(13), 5)
    assert data_equivalence(told(twin), told(env))
    with pytest.raises(IllegalMoveError):
        twin.step(int(np.flatnonzero(twin.observe(twin.agent_selection)["action_mask"] == 0)[0]))
    twin.reset()
    assert twin.unwrapped.board.fen() == Board(OPEN_BOARD, "fairy").fen()


@pytest.mark.parametrize("make", FACES)
@pytest.mark.parametrize("duplicate", WAYS)
def test_a_copy_between_the_last_steps_keeps_the_rewards(
    make: Callable[..., Env], duplicate: Callable[[Env], Env]
) -> None:
    env = started(make, fen=WHITE_MATES)
    play(env, "h1h8")
    env.step(None)
    twin = duplicate(env)
    assert twin.agents == ["player_0"]
    assert twin.last()[1:4] == (1, True, False)
    twin.step(None)
    assert (twin.agents, env.agents) == ([], ["player_0"])


def test_two_environments_do_not_disturb_each_other() -> None:
    env, optional = started(), started(rules=Rules.preset("ttakji", promotion="optional"))
    play(env, "e3e4")
    assert optional.agent_selection == "player_0"
    for each in (env, optional):
        each.reset(options={"fen": "k7/8/8/4P3/8/8/8/K7 w - - 0 1"})
    masks = [each.observe("player_0")["action_mask"].sum() for each in (env, optional)]
    assert masks[1] == masks[0] + 1
