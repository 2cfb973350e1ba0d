"""The ledger: every match that was played, a line of JSON each, written once and never changed.

A line depends on nothing but what was played: it holds no time and no path beyond the agents' names, so a run that was
interrupted and resumed ends with the same bytes. A match that stands in the ledger is not played again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from agents.base import Agent
from makruk_env import Board
from makruk_env.rules import Rules
from training.arena import MatchResult, play_match
from training.elo import count_pairs
from training.errors import LedgerError


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Side(_Record):
    """One side of a match."""

    agent: str
    """Its text, as people know it."""
    settings: dict[str, Any]
    """Its settings, resolved: defaults included, and the digest of its weights in the place of a checkpoint's path."""
    digest: str
    """Of the agent's kind and its settings: equal digests play alike."""

    @classmethod
    def of(cls, agent: Agent, name: str | None = None) -> Side:
        """Return the side of an agent; name: its text, by default the shortest that makes it again."""
        settings = dict(agent.settings())
        text = json.dumps([agent.name, settings], sort_keys=True)
        return cls(agent=name or agent.spec, settings=settings, digest=hashlib.sha256(text.encode()).hexdigest()[:16])


class MatchLine(_Record):
    """A match between A and B, the first side and the second; all scores are A's."""

    kind: Literal["match"] = "match"
    rules: str
    seed: int
    """Of the openings and of whatever is random in the agents."""
    sides: tuple[Side, Side]
    games: int
    pentanomial: tuple[int, int, int, int, int]
    """How many pairs of games gave A 0, 1/2, 1, 3/2 and 2 points."""
    wins: int
    draws: int
    losses: int
    score: float
    interval_95: tuple[float, float]
    elo: float
    """A's Elo above B's (see `training.elo.elo_difference`)."""
    elo_95: tuple[float, float]
    distinct_games: int
    endings: dict[str, int]
    """How many games ended in each way."""
    plies: int
    points: str
    """A's half points in each game: 2, 1 or 0."""

    @classmethod
    def of(cls, sides: tuple[Side, Side], rules: str, seed: int, result: MatchResult) -> MatchLine:
        """Return the line of a match; rules: their name."""
        elo, low, high = result.elo
        return cls(
            rules=rules,
            seed=seed,
            sides=sides,
            games=result.games,
            pentanomial=tuple(result.pentanomial.tolist()),
            wins=result.wins,
            draws=result.draws,
            losses=result.losses,
            score=result.score,
            interval_95=result.interval,
            elo=elo,
            elo_95=(low, high),
            distinct_games=result.distinct,
            endings=dict(sorted(result.endings.items())),
            plies=result.plies,
            points="".join(str(int(2 * point)) for point in result.points),
        )

    @property
    def key(self) -> tuple[str, str, str, int, int]:
        """What decides a match: both digests, the rules, the seed, the games."""
        return self.sides[0].digest, self.sides[1].digest, self.rules, self.seed, self.games

    @property
    def result(self) -> MatchResult:
        """The result as it was played."""
        points = np.array([int(half) / 2 for half in self.points])
        return MatchResult(points, Counter(self.endings), self.distinct_games, self.plies)

    @model_validator(mode="after")
    def _check_points(self) -> Self:
        sound = len(self.points) == self.games > 0 and self.games % 2 == 0 and set(self.points) <= set("012")
        if not sound or tuple(count_pairs(self.result.points).tolist()) != self.pentanomial:
            raise ValueError(f"points: expected those of {self.pentanomial} in {self.games} games, got {self.points!r}")
        return self


class SprtLine(_Record):
    """A sequential test between A and B; its games stand in the lines of its matches."""

    kind: Literal["sprt"] = "sprt"
    rules: str
    seed: int
    sides: tuple[Side, Side]
    elo0: float
    elo1: float
    alpha: float
    beta: float
    games: int
    pentanomial: tuple[int, int, int, int, int]
    llr: float
    """The log of how much likelier elo1 is than elo0."""
    verdict: Literal["elo0", "elo1", "open"]
    """Which of the two was accepted; open where the games ran out."""


Line = MatchLine | SprtLine
_LINES: TypeAdapter[Line] = TypeAdapter(Annotated[Line, Field(discriminator="kind")])


class Ledger:
    """A file of lines, read once; a last line that a kill cut off counts for nothing and goes with the next one added.

    Raises `LedgerError`, which gives the number, for any other line that is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = _whole_part(path).splitlines()
        self.lines: list[Line] = [_parse(path, number, text) for number, text in enumerate(lines, 1)]

    def append(self, line: Line) -> None:
        """Add a line, unless it is there; it is on the disk when this returns."""
        if line in self.lines:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        whole = len(_whole_part(self.path))  # asked anew: others may have added lines
        with self.path.open("ab") as file:
            file.truncate(whole)
            file.write(line.model_dump_json().encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self.lines.append(line)

    @property
    def matches(self) -> Iterator[MatchLine]:
        """The matches, in the order they were played."""
        return (line for line in self.lines if isinstance(line, MatchLine))

    def find(self, sides: Sequence[Side], rules: str, seed: int, games: int) -> MatchLine | None:
        """Return the match of just this, or None if it has not been played."""
        key = (sides[0].digest, sides[1].digest, rules, seed, games)
        return next((line for line in self.matches if line.key == key), None)


def _whole_part(path: Path) -> bytes:
    """Return a file up to its last line end; nothing of a file that is not there."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise LedgerError(f"ledger: expected a file of JSON lines, got {str(path)!r}: {error}") from error
    return data[: data.rfind(b"\n") + 1]


def _parse(path: Path, number: int, text: bytes) -> Line:
    try:
        return _LINES.validate_json(text)
    except ValidationError as error:
        got = text[:60].decode(errors="replace")
        raise LedgerError(f"ledger {str(path)!r}, line {number}: expected a match, got {got!r}: {error}") from error


def recorded_match(
    ledger: Ledger | None,
    players: tuple[Agent, Agent],
    games: int,
    rules: str = "ttakji",
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    names: tuple[str, str] | None = None,
    boards: list[Board] | None = None,
) -> MatchLine:
    """Return a match from the ledger, or play it and add it there.

    names: of the players, for the ledger's readers; boards: a list that is given the games, which are then played in
    any case. Raises what `play_match` raises.
    """
    name = Rules.of(rules).name
    known = names or (None, None)
    sides = (Side.of(players[0], known[0]), Side.of(players[1], known[1]))
    found = ledger.find(sides, name, seed, games) if ledger else None
    if found and boards is None:
        return found
    line = MatchLine.of(sides, name, seed, play_match(*players, games, rules, seed, progress, boards))
    if ledger and not found:
        ledger.append(line)
    return line
