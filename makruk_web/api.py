"""The requests that the server answers."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from agents.baselines import LEVELS
from makruk_env.board import Board
from makruk_web import routes
from makruk_web.errors import WebError
from makruk_web.guard import Guard
from makruk_web.house import MOST_BEGUN, MOST_READ, MOST_WRITTEN, Desk, House
from makruk_web.limits import MOST_CONNECTIONS
from makruk_web.opponents import Opponents
from makruk_web.pool import Job, Pool
from makruk_web.replies import Reply, error_reply, reply_to
from makruk_web.runs import Runs
from makruk_web.store import Store
from makruk_web.table import Table
from makruk_web.thinkers import make_thinker
from makruk_web.thinking import Thinking

STATIC = Path(__file__).parent / "static"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Settings:
    """What a server is started with.

    database: the file of games; agents: texts that are allowed beside the safe ones; runs: folders whose games are
    shown and whose networks may be played; hosts: names by which it may be asked; threads: that search; connections:
    at once, at most half of them lookers-on; warm: whether all is compiled and loaded before the first move is asked
    for; now, wall: see `Table`.
    """

    database: Path
    agents: tuple[str, ...] = ()
    runs: tuple[Path, ...] = ()
    hosts: frozenset[str] = frozenset()
    threads: int = max(1, (os.cpu_count() or 2))
    connections: int = MOST_CONNECTIONS
    warm: bool = True
    now: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time


def make_app(settings: Settings) -> FastAPI:
    """Return the application. Raises `ServeError` and `AgentError` for settings that cannot be."""
    runs = Runs(settings.runs)
    networks = {
        f"run:{name}": f"mcts:checkpoint={folder},simulations=200"
        for name, folder in runs.folders.items()
        if (folder / "checkpoints").is_dir()
    }
    opponents = Opponents(settings.agents, networks)
    store = Store(settings.database)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        Board()  # compiles the rules, if need be, before anybody asks
        table = Table(store, opponents, settings.now, settings.wall, settings.connections // 2)
        pool, single = Pool(settings.threads), Pool(1, "single")
        thinking = Thinking(table, pool, single, asyncio.get_running_loop())
        with (
            Desk("new games", MOST_BEGUN) as new,
            Desk("games as PGN", MOST_WRITTEN) as pgn,
            Desk("runs", MOST_READ) as read,
        ):
            app.state.house = House(table, thinking, opponents, runs, new, pgn, read)
            if settings.warm:
                _warm(pool, opponents)
            sweeping = asyncio.create_task(table.sweep_for_ever())
            try:
                yield
            finally:
                with ExitStack() as ends:
                    for part in (single, pool, table):
                        ends.callback(part.close)
                    sweeping.cancel()
                    await asyncio.gather(sweeping, return_exceptions=True)

    app = FastAPI(
        title="makruk", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None, default_response_class=Reply
    )
    app.state.connections = settings.connections
    app.add_exception_handler(ValueError, _named)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unknown)
    app.add_middleware(Guard, hosts=settings.hosts)
    app.include_router(routes.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


def _warm(pool: Pool, opponents: Opponents) -> None:
    """Load and compile on a thread what the first moves need."""
    levels: Sequence[str] = [name for name in opponents.offered if name in LEVELS][:1]
    for text in (*levels, "alphabeta:depth=1", "greedy", "random"):
        agent = opponents.make(text)
        pool.submit(Job(0, lambda agent=agent: make_thinker(agent, Board(), 0), lambda _: None, lambda _: None))  # type: ignore[misc]


async def _named(_: Request, error: Exception) -> Response:
    assert isinstance(error, ValueError)
    if isinstance(error, WebError) or type(error).__module__.startswith(("makruk_env.", "agents.", "training.")):
        return reply_to(error)
    return await _unknown(_, error)


async def _invalid(_: Request, error: Exception) -> Response:
    """Tell what a body lacks, without what it held."""
    assert isinstance(error, RequestValidationError)
    found = [f"{'.'.join(map(str, one['loc']))[:80]}: {one['msg']}" for one in error.errors()[:5]]
    return error_reply(422, "RequestError", "; ".join(found))


async def _http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = 422 if error.status_code == 400 else error.status_code  # FastAPI's word for a body that cannot be read
    names = {404: "UnknownError", 405: "MethodError"}
    return error_reply(status, names.get(status, "RequestError"), str(error.detail))


async def _unknown(_: Request, error: Exception) -> Response:
    """Tell nothing but that it happened; the log has it."""
    _log.error("a request failed", exc_info=error)
    return error_reply(500, "InternalError", "the request failed; the server's log tells more")
