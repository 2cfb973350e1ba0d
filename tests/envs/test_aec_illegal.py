"""Illegal actions in the PettingZoo environment: lost or raised, never played."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from makruk_env import (
    COUNT_START,
    COUNT_STOP,
    NUM_ACTIONS,
    IllegalMoveError,
    MoveTextError,
    Termination,
    makruk_v0,
)
from tests.envs.games import FACES, Env, last_words, other, play, started, told


@pytest.mark.parametrize("make", FACES)
@pytest.mark.parametrize("moves", [[], ["e3e4"]])
def test_an_illegal_action_loses(make: Callable[..., Env], moves: list[str]) -> None:
    env = started(make)
    play(env, *moves)
    mover = env.agent_selection
    fen = env.unwrapped.board.fen()
    env.step(COUNT_START)
    assert env.rewards == {mover: -1, other(mover): 1}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
    assert env.unwrapped.board.fen() == fen
    words = last_words(env)
    for observation, _, terminated, truncated, info in words.values():
        assert not observation["action_mask"].any()
        assert (terminated, truncated, info["termination"]) == (True, False, Termination.ILLEGAL_ACTION)
    assert {agent: word[1] for agent, word in words.items()} == {mover: -1, other(mover): 1}
    env.reset()
    assert env.infos["player_0"]["termination"] == 0
    assert env.observe("player_0")["action_mask"].any()


@pytest.mark.parametrize("make", FACES)
def test_an_illegal_action_raises_and_the_game_goes_on(make: Callable[..., Env]) -> None:
    env = started(make, illegal_action="raise")
    play(env, "e3e4")
    before = told(env)
    number = int(np.flatnonzero(env.observe("player_1")["action_mask"] == 0)[50])
    fen = env.unwrapped.board.fen()
    with pytest.raises(IllegalMoveError, match=rf"{number} \([a-h][1-8][a-h][1-8]\) in '{fen}'"):
        env.step(number)
    with pytest.raises(IllegalMoveError, match=r"1473 \(stop\) in 'rnsmksnr/"):
        env.step(COUNT_STOP)
    assert data_equivalence(told(env), before)
    play(env, "e6e5")
    assert env.agent_selection == "player_0"


def test_actions_outside_the_space() -> None:
    for number in (-1, NUM_ACTIONS):
        with pytest.raises(AssertionError, match="not in action space"):
            started().step(number)
        raw = started(makruk_v0.raw_env)
        raw.step(number)
        assert raw.infos["player_0"]["termination"] == Termination.ILLEGAL_ACTION
        with pytest.raises(IllegalMoveError, match=f"got {number} in"):
            started(makruk_v0.raw_env, illegal_action="raise").step(number)


@pytest.mark.parametrize("action", [None, 3.0, "e3e4"])
def test_what_is_no_whole_number_is_never_played(action: object) -> None:
    env = started(makruk_v0.raw_env)
    with pytest.raises(MoveTextError, match=repr(action)):
        env.step(action)
    assert env.unwrapped.board.ply == 0
    assert not any(env.terminations.values())


@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.array])
def test_actions_may_be_numpy_integers(kind: Callable[[int], Any]) -> None:
    env = started(makruk_v0.raw_env)
    env.step(kind(env.board.legal_actions()[0]))
    assert env.board.ply == 1
