"""Who looks on gets the newest of everything, in an order that makes sense."""

from __future__ import annotations

import asyncio

from makruk_web import watchers
from makruk_web.watchers import Watcher


def told(*news: tuple[str, str]) -> list[str]:
    """Return what is sent after so much news, all of which came before anything was sent."""

    async def listen() -> list[str]:
        watcher = Watcher()
        for what, text in news:
            watcher.tell(what, text)
        sent = []
        async for text in watcher.stream():
            sent.append(text)
            if text.startswith("event"):
                watcher.close()
        return sent[1:]

    return asyncio.run(listen())


def test_the_newest_of_each_kind_is_sent() -> None:
    assert told(("state", "1"), ("thinking", "2"), ("thinking", "3")) == [
        "event: state\ndata: 1\n\n",
        "event: thinking\ndata: 3\n\n",
    ]


def test_a_look_into_a_search_does_not_outlive_it() -> None:
    assert told(("state", "1"), ("thinking", "2"), ("state", "3")) == ["event: state\ndata: 3\n\n"]


def test_a_quiet_stream_is_kept_alive() -> None:
    async def listen() -> str:
        watcher = Watcher()
        stream = watcher.stream()
        await anext(stream)
        line = await anext(stream)
        watcher.close()
        assert [text async for text in stream] == []
        return line

    before, watchers.QUIET = watchers.QUIET, 0.01
    try:
        assert asyncio.run(listen()).startswith(":")
    finally:
        watchers.QUIET = before
