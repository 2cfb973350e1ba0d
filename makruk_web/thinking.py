"""The agents' part in the games: their moves, their answers to a draw, looks into a position; all done by the pool."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from agents.alphabeta import AlphaBeta
from agents.base import Agent
from agents.errors import AgentError
from agents.mcts import Mcts
from agents.uci import Uci
from makruk_env.board import Board
from makruk_web.errors import BusyError, TurnError
from makruk_web.game import Failure
from makruk_web.opponents import has_tree
from makruk_web.pool import Job, Pool
from makruk_web.seat import Seat, Task
from makruk_web.table import Table
from makruk_web.thinkers import Thinker, cost_of, make_thinker
from makruk_web.thoughts import Thought, thought_of

ANALYSIS = 3_000
"""Simulations of a look into a position."""
DRAW_SIMULATIONS = 100, 2_000
"""Of an agent that is offered a draw: at least and at most, else its own."""
_MOST_LOOKS = 32
"""Looks into positions that wait at once."""


@dataclass(frozen=True)
class _Asked:
    """What an agent is to think of: for which task, after how many moves, in how many simulations instead of its own;
    name: the agent's text; shown: whether looks into the search are sent."""

    task: Task
    ply: int
    board: Board
    name: str
    agent: Agent
    simulations: int | None = None
    shown: bool = True


@dataclass(frozen=True)
class _Found:
    """What came of it; value: of the position for the side to move, None where the agent cannot tell."""

    ply: int
    choice: int
    thought: Thought | None
    value: float | None


