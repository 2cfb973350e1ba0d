"""A game as a text that is kept, and back; what was thought lies beside it (see `store`)."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from makruk_env.board import Board
from makruk_env.outcome import Outcome
from makruk_env.rules import Rules, Termination
from makruk_web.clock import Clock, Left
from makruk_web.game import Game, Ply


def dump(game: Game, now: float) -> str:
    """Return a game as JSON, without its thoughts."""
    clock: dict[str, Any] | None = None
    if game.clock is not None:
        left = [asdict(side) for side in game.clock.left]
        clock = {"left": left, "side": game.clock.side, "spent": game.clock.elapsed(now)}
    ended = None if game.ended is None else {"winner": game.ended.winner, "termination": game.ended.termination.name}
    return json.dumps(
        {
            "rules": game.board.rules.name,
            "start": game.start.fen(),
            "actions": game.board.actions,
            "plies": [[ply.uci, ply.san, ply.thai, ply.by_agent] for ply in game.plies],
            "you": game.you,
            "agent": game.agent,
            "version": game.version,
            "touched": game.touched,
            "offered": game.offered,
            "offer": game.offer,
            "clock": clock,
            "ended": ended,
            "result": game.result,
        }
    )


def load(id_: str, text: str) -> Game:
    """Return the game that `dump` wrote; its clock stands. Raises `ValueError` for a text that is none."""
    told = json.loads(text)
    board = Board(told["start"], Rules.of(told["rules"]))
    for action in told["actions"]:
        board.push(action)
    clock, ended = told["clock"], told["ended"]
    return Game(
        id_,
        board,
        told["you"],
        told["agent"],
        clock and Clock([Left(**left) for left in clock["left"]], clock["side"], clock["spent"]),
        told["version"],
        [Ply(*ply) for ply in told["plies"]],
        ended and Outcome(ended["winner"], Termination[ended["termination"]]),
        told["touched"],
        offered=told["offered"],
        offer=told.get("offer"),
    )
