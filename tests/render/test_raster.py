"""Pixels: exact size, the colours that were meant, different pictures of different positions."""

import subprocess
import sys

import numpy as np
import pytest

from makruk_env import Board, MissingLibraryError
from makruk_env.render import raster, svg
from makruk_env.render.artwork import MEN
from makruk_env.render.scene import Man
from tests.render.pictures import OPEN_BOARD, PIECES_COUNT, PROMOTES, colour, pixel, played


def pixels(board: Board, size: int = 400, **arguments: object) -> np.ndarray:
    """Return the picture of a game."""
    return raster.rgb(svg.board(board, size=size, **arguments), size)


@pytest.mark.parametrize("size", [64, 200, 333, 800])
def test_the_size_is_exact(size: int) -> None:
    frame = pixels(Board(), size)
    assert (frame.shape, frame.dtype) == ((size, size, 3), np.uint8)


@pytest.mark.parametrize("size", [200, 400, 800])
def test_colours_of_squares_and_men(size: int) -> None:
    view = svg.View(size)
    frame = pixels(played(None, "e3e4"), size)
    expected = {
        ("a1", 0.06, 0.06): svg.DARK,
        ("h1", 0.94, 0.06): svg.LIGHT,
        ("d5", 0.5, 0.5): svg.LIGHT,
        ("d4", 0.5, 0.5): svg.DARK,
        ("e3", 0.5, 0.5): svg.LAST_DARK,
        ("e4", 0.06, 0.06): svg.LAST_LIGHT,
        ("a3", 0.55, 0.68): svg.FILLS[0],
        ("a6", 0.55, 0.68): svg.FILLS[1],
        ("d1", 0.5, 0.67): svg.FILLS[0],
        ("e8", 0.5, 0.67): svg.FILLS[1],
        ("a1", -0.2, 1.2): svg.FRAME,
    }
    found = {at: tuple(frame[pixel(view, *at)].tolist()) for at in expected}
    assert found == {at: colour(name) for at, name in expected.items()}


def test_check_is_red() -> None:
    view = svg.View()
    frame = pixels(played(PIECES_COUNT, "e7e8", "c4e4"))
    assert tuple(frame[pixel(view, "e8", 0.06, 0.06)].tolist()) == colour(svg.CHECK)


def test_what_differs_looks_different() -> None:
    boards = [Board(), played(None, "e3e4"), Board(OPEN_BOARD), played(OPEN_BOARD, "start"), Board(PIECES_COUNT)]
    frames = [pixels(board) for board in boards]
    frames += [pixels(Board(), orientation=1), pixels(Board(), coordinates=False), pixels(Board(), strip=False)]
    promoted = played(PROMOTES, "e5e6m")
    frames += [pixels(promoted), pixels(promoted, promoted=[])]
    assert len({frame.tobytes() for frame in frames}) == len(frames)


@pytest.mark.parametrize("size", [21, 44])
def test_the_men_are_told_apart_even_when_small(size: int) -> None:
    frames = []
    for side in (0, 1):
        for name in MEN:
            place = f'transform="scale({svg.SIDE / 100})" {svg.man_attributes()}'
            drawn = [
                svg.Layer("", [svg.rect(0, 0, 400, 400, svg.LIGHT)]),
                svg.Layer(place, [svg.figure(Man(side, name), 0, 0)]),
            ]
            frames.append(raster.rgb(svg.document(drawn, size), size).astype(int))
    for at, one in enumerate(frames):
        for other in frames[:at]:
            differing = (np.abs(one - other).max(axis=2) > 40).mean()
            assert differing > 0.08


@pytest.mark.parametrize("library", ["resvg_py", "PIL"])
def test_a_missing_library_is_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingLibraryError, match=rf'{library}.*pip install "makruk-env\[render\]"'):
        raster.rgb(svg.board(Board()), 400)


def test_nothing_of_it_is_imported_before_the_first_picture() -> None:
    code = """
import sys
from makruk_env import makruk_v0
def loaded(): return sorted({"pygame", "PIL", "resvg_py"} & set(sys.modules))
env = makruk_v0.env(render_mode="rgb_array", render_size=100)
env.reset()
env.step(env.last()[0]["action_mask"].argmax())
print(loaded(), env.render().shape, loaded())
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found == "[] (100, 100, 3) ['PIL', 'resvg_py']\n"
