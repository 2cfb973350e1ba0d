"""A screen that is none, for what opens windows."""

import pytest


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let SDL draw into memory."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
