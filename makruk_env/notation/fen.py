"""FEN in the dialect of Fairy-Stockfish: the count stands in fields 4 and 5.

field 1  men, rank 8 first     field 2  w or b
field 3  first-move rights, the home file of each man that holds one, upper case for White: `DEde`; or -
field 4  the limit in plies, 2 L, or - when no count runs
field 5  the count in plies: 2 n with the counter to move, 2 n - 1 with the chaser to move; without a count the
         half-move clock
field 6  move number           field 7  `start` or `stop`, what the side to move has declared in this turn
"""

from __future__ import annotations

from typing import Any

import numpy as np

from makruk_env.core.counting import BOARD_LIMIT, end_count, is_bare
from makruk_env.core.movegen import attacked_by
from makruk_env.core.position import (
    BOARD,
    KIND_NAMES,
    NO_COUNT,
    NOBODY,
    NOTHING_DECLARED,
    PIECES,
    POSITION,
    STARTED,
    STOPPED,
    Fields,
)
from makruk_env.core.tables import NUM_KINDS, RIGHT
from makruk_env.errors import FenError
from makruk_env.rules import Rules

START_FEN = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"
LETTERS = "kmsnrp"
"""The letter of each kind, in the order of the kinds."""
RIGHT_HOMES = {
    "B": ("ma", 1),
    "D": ("khun", 3),
    "E": ("met", 4),
    "G": ("ma", 6),
    "b": ("ma", 57),
    "d": ("met", 59),
    "e": ("khun", 60),
    "g": ("ma", 62),
}
"""The letters of first-move rights, with the kind and home square of the man that each speaks of."""
MOST_MEN = 16
MOST_PLIES = 9_999
MOST_MOVES = 49_999
_DECLARED = {NOTHING_DECLARED: "", STARTED: " start", STOPPED: " stop"}


def read(text: str, rules: Rules) -> np.ndarray:
    """Read a FEN into a [1] POSITION array; the missing ones of fields 3 to 6 are taken as `- - 0 1`.

    Raises `FenError` for a text that is no FEN and for a position that cannot be: not one khun a side, more than 16 men
    a side, the side that is not to move in check.
    """
    if not isinstance(text, str):
        raise FenError(f"FEN: expected a text, got {text!r}")
    fields = text.split()
    if not 2 <= len(fields) <= 7:
        raise FenError(f"FEN: expected 2 to 7 fields, got {len(fields)} in {text!r}")
    men, side, rights, limit, clock, number, *declared = fields + ["-", "-", "0", "1"][len(fields) - 2 :]
    row = np.zeros(1, POSITION)
    position = row[0]
    _read_men(position, men, text)
    if side not in ("w", "b"):
        raise FenError(f"FEN field 2, side to move: expected w or b, got {side!r} in {text!r}")
    position.side = int(side == "b")
    position.winner = NOBODY
    position.ply = 2 * (max(_number(number, "6, move number", MOST_MOVES, text), 1) - 1) + int(side == "b")
    if declared:
        flags = {"start": STARTED, "stop": STOPPED}
        if declared[0] not in flags:
            raise FenError(
                f"FEN field 7, declared in this turn: expected start or stop, got {declared[0]!r} in {text!r}"
            )
        position.turn_flag = flags[declared[0]]
    _read_rights(position, rights, rules, text)
    _read_count(position, limit, clock, rules, text)
    if position.turn_flag == STOPPED and rules.counter_mates == "draw_unless_stopped":
        end_count(position)  # there a stop works at once
    _check(position, text)
    return row


def start(rules: Rules) -> str:
    """Return the FEN of the usual array under some rules: with every first-move right, tilted ruea as mets."""
    row = read(START_FEN, rules)
    position = row[0]
    _read_rights(position, "BDEGbdeg", rules, START_FEN)
    for square in rules.tilted_squares:
        position.ruea ^= np.uint64(1 << square)
        position.met ^= np.uint64(1 << square)
    return write(position, rules)


def _number(text: str, field: str, most: int, fen: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) <= most):
        raise FenError(f"FEN field {field}: expected a number from 0 to {most}, got {text!r} in {fen!r}")
    return int(text)


def _read_men(position: np.record, men: str, fen: str) -> None:
    ranks = men.split("/")
    if len(ranks) != 8:
        raise FenError(f"FEN field 1, men: expected 8 ranks, got {len(ranks)} in {fen!r}")
    for rank, row in zip(range(7, -1, -1), ranks, strict=True):
        file = 0
        for at, letter in enumerate(row):
            if letter in "12345678":
                file += int(letter)
            elif letter.lower() in LETTERS:
                if file < 8:
                    square = np.uint64(1 << (8 * rank + file))
                    position[KIND_NAMES[LETTERS.index(letter.lower())]] |= square
                    position["white" if letter.isupper() else "black"] |= square
                file += 1
            elif not (letter == "~" and at and row[at - 1] in "Mm"):
                raise FenError(f"FEN field 1, men: expected letters of KMSNRP or digits, got {letter!r} in {fen!r}")
        if file != 8:
            raise FenError(f"FEN field 1, men: expected 8 squares on rank {rank + 1}, got {file} in {fen!r}")


