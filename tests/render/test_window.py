"""The window, on a screen that is none."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from makruk_env import MissingLibraryError
from makruk_env.render.window import Window

pytestmark = pytest.mark.usefixtures("no_screen")
FRAME = np.random.default_rng(0).integers(0, 256, (60, 80, 3), np.uint8)


def seen(window: Window) -> np.ndarray:
    """Return what stands in a window, [H, W, 3] uint8."""
    import pygame

    return pygame.surfarray.array3d(window._window.get_surface()).swapaxes(0, 1)


def ask_to_close(window: Window) -> None:
    """Do as if the user had clicked its window away."""
    import pygame

    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=window._window))


@pytest.fixture
def window() -> Any:
    window = Window()
    yield window
    window.close()


def test_it_shows_the_frame_that_it_is_given(window: Window) -> None:
    for frame in (FRAME, 255 - FRAME, FRAME[:30]):
        window.show(frame)
        assert np.array_equal(seen(window), frame)


def test_closing_twice_and_showing_afterwards(window: Window) -> None:
    window.close()
    window.close()
    window.show(FRAME)
    assert window.closed


def test_the_user_closes_it_and_the_program_goes_on(window: Window) -> None:
    window.show(FRAME)
    ask_to_close(window)
    window.show(FRAME)
    assert window.closed
    window.show(FRAME)
    window.pump()
    window.close()


def test_two_windows_are_closed_one_by_one(window: Window) -> None:
    other = Window()
    window.show(FRAME)
    other.show(255 - FRAME)
    ask_to_close(other)
    window.pump()
    assert (window.closed, other.closed) == (False, False)
    other.pump()
    assert (window.closed, other.closed) == (False, True)
    assert np.array_equal(seen(window), FRAME)


def test_quitting_closes_it(window: Window) -> None:
    import pygame

    window.show(FRAME)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.pump()
    assert window.closed


def test_it_comes_back_when_somebody_else_ended_pygame(window: Window) -> None:
    import pygame

    window.show(FRAME)
    pygame.quit()
    window.show(255 - FRAME)
    assert np.array_equal(seen(window), 255 - FRAME)


def test_a_missing_library_is_named(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(MissingLibraryError, match=r'pygame-ce.*pip install "makruk-env\[render\]"'):
        window.show(FRAME)


def test_pygame_does_not_greet() -> None:
    code = (
        "import numpy as np; from makruk_env.render.window import Window; Window().show(np.zeros((9, 9, 3), np.uint8))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == ""
