"""The PettingZoo environment turned into a parallel one, by PettingZoo's conversion for games of turns.

The conversion for games of rounds, `aec_to_parallel`, takes for granted that the agents act one after the other and
that nothing changes for them before all have acted; where a game says by `is_parallelizable` that this is not so, as
all games of turns do, it refuses. The one for turns asks for no such promise: of each step it plays the action of the
agent to move and drops the other's. It needs agents, rewards, flags and infos of those that are left, observations of
the one that waits, and last steps that take None.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo import ParallelEnv
from pettingzoo.test import parallel_api_test, parallel_seed_test, state_test
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel

from makruk_env import COUNT_START, Board, Move, Termination, makruk_v0
from tests.envs.games import BLACK_BEGINS, FACES, OPEN_BOARD, WHITE_MATES, Env, play_randomly, started, told
from tests.envs.test_contracts import wrapped

ARGUMENTS: list[dict[str, Any]] = [
    {},
    {"rules": "fairy", "fen": BLACK_BEGINS},
    {"fen": OPEN_BOARD, "max_episode_plies": 30},
]


def parallel(make: Callable[..., Env] = makruk_v0.env, **arguments: Any) -> ParallelEnv[str, Any, Any]:
    """Return the environment as a parallel one."""
    return turn_based_aec_to_parallel(make(**arguments))


@pytest.mark.parametrize("make", [*FACES, wrapped])
@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_pettingzoo_parallel_api(make: Callable[..., Env], arguments: dict[str, Any]) -> None:
    env = parallel(make, **arguments)
    for seed, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed)
    parallel_api_test(env, num_cycles=1000)


@pytest.mark.parametrize("make", FACES)
def test_pettingzoo_state_and_seed(make: Callable[..., Env]) -> None:
    state_test(make(), parallel(make))
    parallel_seed_test(lambda: parallel(make))


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
@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_a_whole_game_is_that_of_the_board(make: Callable[..., Env], arguments: dict[str, Any]) -> None:
    env, draw = parallel(make, **arguments), random.Random(3)
    board = Board(arguments.get("fen"), arguments.get("rules", "ttakji"))
    first = board.ply
    seen, infos = env.reset(seed=1)
    flags = dict.fromkeys(env.possible_agents, False)
    while env.agents:
        assert board.outcome is None
        for side, agent in enumerate(env.possible_agents):
            planes, mask = board.look(side)
            assert data_equivalence(seen[agent], {"observation": planes, "action_mask": mask})
            assert infos[agent]["to_play"] == board.turn
        mover, action = env.possible_agents[board.turn], draw.choice(board.legal_actions())
        board.push(action)
        seen, rewards, terminated, truncated, infos = env.step(
            {**dict.fromkeys(env.possible_agents, -7), mover: action}
        )
        flags = terminated if board.outcome else truncated
        assert sum(rewards.values()) == 0
    assert flags == dict.fromkeys(env.possible_agents, True)
    assert set(seen) == set(infos) == set(env.possible_agents)
    if board.outcome is None:
        assert board.ply - first == arguments["max_episode_plies"]
    else:
        assert infos["player_0"]["termination"] == board.outcome.termination
        assert rewards["player_0"] == {0: 1, 1: -1, None: 0}[board.outcome.winner]


@pytest.mark.parametrize("make", FACES)
def test_the_end_of_a_game(make: Callable[..., Env]) -> None:
    env = turn_based_aec_to_parallel(make(fen=WHITE_MATES))
    env.reset()
    _, rewards, terminations, truncations, _ = env.step({"player_0": Board(WHITE_MATES).action(Move.from_uci("h1h8"))})
    assert rewards == {"player_0": 1, "player_1": -1}
    assert terminations == {"player_0": True, "player_1": True}
    assert truncations == {"player_0": False, "player_1": False}
    assert env.agents == []


def test_an_illegal_action_ends_the_game_for_both() -> None:
    env = parallel()
    env.reset()
    _, rewards, terminated, truncated, infos = env.step({"player_0": 0, "player_1": 0})
    assert rewards == {"player_0": -1, "player_1": 1}
    assert terminated == {"player_0": True, "player_1": True}
    assert truncated == {"player_0": False, "player_1": False}
    assert infos["player_1"]["termination"] == Termination.ILLEGAL_ACTION
    assert env.agents == []


@pytest.mark.parametrize("make", FACES)
def test_agents_do_not_act_at_once(make: Callable[..., Env]) -> None:
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(make())


@pytest.mark.parametrize("make", FACES)
def test_resets_in_the_middle_leave_nothing_behind(make: Callable[..., Env]) -> None:
    """As in PettingZoo's bombardment_test, which up to 1.27 nothing passes: it takes what step returns for seen."""
    env, draw = started(make), random.Random(6)
    fresh = told(started(make))
    for _ in range(100):
        play_randomly(env, draw, draw.randrange(6))
        if draw.random() < 0.3:
            env.step(0 if draw.random() < 0.5 else 1473)
        for _ in range(draw.randrange(3)):
            if env.agents and env.terminations[env.agent_selection]:
                env.step(None)
        env.reset()
        assert data_equivalence(told(env), fresh)
