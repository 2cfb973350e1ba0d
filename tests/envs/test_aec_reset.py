"""Resets of the PettingZoo environment: where an episode begins, and what a failed reset leaves."""

from typing import Any

import pytest
from gymnasium.utils.env_checker import data_equivalence

from makruk_env import FenError, IllegalMoveError, MoveTextError, Termination, makruk_v0
from tests.envs.games import OPEN_BOARD, START, WHITE_MATES, last_words, play, started, told


def test_reset_starts_where_options_say_and_the_next_one_as_before() -> None:
    env = makruk_v0.env()
    env.reset(seed=3, options={"fen": OPEN_BOARD, "moves": ["start", "e3e2"], "options": 1})
    assert env.unwrapped.board.fen() == "3k4/2m5/8/8/3KS3/8/4R3/8 b - 128 1 40"
    assert env.agent_selection == "player_1"
    assert env.infos["player_0"]["count_number"] == 1
    env.reset(options={"moves": ("e3e4",)})
    assert env.unwrapped.board.fen() == "rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 1"
    env.reset(options={})
    assert env.unwrapped.board.fen() == START
    own = started(fen=OPEN_BOARD)
    assert own.unwrapped.board.fen() == OPEN_BOARD
    own.reset(options={"fen": START})
    own.reset(options={"fen": None, "moves": None})
    assert own.unwrapped.board.fen() == OPEN_BOARD


def test_moves_of_the_options_repeat_but_are_not_counted_against_the_cap() -> None:
    env = makruk_v0.env(max_episode_plies=4)
    round_trip = ["b1d2", "b8d7", "d2b1", "d7b8"]
    env.reset(options={"moves": round_trip})
    assert env.infos["player_0"]["repetition"] == 1
    play(env, *round_trip[:3])
    assert not env.truncations["player_0"]
    play(env, round_trip[3])
    assert env.infos["player_0"]["termination"] == Termination.REPETITION
    assert not env.truncations["player_0"]
    env.reset(options={"moves": round_trip[:2]})
    play(env, *round_trip[2:], *round_trip[:2])
    assert env.truncations["player_0"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"fen": "startpos"}, FenError),
        ({"moves": ["e3e4", "e3e4"]}, IllegalMoveError),
        ({"moves": ["pawn to e4"]}, MoveTextError),
    ],
)
def test_a_reset_that_fails_leaves_the_game_as_it_was(options: dict[str, Any], error: type[Exception]) -> None:
    env = started()
    play(env, "e3e4")
    before = told(env)
    with pytest.raises(error):
        env.reset(options=options)
    assert data_equivalence(told(env), before)


def test_a_reset_among_the_last_steps_starts_a_whole_game() -> None:
    env = started(fen=WHITE_MATES)
    for _ in range(2):
        play(env, "h1h8")
        env.step(None)
        assert env.agents == ["player_0"]
        env.reset()
        assert env.agents == ["player_0", "player_1"]
        assert env.agent_selection == "player_0"
        assert env.last()[1:4] == (0, False, False)


def test_an_episode_may_start_at_its_end() -> None:
    env = makruk_v0.env()
    env.reset(options={"fen": WHITE_MATES, "moves": ["h1h8"]})
    words = last_words(env)
    assert {agent: word[1:3] for agent, word in words.items()} == {"player_0": (1, True), "player_1": (-1, True)}
