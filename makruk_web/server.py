"""The server: its socket, its start and its end."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI

from makruk_web.errors import ServeError


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one. Raises `ServeError`."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(256)
        except OSError:
            listening.close()
            raise
    except (OSError, UnicodeError) as error:
        raise ServeError(
            f"serve: expected an address of this machine and a free port, got {host!r} and {port}: {error}"
        ) from error
    return listening


def address_of(listening: socket.socket) -> str:
    """Return the address that a browser takes."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class Server(uvicorn.Server):
    """A server that tells when it is ready, and ends its streams when it is asked to end."""

    def __init__(self, app: FastAPI, ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=3,
            )
        )
        self._app, self._ready = app, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn; streams would go on for ever."""
        self._app.state.house.table.end_streams()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """See uvicorn; both signals end the server, and neither is raised again."""
        super().handle_exit(signal.SIGTERM, frame)
        self._captured_signals.clear()


def serve(app: FastAPI, listening: socket.socket, open_page: bool = False) -> None:
    """Serve until a signal comes; tells the address once it is ready."""
    logging.basicConfig(format="makruk: %(message)s")
    sys.setswitchinterval(0.001)  # searches must not keep the loop from the interpreter for long
    address = address_of(listening)

    def ready() -> None:
        print(f"makruk: {address}  (Ctrl-C ends it)", flush=True)
        if open_page:
            webbrowser.open(address)

    Server(app, ready).run(sockets=[listening])
