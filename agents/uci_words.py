"""The words of the Universal Chess Interface: options, what ends a search, scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from agents.alphabeta import AlphaBeta
from agents.base import Agent
from agents.search.analysis import Line
from makruk_env.board import Board
from makruk_env.core.actions import COUNT_START
from makruk_env.notation.uci import move_of

_MOVES_LEFT = 30
"""Moves that the rest of the time is shared out among, if the program does not tell."""
_RESERVE = 1.0
"""Seconds of the clock kept back against a stall of the machine, half of what is left at most."""
_MOST = 10**12
"""What a number of a `go` is at most, and less this at least."""
_NUMBERS = ("nodes", "depth", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "mate", "perft")
Number = TypeVar("Number", int, float)
_LEAST = {"nodes": 1, "depth": 1, "movestogo": 1}


@dataclass(frozen=True)
class Option:
    """An option as `uci` tells it; kind: check, spin, combo or string; least, most: of a spin; values: of a combo."""

    kind: str
    default: str
    least: int = 0
    most: int = 0
    values: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = f"type {self.kind} default {self.default}"
        if self.kind == "spin":
            text += f" min {self.least} max {self.most}"
        return text + "".join(f" var {value}" for value in self.values)

    def read(self, text: str) -> str:
        """Return a value as it is kept. Raises `ValueError` for one that the option does not take."""
        if self.kind == "spin" and not self.least <= int(text) <= self.most:
            raise ValueError(f"expected {self.least} .. {self.most}, got {text!r}")
        if self.kind == "check" and text not in ("true", "false"):
            raise ValueError(f"expected true or false, got {text!r}")
        if self.kind == "combo" and text not in self.values:
            raise ValueError(f"expected one of {self.values}, got {text!r}")
        return text


@dataclass(frozen=True)
class Limits:
    """What ends a search; each None where nothing was said.

    seconds: for this move, all told; moves: the only ones to choose from, if there are any; unread: what was not
    understood.
    """

    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None
    infinite: bool = False
    ponder: bool = False
    moves: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether anything but a `stop` ends the search."""
        return not self.infinite and any(limit is not None for limit in (self.nodes, self.depth, self.seconds))


def _number(word: str, text: str) -> int | None:
    """Return a number as near to the one told as makes sense, None for what is none."""
    try:
        return min(max(int(text), _LEAST.get(word, -_MOST)), _MOST)
    except ValueError:  # thousands of digits are no number either
        return None


def read_limits(words: Sequence[str], turn: int, overhead: float) -> Limits:
    """Return the limits of a `go`; turn: the side to move; overhead: seconds that are lost on the way.

    A word that is not known is passed over, and so is a number that is none, which is told in `unread`.
    """
    told: dict[str, int] = {}
    at, moves, unread = 0, tuple[str, ...](), []
    while at < len(words):
        word = words[at]
        at += 1
        if word in _NUMBERS:
            text = words[at] if at < len(words) else ""
            number = _number(word, text)
            if number is None:
                unread.append(f"{word} {text}".strip())
            else:
                told[word] = number
            at += 1
        elif word == "searchmoves":
            moves = tuple(words[at:])
            break
    seconds = None
    if "movetime" in told:
        seconds = told["movetime"] / 1000 - overhead
    elif (clock := ("wtime", "btime")[turn]) in told:
        left, more = told[clock] / 1000, told.get(("winc", "binc")[turn], 0) / 1000
        spare = left - min(_RESERVE, left / 2)
        share = spare / min(told.get("movestogo", _MOVES_LEFT), _MOVES_LEFT) + 0.8 * more
        seconds = min(share, spare) - overhead
    return Limits(
        told.get("nodes"),
        told.get("depth"),
        None if seconds is None else max(seconds, 1e-3),
        "infinite" in words,
        "ponder" in words,
        moves,
        tuple(unread),
    )


def limited(agent: Agent, limits: Limits) -> Agent:
    """Return an agent that keeps to the limits beside those of its own, if it is an `alphabeta`; any other as it is."""
    if not isinstance(agent, AlphaBeta) or not limits.any:
        return agent
    return replace(
        agent,
        depth=least(agent.most_depth, limits.depth),
        seconds=least(agent.seconds, limits.seconds),
        nodes=least(agent.nodes, limits.nodes),
    )


def least(*limits: Number | None) -> Number | None:
    """Return the least of the limits that there are, None where there is none."""
    return min((limit for limit in limits if limit is not None), default=None)


def score(line: Line) -> str:
    """Return a line's score: `mate N` in moves of one side where that is proven, else centipawns of its value.

    Centipawns by Leela Chess Zero's formula, 90 tan(1.5637541897 v): half a chance more is about a bia.
    """
    if line.proof in ("win", "loss"):
        return f"mate {(1 if line.proof == 'win' else -1) * ((line.distance + 1) // 2)}"
    return f"cp {round(90 * math.tan(1.5637541897 * max(-1.0, min(1.0, line.value))))}"


def wdl(value: float, draws: float = 1.0) -> str:
    """Return chances of win, draw and loss in thousandths that come to a value of -1 to 1.

    draws: the share of draws that is expected, as far as the value leaves room for it.
    """
    decided = max(1.0 - draws, abs(value))
    win = round(500 * (decided + value))
    loss = min(round(500 * (decided - value)), 1000 - win)
    return f"{win} {1000 - win - loss} {loss}"


def play_of(board: Board, actions: Sequence[int]) -> list[str]:
    """Return a line of play as UCI moves, without its declarations about a count."""
    board, moves = board.copy(), []
    for action in actions:
        if action < COUNT_START:
            moves.append(move_of(action, board).uci())
        board.push(action)
    return moves
