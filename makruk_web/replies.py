"""Answers in JSON; errors as {"error": {"name": ..., "message": ...}}."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import JSONResponse

from makruk_web.errors import WebError


class Reply(JSONResponse):
    """An answer in JSON, in ASCII: what came in a request may be no text that UTF-8 can tell."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def error_reply(status: int, name: str, message: str) -> Reply:
    """Return the answer that tells an error."""
    return Reply({"error": {"name": name, "message": message}}, status)


def reply_to(error: ValueError) -> Reply:
    """Return the answer to a request that raised one of the named errors."""
    return error_reply(error.status if isinstance(error, WebError) else 422, type(error).__name__, str(error))
