"""Whole games in PGN files: read one at a time, written, made from a `Board`.

    for game in pgn.read("games.pgn"):
        print(game.headers["White"], game.result, len(game.moves), game.error)

A file says by its header `Rules` under which rules a game was played, `Rules "ttakji:promotion=optional"`. Without it
the `Variant` decides (see `VARIANTS`): the men move as in the preset of that name, but no game ends by repetition,
material or length, and no count runs that the file does not declare, since who wrote the file may have used others.

A declaration about the count stands as a command before the move of its turn, `{[%count start]}` or `{[%count stop]}`.
A count that begins, is replaced or goes is told behind the move: `{[%count pieces 7/44]}`, the number and the limit,
or `{[%count none]}`; that is for people, and not read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TextIO

from makruk_env.board import Board
from makruk_env.errors import FenError, IllegalMoveError, MoveTextError, PgnError, RulesError
from makruk_env.notation import pgn as pgn_text
from makruk_env.notation.uci import Move, move_of
from makruk_env.outcome import Outcome
from makruk_env.rules import PRESETS, Colour, Rules, options

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
"""The seven headers that every game has, in their order, and what stands where nothing is known."""
_NO_ENDS = "repetition=0,pieces_count=declared,board_count=declared,material=none,max_plies=0"
VARIANTS = {"makruk": f"ttakji:{_NO_ENDS}", "cambodian": f"cambodian:{_NO_ENDS}", "ouk": f"ouk:{_NO_ENDS}"}
"""The rules of a game whose headers name no rules, by its `Variant` in lower case; without one it is makruk."""
_ERRORS = (PgnError, FenError, RulesError, MoveTextError, IllegalMoveError)
_UNTERMINATED = "unterminated"


@dataclass
class Game:
    """One game of a PGN file.

    headers: as they came; start: where it begins, with its rules; moves: the declarations among them; result: "1-0",
    "0-1", "1/2-1/2" or "*"; error: what could not be read, a named error, behind which no move is kept; comments: what
    is written behind a move, by its number from 0; those of a file are not read.
    """

    headers: dict[str, str]
    start: Board
    moves: list[Move] = field(default_factory=list)
    result: str = "*"
    error: ValueError | None = None
    comments: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, board: Board) -> Game:
        """Return the game that led to a board, with all headers that the board can tell."""
        start = board.copy()
        while start.actions:
            start.pop()
        game = cls({}, start, result=_result(board.outcome))
        replay = start.copy()
        for action in board.actions:
            game.moves.append(move_of(action, replay))
            replay.push(action)
        game.headers = _headers(game)
        return game

    def board(self) -> Board:
        """Return the board at the end. Raises `IllegalMoveError` for moves that are not legal."""
        board = self.start.copy()
        for move in self.moves:
            board.push(move)
        return board


def read(path: str | os.PathLike[str] | TextIO, rules: str | Rules | None = None) -> Iterator[Game]:
    """Read the games of a PGN file one at a time; rules: those of every game, whatever its headers say.

    path: a file's name, whose text is UTF-8 (what is not is replaced), or an open text file. The result is that of the
    movetext; the header's counts where the movetext has none or `*`.
    Raises `RulesError` for unknown `rules` and, while reading, `OSError`. All that is wrong with a game stands in its
    `error`: a `PgnError`, `FenError`, `RulesError`, `MoveTextError` or `IllegalMoveError` with the number of the game,
    the line and the ply.
    """
    chosen = None if rules is None else Rules.of(rules)
    return _read(path, chosen)


def _read(path: str | os.PathLike[str] | TextIO, rules: Rules | None) -> Iterator[Game]:
    if isinstance(path, str | os.PathLike):
        with open(path, encoding="utf-8", errors="replace") as file:
            yield from _games(file, rules)
    else:
        yield from _games(path, rules)


def _games(lines: Iterable[str], rules: Rules | None) -> Iterator[Game]:
    for number, text in enumerate(pgn_text.read(lines), 1):
        result = text.result
        if result in (None, "*"):
            result = pgn_text.RESULTS.get(text.headers.get("Result", "*"), "*")
        game = Game(text.headers, Board(), result=result)
        try:
            _replay(game, text, rules)
        except _ERRORS as error:
            # A new error, since the traceback of the old one would keep its boards in memory.
            game.error = type(error)(f"game {number}, {error}")
        yield game


def _replay(game: Game, text: pgn_text.GameText, rules: Rules | None) -> None:
    """Set the start of a game and add its moves. Raises what is wrong, with line and ply, after the moves before it."""
    lines = text.header_lines
    with _at(lines.get("Rules", lines.get("Variant", text.line)), 0):
        rules = rules or _rules(text.headers)
    with _at(lines.get("FEN", text.line), 0):
        game.start = Board(text.headers.get("FEN"), rules)
    board = game.start.copy()
    for line, move in text.moves:
        with _at(line, board.ply + 1):
            _refuse_after_the_end(board, move)
            game.moves.append(board.push_san(move))
    if text.fault:
        with _at(text.fault[0], board.ply + 1):
            raise PgnError(text.fault[1])


@contextmanager
def _at(line: int, ply: int) -> Iterator[None]:
    """Say in an error where it was met."""
    try:
        yield
    except _ERRORS as error:
        raise type(error)(f"line {line}, ply {ply}: {error}") from None


def _rules(headers: dict[str, str]) -> Rules:
    """Return the rules that the headers of a game tell."""
    if "Rules" in headers:
        return Rules.of(headers["Rules"])
    variant = headers.get("Variant", "Makruk")
    if variant.lower() not in VARIANTS:
        raise PgnError(f"header Variant: expected one of {tuple(VARIANTS)}, got {variant!r}")
    return Rules.of(VARIANTS[variant.lower()])


def _refuse_after_the_end(board: Board, move: str) -> None:
    if board.outcome:
        end = f"{_termination(board.outcome)}, {_result(board.outcome)}"
        raise PgnError(f"the game is over ({end}) by the rules {board.rules.name!r}, got {move!r} in {board.fen()!r}")


def variant_of(rules: str) -> str:
    """Return the variant that rules of a name are of, one of `VARIANTS`."""
    preset = rules.partition(":")[0]
    return preset if preset in VARIANTS else "makruk"


def write(file: TextIO, game: Game) -> None:
    """Write a game to an open text file, with a blank line behind it.

    The headers are the game's own, but those that tell its rules, start, result and end are brought up to date.
    Raises `IllegalMoveError` for moves that are not legal and `PgnError` for a result, a header's name or a comment
    that PGN does not take; then nothing is written.
    """
    if game.result not in pgn_text.RESULTS.values():
        raise PgnError(f"result: expected one of {sorted(set(pgn_text.RESULTS.values()))}, got {game.result!r}")
    file.write(pgn_text.write(_headers(game), _movetext(game)))


def _movetext(game: Game) -> Iterator[str]:
    """Yield move numbers, moves, comments, and the result."""
    board = game.start.copy()
    count = _count(board)
    interrupted = True
    for number, move in enumerate(game.moves):
        if move.declares is not None:
            board.push(move)
            interrupted = True
            yield f"{{[%count {move.uci()}]}}"
            yield from _comment(game, number)
            continue
        if board.turn == Colour.WHITE or interrupted:
            yield f"{board.ply // 2 + 1}{'.' if board.turn == Colour.WHITE else '...'}"
        yield board.san(move)
        board.push(move)
        interrupted = _count(board) != count
        count = _count(board)
        if interrupted:
            told = f" {board.count.number}/{board.count.limit}" if board.count else ""
            yield f"{{[%count {count[0]}{told}]}}"
        interrupted |= number in game.comments
        yield from _comment(game, number)
    yield game.result


def _comment(game: Game, number: int) -> Iterator[str]:
    """Yield the words of the comment on a move, if it has one; a command in brackets is one word."""
    text = game.comments.get(number)
    if text is None:
        return
    if "}" in text or pgn_text.COMMAND.search(text):
        raise PgnError(f"comment: expected a text without }} and without declarations, got {text!r}")
    yield from re.findall(r"(?:\[[^\]]*\]|\S)+", f"{{{text}}}")


def _count(board: Board) -> tuple[str, int]:
    """Return what stays the same while a count runs: its kind and its counter."""
    count = board.count
    return (count.kind.name.lower(), count.counter) if count else ("none", 0)


def _headers(game: Game) -> dict[str, str]:
    """Return the headers that a file gets: the roster, the game's own, and what its boards tell."""
    headers = {**ROSTER, **game.headers, "Result": game.result}
    rules, fen = game.start.rules, game.start.fen()
    headers.setdefault("Variant", variant_of(rules.name).capitalize())
    headers["Rules"] = _rules_name(rules)
    if "FEN" in headers or fen != Board(rules=rules).fen():
        headers |= {"SetUp": "1", "FEN": fen}
    outcome = game.board().outcome
    if outcome and _result(outcome) == game.result:
        headers["Termination"] = _termination(outcome)
    elif game.result == "*":
        headers.setdefault("Termination", _UNTERMINATED)
    elif headers.get("Termination") == _UNTERMINATED:
        del headers["Termination"]
    return headers


def _rules_name(rules: Rules) -> str:
    """Return the name of rules, which `Rules.of` reads; rules that were not made by a preset may bear a wrong one."""
    with suppress(RulesError):
        if Rules.of(rules.name) == rules:
            return rules.name
    preset = PRESETS.get(rules.name.partition(":")[0], PRESETS["ttakji"])
    usual = options(preset)
    return Rules.preset(preset.name, **{option: v for option, v in options(rules).items() if v != usual[option]}).name


def _result(outcome: Outcome | None) -> str:
    if outcome is None:
        return "*"
    return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[outcome.winner]


def _termination(outcome: Outcome) -> str:
    return outcome.termination.name.lower().replace("_", " ")
