"""The Gymnasium environments of one episode: rewards, opponents, colours, states, and what is refused."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import agents
from makruk_env import COUNT_START, FenError, IllegalMoveError, MoveTextError, RulesError, Termination
from makruk_env.core.actions import PAIR_ACTION
from makruk_env.envs.registration import IDS
from makruk_env.envs.solo import Makruk, MakrukSelfPlay
from makruk_env.errors import OpponentError, StartError, StateError
from tests.envs.games import BLACK_MATES, OPEN_BOARD, START, WHITE_MATES

KINDS = ("dict", "planes", "flat")


def number(origin: str, target: str, black: bool = False) -> int:
    """Return the action between two named squares."""
    squares = ["abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in (origin, target)]
    return int(PAIR_ACTION[squares[0] ^ (63 * black), squares[1] ^ (63 * black)])


def first_legal(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Play the legal action of the lowest number."""
    assert planes.shape[1:] == (26, 8, 8)
    return masks.argmax(axis=1)


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("observation", KINDS)
@pytest.mark.parametrize("arguments", [{}, {"rules": "cambodian", "start": "ending", "max_episode_plies": 20}])
def test_gymnasium_check(name: str, observation: str, arguments: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make("makruk_env:" + name, observation=observation, **arguments)
        check_env(env.unwrapped, skip_render_check=True)


def test_a_win_is_rewarded_and_ends() -> None:
    env = gymnasium.make("makruk_env:Makruk-v0", start=WHITE_MATES)
    env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(number("h1", "h8"))
    assert (reward, terminated, truncated, info["termination"]) == (1.0, True, False, Termination.CHECKMATE)
    assert not observation["action_mask"].any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.unwrapped.step(0)


def test_the_reward_of_a_game_that_the_opponent_ends_reaches_the_agent() -> None:
    def mates(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.full(len(masks), number("a8", "a1", black=True))

    env = Makruk(opponent=mates, start="r6m/8/8/8/8/6k1/P7/7K w - - 0 1")
    observation, info = env.reset(seed=1)
    assert (info["to_play"], info["colour"]) == (0, 0)
    with pytest.raises(OpponentError, match="expected a legal action"):
        env.step(number("a2", "a3"))  # the bia stands in the way still
    env = Makruk(opponent=mates, start="r6m/8/8/8/8/6k1/2P5/7K w - - 0 1")
    env.reset(seed=1)
    observation, reward, terminated, _, info = env.step(number("c2", "c3"))
    assert (reward, terminated, info["termination"]) == (-1.0, True, Termination.CHECKMATE)
    assert not observation["action_mask"].any()
    assert info["to_play"] == 0


def test_black_is_moved_to_its_first_turn() -> None:
    env = Makruk(opponent=first_legal, colour="black")
    observation, info = env.reset()
    assert (info["ply"], info["to_play"], info["colour"]) == (1, 1, 1)
    assert observation["action_mask"].any()
    assert observation["observation"][:12].sum() == 32


def test_colours() -> None:
    env = Makruk(colour="alternate")
    assert [env.reset(seed=4 if not i else None)[1]["colour"] for i in range(4)] == [0, 1, 0, 1]
    env = Makruk(colour="random")
    drawn = [env.reset(seed=4 if not i else None)[1]["colour"] for i in range(30)]
    assert set(drawn) == {0, 1}
    assert drawn == [env.reset(seed=4 if not i else None)[1]["colour"] for i in range(30)]


@pytest.mark.parametrize("opponent", ["random", "greedy", "alphabeta:depth=1", agents.make("random"), first_legal])
def test_opponents(opponent: Any) -> None:
    env = Makruk(opponent=opponent, max_episode_plies=30)
    totals = []
    for _ in range(2):
        env.reset(seed=3)
        total, over, rng = [], False, np.random.default_rng(2)
        while not over:
            _, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(env.action_masks())))
            total.append((reward, info["ply"], env.fen()))
            over = terminated or truncated
        totals.append(total)
    assert totals[0] == totals[1]
    assert totals[0][-1][1] <= 31


def test_a_declaration_keeps_the_turn() -> None:
    env = Makruk(start=OPEN_BOARD)
    env.reset(seed=1)
    observation, reward, terminated, _, info = env.step(COUNT_START)
    assert (reward, terminated, info["to_play"], info["count_kind"], info["ply"]) == (0.0, False, 0, 2, 78)
    assert observation["action_mask"].any()


def test_self_play_rewards_the_side_that_acted() -> None:
    env = MakrukSelfPlay(start=BLACK_MATES)
    _, info = env.reset()
    assert info["to_play"] == 1
    observation, reward, terminated, _, info = env.step(number("a8", "a1", black=True))
    assert (reward, terminated, info["to_play"]) == (1.0, True, 0)
    assert observation["observation"].shape == (26, 8, 8)
    assert "colour" not in info


