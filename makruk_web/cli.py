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
    database: Annotated[Path | None, typer.Option(help="File of the games; by default in your data folder.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads that search; by default one a core.")] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve a page to play on: against agents and levels, with a look into their search.

    Games are kept in a file and go on after a restart. Ctrl-C ends the server.
    """
    import os

    from platformdirs import user_data_path

    try:
        from makruk_web.api import Settings, make_app
        from makruk_web.server import listen
        from makruk_web.server import serve as serve_app
    except ModuleNotFoundError as error:
        raise ServeError(
            f"serve: expected fastapi and uvicorn, got no module {error.name!r}: pip install 'makruk-env[serve]'"
        ) from error
    listening = listen(host, port)
    settings = Settings(
        database=database or user_data_path("makruk-env", appauthor=False) / "games.sqlite",
        agents=tuple(agent or ()),
        runs=tuple(run or ()),
        hosts=frozenset({host.lower()}),
        threads=threads or max(1, os.cpu_count() or 1),
    )
    with listening:
        serve_app(make_app(settings), listening, open_)
