"""The PettingZoo environment under PettingZoo's conversions to its parallel interface."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pettingzoo.test import parallel_api_test
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel

from makruk_env import COUNT_START, Board, Move
from tests.envs.games import FACES, OPEN_BOARD, WHITE_MATES, Env


@pytest.mark.parametrize("make", FACES)
def test_pettingzoo_parallel_api(make: Callable[..., Env]) -> None:
    parallel_api_test(turn_based_aec_to_parallel(make(max_episode_plies=30)), num_cycles=100)


@pytest.mark.parametrize("make", FACES)
def test_a_game_in_turn(make: Callable[..., Env]) -> None:
    env = turn_based_aec_to_parallel(make(fen=OPEN_BOARD))
    observations, infos = env.reset()
    board = Board(OPEN_BOARD)
    for action in (COUNT_START, *(Move.from_uci(text) for text in ("e3e2", "d8c8", "e4f5"))):
        mover, waiting = env.agents[board.turn], env.agents[1 - board.turn]
        assert infos[mover]["to_play"] == infos[waiting]["to_play"] == board.turn
        assert (observations[mover]["action_mask"] == board.action_mask()).all()
        assert not observations[waiting]["action_mask"].any()
        number = action if isinstance(action, int) else board.action(action)
        observations, rewards, terminations, truncations, infos = env.step({mover: number})
        board.push(number)
        assert infos[waiting]["active_agent"] == env.possible_agents[board.turn]
        assert not any([*rewards.values(), *terminations.values(), *truncations.values()])
    assert board.ply == infos["player_0"]["ply"] == 78 + 3


@pytest.mark.parametrize("make", FACES)
def test_the_end_of_a_game(make: Callable[..., Env]) -> None:
    env = turn_based_aec_to_parallel(make(fen=WHITE_MATES))
    env.reset()
    _, rewards, terminations, truncations, _ = env.step({"player_0": Board(WHITE_MATES).action(Move.from_uci("h1h8"))})
    assert rewards == {"player_0": 1, "player_1": -1}
    assert terminations == {"player_0": True, "player_1": True}
    assert truncations == {"player_0": False, "player_1": False}
    assert env.agents == []


@pytest.mark.parametrize("make", FACES)
def test_agents_do_not_act_at_once(make: Callable[..., Env]) -> None:
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(make())