@pytest.mark.parametrize("make", [Makruk, MakrukSelfPlay])
def test_illegal_actions(make: Any) -> None:
    env = make()
    env.reset()
    observation, reward, terminated, truncated, info = env.step(COUNT_START)
    assert (reward, terminated, truncated, info["termination"]) == (-1.0, True, False, Termination.ILLEGAL_ACTION)
    assert not observation["action_mask"].any()
    env = make(illegal_action="raise")
    env.reset()
    before = env.get_state()
    with pytest.raises(IllegalMoveError, match=f"got {COUNT_START} in lane 0, '{START}'"):
        env.step(COUNT_START)
    assert env.get_state() == before


def test_an_episode_may_be_cut_short() -> None:
    env = gymnasium.make("makruk_env:MakrukSelfPlay-v0", max_episode_plies=2)
    env.reset()
    ends = [env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))[2:4] for _ in range(2)]
    assert ends == [(False, False), (False, True)]


def test_where_an_episode_starts() -> None:
    env = Makruk()
    env.reset(options={"fen": OPEN_BOARD})
    assert env.fen() == OPEN_BOARD
    env.reset()
    assert env.fen() == START
    with pytest.raises(FenError):
        env.reset(options={"fen": "nonsense/"})
    with pytest.raises(FenError, match="goes on to the agent's first turn"):
        env.reset(options={"fen": "k6R/8/1K6/8/8/8/8/M7 b - - 0 1"})


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_alike(duplicate: Any) -> None:
    env = Makruk(colour="random", start="opening:2-5")
    env.reset(seed=8)
    twin = duplicate(env)
    for _ in range(12):
        action = int(np.flatnonzero(env.action_masks())[0])
        one, other = env.step(action), twin.step(action)
        assert np.array_equal(one[0]["observation"], other[0]["observation"])
        if one[2]:
            env.reset()
            twin.reset()
        assert env.get_state() == twin.get_state()


def test_a_state_is_put_back() -> None:
    env = Makruk(start="ending", colour="alternate")
    env.reset(seed=5)
    saved = env.get_state()
    ways = []
    for _ in range(2):
        env.set_state(saved)
        way = []
        for _ in range(25):
            action = int(np.flatnonzero(env.action_masks())[-1])
            observation, reward, terminated, *_ = env.step(action)
            way.append((observation["observation"].tobytes(), reward))
            if terminated:
                env.reset()
        ways.append(way)
    assert ways[0] == ways[1]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda saved: b"nonsense", "expected the bytes of get_state"),
        (lambda saved: "text", "expected the bytes of get_state"),
        (lambda saved: saved[:60], "end after 0"),
        (lambda saved: saved[:-1], "end in lane 0"),
        (lambda saved: saved + b"x", "bytes, got"),
        (lambda saved: started_state("fairy"), "under 'ttakji'"),
    ],
)
def test_a_spoilt_state_is_refused_and_changes_nothing(spoil: Any, message: str) -> None:
    env = Makruk()
    env.reset(seed=1)
    saved = env.get_state()
    with pytest.raises(StateError, match=message):
        env.set_state(spoil(saved))
    assert env.get_state() == saved


def started_state(rules: str) -> bytes:
    env = Makruk(rules=rules)
    env.reset(seed=1)
    return env.get_state()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rules": "shogi"}, RulesError, "'shogi'"),
        ({"start": "somewhere"}, StartError, "'somewhere'"),
        ({"start": "8/8/8 w"}, FenError, "8 ranks"),
        ({"colour": "red"}, ValueError, "colour: .*'red'"),
        ({"observation": "picture"}, ValueError, "observation: .*'picture'"),
        ({"opponent": "nobody"}, ValueError, "'nobody'"),
        ({"opponent": 3}, OpponentError, "got 3"),
        ({"max_episode_plies": 0}, ValueError, "max_episode_plies"),
        ({"illegal_action": "ignore"}, ValueError, "illegal_action"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Makruk(**arguments)


@pytest.mark.parametrize("action", [None, 3.0, "e3e4", [1, 2]])
def test_what_is_no_whole_number_is_refused(action: Any) -> None:
    env = Makruk()
    env.reset()
    with pytest.raises(MoveTextError):
        env.step(action)


@pytest.mark.parametrize("answer", [lambda planes, masks: 3, lambda planes, masks: np.zeros(len(masks))])
def test_an_opponent_must_answer_with_actions(answer: Any) -> None:
    env = Makruk(opponent=answer, colour="black")
    with pytest.raises(OpponentError, match="expected \\[1\\] whole numbers"):
        env.reset()


def test_step_before_reset() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        Makruk().step(0)
