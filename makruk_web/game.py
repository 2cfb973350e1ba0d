"""One game on the page, as a state machine: who may do what when, and what comes of it. It knows no threads, no clock
of its own and no network: whoever asks says what time it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property

from makruk_env.board import Board
from makruk_env.core.actions import COUNT_START
from makruk_env.notation.uci import Move
from makruk_env.outcome import Outcome
from makruk_env.render.scene import promoted_by
from makruk_env.rules import Termination
from makruk_web.clock import Clock
from makruk_web.errors import StaleError, TurnError, UnknownError
from makruk_web.thoughts import Thought, texts

NEAR_NOUGHT = 0.05
"""The most that an agent may think its position worth and still agree to a draw."""
RESULTS = {0: "1-0", 1: "0-1", None: "1/2-1/2"}
"""PGN's word for each winner."""
MOST_PLIES = 2_000
"""Moves and declarations of a game on the page; rules without an end of their own would let it go on for ever."""


def rewound(board: Board, plies: int) -> Board:
    """Return a board as it was after so many of its moves and declarations."""
    board = board.copy()
    for _ in range(len(board.actions) - plies):
        board.pop()
    return board


_move = cache(Move.from_uci)
"""The moves of some 4,000 texts that there are."""


@dataclass(frozen=True)
class Ply:
    """A move that was made; uci, san, thai: its texts; by_agent: whether the agent made it."""

    uci: str
    san: str
    thai: str
    by_agent: bool


@dataclass(frozen=True)
class Failure:
    """Why the agent makes no move: the error's name and its text."""

    name: str
    message: str


