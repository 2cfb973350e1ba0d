"""A game of makruk under any options, written for reading rather than for speed."""

import copy
from collections.abc import Mapping
from typing import NamedTuple

from .material import material_draw, pieces_limit
from .options import resolve
from .position import BIA, BLACK, EMPTY, MET, WHITE, Move, Position, square_at
from .text import START_FEN, Count, read_fen, write_fen

Outcome = tuple[int | None, str]


class Occurrence(NamedTuple):
    """One position of the game, with the side whose move led to it and whether that move gave check."""

    key: str
    mover: int
    check: bool


class Oracle:
    """One game: its position, its count, its history and its end."""

    def __init__(self, fen: str | None = None, rules: str | Mapping[str, object] = "ttakji", **overrides: object):
        self.options = resolve(rules, overrides)
        self._now = read_fen(START_FEN if fen is None else fen, self.options)
        if fen is None:
            self._tilt()
        if self._now.declared == "stop" and self.options["counter_mates"] == "draw_unless_stopped":
            self._now.count = None
        position = self._now.position
        self._history = [Occurrence(position.key(), 1 - self.turn, position.in_check(self.turn))]
        count = self._now.count
        everyone = len(position.men(WHITE)) + len(position.men(BLACK))
        just_started = count is not None and count[:3] == ("PIECES", self.turn, everyone)
        self.outcome: Outcome | None = None
        self._judge(count, just_started)

    @property
    def turn(self) -> int:
        """Return the side to move, 0 for White and 1 for Black."""
        return self._now.position.turn

    @property
    def count(self) -> Count | None:
        """Return the running count, if any."""
        return self._now.count

    def legal(self) -> list[str]:
        """Return the texts of all that may be played now, in order, or nothing in a finished game."""
        if self.outcome is not None:
            return []
        texts = [move.uci() for move in self._allowed]
        if self._startable() is not None:
            texts.append("start")
        if self._may_stop():
            texts.append("stop")
        return sorted(texts)

    def push(self, uci: str) -> None:
        """Play a move, or start or stop a count."""
        if self.outcome is not None:
            raise ValueError(f"the game is over: {uci!r}")
        if uci == "start":
            self._start()
        elif uci == "stop":
            self._stop()
        else:
            self._play(self._parse(uci))

    def fen(self) -> str:
        """Return the state as text."""
        return write_fen(self._now, self.options)

    def is_check(self) -> bool:
        """Tell whether the side to move is in check."""
        return self._now.position.in_check(self.turn)

    def perft(self, depth: int) -> int:
        """Count the sequences of moves of a length, with no thought of draws or counts."""
        return self._now.position.perft(depth)

    def copy(self) -> "Oracle":
        """Return a game that goes its own way from here."""
        other = copy.copy(self)
        other._now = copy.copy(self._now)
        other._history = self._history[:]
        return other

    def _tilt(self) -> None:
        """Make mets of the ruea that are given as a handicap, written as in "white:ah,black:h"."""
        board = self._now.position.board
        for part in filter(None, str(self.options["tilted_ruea"]).split(",")):
            name, _, files = part.strip().partition(":")
            if name not in ("white", "black") or not files or set(files) - set("ah"):
                raise ValueError(f"no such ruea: {part!r}")
            for file in files:
                board[square_at(file + ("1" if name == "white" else "8"))] = MET[name == "black"]

    def _parse(self, uci: str) -> Move:
        """Return the allowed move of a text; the promotion letter may be left out where a bia must promote."""
        for move in self._allowed:
            if uci == move.uci():
                return move
        for move in self._allowed:
            if move.promotes and uci + "m" == move.uci() and move._replace(promotes=False) not in self._legal:
                return move
        raise ValueError(f"not allowed here: {uci!r}")

    def _startable(self) -> Count | None:
        """Return the count that the side to move may start, if any."""
        position, turn = self._now.position, self.turn
        if self.count is not None or self._now.declared or position.has_bia():
            return None
        own, other = len(position.men(turn)), len(position.men(1 - turn))
        if own > 1 and other > 1 and self.options["board_count"] == "declared":
            return Count("BOARD", turn, 0, 64)
        if own == 1 and other > 1 and self.options["pieces_count"] == "declared":
            return self._pieces_count(turn)
        return None

    def _may_stop(self) -> bool:
        """Tell whether the side to move may stop a count, which is its own declared board count of an earlier turn."""
        return (
            self.count is not None
            and self.count[:2] == ("BOARD", self.turn)
            and self.options["board_count"] == "declared"
            and not self._now.declared
        )

    def _start(self) -> None:
        """Start a count in this turn, which may end the game at once."""
        started = self._startable()
        if started is None:
            raise ValueError("no count can be started here")
        self._now.count = started
        self._now.clock = 0
        self._now.declared = "start"
        if self._count_is_over(just_started=True):
            self.outcome = (None, f"{started.kind}_COUNT")

    def _stop(self) -> None:
        """Stop the count, at once or with the move that this turn still owes."""
        if not self._may_stop():
            raise ValueError("no count can be stopped here")
        self._now.declared = "stop"
        if self.options["counter_mates"] == "draw_unless_stopped":
            self._now.count = None

    def _play(self, move: Move) -> None:
        """Make a move, then update the count and the history and judge the new position."""
        now, before = self._now, self._now.position
        captured = before.board[move.target] if not move.sut else EMPTY
        irreversible = captured != EMPTY or before.board[move.origin] in BIA or move.sut
        count_before = now.count
        now.position = self._legal[move]
        now.count, just_started = self._count_after(move, captured)
        counted = count_before is not None or now.count is not None
        now.clock = 0 if counted or irreversible else now.clock + 1
        now.move_number += self.turn == WHITE
        now.declared = ""
        if irreversible:
            self._history = []
        self._history.append(Occurrence(now.position.key(), before.turn, self.is_check()))
        self._judge(count_before, just_started)

    def _pieces_count(self, counter: int) -> Count:
        """Return the pieces count of a bare side as it starts now."""
        position = self._now.position
        limit = pieces_limit(position, 1 - counter, str(self.options["pieces_table"]))
        return Count("PIECES", counter, 1 + len(position.men(1 - counter)), limit)

    def _count_after(self, move: Move, captured: str) -> tuple[Count | None, bool]:
        """Return the count after a move that has been made, and whether the move started it."""
        position, turn, count = self._now.position, self.turn, self._now.count
        mover = 1 - turn
        if count is not None and count.counter == mover:
            count = count._replace(n=count.n + 1)
            if self._now.declared == "stop" and count.kind == "BOARD" and count.n < count.limit:
                count = None
        numbers = [len(position.men(side)) for side in (WHITE, BLACK)]
        bare = [side for side in (WHITE, BLACK) if numbers[side] == 1]
        has_bia = position.has_bia()
        # A count that was set up against its own conditions lasts until a capture or promotion ends it.
        replaceable = count is None or (count.kind == "BOARD" and (captured != EMPTY or move.promotes))
        if len(bare) == 1 and not has_bia and replaceable:
            if self.options["pieces_count"] != "auto":
                return None, False
            if bare[0] == turn or captured in BIA:
                return self._pieces_count(bare[0]), True
        if count is None and not bare:
            rule = self.options["board_count"]
            if (rule == "auto" and not has_bia) or (rule == "cambodian" and numbers[turn] <= 3):
                return Count("BOARD", turn, 0, 64), True
        return count, False

    def _count_is_over(self, just_started: bool) -> bool:
        """Tell whether the running count makes the position a draw."""
        count = self.count
        if count is None:
            return False
        if self.options["count_end"] == "exceed":
            return count.n > count.limit
        if self.options["count_end"] == "reach":
            return count.n >= count.limit
        return count.counter == self.turn and count.n >= count.limit and not just_started

    def _judge(self, count_before: Count | None, just_started: bool) -> None:
        """Find the moves of the side to move and whether the game is over, its last move chosen under a count."""
        self._legal = dict(self._now.position.legal_moves())
        self._allowed = [move for move, after in self._legal.items() if not self._is_forbidden(after)]
        self.outcome = self._verdict(count_before, just_started)

    def _verdict(self, count_before: Count | None, just_started: bool) -> Outcome | None:
        """Return the end of the game that comes first in the order of the rules, if any."""
        mover = 1 - self.turn
        if not self._legal and self.is_check():
            by_counter = count_before is not None and count_before[:2] == ("BOARD", mover)
            if by_counter and self.options["counter_mates"] != "win":
                return None, "COUNTER_MATED"
            return mover, "CHECKMATE"
        if not self._legal:
            return {"loss": mover, "win": self.turn}.get(str(self.options["stalemate"])), "STALEMATE"
        if not self._allowed:
            return None, "NO_ALLOWED_MOVE"
        if self.count is not None and self._count_is_over(just_started):
            return None, f"{self.count.kind}_COUNT"
        repeated = self._repetition()
        if repeated is not None:
            return repeated
        if material_draw(self._now.position, self.options["material"]):
            return None, "MATERIAL"
        plies = 2 * (self._now.move_number - 1) + self.turn
        if 0 < self.options["max_plies"] <= plies:
            return None, "MAX_PLIES"
        return None

    def _sole_checker(self, history: list[Occurrence]) -> int | None:
        """Return the one side that checked with all its moves since the last position first occurred, if it is one."""
        first = next(i for i, occurrence in enumerate(history) if occurrence.key == history[-1].key)
        since = history[first + 1 :]
        checkers = [side for side in (WHITE, BLACK) if all(past.check for past in since if past.mover == side)]
        return checkers[0] if len(checkers) == 1 else None

    def _is_repeated(self, history: list[Occurrence]) -> bool:
        """Tell whether the last position of a history has occurred as often as repetition asks, or more."""
        limit: int = self.options["repetition"]
        return limit > 0 and sum(past.key == history[-1].key for past in history) >= limit

    def _repetition(self) -> Outcome | None:
        """Return the end that a repeated position brings, if any."""
        if not self._is_repeated(self._history):
            return None
        checker = self._sole_checker(self._history)
        if checker is not None and self.options["perpetual_check"] == "loss":
            return 1 - checker, "PERPETUAL_CHECK"
        if checker is not None and self.options["perpetual_check"] == "forbidden":
            return None
        return None, "REPETITION"

    def _is_forbidden(self, after: Position) -> bool:
        """Tell whether the legal move to a position is barred, giving stalemate or going on with a perpetual check."""
        if not after.in_check(after.turn):
            return self.options["stalemate"] == "forbidden" and not after.has_legal_move()
        if self.options["perpetual_check"] != "forbidden":
            return False
        history = [*self._history, Occurrence(after.key(), self.turn, True)]
        return self._is_repeated(history) and self._sole_checker(history) == self.turn
