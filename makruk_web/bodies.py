"""What requests bring with them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Version = Annotated[int, Field(ge=0, le=2**53, strict=True)]


class Body(BaseModel):
    """A request's body; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid")


class NewGame(Body):
    """A game to begin. rules: of a PGN those that its header names, these only where it names none; fen, pgn: one at
    most."""

    rules: Annotated[str, Field(max_length=300)] | None = None
    fen: Annotated[str, Field(max_length=200)] | None = None
    pgn: Annotated[str, Field(max_length=50_000)] | None = None
    you: Literal["white", "black", "both"] = "white"
    agent: Annotated[str, Field(max_length=300)] = "normal"
    clock: Annotated[bool, Field(strict=True)] = False


class Change(Body):
    """A change of the game as it stands in this version."""

    version: Version


class MoveMade(Change):
    """A move or a declaration, as UCI."""

    move: Annotated[str, Field(max_length=8)]


class AgentChosen(Change):
    """Another agent to go on with, or the same one to be asked again."""

    agent: Annotated[str, Field(max_length=300)]


class Look(Body):
    """The number of moves before the position that is to be looked into."""

    ply: Annotated[int, Field(ge=0, le=100_000, strict=True)]
