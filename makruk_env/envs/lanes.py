"""N episodes side by side, one in each lane: what both Gymnasium environments and their vector forms are made of.

A lane's chance - its opponent's draws, its start positions, its colours - depends on its own seed alone, never on how
many lanes there are or which of them end when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from makruk_env import batch
from makruk_env.board import Board
from makruk_env.core import lanes as kernels
from makruk_env.core.actions import NUM_ACTIONS
from makruk_env.core.observe import NUM_PLANES
from makruk_env.core.random import new_streams
from makruk_env.core.threads import spread
from makruk_env.envs import opponents
from makruk_env.errors import FenError, IllegalMoveError, OpponentError
from makruk_env.notation import fen as fen_text
from makruk_env.outcome import Outcome
from makruk_env.render.face import RENDER_SIZE, Face
from makruk_env.rules import Rules, Termination
from makruk_env.starts import Start, make_start

Colour = Literal["white", "black", "alternate", "random"]
COLOURS = ("white", "black", "alternate", "random")
_GRAIN = 64
_MOST_STARTS = 100


@dataclass(frozen=True)
class Settings:
    """What both environments are made with; see `makruk_env.envs.solo`."""

    rules: str | Rules = "ttakji"
    start: str | None = None
    max_episode_plies: int | None = None
    illegal_action: Literal["terminate", "raise"] = "terminate"
    render_mode: str | None = None
    render_size: int = RENDER_SIZE

    def __post_init__(self) -> None:
        cap = self.max_episode_plies
        if cap is not None and (type(cap) is not int or cap < 1):
            raise ValueError(f"max_episode_plies: expected None or a number of at least 1, got {cap!r}")
        if self.illegal_action not in ("terminate", "raise"):
            raise ValueError(f"illegal_action: expected 'terminate' or 'raise', got {self.illegal_action!r}")


@dataclass
class View:
    """What is seen in N lanes: planes [N, C, 8, 8] float32, masks [N, A] int8, facts [F, N] int64."""

    planes: np.ndarray
    masks: np.ndarray
    facts: np.ndarray

    @classmethod
    def empty(cls, count: int) -> View:
        """Return room for `count` lanes."""
        return cls(
            np.empty((count, NUM_PLANES, 8, 8), np.float32),
            np.empty((count, NUM_ACTIONS), np.int8),
            np.empty((len(kernels.FACTS), count), np.int64),
        )


class Lanes:
    """N episodes under the same settings.

    games: the games, one a lane; colours: [N] int8, the agent's side, `kernels.BOTH` where it plays both; terminations:
    [N] int8, 0 or a `Termination`; winners: [N] int8; truncated: [N] bool; episodes: [N] int64, how many were begun.
    """

    def __init__(self, count: int, settings: Settings, opponent: Any = None, colour: Colour | None = None) -> None:
        if colour is not None and colour not in COLOURS:
            raise ValueError(f"colour: expected one of {COLOURS}, got {colour!r}")
        self.settings = settings
        self.rules = Rules.of(settings.rules)
        self.games = batch.new(count, self.rules)
        self.opponent = None if opponent is None else opponents.make(opponent)
        self.colour = colour
        self.colours = np.full(count, kernels.BOTH, np.int8)
        self.seeds = np.zeros(count, np.uint64)
        self.episodes = np.zeros(count, np.int64)
        self.first_plies = np.zeros(count, np.int32)
        self.terminations = np.zeros(count, np.int8)
        self.winners = np.full(count, -1, np.int8)
        self.truncated = np.zeros(count, bool)
        self.rewards = np.zeros(count)
        self._unseen = View.empty(0)
        self._start = make_start(settings.start, self.rules)
        self._array = self.games.starts[:1].copy()
        self.faces = [
            Face(settings.render_mode, settings.render_size) for _ in range(count if settings.render_mode else 0)
        ]
        self._actions: list[list[int]] = [[] for _ in self.faces]
        self._begun = [self.fen(lane) for lane in range(len(self.faces))]

    def __len__(self) -> int:
        return len(self.games)

    @property
    def over(self) -> np.ndarray:
        """[N] bool: which episodes are over."""
        return np.asarray((self.terminations != 0) | self.truncated)

    def seed(self, which: np.ndarray, seeds: Sequence[int]) -> None:
        """Begin the chance of some lanes anew; lane which[m] depends on seeds[m] alone."""
        for lane, seed in zip(which, seeds, strict=True):
            self.seeds[lane] = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
            self.games.streams[lane] = new_streams(seed, 1)[0]
            self.episodes[lane] = 0

    def chance(self, lane: int) -> np.random.Generator:
        """Return the generator of a lane's present episode: of its start and colour."""
        key = (int(self.seeds[lane]) << 64) | int(self.episodes[lane])
        return np.random.Generator(np.random.Philox(key=key))

    def begin(self, which: np.ndarray, fen: str | None = None) -> None:
        """Start new episodes in some lanes, up to the agent's first turn; fen: where, instead of the settings' start.

        An episode that would be over before that is begun again. Raises `FenError` where this does not help.
        """
        start = self._start if fen is None else make_start(fen, self.rules)
        for _ in range(_MOST_STARTS):
            self._begin_once(which, start)
            which = which[self.over[which]]
            if not len(which):
                return
        raise FenError(
            f"start: expected a game that goes on to the agent's first turn, got {self.games.fen(which[0])!r}"
        )

    def _begin_once(self, which: np.ndarray, start: Start | None) -> None:
        if start is None:
            self.games.starts[which] = self._array
        for lane in which if start or self.colour == "random" else ():
            chance = self.chance(lane)
            if self.colour == "random":
                self.colours[lane] = chance.integers(2)
            if start:
                self.games.starts[lane] = start(chance)
        if self.colour in ("white", "black"):
            self.colours[which] = COLOURS.index(self.colour)
        elif self.colour == "alternate":
            self.colours[which] = self.episodes[which] % 2
        self.episodes[which] += 1
        batch.reset(self.games, which)
        self.first_plies[which] = self.games.positions["ply"][which]
        self.terminations[which] = self.games.positions["termination"][which]
        self.winners[which] = self.games.positions["winner"][which]
        self.truncated[which] = False
        for lane in which if self.faces else ():
            self.forget(lane)
        self._reply(which)

    def act(self, which: np.ndarray, actions: np.ndarray, view: View) -> np.ndarray:
        """Take the agent's actions, [M] int64, in lanes whose episodes go on, let the opponent reply, and look.

        Returns the rewards, [N] float64, 0 in other lanes: of the agent, or in self-play of the side that acted.
        Raises `IllegalMoveError` before anything has changed, where the settings say so.
        """
        if self.settings.illegal_action == "raise":
            self._refuse_illegal(which, actions, IllegalMoveError, "action")
        self.rewards[:] = 0.0
        self._act(which, actions, view if self.opponent is None else None)
        if self.opponent is not None:
            self._reply(which)
            self.look(which, view)
        return self.rewards.copy()

    def _refuse_illegal(self, which: np.ndarray, actions: np.ndarray, error: type[ValueError], what: str) -> None:
        row = kernels.find_illegal(which, actions, self.games.moves, self.games.numbers)
        if row >= 0:
            lane = int(which[row])
            fen = self.games.fen(lane)
            raise error(f"{what}: expected a legal action, got {int(actions[row])} in lane {lane}, {fen!r}")

    def _act(self, which: np.ndarray, actions: np.ndarray, view: View | None = None) -> None:
        """Take actions of whoever is to move, and look where a view is given."""
        games = self.games
        shown = self._unseen if view is None else view
        batch.make_room(games, 1)
        spread(
            kernels.act,
            len(which),
            _GRAIN,
            which,
            actions,
            games.positions,
            self.rules.array,
            games.history,
            games.origins,
            games.moves,
            games.numbers,
            self.colours,
            self.first_plies,
            self.settings.max_episode_plies or 0,
            self.terminations,
            self.winners,
            self.truncated,
            self.rewards,
            view is not None,
            shown.planes,
            shown.masks,
            shown.facts,
        )
        for lane, action in zip(which, actions, strict=True) if self.faces else ():
            self._actions[lane].append(int(action))

    def _reply(self, which: np.ndarray) -> None:
        """Let the opponent act in some lanes until it is the agent's turn or the episode is over."""
        while self.opponent is not None:
            waits = (self.games.to_play[which] != self.colours[which]) & ~self.over[which]
            which = which[waits]
            if not len(which):
                return
            actions = np.asarray(self.opponent.select(self.games, which))
            self._refuse_illegal(which, actions, OpponentError, f"opponent {self.opponent}")
            self._act(which, actions)

    def look(self, which: np.ndarray, view: View) -> None:
        """Write what is seen in some lanes to their rows of a view of all."""
        games = self.games
        spread(
            kernels.look,
            len(which),
            _GRAIN,
            which,
            games.positions,
            self.rules.array,
            games.moves,
            games.numbers,
            self.colours,
            self.terminations,
            self.truncated,
            view.planes,
            view.masks,
            view.facts,
        )

    def facts(self, view: View) -> dict[str, np.ndarray]:
        """Return the infos of all lanes as arrays of N numbers."""
        told = dict(zip(kernels.FACTS, view.facts.copy(), strict=True))
        if self.opponent is None:
            del told["colour"]
        return told

    def fen(self, lane: int) -> str:
        """Return a lane's game as a FEN."""
        return fen_text.write(self.games.positions[lane], self.rules)

    def forget(self, lane: int) -> None:
        """Take the present position for where a lane's pictured game begins, since its moves are not known."""
        if self.faces:
            self._actions[lane] = []
            self._begun[lane] = self.fen(lane)

    def board(self, lane: int) -> Board:
        """Return a lane's game, with the moves that were made since the episode began or a state was put back."""
        board = Board(self._begun[lane], self.rules)
        try:
            for action in self._actions[lane]:
                board.push(action)
        except IllegalMoveError:
            assert self.terminations[lane] == kernels.ILLEGAL_ACTION
        return board

    def render(self, lane: int) -> str | np.ndarray | None:
        """Return the picture of a lane in the settings' render mode; None in a window or without a mode."""
        if not self.faces:
            return None
        outcome = None
        if self.terminations[lane]:
            winner = int(self.winners[lane])
            outcome = Outcome(None if winner < 0 else winner, Termination(int(self.terminations[lane])))
        cut_short = self.settings.max_episode_plies if self.truncated[lane] else None
        return self.faces[lane].show(self.board(lane), outcome, cut_short)

    def close(self) -> None:
        """Close the windows; may be called any number of times."""
        for face in self.faces:
            face.close()
