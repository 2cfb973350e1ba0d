"""Standard algebraic notation in Latin and in Thai letters: e4, gxh4, Nbd2+, f6=M, Rh8#.

    man      khun  met  khon  ma  ruea        file     a b c d e f g h
    Latin    K     M    S     N   R           Thai     ก ข ค ง จ ฉ ช ญ
    Thai     ข     ม็    ค     ม   ร

A bia has no letter and a declined promotion writes nothing. A move that also moves or jumps over another man is written
as the plain move of its man. ข and ค are both a man and a file: ขxค6 may be a khun or the bia of the b-file that takes
on c6. Where both are legal, the man adds its file (ขงxค6) and the bia its letter บ (บขxค6).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from makruk_env.core.actions import ACTION_TO, COUNT_START
from makruk_env.errors import IllegalMoveError, MoveTextError
from makruk_env.notation.fen import letter_at
from makruk_env.notation.uci import DECLARATIONS, FILES, RANKS, Move, Mover, action_of, move_of
from makruk_env.rules import Colour, Termination

THAI_MEN = {"K": "ข", "M": "ม็", "S": "ค", "N": "ม", "R": "ร", "P": "บ"}
THAI_FILES, THAI_RANKS = "กขคงจฉชญ", "๑๒๓๔๕๖๗๘"
_MATES = (Termination.CHECKMATE, Termination.COUNTER_MATED)

_ALL_FILES, _ALL_RANKS = FILES + THAI_FILES, RANKS + THAI_RANKS
_LATIN_MEN = {"": ""} | {letter: letter for letter in THAI_MEN} | {thai: letter for letter, thai in THAI_MEN.items()}
_MAN = f"({'|'.join(filter(None, _LATIN_MEN))})"
_MOVE = (
    rf"([{_ALL_FILES}])?([{_ALL_RANKS}])?([x×:-])?([{_ALL_FILES}])([{_ALL_RANKS}])"
    rf"(=?(?:M|m|{THAI_MEN['M']}))?[+#†‡!?‼⁇⁉⁈□±∓⩲⩱∞]*"
)
_PATTERNS = (re.compile(_MAN + _MOVE), re.compile("()" + _MOVE))


class Game(Mover, Protocol):
    """Whatever knows its legal moves and can make one and take it back: a Board."""

    @property
    def fields(self) -> Any:
        """The position's fields as plain numbers by name."""
        ...

    @property
    def outcome(self) -> _Ended | None:
        """How the game ended, or None."""
        ...

    def legal_actions(self) -> list[int]:
        """Return the legal actions in rising order."""
        ...

    def fen(self) -> str:
        """Return the position as a FEN."""
        ...

    def is_check(self) -> bool:
        """Tell whether the side to move is in check."""
        ...

    def push(self, move: int) -> None:
        """Take a legal action."""
        ...

    def pop(self) -> int:
        """Take the last move back."""
        ...


class _Ended(Protocol):
    @property
    def termination(self) -> Termination: ...


@dataclass(frozen=True, slots=True)
class _Reading:
    """What one reading of a text says: `man` is "" where no letter stands; file and rank are None where not told."""

    man: str
    file: int | None
    rank: int | None
    takes: bool
    to_square: int
    promotes: bool

    def names(self, move: Move, now: Any) -> bool:
        """Tell whether a legal move to `to_square` may be meant, its promotion aside; now: `Fields` of the position."""
        file, rank = move.from_square % 8, move.from_square // 8
        if self.file not in (None, file) or self.rank not in (None, rank):
            return False
        if (self.man or "P") != letter_at(now, move.from_square).upper():
            return False
        takes = _takes(move, now)
        if self.takes and not takes:
            return False
        if self.man or (self.file is not None and self.rank is not None):
            return True
        return takes == (self.file is not None)  # ขข4 is a khun's move, not a bia's step with its file


def _takes(move: Move, now: Any) -> bool:
    """Tell whether a legal move captures; where it goes there may also be a man of its own, which steps away."""
    return bool((now.black if now.side == Colour.WHITE else now.white) >> move.to_square & 1)


