"""Games and positions in the plain values that the page draws."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from agents.base import Agent
from makruk_env.board import Board
from makruk_env.core.actions import COUNT_START, COUNT_STOP
from makruk_env.notation.uci import move_of, square_name
from makruk_env.outcome import Outcome
from makruk_env.render import scene, words
from makruk_web.clock import Clock
from makruk_web.game import Game
from makruk_web.opponents import has_tree
from makruk_web.thoughts import Thought


def position(board: Board, promoted: set[int] | None = None) -> dict[str, Any]:
    """Return what is seen of a board, and what may be done on it.

    promoted: the squares of the bia that have promoted; without them the game is played again to find them.

    men: [colour, name] by square; last: the squares of the last move; check: the square of a khun in check; legal: the
    moves as UCI; declare: "start", "stop" or None; status: whose turn it is, or how the game ended.
    """
    shown, legal = scene.of(board, promoted=promoted), board.legal_actions()
    declare = [action for action in legal if action >= COUNT_START]
    return {
        "fen": board.fen(),
        "turn": board.turn,
        "number": board.ply // 2 + 1,
        "men": {square_name(square): [man.colour, man.name] for square, man in shown.men.items()},
        "last": None if shown.last is None else [square_name(square) for square in shown.last],
        "check": None if shown.check is None else square_name(shown.check),
        "count": _count(board),
        "outlook": words.outlook(board) if board.outcome is None else [],
        "legal": [move_of(action, board).uci() for action in legal if action < COUNT_START],
        "declare": {COUNT_START: "start", COUNT_STOP: "stop"}[declare[0]] if declare else None,
        "status": shown.status,
    }


def _count(board: Board) -> dict[str, Any] | None:
    count = board.count
    if count is None:
        return None
    numbers = {"counter": count.counter, "number": count.number, "limit": count.limit}
    return {"kind": count.kind.name.lower(), **numbers, "line": words.count_line(count)}


def outcome(ended: Outcome | None) -> dict[str, Any] | None:
    """Return how a game ended, None where it goes on."""
    if ended is None:
        return None
    return {"winner": ended.winner, "termination": ended.termination.name, "line": words.end_line(ended)}


def clocks(clock: Clock | None, now: float) -> dict[str, Any] | None:
    """Return what both sides have left at this moment, in seconds, and whose clock runs."""
    if clock is None:
        return None
    sides = [clock.told(side, now) for side in (0, 1)]
    left = [
        {"main": round(side.main, 2), "periods": side.periods, "period": round(clock.of_period(k, now), 2)}
        for k, side in enumerate(sides)
    ]
    return {"left": left, "running": clock.side if clock.since is not None else None}


def white_value(thought: Thought | None, turn: int) -> float | None:
    """Return what a thought thinks the position worth to White, None where it does not say."""
    value = None if thought is None else thought.value
    return None if value is None else round(value if turn == 0 else -value, 4)


def ended_value(board: Board) -> float | None:
    """Return what a game that ended on the board is worth to White, None where it goes on."""
    ended = board.outcome
    return None if ended is None else {0: 1.0, 1: -1.0, None: 0.0}[ended.winner]


def turns(game: Game) -> list[int]:
    """Return the side to move before each ply, and after the last."""
    side, found = game.start.turn, []
    for action in game.board.actions:
        found.append(side)
        side ^= int(action < COUNT_START)
    return [*found, side]


def state(game: Game, agent: Agent | None, now: float, thinking: bool = False, unsaved: bool = False) -> dict[str, Any]:
    """Return all that the page shows of a game; values are White's: those of the moves, and that of the last position.

    agent: that of the game, None where it cannot be made; unsaved: whether the disk refused the last change.
    """
    sides, board = turns(game), game.board
    moves = [
        {
            "uci": ply.uci,
            "san": ply.san,
            "thai": ply.thai,
            "turn": sides[k],
            "agent": ply.by_agent,
            "value": white_value(game.thoughts.get(k), sides[k]),
        }
        for k, ply in enumerate(game.plies)
    ]
    shown = position(board, game.promoted(len(game.plies)))
    if game.ended is not None:
        shown |= {"legal": [], "declare": None, "outlook": [], "status": words.end_line(game.ended)}
    going, ended = game.outcome is None, ended_value(board)
    return {
        "id": game.id,
        "version": game.version,
        "rules": board.rules.name,
        "start": game.start.ply,
        "you": game.you,
        "agent": {"text": game.agent, "tree": agent is not None and has_tree(agent)} if game.agent else None,
        "moves": moves,
        "seen": sorted(game.thoughts),
        "value": ended if ended is not None else white_value(game.thoughts.get(len(game.plies)), sides[-1]),
        "position": shown,
        "outcome": outcome(game.outcome),
        "clock": clocks(game.clock, now),
        "thinking": thinking,
        "unsaved": unsaved,
        "failure": game.failure and asdict(game.failure),
        "offer": game.offer,
        "can": {
            "move": game.yours,
            "back": game.can_take_back,
            "resign": going,
            "draw": game.yours and (game.you is None or game.offered != len(game.plies)),
            "agent": going and game.you is not None,
        },
    }
