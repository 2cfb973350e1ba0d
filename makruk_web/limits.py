"""What the system lets a server have: open files, of which each connection is one."""

from __future__ import annotations

import sys
from contextlib import suppress

MOST_CONNECTIONS = 2_000
_OTHER_FILES = 128
"""The database, the network's weights, the engines."""


def room_for_connections() -> int:
    """Raise the limit on open files as far as it is needed and allowed; return how many connections have room."""
    if sys.platform == "win32":  # without such a limit
        return MOST_CONNECTIONS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted, endless = MOST_CONNECTIONS + _OTHER_FILES, resource.RLIM_INFINITY
    if soft != endless and soft < wanted:
        with suppress(OSError, ValueError):  # macOS tells no limit and has one
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard == endless else min(wanted, hard), hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_CONNECTIONS if soft == endless else max(1, min(MOST_CONNECTIONS, soft - _OTHER_FILES))
