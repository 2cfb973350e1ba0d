"""`Board`: one game for people and tools, in the manner of python-chess."""

from __future__ import annotations

from dataclasses import replace
from operator import index
from typing import Any

import numpy as np

from makruk_env.core import perft, single
from makruk_env.core.actions import COUNT_START, NUM_ACTIONS
from makruk_env.core.jit import announce
from makruk_env.core.observe import NUM_PLANES
from makruk_env.core.position import MAX_MOVES, NO_COUNT, POSITION, copy_rows, read_fields
from makruk_env.core.symmetry import mirrored, turned
from makruk_env.errors import IllegalMoveError, MoveTextError
from makruk_env.notation import fen as fen_text
from makruk_env.notation import san as san_text
from makruk_env.notation.uci import Move, find_action, move_of
from makruk_env.outcome import Count, Outcome
from makruk_env.rules import CountKind, Rules, Termination

_FIRST_ROOM = 64


class Board:
    """A game of makruk from a position on, with its moves, counts and ends.

    fen: where it starts, by default the usual array; rules: a preset's name or a `Rules`.
    Raises `FenError` and `RulesError`.
    """

    def __init__(self, fen: str | None = None, rules: str | Rules = "ttakji") -> None:
        announce()
        self.rules = Rules.of(rules)
        start = fen_text.read(fen_text.start(self.rules) if fen is None else fen, self.rules)
        self._stack = np.zeros(_FIRST_ROOM, POSITION)
        self._stack[0] = start[0]
        self._history = np.zeros(_FIRST_ROOM, np.uint64)
        self._actions: list[int] = []
        self._moves = np.zeros(MAX_MOVES, np.int16)
        self._origin = int(start[0].ply)
        self._fields: Any = None
        self._number: int | None = single.begin(self._stack, self.rules.array, self._history, self._moves)

    @property
    def position(self) -> np.record:
        """The position record that the kernels work on; not to be written to."""
        record: np.record = self._stack[len(self._actions)]
        return record

    @property
    def fields(self) -> Any:
        """The position's fields as plain Python numbers by name (see `core.position`), read once after each change."""
        if self._fields is None:
            self._fields = read_fields(self._stack, len(self._actions))
        return self._fields

    @property
    def turn(self) -> int:
        """The side to move: 0 White, 1 Black."""
        return int(self.fields.side)

    @property
    def ply(self) -> int:
        """How many moves both sides have made, as the move number tells."""
        return int(self.fields.ply)

    @property
    def key(self) -> int:
        """The Zobrist key of men and side to move."""
        return int(self.fields.key)

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions taken since the start position."""
        return tuple(self._actions)

    @property
    def keys(self) -> np.ndarray:
        """[P] uint64: the keys of all positions since the start, by ply, the present one last."""
        return self._history[: self.ply - self._origin + 1]

    def fen(self) -> str:
        """Return the position as a FEN, the count included."""
        return fen_text.write(self.position, self.rules)

    def _legal(self) -> np.ndarray:
        if self._number is None:
            top = len(self._actions)
            self._number = single.relist(self._stack, top, self.rules.array, self._history, self._origin, self._moves)
        return self._moves[: self._number]

    def legal_actions(self) -> list[int]:
        """Return the legal actions in rising order, 0 .. 1473, mover's point of view; none in a finished game."""
        return sorted(self._legal().tolist())

    @property
    def legal_moves(self) -> list[Move]:
        """The legal moves, in the order of their actions; a declaration about the count comes last."""
        return [move_of(action, self) for action in self.legal_actions()]

    def promotes(self, start: int, stop: int) -> bool:
        """Tell whether a bia stands on `start` and `stop` lies where one of the side to move promotes."""
        return bool(self.fields.bia >> start & 1) and (stop < 24 if self.turn else stop >= 40)

    def is_check(self) -> bool:
        """Tell whether the side to move is in check."""
        return bool(self.fields.check)

    def is_repetition(self, times: int = 3) -> bool:
        """Tell whether the position stands for the `times`-th time at least, up to 100."""
        return int(self.fields.repetition) + 1 >= times

    def can_declare(self) -> bool:
        """Tell whether the side to move may start or stop a count now."""
        legal = self._legal()
        return bool(len(legal)) and int(legal[-1]) >= COUNT_START

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        now = self.fields
        if not now.termination:
            return None
        return Outcome(None if now.winner < 0 else now.winner, Termination(now.termination))

    @property
    def count(self) -> Count | None:
        """The running count, or None."""
        now = self.fields
        if now.count_kind == NO_COUNT:
            return None
        return Count(CountKind(now.count_kind), now.counter, now.count_number, now.count_limit)

    def action(self, move: Move) -> int:
        """Return the legal action of a move; a missing promotion suffix is filled in where only that move exists.

        Raises `IllegalMoveError`.
        """
        promotes = move.declares is None and self.promotes(move.from_square, move.to_square)
        if move.promotion and (move.declined or not promotes):
            raise self._illegal(move.uci())
        meant = [move]
        if promotes and not move.promotion and not move.declined:  # declined where there is the choice
            meant = [replace(move, declined=True), move]
        legal = self._legal()
        for candidate in meant:
            action = find_action(candidate, self.turn)
            if action in legal:
                return action
        raise self._illegal(move.uci())

    def _illegal(self, what: object) -> IllegalMoveError:
        if self.outcome:
            return IllegalMoveError(f"move: the game is over, got {what!r} in {self.fen()!r}")
        return IllegalMoveError(f"move: expected a legal move, got {what!r} in {self.fen()!r}")

    def push(self, move: Move | int) -> None:
        """Make a legal move, or take a legal action; if this raises, the game stays as it was.

        Raises `MoveTextError` for what is neither a `Move` nor a whole number, and `IllegalMoveError`.
        """
        if isinstance(move, Move):
            action = self.action(move)
        else:
            try:
                action = index(move)
            except TypeError:
                raise MoveTextError(f"move: expected a Move or an action, got {move!r} in {self.fen()!r}") from None
        top, legal = len(self._actions), self._legal()
        if top + 1 == len(self._stack):
            self._stack = np.resize(self._stack, 2 * len(self._stack))
            self._history = np.resize(self._history, 2 * len(self._history))
        number = single.ILLEGAL
        if 0 <= action < NUM_ACTIONS:
            number = single.push(
                self._stack, top, self.rules.array, action, self._history, self._origin, self._moves, len(legal)
            )
        if number == single.ILLEGAL:
            raise self._illegal(action)
        self._actions.append(action)
        self._fields = None
        self._number = number

    def push_uci(self, text: str) -> Move:
        """Make the move of a UCI text, `start` and `stop` among them, and return it.

        Raises `MoveTextError` for a text that is no move and `IllegalMoveError` for a move that is not legal.
        """
        action = self.action(Move.from_uci(text))
        move = move_of(action, self)
        self.push(action)
        return move

    def san(self, move: Move, thai: bool = False) -> str:
        """Return the SAN of a legal move, in Latin or in Thai letters. Raises `IllegalMoveError`."""
        return san_text.write(move_of(self.action(move), self), self, thai)

    def parse_san(self, text: str) -> Move:
        """Return the legal move that a SAN names, in Latin or Thai letters (see `notation.san.read`).

        Raises `MoveTextError` for a text that is no move and `IllegalMoveError` for no legal move or more than one.
        """
        return san_text.read(text, self)

    def push_san(self, text: str) -> Move:
        """Make the move that a SAN names and return it; raises as `parse_san` does."""
        move = self.parse_san(text)
        self.push(move)
        return move

    def pop(self) -> int:
        """Take the last action back and return it. Raises `IllegalMoveError` at the start position."""
        if not self._actions:
            raise IllegalMoveError(f"pop: expected an action to take back, got none in {self.fen()!r}")
        self._number = self._fields = None
        return self._actions.pop()

    def copy(self) -> Board:
        """Return a game of its own with the same past."""
        other = Board.__new__(Board)
        other.__dict__.update(self.__dict__)
        other._stack, other._history = copy_rows(self._stack), self._history.copy()
        other._actions, other._moves = self._actions.copy(), self._moves.copy()
        return other

    def __copy__(self) -> Board:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Board:
        return self.copy()

    def _begin_at(self, position: np.record) -> Board:
        """Return a game of the same rules that begins at a position, without a past."""
        other = self.copy()
        other._stack[:1] = position
        other._actions = []
        other._origin = int(other.position.ply)
        other._number = single.begin(other._stack, self.rules.array, other._history, other._moves)
        other._fields = None
        return other

    def mirror(self) -> Board:
        """Return a game that begins at this position reflected left to right, an exact symmetry of every rule.

        First-move rights go with their men, though a FEN can only tell those of men at home.
        """
        return self._begin_at(mirrored(self._stack[len(self._actions)]))

    def turned(self) -> Board:
        """Return a game that begins at this position turned by 180 degrees, the colours swapped."""
        return self._begin_at(turned(self._stack[len(self._actions)]))

    def perft(self, depth: int) -> int:
        """Return the number of move sequences of `depth` plies; counts, repetition and draws are not looked at.

        Raises `ValueError` for a negative depth.
        """
        if depth < 0:
            raise ValueError(f"perft depth: expected 0 or more, got {depth!r}")
        if depth == 0:
            return 1
        stack = np.zeros(depth + 1, POSITION)
        stack[depth] = self.position
        return int(perft.perft(stack, self.rules.record, np.zeros((depth + 1, MAX_MOVES), np.int16), depth))

    def observation(self) -> np.ndarray:
        """Return what the side to move sees, [C, 8, 8] float32, its own point of view (see `core.observe`)."""
        return self.look(self.turn)[0]

    def action_mask(self) -> np.ndarray:
        """Return the legal mask, [A] int8, 1 where an action is legal, mover's point of view."""
        return self.look(self.turn)[1]

    def look(self, side: int) -> tuple[np.ndarray, np.ndarray]:
        """Return what a side sees and may do, in new arrays: planes and legal mask.

        The side that waits sees what it would if it were to move; what has been declared in this turn is told as it
        is. Its mask is all zeros.
        """
        planes, mask = np.empty((NUM_PLANES, 8, 8), np.float32), np.empty(NUM_ACTIONS, np.int8)
        number, top = len(self._legal()), len(self._actions)
        single.look(self._stack, top, self.rules.array, side, self._moves, number, planes, mask)
        return planes, mask

    def __str__(self) -> str:
        rows = []
        for rank in range(7, -1, -1):
            letters = [fen_text.letter_at(self.fields, 8 * rank + file) or "." for file in range(8)]
            rows.append(f"{rank + 1} {' '.join(letters)}")
        return "\n".join([*rows, "  a b c d e f g h"])

    def _repr_svg_(self) -> str:
        """Return the game as it stands as a picture, which notebooks show."""
        from makruk_env.render import svg  # a drawing reads boards, so it cannot be asked for before there are any

        return svg.board(self)

    def __repr__(self) -> str:
        return f"Board({self.fen()!r}, rules={self.rules.name!r})"
