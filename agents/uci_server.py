"""An engine that speaks the Universal Chess Interface: any agent of ours, asked by any program that plays variants.

    uci, isready, ucinewgame, setoption name N value V, position startpos|fen F [moves M ...], stop, ponderhit, quit
    go [nodes N] [depth N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [infinite] [ponder]
       [searchmoves M ...]

UCI_Variant picks the rules as Fairy-Stockfish plays them: `makruk` the preset fairy, `cambodian` its own; the option
Rules any other preset. The search has a thread to itself, so that `isready` and `stop` are answered at once. A line
that cannot be understood is told as an `info string` and changes nothing. A `bestmove` is always a move: programs know
no declarations about a count.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import agents
from agents.base import Agent
from agents.errors import AgentError, CheckpointError, DeviceError, EngineError
from agents.mcts import Mcts
from agents.thinking import BYTES_A_NODE, Thoughts
from agents.uci_words import Limits, Option, play_of, read_limits, score, wdl
from makruk_env import __version__
from makruk_env.board import Board
from makruk_env.core.actions import COUNT_START
from makruk_env.notation.uci import Move, move_of
from makruk_env.rules import PRESETS

VARIANTS = {"makruk": "fairy", "cambodian": "cambodian"}
_BY_VARIANT = "by-variant"
_TELL_EVERY = 0.5
"""Seconds between two reports of a search."""


def _options(agent: str) -> dict[str, Option]:
    return {
        "UCI_Variant": Option("combo", "makruk", values=tuple(VARIANTS)),
        "Rules": Option("combo", _BY_VARIANT, values=(_BY_VARIANT, *PRESETS)),
        "Agent": Option("string", agent),
        "Simulations": Option("spin", "0", 0, 100_000_000),
        "Threads": Option("spin", "1", 1, 64),
        "Hash": Option("spin", "1024", 1, 65_536),
        "MultiPV": Option("spin", "1", 1, 200),
        "Move Overhead": Option("spin", "30", 0, 10_000),
        "Ponder": Option("check", "false"),
        "UCI_ShowWDL": Option("check", "true"),
    }


@dataclass
class _Search:
    """A search under way."""

    thread: threading.Thread | None = None
    stopped: threading.Event = field(default_factory=threading.Event)
    pondering: threading.Event = field(default_factory=threading.Event)


class UciServer:
    """The engine: takes lines by `handle`, and gives its own to `write`, one at a time and from any thread.

    agent: the text of the agent that plays until the option Agent names another. Raises `AgentError`.
    """

    def __init__(self, agent: str, write: Callable[[str], None]) -> None:
        agents.make(agent)
        self._write, self._lock = write, threading.Lock()
        self._options = _options(agent)
        self._values = {name: option.default for name, option in self._options.items()}
        self._agent: tuple[str, Agent] | None = None
        self._start: tuple[str | None, tuple[str, ...]] = (None, ())
        self._board: Board | None = None
        self._search = _Search()
        self._thoughts: Thoughts | None = None

    def handle(self, line: str) -> bool:
        """Do what a line asks; return whether to go on, which only `quit` ends."""
        word, _, rest = line.strip().partition(" ")
        known = {
            "uci": self._uci,
            "isready": self._is_ready,
            "ucinewgame": self._new_game,
            "setoption": self._set_option,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponder_hit,
        }
        if word == "quit":
            self.close()
            return False
        if word in known:
            try:
                known[word](rest.strip())
            except (ValueError, MemoryError) as error:  # all of ours are ValueErrors
                self._tell(f"info string {word}: {' '.join(str(error).split())}")
        elif word and word not in ("debug", "register"):
            self._tell(f"info string unknown command: {word[:40]!r}")
        return True

    def close(self) -> None:
        """End a search that is under way, and tell its move."""
        self._stop("")

    def _tell(self, line: str) -> None:
        with self._lock:
            self._write(line)

    def _uci(self, _: str) -> None:
        self._tell(f"id name makruk-env {__version__}")
        self._tell("id author The makruk-env authors")
        for name, option in self._options.items():
            self._tell(f"option name {name} {option}")
        self._tell("uciok")

    def _is_ready(self, _: str) -> None:
        if self._search.thread is None:
            try:
                Thoughts(self._player(), Board(rules=self._rules()), nodes=2).go_on(1)  # load and compile everything
            except (AgentError, CheckpointError, DeviceError, EngineError) as error:
                self._tell(f"info string agent: {error}")
        self._tell("readyok")

    def _new_game(self, _: str) -> None:
        self._stop("")
        self._start, self._board, self._thoughts = (None, ()), None, None

    def _rules(self) -> str:
        rules = self._values["Rules"]
        return VARIANTS[self._values["UCI_Variant"]] if rules == _BY_VARIANT else rules

    def _player(self) -> Agent:
        spec = self._values["Agent"]
        if self._agent is None or self._agent[0] != spec:
            self._agent = spec, agents.make(spec)
        return self._agent[1]

    def _set_option(self, text: str) -> None:
        self._stop("")
        words = text.split()
        if words[:1] != ["name"]:
            raise ValueError(f"expected 'name NAME value VALUE', got {text[:80]!r}")
        cut = words.index("value") if "value" in words else len(words)
        asked, value = " ".join(words[1:cut]), " ".join(words[cut + 1 :])
        name = next((known for known in self._options if known.lower() == asked.lower()), None)
        if name is None:
            raise ValueError(f"expected one of {tuple(self._options)}, got {asked[:80]!r}")
        value = self._options[name].read(value)
        if name == "Agent":
            agents.make(value)
        self._values[name] = value
        if name in ("UCI_Variant", "Rules"):
            self._board = None

    def _position(self, text: str) -> None:
        self._stop("")
        before, _, after = f" {text} ".partition(" moves ")
        kind, _, fen = before.strip().partition(" ")
        if kind not in ("startpos", "fen") or (kind == "startpos") == bool(fen):
            raise ValueError(f"expected 'startpos' or 'fen FEN', got {text[:80]!r}")
        start = (fen or None, tuple(after.split()))
        self._board = self._replay(*start)
        self._start = start

    def _replay(self, fen: str | None, moves: Sequence[str]) -> Board:
        """Return the board after the moves; of one that was set up before with fewer moves only the rest is made."""
        old_fen, old_moves = self._start
        if self._board is not None and fen == old_fen and tuple(moves[: len(old_moves)]) == old_moves:
            board, moves = self._board.copy(), moves[len(old_moves) :]
        else:
            board = Board(fen, self._rules())
        for move in moves:
            board.push_uci(move)
        return board

    def _go(self, text: str) -> None:
        self._stop("")
        if self._board is None:
            self._board = self._replay(*self._start)
        board = self._board
        limits = read_limits(text.split(), board.turn, int(self._values["Move Overhead"]) / 1000)
        allowed = {board.action(Move.from_uci(move)) for move in limits.moves}
        allowed = allowed or {action for action in board.legal_actions() if action < COUNT_START}
        if not allowed:
            self._tell("bestmove (none)")
            return
        self._search = search = _Search()
        if limits.ponder:
            search.pondering.set()
        search.thread = threading.Thread(target=self._think, args=(search, board, limits, allowed), daemon=True)
        search.thread.start()

    def _think(self, search: _Search, board: Board, limits: Limits, allowed: set[int]) -> None:
        """Search in a thread of its own and tell the move; whatever goes wrong, a legal move is told, and why."""
        best = min(allowed)
        try:
            best = self._choose(search, board, limits, allowed)
        except Exception as error:  # whatever it is, the program that asked waits for a move
            self._tell(f"info string search: {type(error).__name__}: {' '.join(str(error).split())}")
        while (limits.infinite or search.pondering.is_set()) and not search.stopped.is_set():
            search.stopped.wait(0.01)  # the move is not to be told before
        self._tell(f"bestmove {move_of(best, board).uci()}")

    def _choose(self, search: _Search, board: Board, limits: Limits, allowed: set[int]) -> int:
        begun = time.perf_counter()
        player, threads = self._player(), int(self._values["Threads"])
        cap = int(self._values["Simulations"]) or None
        limit = min((n for n in (cap, limits.nodes) if n is not None), default=None)
        seconds = limits.seconds
        if limit is None and not limits.any and not limits.infinite and isinstance(player, Mcts):
            # A bare `go`: what the agent does by itself.
            limit, seconds = (None, player.seconds) if player.seconds else (player.simulations, None)
        room = max(threads, int(self._values["Hash"]) * 1_000_000 // BYTES_A_NODE)
        room = room if limit is None else min(room, limit)
        thoughts = self._thoughts = Thoughts(player, board, room, threads, board.ply, self._thoughts)
        told, waiting = begun, search.pondering.is_set()
        while True:
            if waiting and not search.pondering.is_set():
                waiting, begun = False, time.perf_counter()
            thoughts.go_on(None if limit is None else limit - thoughts.simulations)
            now = time.perf_counter()
            if now - told >= _TELL_EVERY:
                told = now
                self._report(board, thoughts, now - begun)
            if search.stopped.is_set() or thoughts.ended:
                break
            if limit is not None and thoughts.simulations >= limit:
                break
            if not waiting and not limits.infinite:
                if seconds is not None and (now - begun >= seconds or len(allowed) == 1):
                    break
                if limits.depth is not None and self._depth(thoughts) >= limits.depth:
                    break
        self._report(board, thoughts, time.perf_counter() - begun)
        choice = thoughts.choice()
        return choice if choice in allowed else self._first_allowed(thoughts, allowed)

    @staticmethod
    def _depth(thoughts: Thoughts) -> int:
        return max((len(line.actions) for line in thoughts.lines(1)), default=0)

    @staticmethod
    def _first_allowed(thoughts: Thoughts, allowed: set[int]) -> int:
        """Return the best action among the allowed ones: another one may be a declaration, or was not asked about."""
        tried = (line.actions[0] for line in thoughts.lines(len(allowed) + 2))
        return next((action for action in tried if action in allowed), min(allowed))

    def _report(self, board: Board, thoughts: Thoughts, seconds: float) -> None:
        """Tell the best lines."""
        nodes, rate = thoughts.simulations, (thoughts.simulations - thoughts.carried) / max(seconds, 1e-3)
        shown = "wdl {} " if self._values["UCI_ShowWDL"] == "true" else ""
        for number, line in enumerate(thoughts.lines(int(self._values["MultiPV"])), 1):
            moves = play_of(board, line.actions)
            self._tell(
                f"info depth {len(line.actions)} seldepth {len(line.actions)} multipv {number} score {score(line)} "
                f"{shown.format(wdl(line.value))}nodes {nodes} nps {round(rate)} "
                f"time {round(1000 * seconds)} pv {' '.join(moves)}".rstrip()
            )

    def _stop(self, _: str) -> None:
        """End the search and wait for its move; nothing happens where none is under way."""
        thread = self._search.thread
        self._search.stopped.set()
        self._search.pondering.clear()
        if thread is not None:
            thread.join()
            self._search = _Search()

    def _ponder_hit(self, _: str) -> None:
        self._search.pondering.clear()
