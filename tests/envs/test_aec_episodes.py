"""An episode of the PettingZoo environment from its first step to its last: turns, rewards, flags and infos."""

import random
from collections.abc import Callable

import pytest

from makruk_env import COUNT_START, COUNT_STOP, CountKind, Termination, makruk_v0
from tests.envs.games import (
    BARED_AT_ONCE,
    BLACK_MATES,
    FACES,
    OPEN_BOARD,
    START,
    WHITE_MATES,
    Env,
    last_words,
    play,
    started,
)

INFO_KEYS = {"ply", "to_play", "count_kind", "count_number", "count_limit", "repetition", "termination"}


def test_declarations_keep_the_turn_and_are_no_moves() -> None:
    env = started(fen=OPEN_BOARD, max_episode_plies=3)
    env.step(COUNT_START)
    assert env.agent_selection == "player_0"
    assert env.infos["player_0"]["count_kind"] == CountKind.BOARD
    assert not env.observe("player_0")["action_mask"][COUNT_START:].any()
    play(env, "e3e2", "d8e8")
    env.step(COUNT_STOP)
    assert env.agent_selection == "player_0"
    assert not env.truncations["player_0"]
    play(env, "e2e3")
    assert env.truncations["player_0"]


@pytest.mark.parametrize("make", FACES)
@pytest.mark.parametrize(("fen", "mate", "winner"), [(WHITE_MATES, "h1h8", 0), (BLACK_MATES, "a8a1", 1)])
def test_winner_and_loser_meet_their_rewards(make: Callable[..., Env], fen: str, mate: str, winner: int) -> None:
    env = started(make, fen=fen)
    winner_name, loser_name = f"player_{winner}", f"player_{1 - winner}"
    assert env.agent_selection == winner_name
    play(env, mate)
    assert env.rewards == {winner_name: 1, loser_name: -1}
    words = last_words(env)
    for _, _, terminated, truncated, info in words.values():
        assert terminated is True
        assert truncated is False
        assert info["termination"] == Termination.CHECKMATE
    assert {agent: word[1] for agent, word in words.items()} == {winner_name: 1, loser_name: -1}
    assert env.agents == []


def test_rewards_of_running_and_drawn_games_are_zero() -> None:
    env = started(fen=BARED_AT_ONCE)
    assert list(env.rewards.values()) == [0, 0]
    play(env, "a1a2")
    assert env.rewards == {"player_0": 0, "player_1": 0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.infos["player_1"]["termination"] == Termination.MATERIAL


def test_an_agent_that_acts_has_met_its_reward() -> None:
    """A wrapper that shapes rewards adds to what is due; a step takes off what its agent has seen, and no more."""
    raw = started(makruk_v0.raw_env)
    raw._cumulative_rewards = {"player_0": 0.5, "player_1": 0.25}
    play(raw, "e3e4")
    assert raw._cumulative_rewards == {"player_0": 0, "player_1": 0.25}
    assert raw.last()[1] == 0.25


def test_a_finished_agent_takes_no_action() -> None:
    for make in FACES:
        env = started(make, fen=WHITE_MATES)
        play(env, "h1h8")
        with pytest.raises(ValueError, match="the only valid action is None"):
            env.step(0)
        assert env.agents == ["player_0", "player_1"]


def test_the_cap_truncates_and_the_rules_terminate() -> None:
    env = started(max_episode_plies=4)
    play(env, "e3e4", "e6e5", "d3d4")
    assert not any(env.truncations.values())
    play(env, "d6d5")
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.terminations == {"player_0": False, "player_1": False}
    assert all(flag is True for flag in env.truncations.values())
    assert env.rewards == {"player_0": 0, "player_1": 0}
    assert env.infos["player_0"]["termination"] == 0
    assert not env.observe("player_0")["action_mask"].any()
    env.step(None)
    env.step(None)
    assert env.agents == []
    env.reset()
    assert env.observe("player_0")["action_mask"].sum() == 23


@pytest.mark.parametrize(
    ("fen", "cap", "moves", "termination"),
    [
        (WHITE_MATES, 1, ["h1h8"], Termination.CHECKMATE),  # with the last move that the cap allows
        (START.replace("0 1", "0 200"), 100, ["e3e4", "e6e5"], Termination.MAX_PLIES),  # told by the move number
    ],
)
def test_an_end_by_the_rules_is_a_termination_only(
    fen: str, cap: int, moves: list[str], termination: Termination
) -> None:
    env = started(fen=fen, max_episode_plies=cap)
    play(env, *moves)
    assert env.terminations["player_0"]
    assert not env.truncations["player_0"]
    assert env.infos["player_0"]["termination"] == termination


@pytest.mark.parametrize("rules", ["ttakji", "fairy"])
def test_infos_are_numbers_under_the_same_keys_from_first_to_last(rules: str) -> None:
    env = started(rules=rules, fen=OPEN_BOARD)
    draw = random.Random(8)
    kinds = set()
    for agent in env.agent_iter():
        board = env.unwrapped.board
        count = board.count
        for info in env.infos.values():
            assert set(info) == INFO_KEYS
            assert all(type(value) is int for value in info.values())
            assert (info["ply"], info["to_play"]) == (board.ply, board.turn)
            assert info["count_kind"] == (count.kind if count else 0)
            assert info["count_number"] == (count.number if count else 0)
            assert info["count_limit"] == (count.limit if count else 0)
            assert info["repetition"] == board.position.repetition
            assert info["termination"] == (board.outcome.termination if board.outcome else 0)
        assert env.last()[4] == env.infos[agent]
        kinds.add(env.infos[agent]["count_kind"])
        env.step(None if env.terminations[agent] else draw.choice(board.legal_actions()))
    assert len(kinds) > 1
    assert env.agents == []
    assert board.outcome is not None


def test_agents_do_not_share_an_info() -> None:
    env = started()
    env.infos["player_0"]["ply"] = 99
    assert env.infos["player_1"]["ply"] == 0
