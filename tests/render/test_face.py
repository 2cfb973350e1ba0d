"""The render modes behind every environment."""

import copy
import pickle

import numpy as np
import pytest

from makruk_env import Board, Outcome, RenderError, Termination
from makruk_env.render import raster, scene, svg
from makruk_env.render.face import Face
from tests.render.pictures import OPEN_BOARD, played, said


def test_each_mode_shows_the_same_game() -> None:
    board = played(OPEN_BOARD, "start", "e3e2")
    drawn = svg.board(board, size=120, orientation=1)
    assert Face("svg", 120, 1).show(board) == drawn
    assert np.array_equal(Face("rgb_array", 120, 1).show(board), raster.rgb(drawn, 120))
    text = Face("ansi").show(board)
    assert text == f"{board}\nBoard count: 1 of 64, White counts\nBlack to move, move 40"
    assert Face(None).show(board) is None


def test_an_end_that_the_board_does_not_know() -> None:
    lost = Outcome(1, Termination.ILLEGAL_ACTION)
    assert str(Face("ansi").show(Board(), lost)).splitlines()[-1] == "Black wins: illegal action"
    assert said(str(Face("svg").show(Board(), lost))) == ["Black wins: illegal action"]
    assert str(Face("ansi").show(Board(), cut_short=7)).splitlines()[-2:] == [
        "White to move, move 1",
        "Cut short after 7 moves",
    ]
    assert said(str(Face("svg").show(Board(), cut_short=7))) == ["Cut short after 7 moves"]


@pytest.mark.usefixtures("no_screen")
def test_the_window_opens_late_and_again_after_closing() -> None:
    face = Face("human", 64, fps=0)
    face.close()
    assert face._window is None
    assert face.show(Board()) is None
    face.close()
    face.close()
    assert face.show(Board()) is None
    face.close()


@pytest.mark.usefixtures("no_screen")
def test_nothing_is_drawn_twice_for_the_same_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    monkeypatch.setattr(raster, "rgb", lambda text, size: drawn.append(text) or np.zeros((size, size, 3), np.uint8))
    face = Face("human", 64, fps=0)
    boards = [Board(), Board(), played(None, "e3e4")]
    for board in boards:
        face.show(board)
    assert drawn == [svg.draw(scene.of(board), face.view) for board in boards[1:]]
    face.close()


@pytest.mark.usefixtures("no_screen")
def test_a_copy_has_no_window() -> None:
    face = Face("human", 64, fps=0)
    face.show(Board())
    for other in (copy.deepcopy(face), pickle.loads(pickle.dumps(face))):
        assert (other.mode, other.view, other._window) == ("human", face.view, None)
    assert face._window is not None
    face.close()


def test_bad_arguments_are_refused_by_name() -> None:
    with pytest.raises(RenderError, match=r"render_mode: .*'pixels'"):
        Face("pixels")
    with pytest.raises(RenderError, match=r"size: .*-1"):
        Face("svg", -1)
