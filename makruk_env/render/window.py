"""A window on the screen that shows frames, by pygame."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from makruk_env.errors import MissingLibraryError
from makruk_env.render.raster import INSTALL_HINT


def _pygame() -> Any:
    # pygame greets on standard output where it is not told otherwise, and is imported no earlier than a window opens.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError as error:
        raise MissingLibraryError(f"a window needs pygame-ce ({error}): {INSTALL_HINT}") from error
    if not hasattr(pygame, "Window"):
        raise MissingLibraryError(f"a window needs pygame-ce 2.5, got pygame {pygame.version.ver}: {INSTALL_HINT}")
    return pygame


class Window:
    """A window that opens with the first frame.

    title: what stands over it; fps: the most frames shown in a second, 0: as many as come. Once it has been closed, by
    the user or by `close`, it stays closed, and what is shown to it is dropped: the program goes on.
    """

    def __init__(self, title: str = "Makruk", fps: float = 0.0) -> None:
        self.title = title
        self.fps = fps
        self.closed = False
        self._window: Any = None
        self._clock: Any = None

    def show(self, frame: np.ndarray) -> None:
        """Show a frame, [H, W, 3] uint8, and wait until the next one may come.

        Raises `MissingLibraryError` where pygame-ce is not installed, and pygame's own error where there is no screen.
        """
        self.pump()
        if self.closed:
            return
        pygame = _pygame()
        size = frame.shape[1], frame.shape[0]
        if self._window is None:
            pygame.display.init()
            self._window = pygame.Window(self.title, size)
            self._clock = pygame.time.Clock()
        elif self._window.size != size:
            self._window.size = size
        pygame.surfarray.blit_array(self._window.get_surface(), frame.swapaxes(0, 1))
        self._window.flip()
        self._clock.tick(self.fps)

    def pump(self) -> None:
        """Let the window live: take its events, and close it if the user asked for that."""
        if self._window is None:
            return
        pygame = _pygame()
        if (
            not pygame.display.get_init()
        ):  # somebody else's pygame.quit() took the window along; the next frame opens one
            self._window = None
            return
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (event.type == pygame.WINDOWCLOSE and event.window == self._window):
                self.close()
            elif event.type == pygame.WINDOWCLOSE:
                pygame.event.post(event)  # of another window, which has yet to see it

    def close(self) -> None:
        """Close the window; a second time does nothing."""
        if self._window is not None:
            self._window.destroy()
        self._window = None
        self.closed = True
