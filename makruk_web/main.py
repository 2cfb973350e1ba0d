"""The command `makruk`: that of `training.cli`, and `serve`, which is above it."""

from __future__ import annotations

import sys

from makruk_web.cli import serve
from makruk_web.errors import ServeError
from training import cli

cli.app.command()(serve)


def main() -> None:
    """Run the command; what the user got wrong is told in one line, with exit status 2."""
    try:
        cli.main()
    except ServeError as error:
        print(f"makruk: {error}", file=sys.stderr)
        sys.exit(2)
