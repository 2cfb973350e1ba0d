"""An engine that speaks the Universal Chess Interface: any agent of ours, asked by any program that plays variants.

    uci, isready, ucinewgame, setoption name N value V, position startpos|fen F [moves M ...], stop, ponderhit, quit
    go [nodes N] [depth N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [infinite] [ponder]
       [searchmoves M ...]

UCI_Variant picks the rules as Fairy-Stockfish plays them: `makruk` the preset fairy, `cambodian` its own; the option
Rules any other preset. Programs leave it to the players to claim a draw by repetition, by a count or for want of men,
so play may go on after one: then such draws are none until the game is set up anew.
The search of an `mcts` agent has a thread to itself, so that `isready` and `stop` are answered at once. Any other agent
is asked once and thinks to its end: an `alphabeta` keeps to the limits told, beside its own. A line that cannot be
understood is told as an `info string`, changes nothing and disturbs no search; only a `go` is always answered by one
`bestmove`, as whoever asks waits for it. That is always a move: programs know no declarations about a count.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import agents
from agents.base import Agent
from agents.errors import AgentError
from agents.mcts import Mcts
from agents.thinking import BYTES_A_NODE, Thoughts
from agents.uci_words import Limits, Option, least, limited, play_of, read_limits, score, wdl
from makruk_env import __version__
from makruk_env.board import Board
from makruk_env.core.actions import COUNT_START
from makruk_env.errors import IllegalMoveError, MoveTextError
from makruk_env.notation.uci import Move, move_of
from makruk_env.rules import PRESETS, Termination

VARIANTS = {"makruk": "fairy", "cambodian": "cambodian"}
_BY_VARIANT = "by-variant"
_TELL_EVERY = 0.5
"""Seconds between two reports of a search."""
_FINAL = (Termination.CHECKMATE, Termination.STALEMATE, Termination.COUNTER_MATED)
"""Ends after which there is no move. All others are draws that a program may play on after."""
_NO_CLAIMS = "repetition=0,pieces_count=off,board_count=off,material=none,max_plies=0"


def _played_on(board: Board) -> Board:
    """Return a board; if its game has ended in a draw that is to be claimed, one that goes on without such draws."""
    if board.outcome is None or board.outcome.termination in _FINAL:
        return board
    men, side, rights, *_ = board.fen().split()
    preset, _, changes = board.rules.name.partition(":")
    return Board(f"{men} {side} {rights} - 0 1", f"{preset}:{changes},{_NO_CLAIMS}")


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


def _check_agent(agent: Agent) -> None:
    """Raise `AgentError` for one that cannot be asked a stretch at a time."""
    if isinstance(agent, Mcts) and agent.considered:
        raise AgentError(f"engine: expected an agent without considered, got {agent.spec!r}")


@dataclass
class _Search:
    """A search under way."""

    thread: threading.Thread | None = None
    stopped: threading.Event = field(default_factory=threading.Event)
    pondering: threading.Event = field(default_factory=threading.Event)


class UciServer:
    """The engine: takes lines by `handle`, and gives its own to `write`, one at a time and from any thread.

    agent: the text of the agent that plays until the option Agent names another; seed: of what is random in it. Raises
    `AgentError`.
    """

    def __init__(self, agent: str, write: Callable[[str], None], seed: int = 0) -> None:
        _check_agent(agents.make(agent))
        self._write, self._lock, self._seed = write, threading.Lock(), seed
        self._options = _options(agent)
        self._values = {name: option.default for name, option in self._options.items()}
        self._agent: tuple[str, Agent] | None = None
        self._start: tuple[str | None, tuple[str, ...]] = (None, ())
        self._board: Board | None = None
        self._search = _Search()
        self._thoughts: Thoughts | None = None
        self._draws = 1.0  # the share of them that a network expects where the search began
        self._warm: tuple[str, str] | None = None  # the agent and the rules that all is compiled for

    def handle(self, line: str) -> bool:
        """Do what a line asks; return whether to go on, which only `quit` ends."""
        word, rest = (*line.split(maxsplit=1), "", "")[:2]
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
            except BrokenPipeError:
                raise
            except Exception as error:  # whatever is said to it, an engine lives on
                self._complain(word, error)
        elif word and word not in ("debug", "register"):
            self._tell(f"info string unknown command: {word[:40]!r}")
        return True

    def close(self) -> None:
        """End a search that is under way, and tell its move."""
        self._stop("")

    def _tell(self, line: str) -> None:
        with self._lock:
            self._write(line)

    def _complain(self, of: str, error: object) -> None:
        kind = f"{type(error).__name__}: " if isinstance(error, Exception) and not isinstance(error, ValueError) else ""
        self._tell(f"info string {of}: {kind}{' '.join(str(error).split())[:400]}")

    def _uci(self, _: str) -> None:
        self._tell(f"id name makruk-env {__version__}")
        self._tell("id author The makruk-env authors")
        for name, option in self._options.items():
            self._tell(f"option name {name} {option}")
        self._tell("uciok")

    def _is_ready(self, _: str) -> None:
        if self._search.thread is None:
            try:
                self._warm_up()
            except Exception as error:  # the program waits for the answer
                self._complain("agent", error)
        self._tell("readyok")

    def _warm_up(self) -> None:
        """Load and compile whatever two turns of a game need, once."""
        wanted = self._values["Agent"], self._rules()
        if self._warm == wanted:
            return
        player, board = self._player(), Board(rules=self._rules())
        first = Thoughts(limited(player, Limits(seconds=0.01)), board, nodes=64)
        first.go_on(32)
        for action in (first.choice(), first.lines(1)[0].actions[-1]):
            if action in board.legal_actions():
                board.push(action)
        if isinstance(player, Mcts):
            Thoughts(player, board, nodes=64, before=first).go_on(1)
            player.outcomes(board)
        self._warm = wanted

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
            _check_agent(agents.make(value))
        self._stop("")
        self._values[name] = value
        if name in ("UCI_Variant", "Rules"):
            self._board = None

    def _position(self, text: str) -> None:
        before, _, after = f" {' '.join(text.split())} ".partition(" moves ")
        kind, _, fen = before.strip().partition(" ")
        if kind not in ("startpos", "fen") or (kind == "startpos") == bool(fen):
            raise ValueError(f"expected 'startpos' or 'fen FEN', got {text[:80]!r}")
        start = (fen or None, tuple(after.split()))
        board = self._replay(*start)
        self._stop("")
        self._start, self._board = start, board

    def _replay(self, fen: str | None, moves: Sequence[str]) -> Board:
        """Return the board after the moves; of one that was set up before with fewer moves only the rest is made."""
        old_fen, old_moves = self._start
        if self._board is not None and fen == old_fen and tuple(moves[: len(old_moves)]) == old_moves:
            board, moves = self._board.copy(), moves[len(old_moves) :]
        else:
            board = _played_on(Board(fen, self._rules()))
        for move in moves:
            board.push_uci(move)
            board = _played_on(board)
        return board

    def _go(self, text: str) -> None:
        self._stop("")
        if self._board is None:
            try:
                self._board = self._replay(*self._start)
            except ValueError as error:  # set up under other rules than those of now
                self._complain("position", error)
                self._tell("bestmove (none)")
                return
        board = self._board
        limits = read_limits(text.split(), board.turn, int(self._values["Move Overhead"]) / 1000)
        for word in limits.unread:
            self._complain("go", f"expected a number, got {word[:80]!r}")
        allowed = self._allowed(board, limits.moves)
        if not allowed:
            self._tell("bestmove (none)")
            return
        self._search = search = _Search()
        if limits.ponder:
            search.pondering.set()
        search.thread = threading.Thread(target=self._think, args=(search, board, limits, allowed), daemon=True)
        search.thread.start()

    def _allowed(self, board: Board, moves: Sequence[str]) -> set[int]:
        """Return the actions to choose from: all moves, or those of `searchmoves` that are legal."""
        allowed = set()
        for move in moves:
            try:
                allowed.add(board.action(Move.from_uci(move)))
            except (IllegalMoveError, MoveTextError) as error:
                self._complain("go", error)
        every = {action for action in board.legal_actions() if action < COUNT_START}
        return allowed & every or every

    def _think(self, search: _Search, board: Board, limits: Limits, allowed: set[int]) -> None:
        """Search in a thread of its own and tell the move; whatever goes wrong, a legal move is told, and why."""
        best = min(allowed)
        try:
            best = self._choose(search, board, limits, allowed)
        except Exception as error:  # whatever it is, the program that asked waits for a move
            self._complain("search", error)
        while (limits.infinite or search.pondering.is_set()) and not search.stopped.is_set():
            search.stopped.wait(0.01)  # the move is not to be told before
        self._tell(f"bestmove {move_of(best, board).uci()}")

    def _choose(self, search: _Search, board: Board, limits: Limits, allowed: set[int]) -> int:
        player = self._player()
        if not isinstance(player, Mcts):
            return self._ask(player, board, limits, allowed)
        begun = time.perf_counter()
        limit, seconds = self._budget(player, limits)
        threads = int(self._values["Threads"])
        whole = self._room - self._room % threads or threads  # each tree holds the same share
        room = max(threads, min(limit or whole, whole))
        only = None if allowed == set(board.legal_actions()) else allowed
        expected = player.outcomes(board)
        self._draws = expected[1] if expected else 1.0
        thoughts = self._thoughts = Thoughts(player, board, room, threads, self._seed + board.ply, self._thoughts, only)
        told, waiting, before = begun, search.pondering.is_set(), thoughts.carried
        while True:
            if waiting and not search.pondering.is_set():
                waiting, begun, before = False, time.perf_counter(), thoughts.simulations
            timed = seconds is not None and not waiting and not limits.infinite
            left = seconds - (time.perf_counter() - begun) if timed and seconds is not None else 1.0
            thoughts.go_on(None if limit is None else limit - thoughts.simulations, left)
            now = time.perf_counter()
            if now - told >= _TELL_EVERY:
                told = now
                self._report(board, thoughts, before, now - begun)
            if search.stopped.is_set() or thoughts.ended or (limit is not None and thoughts.simulations >= limit):
                break
            if timed and seconds is not None and (now - begun >= seconds or len(allowed) == 1):
                break
            if limits.depth is not None and not waiting and self._depth(thoughts) >= limits.depth:
                break
        if room == whole and thoughts.ended and not thoughts.proven:
            self._tell(f"info string the search is full: Hash holds {whole} nodes")
        self._report(board, thoughts, before, time.perf_counter() - begun)
        return thoughts.choice()

    def _budget(self, player: Mcts, limits: Limits) -> tuple[int | None, float | None]:
        """Return the simulations and the seconds of a search, None where there is no limit.

        What the agent's text says holds beside every other limit: a level is as strong as it is. Its simulations do so
        where they are not the default, which is for a bare `go`.
        """
        bare = not limits.any and not limits.infinite and not player.seconds
        own = player.simulations if bare or player.simulations != Mcts.simulations else None
        told = int(self._values["Simulations"]) or None
        return least(own, told, limits.nodes), least(player.seconds or None, limits.seconds)

    @property
    def _room(self) -> int:
        """The simulations that Hash has room for."""
        return int(self._values["Hash"]) * 1_000_000 // BYTES_A_NODE

    def _ask(self, player: Agent, board: Board, limits: Limits, allowed: set[int]) -> int:
        """Return the move of an agent that is asked once, made of a board where it has declared what it declares."""
        begun, declared = time.perf_counter(), board.copy()
        while (choice := limited(player, limits).choose(declared, self._seed + board.ply)) >= COUNT_START:
            declared.push(choice)
        if choice not in allowed:
            self._tell(f"info string {player} chose {move_of(choice, declared).uci()}, which was not asked for")
            choice = min(allowed)
        milliseconds = round(1000 * (time.perf_counter() - begun))
        self._tell(f"info depth 1 time {milliseconds} pv {move_of(choice, board).uci()}")
        return choice

    @staticmethod
    def _depth(thoughts: Thoughts) -> int:
        return max((len(line.actions) for line in thoughts.lines(1)), default=0)

    def _report(self, board: Board, thoughts: Thoughts, before: int, seconds: float) -> None:
        """Tell the best lines; before: simulations that were done when the clock began."""
        nodes, rate = thoughts.simulations, (thoughts.simulations - before) / max(seconds, 1e-3)
        full = min(1000, 1000 * nodes // self._room)
        shown = "wdl {} " if self._values["UCI_ShowWDL"] == "true" else ""
        for number, line in enumerate(thoughts.lines(int(self._values["MultiPV"])), 1):
            moves = play_of(board, line.actions)
            self._tell(
                f"info depth {len(moves)} seldepth {len(moves)} multipv {number} score {score(line)} "
                f"{shown.format(wdl(line.value, self._draws))}nodes {nodes} nps {round(rate)} hashfull {full} "
                f"time {round(1000 * seconds)} pv {' '.join(moves)}"
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
