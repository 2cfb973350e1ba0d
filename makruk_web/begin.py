"""New games from what a page asks for, and PGN of games; slow work that no loop should wait for."""

from __future__ import annotations

import io
from collections.abc import Sequence

from makruk_env import pgn
from makruk_env.board import Board
from makruk_env.errors import PgnError
from makruk_env.notation import pgn as pgn_text
from makruk_env.outcome import Outcome
from makruk_env.rules import Rules
from makruk_web.bodies import NewGame
from makruk_web.clock import Clock
from makruk_web.errors import WebError
from makruk_web.game import MOST_PLIES, RESULTS, Game, Ply, rewound
from makruk_web.opponents import Opponents
from makruk_web.thoughts import texts

_YOU = {"white": 0, "black": 1, "both": None}


def begin(asked: NewGame, opponents: Opponents) -> Game:
    """Return the game that is asked for, not seated yet.

    Raises `AgentError`, `FenError`, `RulesError`, `WebError`, and whatever is wrong with a PGN.
    """
    if asked.fen and asked.pgn:
        raise WebError("game: expected a FEN or a PGN, got both")
    you = _YOU[asked.you]
    if you is not None:
        opponents.make(asked.agent)
    if asked.pgn:
        board, plies = _replayed(asked.pgn, asked.rules, you)
    else:
        board, plies = Board(asked.fen or None, Rules.of(asked.rules or "ttakji")), []
    agent = asked.agent if you is not None else ""
    return Game("", board, you, agent, Clock() if asked.clock else None, plies=plies, touched=bool(asked.fen))


def _replayed(text: str, rules: str | None, you: int | None) -> tuple[Board, list[Ply]]:
    """Return the first game of a PGN: the board at its end and its moves.

    rules: where it has no header `Rules` and no `Variant` of another game.
    """
    told = next(pgn_text.read(io.StringIO(text)), None)
    headers = told.headers if told else {}
    if "Rules" in headers or (rules and headers.get("Variant", pgn.variant_of(rules)).lower() != pgn.variant_of(rules)):
        rules = None
    game = next(pgn.read(io.StringIO(text), rules), None)
    if game is None:
        raise PgnError("pgn: expected a game, got a text without one")
    if game.error is not None:
        raise game.error
    if len(game.moves) > MOST_PLIES:
        raise PgnError(f"pgn: expected at most {MOST_PLIES} moves, got {len(game.moves)}")
    board, plies = game.start.copy(), []
    for move in game.moves:
        action = board.action(move)
        plies.append(Ply(*texts(board, action), you is not None and board.turn != you))
        board.push(action)
    return board, plies


def to_pgn(board: Board, ended: Outcome | None, names: Sequence[str], date: str) -> str:
    """Return a game as PGN.

    ended: an end that the board does not know; names: White's and Black's; date: yyyy.mm.dd.
    """
    game = pgn.Game.of(board)
    game.headers |= {"Event": "Game on the page", "Site": "makruk serve", "Date": date}
    game.headers |= dict(zip(("White", "Black"), names, strict=True))
    start = rewound(board, 0).fen()
    if start != Board(rules=board.rules).fen():
        game.headers |= {"FEN": start}
    if ended is not None:
        game.result = RESULTS[ended.winner]
        game.headers["Termination"] = ended.termination.name.lower()
    text = io.StringIO()
    pgn.write(text, game)
    return text.getvalue()
