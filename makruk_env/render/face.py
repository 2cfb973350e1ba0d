"""What an environment shows in each of its render modes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from makruk_env.errors import RenderError
from makruk_env.render import ansi, raster, scene, svg
from makruk_env.render.window import Window
from makruk_env.rules import Colour

if TYPE_CHECKING:
    from makruk_env.board import Board
    from makruk_env.outcome import Outcome

MODES = ("ansi", "human", "rgb_array", "svg")
"""As text, in a window, as [H, W, 3] uint8, as an SVG text."""
RENDER_SIZE = 600
"""The usual size of an environment's pictures, in pixels: a square of the board is 66."""


class Face:
    """Shows a game in one render mode.

    mode: one of `MODES`, or None, which shows nothing; size: of pictures, in pixels; orientation: the side that sits
    below, 0 White or 1 Black; fps: how many new pictures a window shows in a second at most.
    Raises `RenderError`.
    """

    def __init__(
        self, mode: str | None, size: int = RENDER_SIZE, orientation: int = Colour.WHITE, fps: float = 2
    ) -> None:
        if mode is not None and mode not in MODES:
            raise RenderError(f"render_mode: expected None or one of {list(MODES)}, got {mode!r}")
        self.mode = mode
        self.view = svg.View(size, orientation)
        self.fps = fps
        self._window: Window | None = None
        self._shown = ""

    def show(
        self, board: Board, outcome: Outcome | None = None, cut_short: int | None = None
    ) -> str | np.ndarray | None:
        """Return the picture of a game, or draw it in the window and return None.

        outcome: how the game ended, by default what the board says; cut_short: the moves after which an episode was
        truncated. Raises `MissingLibraryError` where a picture needs a library that is not installed.
        """
        if self.mode is None:
            return None
        if self.mode == "ansi":
            return ansi.text(board, outcome, cut_short)
        drawn = svg.draw(scene.of(board, outcome=outcome, cut_short=cut_short), self.view)
        if self.mode == "svg":
            return drawn
        if self.mode == "rgb_array":
            return raster.rgb(drawn, self.view.size)
        self._show_in_window(drawn)
        return None

    def _show_in_window(self, drawn: str) -> None:
        if self._window is None:
            self._window = Window(fps=self.fps)
            self._shown = ""
        if self._window.closed or drawn == self._shown:
            self._window.pump()  # nothing new to wait for
            return
        self._window.show(raster.rgb(drawn, self.view.size))
        self._shown = drawn

    def close(self) -> None:
        """Close the window, if there is one; any number of times. What is shown later opens a new one."""
        if self._window is not None:
            self._window.close()
        self._window = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave the window out: a copy of an environment opens its own."""
        return {**self.__dict__, "_window": None}

    def copy(self) -> Face:
        """Return a face of its own, which has no window yet."""
        other = Face.__new__(Face)
        other.__dict__.update(self.__dict__)
        other._window = None
        return other
