"""What every request passes before anything reads it, and what every answer bears.

A page of another site must not reach a server on loopback: the request's host is this one's, not a name that was bound
to its address, and its origin is this page. A body is read whole, up to a limit in bytes and in time.
"""

from __future__ import annotations

import asyncio
import ipaddress

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from makruk_web.errors import AccessError, SizeError, WebError
from makruk_web.replies import error_reply, reply_to

MOST_BYTES = 65_536
"""Of a request's body."""
PATIENCE = 10.0
"""Seconds for a request's body to come."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class Guard:
    """The application behind its guard. hosts: names by which this server may be asked, beside addresses."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] = frozenset()) -> None:
        self._app, self._hosts = app, hosts | {"localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            headers = Headers(scope=scope)
            self._check(scope["method"], headers)
            receive = await _whole_body(headers, receive)
        except WebError as error:
            reply = reply_to(error)
            reply.headers["Connection"] = "close"
            await reply(scope, receive, send_with_headers)
            return
        except TimeoutError:
            await error_reply(408, "SizeError", "body: expected it within seconds")(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _check(self, method: str, headers: Headers) -> None:
        """Raise `AccessError` for a request by another name or from another site."""
        host = headers.get("host", "")
        if not self._is_ours(host):
            raise AccessError("host: expected this server's address, got another name")
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise AccessError("origin: expected this page, got another one")
        navigates = method == "GET" and headers.get("sec-fetch-mode") == "navigate"
        if not navigates and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise AccessError("origin: expected this page, got another site")
        if method == "POST" and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise WebError("content-type: expected application/json")

    def _is_ours(self, host: str) -> bool:
        name, bracket, port = host.rpartition(":")
        if not bracket or not port.isdigit():
            name = host
        try:
            ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return name.lower() in self._hosts
        return True


async def _whole_body(headers: Headers, receive: Receive) -> Receive:
    """Return what gives the body that has been read. Raises `SizeError`, and `TimeoutError` for one without an end."""
    told = headers.get("content-length", "0")
    if told == "0" and "transfer-encoding" not in headers:
        return receive
    if not told.isdigit() or int(told[:20]) > MOST_BYTES:
        raise SizeError(f"body: expected at most {MOST_BYTES:,} bytes")
    chunks, size = [], 0
    async with asyncio.timeout(PATIENCE):
        while True:
            message = await receive()
            chunks.append(message.get("body", b""))
            size += len(chunks[-1])
            if size > MOST_BYTES:
                raise SizeError(f"body: expected at most {MOST_BYTES:,} bytes")
            if not message.get("more_body", False):
                break
    whole: list[Message] = [{"type": "http.request", "body": b"".join(chunks), "more_body": False}]

    async def give() -> Message:
        return whole.pop() if whole else await receive()

    return give
