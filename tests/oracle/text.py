"""The FEN dialect: men, first-move rights, counts told in plies, and a turn's declaration."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from .options import Options
from .position import BLACK, EMPTY, HOMES, MEN, WHITE, Position, granted_homes, square_name

START_FEN = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w BDEGbdeg - 0 1"


class Count(NamedTuple):
    """A running count: its kind, the side that escapes, the last number spoken and the limit."""

    kind: str
    counter: int
    n: int
    limit: int


@dataclass
class Situation:
    """What one FEN tells."""

    position: Position
    count: Count | None
    clock: int
    move_number: int
    declared: str


def read_board(text: str) -> list[str]:
    """Return the 64 squares of a FEN's first field, from a1 to h8."""
    ranks = re.sub(r"([Mm])~", r"\1", text).split("/")
    if len(ranks) != 8:
        raise ValueError(f"a board has eight ranks: {text!r}")
    board: list[str] = []
    for rank in reversed(ranks):
        squares = ""
        for letter in rank:
            if letter in "12345678":
                squares += EMPTY * int(letter)
            elif letter in MEN[WHITE] + MEN[BLACK]:
                squares += letter
            else:
                raise ValueError(f"no such man: {letter!r}")
        if len(squares) != 8:
            raise ValueError(f"a rank has eight squares: {rank!r}")
        board += squares
    if board.count("K") != 1 or board.count("k") != 1:
        raise ValueError("each side has exactly one khun")
    return board


def write_board(board: list[str]) -> str:
    """Return a FEN's first field."""
    ranks = ["".join(board[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1)]
    return re.sub(r"\.+", lambda gap: str(len(gap.group())), "/".join(ranks))


def read_rights(text: str, board: list[str], options: Options) -> frozenset[int]:
    """Return the home squares named in field 3, leaving out rights that nothing grants or no man holds."""
    rights = set()
    for square in granted_homes(options):
        file = square_name(square)[0]
        letter = file.upper() if HOMES[square] in MEN[WHITE] else file
        if letter in text and board[square] == HOMES[square]:
            rights.add(square)
    return frozenset(rights)


def write_rights(rights: frozenset[int]) -> str:
    """Return field 3: White's letters, then Black's, each from a to h."""
    white = "".join(square_name(square)[0].upper() for square in sorted(rights) if HOMES[square] in MEN[WHITE])
    black = "".join(square_name(square)[0] for square in sorted(rights) if HOMES[square] in MEN[BLACK])
    return white + black or "-"


def read_number(text: str, least: int) -> int:
    """Return a whole number of plain digits that is not below a bound."""
    if not re.fullmatch(r"[0-9]+", text) or int(text) < least:
        raise ValueError(f"not a number from {least} up: {text!r}")
    return int(text)


def read_count(limit_text: str, plies_text: str, position: Position, options: Options) -> Count:
    """Return the count told by fields 4 and 5, whose counter is the side to move if the plies are even."""
    limit_plies = read_number(limit_text, 2)
    if options["count_end"] == "reach":
        limit_plies = min(limit_plies + 2, 128)
    if limit_plies % 2:
        raise ValueError(f"a limit is an even number of plies: {limit_text!r}")
    plies = read_number(plies_text, 0)
    counter = position.turn if plies % 2 == 0 else 1 - position.turn
    pieces = len(position.men(counter)) == 1 and not position.has_bia()
    return Count("PIECES" if pieces else "BOARD", counter, (plies + 1) // 2, limit_plies // 2)


def read_fen(fen: str, options: Options) -> Situation:
    """Return what a FEN of six fields, or seven with a declaration, tells."""
    fields = fen.split()
    if len(fields) not in (6, 7):
        raise ValueError(f"a FEN has six fields, or seven: {fen!r}")
    men, side, rights, limit, number, move_number = fields[:6]
    declared = fields[6] if len(fields) == 7 else ""
    if side not in ("w", "b"):
        raise ValueError(f"the side to move is w or b: {side!r}")
    if declared not in ("", "start", "stop"):
        raise ValueError(f"a declaration is start or stop: {declared!r}")
    board = read_board(men)
    position = Position(board, "wb".index(side), read_rights(rights, board, options), options)
    if position.in_check(1 - position.turn):
        raise ValueError("the side that is not to move is in check")
    count = None if limit == "-" else read_count(limit, number, position, options)
    clock = read_number(number, 0) if count is None else 0
    return Situation(position, count, clock, read_number(move_number, 1), declared)


def write_fen(situation: Situation, options: Options) -> str:
    """Return the FEN of a situation."""
    position, count = situation.position, situation.count
    limit, number = "-", situation.clock
    if count is not None:
        limit = str(2 * count.limit - (2 if options["count_end"] == "reach" else 0))
        number = 2 * count.n - (count.counter != position.turn)
    fields = [write_board(position.board), "wb"[position.turn], write_rights(position.rights), limit, str(number)]
    fields += [str(situation.move_number), situation.declared]
    return " ".join(fields).rstrip()
