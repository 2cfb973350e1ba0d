"""Pictures of the Gymnasium environments: the same as a board's, the last one of an episode among them."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from makruk_env import COUNT_STOP, Board, RenderError
from makruk_env.envs.solo import Makruk, MakrukSelfPlay
from makruk_env.envs.vector import VectorSelfPlay
from makruk_env.render import scene, svg
from tests.envs.games import START, WHITE_MATES, with_pictures
from tests.envs.test_solo import number

DRAWN: dict[str, Any] = {"render_mode": "svg", "render_size": 200}


def picture(board: Board) -> str:
    return svg.draw(scene.of(board), svg.View(200, 0))


@with_pictures
def test_text_picture_and_pixels() -> None:
    frames: dict[str, Any] = {}
    for mode in ("ansi", "svg", "rgb_array"):
        env = gymnasium.make("makruk_env:MakrukSelfPlay-v0", render_mode=mode, render_size=200)
        env.reset(seed=1)
        env.step(number("e3", "e4"))
        frames[mode] = env.render()
    board = Board(START)
    board.push_uci("e3e4")
    assert frames["ansi"].startswith(str(board))
    assert frames["svg"] == picture(board)
    assert (frames["rgb_array"].shape, frames["rgb_array"].dtype) == ((200, 200, 3), np.uint8)


def test_the_last_picture_shows_the_end() -> None:
    env = Makruk(start=WHITE_MATES, render_mode="ansi")
    env.reset(seed=1)
    env.step(number("h1", "h8"))
    assert env.render().endswith("White wins: checkmate")
    env.reset()
    env.step(COUNT_STOP)
    assert env.render().endswith("Black wins: illegal action")
    env = Makruk(max_episode_plies=2, render_mode="ansi")
    env.reset(seed=1)
    env.step(number("e3", "e4"))
    assert env.render().endswith("Cut short after 2 moves")


def test_a_lane_is_pictured_as_the_single_environment() -> None:
    env, other = VectorSelfPlay(2, **DRAWN), MakrukSelfPlay(**DRAWN)
    env.reset(seed=1)
    other.reset(seed=1)
    env.step(np.array([number("e3", "e4"), number("a3", "a4")]))
    other.step(number("a3", "a4"))
    frames = env.render()
    assert frames is not None
    assert frames[1] == other.render() != frames[0]


def test_a_state_put_back_is_pictured_without_its_past() -> None:
    env, other = MakrukSelfPlay(**DRAWN), MakrukSelfPlay(**DRAWN)
    env.reset(seed=1)
    env.step(number("e3", "e4"))
    other.set_state(env.get_state())
    assert other.render() == picture(Board(env.fen()))
    other.step(number("e3", "e4"))
    assert other.render() != picture(Board(other.fen()))


def test_without_a_mode_and_with_a_wrong_one() -> None:
    env = Makruk()
    env.reset()
    with pytest.warns(UserWarning, match="no render_mode was given"):
        assert env.render() is None
    assert VectorSelfPlay(1).render() is None
    with pytest.raises(RenderError, match="'movie'"):
        Makruk(render_mode="movie")


@with_pictures
def test_a_window_opens_and_closes_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = Makruk(render_mode="human", render_size=200)
    env.reset(seed=1)
    env.step(number("e3", "e4"))
    env.close()
    env.close()
