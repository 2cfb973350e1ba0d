"""The agents' part in the games: their moves, their answers to a draw, looks into a position; all done by the pool."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from agents.base import Agent
from agents.errors import AgentError
from agents.mcts import Mcts
from agents.uci import Uci
from makruk_env.board import Board
from makruk_web.errors import BusyError, TurnError, UnknownError
from makruk_web.game import Failure
from makruk_web.opponents import has_tree
from makruk_web.pool import Job, Pool
from makruk_web.table import Seat, Table
from makruk_web.thinkers import Thinker, cost_of, make_thinker
from makruk_web.thoughts import Thought, thought_of

ANALYSIS = 3_000
"""Simulations of a look into a position."""
DRAW_SIMULATIONS = 100, 2_000
"""Of an agent that is offered a draw: at least and at most, else its own."""
_MOST_LOOKS = 32
"""Looks into positions that wait at once."""


class Thinking:
    """Lets the agents of a table think. pool: threads that games share; single: one thread, for whatever cannot be
    asked by two at once: other programs, and networks that are called."""

    def __init__(self, table: Table, pool: Pool, single: Pool, loop: asyncio.AbstractEventLoop) -> None:
        self._table, self._pool, self._single, self._loop = table, pool, single, loop
        table.advance = self.advance

    def advance(self, seat: Seat) -> None:
        """Let the agent think if it is to move."""
        game = seat.game
        if not game.agents_turn or seat.job is not None:
            return
        try:
            agent = self._table.opponents.make(game.agent)
        except AgentError as error:  # of a game that another server's list allowed
            game.fail(Failure(type(error).__name__, str(error)), self._table.now())
            return
        self._submit(seat, agent, self._played, look_at=len(game.plies))

    def ask_for_draw(self, seat: Seat) -> None:
        """Let the agent answer an offer: it needs a search, or it declines."""
        agent = self._table.agent_of(seat.game)
        if not isinstance(agent, Mcts) or not has_tree(agent):
            self._answered(seat, 0, None)
            return
        least, most = DRAW_SIMULATIONS
        self._submit(seat, agent, self._answered, simulations=min(max(agent.simulations, least), most))

    def analyse(self, seat: Seat, ply: int) -> None:
        """Look into the position after so many moves. Raises `UnknownError`, `TurnError` and `BusyError`."""
        game = seat.game
        if not 0 <= ply <= len(game.plies):
            raise UnknownError(f"ply: expected 0 .. {len(game.plies)}, got {ply!r}")
        board = game.board.copy()
        for _ in range(len(game.plies) - ply):
            board.pop()
        if board.outcome is not None or seat.job is not None:
            raise TurnError("analyse: expected a position with legal moves while no search is under way")
        if self._table.looks >= _MOST_LOOKS:
            raise BusyError(f"analyse: expected at most {_MOST_LOOKS} looks at once, got another one")
        text, agent = self._table.opponents.analyst(game.agent)
        seat.analysing = ply
        looked = partial(self._looked_into, ply=ply)
        self._submit(seat, agent, looked, simulations=ANALYSIS, look_at=ply, board=board, text=text)
        self._table.tell(seat)

    def _submit(
        self,
        seat: Seat,
        agent: Agent,
        ended: Callable[[Seat, int, Thought | None], None],
        simulations: int | None = None,
        look_at: int | None = None,
        board: Board | None = None,
        text: str | None = None,
    ) -> None:
        """Start a search.

        ended: called on the loop's thread with the choice and the thoughts; look_at: the ply that looks into the search
        are shown for, None to show none; board, text: the game's own, or another one and its agent.
        """
        board, name = board or seat.game.board.copy(), text or seat.game.agent
        seed = secrets.randbits(32)

        def look(thinker: Thinker) -> None:
            told = {"ply": look_at, **thought_of(name, board, thinker.lines(), thinker.simulations, False).as_dict()}
            self._call(self._looked, seat, job, told)

        def done(thinker: Thinker) -> None:
            found = thinker.lines()
            thought = thought_of(name, board, found, thinker.simulations) if found else None
            choice = thinker.choice()
            self._call(self._ended, seat, job, lambda: ended(seat, choice, thought))

        def failed(failure: Failure) -> None:
            self._call(self._ended, seat, job, lambda: self._failed(seat, failure))

        make = partial(make_thinker, agent, board, seed, simulations)
        job = Job(cost_of(agent, simulations), make, done, failed, None if look_at is None else look)
        seat.job = job
        (self._single if _is_called(agent) else self._pool).submit(job)

    def _call(self, what: Callable[..., None], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(what, *arguments)

    def _looked(self, seat: Seat, job: Job, told: dict[str, Any]) -> None:
        if seat.job is job:
            text = json.dumps(told)
            for watcher in seat.watchers:
                watcher.tell("thinking", text)

    def _ended(self, seat: Seat, job: Job, then: Callable[[], None]) -> None:
        """Do what follows on a search, unless the game has changed meanwhile."""
        if seat.job is job:
            seat.job = None
            then()

    def _played(self, seat: Seat, choice: int, thought: Thought | None) -> None:
        now = self._table.now()
        if not seat.game.flag(now):
            try:
                seat.game.answer(choice, thought, now)
            except ValueError as error:
                seat.game.fail(Failure(type(error).__name__, str(error)), now)
        self._table.changed(seat)

    def _answered(self, seat: Seat, _: int, thought: Thought | None) -> None:
        value = None if thought is None or thought.value is None else -thought.value
        seat.game.answer_draw(value, self._table.now())
        self._table.changed(seat)

    def _looked_into(self, seat: Seat, _: int, thought: Thought | None, ply: int) -> None:
        seat.analysing = None
        kept = seat.game.thoughts.get(ply)
        if thought is not None and (kept is None or thought.simulations >= kept.simulations):
            seat.game.thoughts[ply] = thought
            self._table.keep_thought(seat, ply)
        self._table.tell(seat)

    def _failed(self, seat: Seat, failure: Failure) -> None:
        """Tell the player what went wrong; an offer of a draw is declined, a look into a position ends."""
        if seat.analysing is not None:
            seat.analysing = None
            self._table.tell(seat)
            return
        if seat.game.offer == "asked":
            self._answered(seat, 0, None)
            return
        seat.game.fail(failure, self._table.now())
        self._table.changed(seat)


def _is_called(agent: Agent) -> bool:
    """Tell whether something is called for each move that two threads must not call at once."""
    if isinstance(agent, Mcts):
        return not agent.evaluator and agent.baseline != "sparse"
    return isinstance(agent, Uci)
