"""The command `makruk serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from makruk_web.errors import ServeError

_LOOPBACK = "127.0.0.1"


def serve(
    host: Annotated[str, typer.Option(help="Address to listen at; the default is seen by this machine alone.")] = (
        _LOOPBACK
    ),
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port; 0 takes a free one.")] = 8000,
    run: Annotated[
        list[Path] | None, typer.Option(help="A run whose games are shown and whose network may be played; repeatable.")
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(help="An agent that may be played beside the safe ones, like uci:...; repeatable."),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A name of this machine that others call it by, like laptop.local; repeatable."),
    ] = None,
    database: Annotated[Path | None, typer.Option(help="File of the games; by default in your data folder.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads that search; by default one a core.")] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve a page to play on: against agents and levels, with a look into their search.

    Games are kept in a file and go on after a restart. Ctrl-C ends the server.
    """
    import os
    import re

    from platformdirs import user_data_path

    try:
        from makruk_web.api import Settings, make_app
        from makruk_web.limits import room_for_connections
        from makruk_web.server import listen
        from makruk_web.server import serve as serve_app
    except ModuleNotFoundError as error:
        raise ServeError(
            f"serve: expected fastapi and uvicorn, got no module {error.name!r}: pip install 'makruk-env[serve]'"
        ) from error
    names = tuple(dict.fromkeys(told.lower() for told in name or ()))
    for told in names:
        if not re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", told):
            raise ServeError(f"name: expected a host's name without port, like laptop.local, got {told!r}")
    listening = listen(host, port)
    settings = Settings(
        database=database or user_data_path("makruk-env", appauthor=False) / "games.sqlite",
        agents=tuple(agent or ()),
        runs=tuple(run or ()),
        hosts=frozenset({host.lower(), *names}),
        threads=threads or max(1, os.cpu_count() or 1),
        connections=room_for_connections(),
    )
    with listening:
        serve_app(make_app(settings), listening, open_, names)
