"""What a request or the command got wrong, by name; all are `ValueError`s that say what was expected and what came."""

from __future__ import annotations


class WebError(ValueError):
    """A request that cannot be met; `status` is the HTTP status that tells so."""

    status = 422


class UnknownError(WebError):
    """A game, a ply, a run or a page that is not there."""

    status = 404


class NoGameError(UnknownError):
    """A game that has been removed, or never was; nothing but a new one can be asked for."""


class StaleError(WebError):
    """A request about a version of the game that is no longer the present one."""

    status = 409


class TurnError(WebError):
    """A request that the game does not allow now: it is over, or the other side is to move."""

    status = 409


class AccessError(WebError):
    """A request that came by another host's name or from another site's page."""

    status = 403


class SizeError(WebError):
    """A request with more in it than is read."""

    status = 413


class BusyError(WebError):
    """More games, lookers-on or searches at once than there is room for."""

    status = 503


class ServeError(ValueError):
    """A server that cannot be started as asked."""
