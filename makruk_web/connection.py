"""One connection of the server, which says within seconds what it wants, or is closed."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0
"""Seconds for the head of a request to come: of the first one from the connection's begin on, of others from their
first byte on."""


class Connection(H11Protocol):
    """uvicorn's connection, whose own patience begins only behind the first answer.

    A connection that reaches uvicorn's limit, with which it would refuse the requests of all, is closed at once.
    """

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """See uvicorn."""
        super().connection_made(transport)
        if self.limit_concurrency is not None and len(self.connections) >= self.limit_concurrency:
            transport.abort()
        else:
            self._expect_head()

    def data_received(self, data: bytes) -> None:
        """See uvicorn."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._expect_head()
        else:
            self._cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """See uvicorn."""
        self._cancel()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(PATIENCE, self._give_up)

    def _cancel(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()
