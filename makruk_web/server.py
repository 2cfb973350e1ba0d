"""The server: its socket, its start and its end."""

from __future__ import annotations

import ipaddress
import logging
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import FrameType

import uvicorn
from fastapi import FastAPI

from makruk_web.connection import Connection
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
    """Return the address that a browser on this machine takes."""
    return addresses_of(listening)[0]


def addresses_of(listening: socket.socket, names: Iterable[str] = ()) -> list[str]:
    """Return the addresses that a browser takes, the one for this machine first; names: of this machine in its
    network, for sockets that others reach."""
    host, port = listening.getsockname()[:2]
    hosts = [host]
    if host in _ANY:
        hosts = [_ANY[host][0], *_own_addresses(listening.family, _ANY[host][1])]
    if not ipaddress.ip_address(host.partition("%")[0]).is_loopback:
        hosts += names
    return [f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}" for name in hosts]


def _own_addresses(family: int, elsewhere: str) -> list[str]:
    """Return the addresses by which other machines reach this one, as far as it knows them.

    elsewhere: an address that nobody has; no packet is sent to it.
    """
    found = []
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((elsewhere, 9))
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [told[4][0] for told in socket.getaddrinfo(socket.gethostname(), None, family)]
    return [name for name in dict.fromkeys(found) if _is_for_others(ipaddress.ip_address(name.partition("%")[0]))]


def _is_for_others(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Tell whether browsers elsewhere take an address; one of a single link needs a zone that they refuse."""
    return not (address.is_loopback or address.is_link_local)


_ANY = {"0.0.0.0": ("127.0.0.1", "192.0.2.1"), "::": ("::1", "2001:db8::1")}
"""For each address that means all of this machine's: the one that it reaches itself by, and one that nobody has."""


class Server(uvicorn.Server):
    """A server that tells when it is ready, and ends its streams when it is asked to end."""

    def __init__(self, app: FastAPI, ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=Connection,
                ws="none",
                limit_concurrency=app.state.connections + 1,
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


def serve(app: FastAPI, listening: socket.socket, open_page: bool = False, names: Iterable[str] = ()) -> None:
    """Serve until a signal comes; tells the addresses once it is ready, those by names among them."""
    logging.basicConfig(format="makruk: %(message)s")
    sys.setswitchinterval(0.001)  # searches must not keep the loop from the interpreter for long
    address, *others = addresses_of(listening, names)

    def ready() -> None:
        print(f"makruk: {address}  (Ctrl-C ends it)", flush=True)
        for other in others:
            print(f"makruk: {other}  (in your network)", flush=True)
        if open_page:  # some browsers come back only when they are closed
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    Server(app, ready).run(sockets=[listening])