def _granted(rules: Rules) -> set[str]:
    """Return the kinds of men to which the rules give first-move rights."""
    grants = {
        "khun": rules.king_leap != "off",
        "met": rules.met_leap or rules.sut_met,
        "ma": rules.sut_ma,
    }
    return {kind for kind, granted in grants.items() if granted}


def _read_rights(position: np.record, letters: str, rules: Rules, fen: str) -> None:
    """Read field 3; letters that name no man on its home square, or a right that no option grants, are ignored."""
    if not (letters == "-" or (letters.isascii() and letters.isalpha())):
        raise FenError(f"FEN field 3, first-move rights: expected - or letters like DEde, got {letters!r} in {fen!r}")
    granted = _granted(rules)
    for letter in letters if letters != "-" else "":
        kind, home = RIGHT_HOMES.get(letter, ("", 0))
        men = int(position.white if letter.isupper() else position.black)
        if kind in granted and int(position[kind]) & men & 1 << home:
            position.rights |= RIGHT[home]


def _write_rights(rights: int) -> str:
    white = "".join("ABCDEFGH"[file] for file in range(8) if rights >> file & 1)
    return white + "".join("abcdefgh"[file] for file in range(8) if rights >> 8 + file & 1) or "-"


def _read_count(position: np.record, limit: str, clock: str, rules: Rules, fen: str) -> None:
    plies = _number(clock, "5, count or half-move clock", MOST_PLIES, fen)
    if limit == "-":
        position.clock = plies
        return
    doubled = _number(limit, "4, count limit", MOST_PLIES, fen)
    if rules.count_end == "reach":
        doubled = min(doubled + 2, 2 * BOARD_LIMIT)  # Fairy-Stockfish knows no higher one there
    if doubled == 0 or doubled % 2:
        raise FenError(f"FEN field 4, count limit: expected - or an even number of plies, got {limit!r} in {fen!r}")
    position.count_limit = doubled // 2
    position.count_number = (plies + 1) // 2
    position.counter = position.side if plies % 2 == 0 else 1 - position.side
    bare = is_bare(position, position.counter) and not position.bia
    position.count_kind = PIECES if bare else BOARD


def _check(position: np.record, fen: str) -> None:
    for side, name in ((position.white, "White"), (position.black, "Black")):
        khun = int(position.khun & side).bit_count()
        if khun != 1:
            raise FenError(f"impossible position: expected one khun of {name}, got {khun} in {fen!r}")
        if int(side).bit_count() > MOST_MEN:
            raise FenError(f"impossible position: expected at most {MOST_MEN} men of {name} in {fen!r}")
    waiting = 1 - int(position.side)
    khun = position.khun & (position.black if waiting else position.white)
    if int(attacked_by(position, 1 - waiting, position.white | position.black)) & int(khun):
        name = "Black" if waiting else "White"
        raise FenError(f"impossible position: {name} is in check but not to move in {fen!r}")


def write(position: np.record, rules: Rules) -> str:
    """Write a position record as a FEN; `read` gives the same record back, repetition history aside."""
    now: Any = Fields(*position.item())
    ranks = []
    for rank in range(7, -1, -1):
        row, gap = "", 0
        for square in range(8 * rank, 8 * rank + 8):
            letter = letter_at(now, square)
            if letter:
                row += (str(gap) if gap else "") + letter
                gap = 0
            else:
                gap += 1
        ranks.append(row + (str(gap) if gap else ""))
    if now.count_kind == NO_COUNT:
        limit, plies = "-", now.clock
    else:
        limit = str(2 * now.count_limit - (2 if rules.count_end == "reach" else 0))
        plies = 2 * now.count_number - (now.counter != now.side)
    rights = _write_rights(now.rights)
    number = now.ply // 2 + 1
    return f"{'/'.join(ranks)} {'wb'[now.side]} {rights} {limit} {plies} {number}{_DECLARED[now.turn_flag]}"


def letter_at(now: Any, square: int) -> str:
    """Return the FEN letter of the man on a square, "" where there is none; now: `Fields` of the position."""
    if not (now.white | now.black) >> square & 1:
        return ""
    kind = next(kind for kind in range(NUM_KINDS) if now[kind] >> square & 1)  # the first fields are the kinds
    return LETTERS[kind].upper() if now.white >> square & 1 else LETTERS[kind]