class Thinking:
    """Lets the agents of a table think. pool: threads that games share; single: one thread, for whatever cannot be
    asked by two at once: other programs, and networks that are called."""

    def __init__(self, table: Table, pool: Pool, single: Pool, loop: asyncio.AbstractEventLoop) -> None:
        self._table, self._pool, self._single, self._loop = table, pool, single, loop
        table.advance = self.advance

    def advance(self, seat: Seat) -> None:
        """Let the agent think if it is to move or to answer an offer."""
        game = seat.game
        task: Task | None = "offer" if game.offer == "asked" else "move" if game.agents_turn else None
        if task is None or seat.job is not None:
            return
        try:
            agent = self._table.opponents.make(game.agent)
            if task == "offer":
                self._consider(seat, agent)
            else:
                self._submit(seat, _Asked(task, len(game.plies), game.board.copy(), game.agent, agent), self._played)
        except (AgentError, BusyError) as error:  # the agent may be of a game that another server's list allowed
            self._give_up(seat, task, Failure(type(error).__name__, str(error)))

    def _consider(self, seat: Seat, agent: Agent) -> None:
        """Let the agent answer an offer: it needs a search, or it declines."""
        game, simulations = seat.game, None
        if isinstance(agent, Mcts) and has_tree(agent):
            least, most = DRAW_SIMULATIONS
            simulations = min(max(agent.simulations, least), most)
        elif not isinstance(agent, AlphaBeta):
            game.answer_draw(None, self._table.now())
            return
        asked = _Asked("offer", len(game.plies), game.board.copy(), game.agent, agent, simulations, shown=False)
        self._submit(seat, asked, self._answered)

    def analyse(self, seat: Seat, ply: int) -> None:
        """Look into the position after so many moves. Raises `UnknownError`, `TurnError` and `BusyError`."""
        board = seat.game.at(ply)
        if board.outcome is not None or seat.job is not None:
            raise TurnError("analyse: expected a position with legal moves while no search is under way")
        if self._table.looks >= _MOST_LOOKS:
            raise BusyError(f"analyse: expected at most {_MOST_LOOKS} looks at once, got another one")
        name, agent = self._table.opponents.analyst(seat.game.agent)
        self._submit(seat, _Asked("analysis", ply, board, name, agent, ANALYSIS), self._looked_into)
        seat.analysing, seat.failed = ply, None
        self._table.touch(seat)
        self._table.tell(seat)

    def _submit(self, seat: Seat, asked: _Asked, ended: Callable[[Seat, _Found], None]) -> None:
        """Start a search; ended: called on the loop's thread. Raises `BusyError`."""
        board, name = asked.board, asked.name

        def look(thinker: Thinker) -> None:
            thought = thought_of(name, board, thinker.lines(), thinker.simulations, whole=False)
            self._call(self._looked, seat, job, {"ply": asked.ply, **thought.as_dict()})

        def done(thinker: Thinker) -> None:
            lines = thinker.lines()
            thought = thought_of(name, board, lines, thinker.simulations) if lines else None
            found = _Found(asked.ply, thinker.choice(), thought, thinker.value())
            self._call(self._ended, seat, job, lambda: ended(seat, found))

        def failed(failure: Failure) -> None:
            self._call(self._ended, seat, job, lambda: self._failed(seat, asked.task, failure))

        def begun() -> None:
            self._call(self._begun, seat, job)

        pool, now = self._single if _is_called(asked.agent) else self._pool, self._table.now()
        self._make_way(pool)
        make = partial(make_thinker, asked.agent, board, secrets.randbits(32), asked.simulations)
        timed = begun if seat.game.clock is not None and asked.task == "move" else None
        cost, urgent = cost_of(asked.agent, asked.simulations), bool(seat.watchers)
        job = Job(cost, make, done, failed, look if asked.shown else None, timed, urgent)
        seat.job, seat.task = job, asked.task
        seat.before = 0.0 if seat.game.clock is None else seat.game.clock.elapsed(now)
        pool.submit(job)

    def _make_way(self, pool: Pool) -> None:
        """See that a pool takes another job, be it in place of one that nobody looks on at. Raises `BusyError`."""
        if not pool.is_full:
            return
        unseen = [seat for seat in self._table.thinking if not seat.watchers and seat.job and seat.job.pool is pool]
        if not unseen:
            raise BusyError("agent: expected fewer searches under way; ask again in a while")
        self._table.park(min(unseen, key=lambda seat: seat.used))

    def _call(self, what: Callable[..., None], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(what, *arguments)

    def _begun(self, seat: Seat, job: Job) -> None:
        """Tell that the agent's clock runs."""
        if seat.job is job:
            self._table.tell(seat)

    def _looked(self, seat: Seat, job: Job, told: dict[str, Any]) -> None:
        if seat.job is job:
            text = json.dumps(told)
            for watcher in seat.watchers:
                watcher.tell("thinking", text)

    def _ended(self, seat: Seat, job: Job, then: Callable[[], None]) -> None:
        """Do what follows on a search, unless the game has changed meanwhile."""
        if seat.job is job:
            seat.charge(self._table.now())
            self._table.stop(seat)
            then()

    def _played(self, seat: Seat, found: _Found) -> None:
        now = self._table.now()
        if not seat.game.flag(now):
            try:
                seat.game.answer(found.choice, found.thought, now)
            except ValueError as error:
                seat.game.fail(Failure(type(error).__name__, str(error)), now)
        self._table.changed(seat)

    def _answered(self, seat: Seat, found: _Found) -> None:
        seat.game.answer_draw(None if found.value is None else -found.value, self._table.now())
        self._table.changed(seat)

    def _looked_into(self, seat: Seat, found: _Found) -> None:
        kept, thought = seat.game.thoughts.get(found.ply), found.thought
        if thought is not None and (kept is None or thought.simulations >= kept.simulations):
            seat.game.thoughts[found.ply] = thought
            self._table.keep_thought(seat, found.ply)
        self._table.tell(seat)

    def _failed(self, seat: Seat, task: Task, failure: Failure) -> None:
        self._give_up(seat, task, failure)
        if task == "analysis":
            self._table.tell(seat)
        else:
            self._table.changed(seat)

    def _give_up(self, seat: Seat, task: Task, failure: Failure) -> None:
        """Tell the player what went wrong; an offer of a draw is as if it had not been made."""
        now = self._table.now()
        if task == "move":
            seat.game.fail(failure, now)
            return
        seat.failed = task, failure
        if task == "offer":
            seat.game.withdraw_offer(now)


def _is_called(agent: Agent) -> bool:
    """Tell whether something is called for each move that two threads must not call at once."""
    if isinstance(agent, Mcts):
        return not agent.evaluator and agent.baseline != "sparse"
    return isinstance(agent, Uci)