def _readings(text: str) -> list[_Reading]:
    """Return what a text may say; only a Thai one can have two readings, with a man's letter and without."""
    found = []
    for match in filter(None, (pattern.fullmatch(text) for pattern in _PATTERNS)):
        man, file, rank, sign, to_file, to_rank, promotion = match.groups()
        reading = _Reading(
            man=_LATIN_MEN[man],
            file=_ALL_FILES.index(file) % 8 if file else None,
            rank=_ALL_RANKS.index(rank) % 8 if rank else None,
            takes=sign not in (None, "-"),
            to_square=_ALL_FILES.index(to_file) % 8 + 8 * (_ALL_RANKS.index(to_rank) % 8),
            promotes=promotion is not None,
        )
        found.append(reading)
    return found


def _meant(readings: Sequence[_Reading], board: Game) -> list[Move]:
    """Return the legal moves that are meant; those that promote without a word only where no other is."""
    now = board.fields
    flip = 63 if now.side == Colour.BLACK else 0
    actions = [action for action in board.legal_actions() if action < COUNT_START]
    named = []
    for reading in readings:
        moves = [move_of(action, board) for action in actions if int(ACTION_TO[action]) ^ flip == reading.to_square]
        named += [(move, reading.promotes) for move in moves if reading.names(move, now)]
    exact = [move for move, promotes in named if promotes == bool(move.promotion)]
    return exact or [move for move, promotes in named if not promotes]


def write(move: Move, board: Game, thai: bool = False) -> str:
    """Return the text of a legal move, with its check or mate; `start` and `stop` for a declaration.

    A mate is told as such also where it only draws.
    """
    if move.declares is not None:
        return move.uci()
    text = _plain(move, board, thai)
    board.push(action_of(move, board))
    mark = "#" if board.outcome and board.outcome.termination in _MATES else "+" if board.is_check() else ""
    board.pop()
    return text + mark


def _plain(move: Move, board: Game, thai: bool) -> str:
    """Return the shortest text that names no other legal move, without check or mate."""
    files, letters = (THAI_FILES, THAI_MEN) if thai else (FILES, _LATIN_MEN)
    now = board.fields
    kind = letter_at(now, move.from_square).upper()
    takes = _takes(move, now)
    file, rank = files[move.from_square % 8], RANKS[move.from_square // 8]
    if kind == "P":
        origins = [file if takes else "", letters[kind] + file]
    else:
        origins = [letters[kind] + origin for origin in ("", file, rank, file + rank)]
    goal = ("x" if takes else "") + files[move.to_square % 8] + RANKS[move.to_square // 8]
    goal += "=" + letters["M"] if move.promotion else ""
    for origin in origins:
        if _meant(_readings(origin + goal), board) == [move]:
            return origin + goal
    raise AssertionError(f"no text names {move!r} alone in {board.fen()!r}")


def read(text: str, board: Game) -> Move:
    """Return the legal move that a text names, in Latin or Thai letters, mixed as they may be.

    What does no harm may be missing or too much: check, mate, `!` and the like, `=` or the whole `=M` where only the
    promoting move exists, the `x`, more of the origin than is needed. An `x` where nothing is captured is refused.
    Raises `MoveTextError` for a text that is no move, `IllegalMoveError` for no legal move or more than one.
    """
    readings = _readings(text) if isinstance(text, str) else []
    if not readings and text not in tuple(DECLARATIONS):
        raise MoveTextError(f"move: expected SAN like e4, Nbd2, gxf6=M or start, got {text!r} in {board.fen()!r}")
    if readings:
        found = _meant(readings, board)
    else:
        found = [DECLARATIONS[text]] if action_of(DECLARATIONS[text], board) in board.legal_actions() else []
    if len(found) == 1:
        return found[0]
    if not board.legal_actions():
        raise IllegalMoveError(f"move: the game is over, got {text!r} in {board.fen()!r}")
    expected = f"one of {', '.join(move.uci() for move in found)} alone" if found else "a legal move"
    raise IllegalMoveError(f"move: expected {expected}, got {text!r} in {board.fen()!r}")
