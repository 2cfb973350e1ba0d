"""Who looks on at a game: each has the newest state and the newest look into the search, whatever it has missed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

QUIET = 15.0
"""Seconds after which a line is sent to see whether anybody is still there."""


class Watcher:
    """One who looks on; used by the thread of the loop alone."""

    def __init__(self) -> None:
        self._news: dict[str, str] = {}
        self._awake = asyncio.Event()
        self._closed = False

    def tell(self, what: str, text: str) -> None:
        """Send a text under a name; what has not gone out yet of that name, and before a state, is dropped."""
        if what == "state":
            self._news.clear()
        self._news[what] = text
        self._awake.set()

    def close(self) -> None:
        """End the stream."""
        self._closed = True
        self._awake.set()

    async def stream(self) -> AsyncIterator[str]:
        """Yield the server-sent events until the stream is closed."""
        yield "retry: 1000\n\n"
        while not self._closed:
            try:
                await asyncio.wait_for(self._awake.wait(), QUIET)
            except TimeoutError:
                yield ": still here\n\n"
                continue
            self._awake.clear()
            news, self._news = self._news, {}
            for what, text in news.items():
                yield f"event: {what}\ndata: {text}\n\n"
