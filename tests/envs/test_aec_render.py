"""The render modes of the PettingZoo environment."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import render_test

from makruk_env import COUNT_STOP, makruk_v0
from makruk_env.render import svg
from makruk_env.render.window import Window
from tests.envs.games import WHITE_MATES, play, started, with_pictures


@pytest.fixture
def frames(monkeypatch: pytest.MonkeyPatch) -> list[np.ndarray]:
    """Collect what windows are given, on a screen that is none and without waiting."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(makruk_v0.raw_env.metadata, "render_fps", 0)
    shown: list[np.ndarray] = []
    show = Window.show

    def remember(window: Window, frame: np.ndarray) -> None:
        shown.append(frame)
        show(window, frame)

    monkeypatch.setattr(Window, "show", remember)
    return shown


@with_pictures
@pytest.mark.usefixtures("frames")
def test_pettingzoo_render() -> None:
    render_test(
        lambda **arguments: makruk_v0.env(render_size=100, **arguments), {"svg": lambda text: text[:4] == "<svg"}
    )


@with_pictures
def test_pixels_follow_the_game_to_its_last_frame() -> None:
    env = started(render_mode="rgb_array", render_size=120, fen=WHITE_MATES)
    before = env.render()
    assert (before.shape, before.dtype) == ((120, 120, 3), np.uint8)
    assert np.array_equal(before, env.render())
    play(env, "h1h8")
    after = env.render()
    assert not np.array_equal(before, after)
    for _ in env.agents[:]:
        env.step(None)
    assert np.array_equal(env.render(), after)


def test_svg_tells_ends_of_which_the_board_knows_nothing() -> None:
    env = started(render_mode="svg", render_size=250)
    assert env.render() == svg.board(env.unwrapped.board, size=250)
    env.step(COUNT_STOP)
    assert 'aria-label="Black wins: illegal action"' in env.render()
    capped = started(render_mode="svg", max_episode_plies=1)
    play(capped, "e3e4")
    assert 'aria-label="Cut short after 1 moves"' in capped.render()


@with_pictures
def test_human_draws_after_reset_and_after_each_step(frames: list[np.ndarray]) -> None:
    env = makruk_v0.env(render_mode="human", render_size=100, fen=WHITE_MATES)
    assert frames == []
    env.reset()
    assert len(frames) == 1
    play(env, "h1g1", "a8b8", "g1g8")
    assert len(frames) == 4
    assert len({frame.tobytes() for frame in frames}) == 4
    assert env.render() is None
    picture = started(render_mode="rgb_array", render_size=100, fen=WHITE_MATES)
    play(picture, "h1g1", "a8b8", "g1g8")
    assert np.array_equal(frames[-1], picture.render())
    env.close()
    env.close()


@with_pictures
def test_human_before_reset_and_closing_without_a_window(frames: list[np.ndarray]) -> None:
    env = makruk_v0.raw_env(render_mode="human", render_size=100)
    env.close()
    assert env.render() is None
    assert len(frames) == 1
    env.close()
    env.close()


@with_pictures
def test_copies_with_a_window_go_on_by_themselves(frames: list[np.ndarray]) -> None:
    env = started(render_mode="human", render_size=100)
    play(env, "e3e4")
    others: list[Any] = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    env.close()
    for other in others:
        play(other, "d6d5")
        other.close()
    assert len(frames) == 4
    assert np.array_equal(frames[-1], frames[-2])


def test_bad_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"size: .*0"):
        makruk_v0.env(render_mode="svg", render_size=0)
