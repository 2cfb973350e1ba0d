"""The agent that asks another program for its moves, over the Universal Chess Interface."""

from __future__ import annotations

import os
import queue
import shlex
import shutil
import subprocess
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agents.base import Agent
from agents.errors import AgentError, EngineError
from makruk_env.batch import Games
from makruk_env.board import Board
from makruk_env.core.actions import COUNT_START
from makruk_env.errors import IllegalMoveError, MoveTextError
from makruk_env.notation.fen import write
from makruk_env.notation.uci import Move, move_of

_GAMES = "/usr/games"
"""Where Debian keeps its engines, which is not on everybody's PATH."""


def find_program(name: str) -> str | None:
    """Return the path of a program on PATH or among the games, or None."""
    return shutil.which(name, path=os.environ.get("PATH", os.defpath) + os.pathsep + _GAMES)


class Engine:
    """A running engine, spoken to line by line. It ends with this object.

    command: the program and its arguments; timeout: seconds that any answer may take. Whatever goes wrong raises
    `EngineError`, which says what was asked and what came, and ends the engine.
    """

    def __init__(self, command: str, timeout: float) -> None:
        try:
            words = shlex.split(command)
        except ValueError as error:  # a quotation without its end
            raise EngineError(f"engine: expected a command line, got {command!r}: {error}") from error
        program = find_program(words[0]) if words else None
        if program is None:
            raise EngineError(f"engine: expected a program on PATH or in {_GAMES}, got {command!r}; install it first")
        self._command, self._timeout = command, timeout
        try:
            self._process = subprocess.Popen(
                [program, *words[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        except OSError as error:
            raise EngineError(f"engine: expected a program that starts, got {command!r}: {error}") from error
        self._answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        reader = threading.Thread(target=_read, args=(self._process, self._answers), daemon=True)
        reader.start()
        self.close = weakref.finalize(self, _end, self._process, reader)

    def send(self, line: str) -> None:
        """Send one line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
        except (OSError, ValueError) as error:
            raise self._fault(f"to be sent {line!r}", f"{error}") from error

    def wait_for(self, word: str) -> tuple[str, list[str]]:
        """Return the next line that begins with a word, and the lines before it."""
        before: list[str] = []
        until = time.monotonic() + self._timeout
        while True:
            left = until - time.monotonic()
            try:
                line = self._answers.get(timeout=max(left, 1e-3))
            except queue.Empty:
                left = 0.0
            if left <= 0:
                raise self._fault(f"{word!r} within {self._timeout:g} s", f"nothing of the kind after {before[-1:]}")
            if line is None:
                raise self._fault(repr(word), f"its end after {before[-1:]}")
            if line.split(maxsplit=1)[:1] == [word]:
                return line, before
            before.append(line)

    def _fault(self, expected: str, came: str) -> EngineError:
        self.close()
        status = self._process.returncode
        return EngineError(f"engine {self._command!r}: expected {expected}, got {came} (exit status {status})")


def _read(process: subprocess.Popen[str], answers: queue.SimpleQueue[str | None]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        answers.put(line.strip())
    answers.put(None)


def _end(process: subprocess.Popen[str], reader: threading.Thread) -> None:
    """End a process and whatever belongs to it."""
    process.kill()
    process.wait()
    reader.join()
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        try:
            pipe.close()
        except OSError:  # what was still to be sent reaches nobody
            continue


@dataclass(frozen=True)
class Uci(Agent):
    """Asks an engine, one process for each agent, and plays its answer; it never declares anything about the count.

    An engine that fails is ended, and the fault raised as `EngineError`; the next question starts a new one.

    command: the program, found on PATH or in /usr/games, with its arguments; variant: what UCI_Variant is set to, empty
    for an engine without variants; nodes: that it may search for each move; timeout: seconds that an answer may take.
    """

    name = "uci"
    command: str = ""
    variant: str = "makruk"
    nodes: int = 1000
    timeout: float = 60.0

    def __post_init__(self) -> None:
        if not self.command:
            raise AgentError(f"agent uci: expected command=, got {self.spec!r}")
        if self.nodes < 1 or self.timeout <= 0:
            raise AgentError(
                f"agent uci: expected at least 1 node and a time above 0, got {self.nodes!r}, {self.timeout!r}"
            )

    @cached_property
    def _started(self) -> tuple[Engine, str]:
        """The engine, ready, and the name it gives itself."""
        engine = Engine(self.command, self.timeout)
        engine.send("uci")
        _, told = engine.wait_for("uciok")
        if self.variant:
            if not any(line.startswith("option name UCI_Variant") and self.variant in line.split() for line in told):
                raise EngineError(f"engine {self.command!r}: expected one that plays {self.variant!r}, got {told[-3:]}")
            engine.send(f"setoption name UCI_Variant value {self.variant}")
        engine.send("isready")
        engine.wait_for("readyok")
        names = [line.removeprefix("id name ") for line in told if line.startswith("id name ")]
        return engine, names[0] if names else ""

    def settings(self) -> Mapping[str, object]:
        """See `Agent`; with the name that the engine gives itself."""
        return {**super().settings(), "engine": self._started[1]}

    def select(self, games: Games, which: np.ndarray) -> np.ndarray:
        """See `Agent`. The engine is told the positions alone, and so cannot see which of them stood before."""
        return self._ask_all(which, [Board(games.fen(i), games.rules) for i in which])

    def select_after(self, games: Games, which: np.ndarray, pasts: Sequence[Sequence[int]]) -> np.ndarray:
        """See `Agent`. The engine is told the moves as well."""
        boards = [_replay(games, int(i), past) for i, past in zip(which, pasts, strict=True)]
        return self._ask_all(which, boards)

    def _ask_all(self, which: np.ndarray, boards: Sequence[Board]) -> np.ndarray:
        """Return an action for each board; a fault names its game."""
        actions = np.zeros(len(boards), np.int64)
        for k, board in enumerate(boards):
            try:
                actions[k] = self._ask(board)
            except EngineError as error:
                if self.__dict__.pop("_started", None):  # else it could not even start
                    error.game = int(which[k])
                raise
        return actions

    def choose(self, board: Board, seed: int = 0) -> int:
        """See `Agent`. The engine is told the moves as well."""
        return int(self._ask_all(np.zeros(1, np.int64), [board])[0])

    def _ask(self, board: Board) -> int:
        """Return the engine's action. It forgets first, so that a choice depends on the one game alone."""
        engine, _ = self._started
        fen, moves = _position(board)
        engine.send("ucinewgame")
        engine.send(f"position fen {fen}" + (f" moves {' '.join(moves)}" if moves else ""))
        engine.send(f"go nodes {self.nodes}")
        answer, _ = engine.wait_for("bestmove")
        try:
            return board.action(Move.from_uci(" ".join(answer.split()[1:2])))
        except (IllegalMoveError, MoveTextError) as error:
            raise EngineError(
                f"engine {self.command!r}: expected a legal move of {board.fen()!r} after {moves}, got {answer!r}"
            ) from error


def _replay(games: Games, i: int, past: Sequence[int]) -> Board:
    board = Board(write(games.starts[i], games.rules), games.rules)
    for action in past:
        board.push(action)
    return board


def _position(board: Board) -> tuple[str, list[str]]:
    """Return a FEN and the moves that lead on from it to the board, in the engine's words.

    The FEN stands behind the latest capture, bia move or declaration: what was before cannot be repeated, and the
    limits that our rules gave a count are told by the FEN.
    """
    start, actions = board.copy(), list(board.actions)
    quiet = 0
    while quiet < board.fields.quiet and start.actions and start.actions[-1] < COUNT_START:
        start.pop()
        quiet += 1
    fen = " ".join(start.fen().split()[:6])  # the engine knows no declarations, which stand in the seventh field
    moves = []
    for action in actions[len(actions) - quiet :]:
        moves.append(move_of(action, start).uci())
        start.push(action)
    return fen, moves
