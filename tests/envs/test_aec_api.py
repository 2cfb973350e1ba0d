"""The PettingZoo environment under PettingZoo's own tests; how it is made, drawn and closed."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

from makruk_env import COUNT_START, COUNT_STOP, FenError, Rules, RulesError, makruk_v0
from tests.envs.games import BARED_AT_ONCE, BLACK_MATES, FACES, OPEN_BOARD, WHITE_MATES, Env, play, started

# api_test knows PettingZoo's own games by name and says these three of every other one with a Dict space; the third
# comes from the masks of finished agents.
FOREIGN = [
    "ignore:Observation is not a NumPy array:UserWarning:pettingzoo.test.api_test",
    "ignore:Observation space for each agent probably should be:UserWarning:pettingzoo.test.api_test",
    r"ignore:Action mask numpy array is all zeros \(no legal actions\)\.:UserWarning:pettingzoo.test.api_test",
]


@pytest.mark.filterwarnings(*FOREIGN)
@pytest.mark.parametrize("make", FACES)
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"rules": "fairy"},
        {"rules": Rules.preset("ttakji", promotion="optional", pieces_count="declared")},
        {"fen": OPEN_BOARD, "max_episode_plies": 30},
        {"fen": WHITE_MATES, "illegal_action": "raise", "render_mode": "ansi"},
    ],
)
def test_pettingzoo_api(make: Callable[..., Env], arguments: dict[str, Any]) -> None:
    env = make(**arguments)
    for seed, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed)
    api_test(env, num_cycles=200)


def test_pettingzoo_seed() -> None:
    seed_test(makruk_v0.env, num_cycles=200)


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="no registry: pip install 'pettingzoo>=1.27'")
def test_pettingzoo_makes_it_by_name() -> None:
    env = pettingzoo.make("aec", "makruk/makruk-v0", rules="fairy", max_episode_plies=3)
    assert (env.unwrapped.rules, env.unwrapped.max_episode_plies) == (Rules.preset("fairy"), 3)


def test_the_package_alone_imports_neither_pettingzoo_nor_pictures_nor_torch() -> None:
    code = (
        "import sys, makruk_env; print(sorted({'agents', 'pettingzoo', 'PIL', 'pygame', 'torch'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_metadata() -> None:
    env = makruk_v0.env()
    assert env.metadata["name"] == str(env) == str(env.unwrapped) == "makruk_v0"
    assert env.metadata["render_modes"] == ["ansi", "human", "rgb_array", "svg"]
    assert env.metadata["is_parallelizable"] is False
    assert env.possible_agents == ["player_0", "player_1"]
    assert isinstance(env.unwrapped, makruk_v0.raw_env)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rules": "shogi"}, RulesError, "'shogi'"),
        ({"fen": "startpos"}, FenError, "'startpos'"),
        ({"render_mode": "pixels"}, ValueError, "render_mode: .*'pixels'"),
        ({"max_episode_plies": 0}, ValueError, "max_episode_plies: .*0"),
        ({"max_episode_plies": 2.5}, ValueError, "max_episode_plies: .*2.5"),
        ({"max_episode_plies": True}, ValueError, "max_episode_plies: .*True"),
        ({"illegal_action": "ignore"}, ValueError, "illegal_action: .*'ignore'"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    for make in FACES:
        with pytest.raises(error, match=message):
            make(**arguments)


def test_the_text_shows_board_count_and_turn() -> None:
    env = started(render_mode="ansi", fen=OPEN_BOARD)
    assert env.render().splitlines()[-3:] == ["1 . . . . . . . .", "  a b c d e f g h", "White to move, move 40"]
    env.step(COUNT_START)
    play(env, "e3e2")
    assert env.render().splitlines()[-2:] == ["Board count: 1 of 64, White counts", "Black to move, move 40"]
    env.reset(options={"fen": BLACK_MATES})
    play(env, "a8a1")
    assert env.render().splitlines()[-1] == "Black wins: checkmate"
    env.reset(options={"fen": BARED_AT_ONCE, "moves": ["a1a2"]})
    assert env.render().splitlines()[-1] == "Draw: material"
    env.reset()
    env.step(COUNT_STOP)
    assert env.render().splitlines()[-1] == "Black wins: illegal action"
    capped = started(render_mode="ansi", max_episode_plies=1)
    play(capped, "e3e4")
    assert capped.render().splitlines()[-1] == "Cut short after 1 moves"


def test_render_before_reset_and_without_a_mode() -> None:
    assert makruk_v0.raw_env(render_mode="ansi").render().startswith("8 r n s m k s n r\n")
    with pytest.raises(AssertionError, match="reset\\(\\) needs to be called before render"):
        makruk_v0.env(render_mode="ansi").render()
    with pytest.warns(UserWarning, match="no render_mode was given"):
        assert started().render() is None


def test_close_twice_and_close_unused() -> None:
    makruk_v0.env().close()
    env = started()
    env.close()
    env.close()
    env.reset()
    assert env.observe("player_0")["action_mask"].any()