@dataclass
class Game:
    """A game between a player and an agent, or of a player with both sides.

    you: the player's colour, None for both; agent: its text, empty where there is none; version: rises with every
    change; ended: an end that the board does not know; touched: whether the player has done anything; thoughts: by the
    number of moves before them; offered: after how many moves the player last offered a draw; offer: "asked" or
    "declined" in this turn.
    """

    id: str
    board: Board
    you: int | None = 0
    agent: str = ""
    clock: Clock | None = None
    version: int = 1
    plies: list[Ply] = field(default_factory=list)
    ended: Outcome | None = None
    touched: bool = False
    failure: Failure | None = None
    thoughts: dict[int, Thought] = field(default_factory=dict)
    offered: int = -1
    offer: str | None = None

    @cached_property
    def start(self) -> Board:
        """The board before all moves."""
        return rewound(self.board, 0)

    def at(self, ply: int) -> Board:
        """Return the board after so many plies. Raises `UnknownError`."""
        if not 0 <= ply <= len(self.plies):
            raise UnknownError(f"ply: expected 0 .. {len(self.plies)}, got {ply!r}")
        return rewound(self.board, ply)

    def promoted(self, ply: int) -> set[int]:
        """Return the squares of the bia that have promoted in so many plies; nothing is played again for it."""
        return promoted_by(_move(made.uci) for made in self.plies[:ply])

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        return self.ended or self.board.outcome

    @property
    def result(self) -> str:
        """How the game ended, as PGN tells it."""
        return "*" if self.outcome is None else RESULTS[self.outcome.winner]

    @property
    def yours(self) -> bool:
        """Whether the player is to move."""
        return self.outcome is None and self.you in (None, self.board.turn)

    @property
    def agents_turn(self) -> bool:
        """Whether the agent is to move, and has not failed."""
        return self.outcome is None and not self.yours and self.failure is None

    @property
    def can_take_back(self) -> bool:
        """Whether there is a move of the player to take back."""
        timed_out = self.ended is not None and self.ended.termination == Termination.TIMEOUT
        return not timed_out and self._back_to() is not None

    def expect(self, version: int) -> None:
        """Raise `StaleError` unless this is the present version."""
        if version != self.version:
            raise StaleError(f"version: expected {self.version}, got {version!r}; the game has changed meanwhile")

    def move(self, text: str, now: float) -> None:
        """Make the player's move or declaration. Raises `TurnError`, `MoveTextError` and `IllegalMoveError`."""
        self._expect_your_turn("move")
        self._push(self.board.action(Move.from_uci(text)), by_agent=False)
        self._changed(now, touched=True)

    def answer(self, action: int, thought: Thought | None, now: float) -> None:
        """Make the agent's move. Raises `TurnError` and `IllegalMoveError`."""
        if not self.agents_turn:
            raise TurnError(f"answer: expected the agent's turn, got {action!r} in {self.board.fen()!r}")
        if thought is not None:
            self.thoughts[len(self.plies)] = thought
        self._push(action, by_agent=True)
        self._changed(now)

    def fail(self, failure: Failure, now: float) -> None:
        """Note that the agent cannot move; the clock stands until it is asked again."""
        self.failure = failure
        self._changed(now)

    def choose_agent(self, agent: str, now: float) -> None:
        """Go on with another agent, or ask the same one again. Raises `TurnError` in a game that is over."""
        self._expect_going("agent")
        if self.you is None:
            raise TurnError("agent: expected a game against an agent, got one of both sides by hand")
        self.agent, self.failure = agent, None
        self._changed(now, touched=True)

    def take_back(self, now: float) -> None:
        """Take back the player's last move and all after it. Raises `TurnError` where there is none."""
        back = self._back_to()
        if back is None or not self.can_take_back:
            raise TurnError(f"back: expected a move of yours to take back, got none in {self.board.fen()!r}")
        while len(self.plies) > back:
            self.board.pop()
            self.plies.pop()
            self.thoughts.pop(len(self.plies) + 1, None)
        self.ended = self.failure = None
        self.offered = -1 if self.offered > back else self.offered
        self._changed(now, touched=True)

    def resign(self, now: float) -> None:
        """End the game by the player's resignation, of the side to move where both are the player's."""
        self._expect_going("resign")
        loser = self.board.turn if self.you is None else self.you
        self._end(Outcome(1 - loser, Termination.RESIGNATION), now)

    def offer_draw(self, now: float) -> None:
        """Offer a draw, which the agent is then to answer. One who plays both sides agrees at once.

        Raises `TurnError` out of turn and for a second offer in one position.
        """
        self._expect_your_turn("draw")
        if self.you is None:
            self._end(Outcome(None, Termination.AGREEMENT), now)
            return
        if self.offered == len(self.plies):
            raise TurnError("draw: expected one offer in a turn, got another one")
        self.offered = len(self.plies)
        self._changed(now, touched=True)
        self.offer = "asked"

    def answer_draw(self, value: float | None, now: float) -> None:
        """Accept or decline an offer; value: what the agent thinks its position worth, None where it cannot tell."""
        if self.offer != "asked":
            raise TurnError("draw: expected an offer to answer, got none")
        if value is not None and value <= NEAR_NOUGHT:
            self._end(Outcome(None, Termination.AGREEMENT), now)
            return
        self._changed(now)
        self.offer = "declined"

    def withdraw_offer(self, now: float) -> None:
        """Let an offer be as if it had not been made, as the agent failed over it."""
        self.offered = -1
        self._changed(now)

    def flag(self, now: float) -> bool:
        """End the game if the side to move has run out of time; return whether it has."""
        if self.outcome is None and self.clock is not None and self.clock.flagged(now):
            self._end(Outcome(1 - self.board.turn, Termination.TIMEOUT), now)
            return True
        return False

    def restart_clock(self, now: float) -> None:
        """Let the clock go on where it should: after a move, or after the game has been read from its file."""
        if self.clock is None:
            return
        if self.plies:
            self.clock.turn(self.board.turn, now)
        if not self.plies or self.outcome is not None or self.failure is not None:
            self.clock.stop(now)

    def _expect_going(self, what: str) -> None:
        if self.outcome is not None:
            raise TurnError(f"{what}: the game is over, in {self.board.fen()!r}")

    def _expect_your_turn(self, what: str) -> None:
        self._expect_going(what)
        if not self.yours:
            raise TurnError(f"{what}: expected your turn, got a request while the agent is to move")

    def _back_to(self) -> int | None:
        """Return how many plies stay when the player's last move is taken back, with its declarations."""
        mine = [k for k, ply in enumerate(self.plies) if not ply.by_agent]
        if not mine:
            return None
        back = mine[-1]
        while back and back - 1 in mine and self.board.actions[back - 1] >= COUNT_START and self.you is not None:
            back -= 1
        return back

    def _push(self, action: int, by_agent: bool) -> None:
        if len(self.plies) >= MOST_PLIES:
            raise TurnError(f"move: expected at most {MOST_PLIES} moves in a game, got another one")
        told = texts(self.board, action)
        self.board.push(action)
        self.plies.append(Ply(*told, by_agent))

    def _end(self, outcome: Outcome, now: float) -> None:
        self.ended = outcome
        self._changed(now, touched=True)

    def _changed(self, now: float, touched: bool = False) -> None:
        self.version += 1
        self.touched = self.touched or touched
        self.offer = None
        self.restart_clock(now)
