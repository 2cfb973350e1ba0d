"""Makruk in PettingZoo's agent-environment cycle. C planes, A actions.

`player_0` is White, `player_1` Black. An agent's observation is `{"observation": [C, 8, 8] float32, "action_mask": [A]
int8}`, both from its own point of view: the board is turned by 180 degrees for Black, "own" is the agent's. The planes
of the agent that waits are those it would see of the same men, count and repetition if it were to move; only what has
been declared in this turn is told as it is, of whoever is to move. The mask holds 1 for each action that the agent
may take now: it is zeros for the agent that waits and for both when the game is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from makruk_env.board import Board
from makruk_env.core.actions import NUM_ACTIONS
from makruk_env.envs.spaces import action_space, copied, observation_space, planes_space
from makruk_env.errors import IllegalMoveError
from makruk_env.notation.uci import move_of
from makruk_env.outcome import Outcome
from makruk_env.render.face import MODES, RENDER_SIZE, Face
from makruk_env.rules import Colour, Rules, Termination

Observation = dict[str, np.ndarray]
IllegalAction = Literal["terminate", "raise"]

AGENTS = ("player_0", "player_1")
"""The agents in the order of their colours."""
_SIDE = {agent: side for side, agent in enumerate(AGENTS)}
_OWN = ("agents", "possible_agents", "rewards", "_cumulative_rewards", "terminations", "truncations")
"""The dictionaries and lists of numbers and names, of which a copy has its own."""


class raw_env(AECEnv[str, Any, Any]):
    """A game of makruk between two agents.

    rules: a preset's name or a `Rules`; render_mode: None or one of "ansi", "human", "rgb_array" and "svg"; fen: where
    episodes start, by default the usual array; max_episode_plies: truncates an episode after so many moves made in it,
    None: never; illegal_action: what an illegal action does: "terminate" ends the game, lost by the agent that took it,
    "raise" raises `IllegalMoveError` and leaves the game as it was; render_size: of pictures, in pixels.

    Rewards are +1 and -1 to winner and loser where the game is decided, else 0; they sum to zero. An end by the rules
    or by an illegal action is a termination of both agents, only `max_episode_plies` is a truncation of both.
    COUNT_START and COUNT_STOP leave the turn with the agent that took them and are no moves.

    The info of each agent holds, from the first observation to the end: `ply`, moves made by both sides as the move
    number tells; `to_play`, 0 or 1; `count_kind`, 0 or a `CountKind`, with `count_number` and `count_limit`;
    `repetition`, how often the position stood before; `termination`, 0 or a `Termination`.

    `board` is the game itself, to be looked at, not to be played on. Copies and pickles keep the game.
    Raises `FenError`, `RulesError`, and `ValueError` for the other arguments.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo declares it as an instance's)
        "render_modes": list(MODES),
        "name": "makruk_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: str | Rules = "ttakji",
        render_mode: str | None = None,
        fen: str | None = None,
        max_episode_plies: int | None = None,
        illegal_action: IllegalAction = "terminate",
        render_size: int = RENDER_SIZE,
    ) -> None:
        super().__init__()
        self._face = Face(render_mode, render_size, fps=self.metadata["render_fps"])
        if max_episode_plies is not None and (type(max_episode_plies) is not int or max_episode_plies < 1):
            raise ValueError(f"max_episode_plies: expected None or a number of at least 1, got {max_episode_plies!r}")
        if illegal_action not in ("terminate", "raise"):
            raise ValueError(f"illegal_action: expected 'terminate' or 'raise', got {illegal_action!r}")
        self.rules = Rules.of(rules)
        self.render_mode = render_mode
        self.max_episode_plies = max_episode_plies
        self.illegal_action = illegal_action
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: observation_space() for agent in AGENTS}
        self.action_spaces = {agent: action_space() for agent in AGENTS}
        self.state_space = planes_space()
        self._fen = fen
        self._begin(Board(fen, self.rules))

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's observation space, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's action space, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode.

        seed: taken as PettingZoo asks, of no effect, since nothing in the game is drawn by lot. options: `fen`, where
        this episode starts, `rules`, by which it is played, and `moves`, UCI texts played from there before the agents'
        first move (they belong to the game, so to repetition and counts, but not to `max_episode_plies`); other keys
        are left to wrappers.
        Raises `FenError`, `RulesError`, `MoveTextError` and `IllegalMoveError`; the environment stays as it was.
        """
        options = options or {}
        fen = options.get("fen")
        board = Board(self._fen if fen is None else fen, options.get("rules", self.rules))
        moves: Iterable[str] = options.get("moves") or ()
        for text in moves:
            board.push_uci(text)
        self._begin(board)
        if self.render_mode == "human":
            self._show()

    def _begin(self, board: Board) -> None:
        self.board = board
        self.agents = self.possible_agents[:]
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self._first_ply = board.ply
        self._settle()

    def step(self, action: int | None) -> None:
        """Take the action of the agent whose turn it is, 0 .. A - 1, its own point of view; None of a finished agent.

        Raises `IllegalMoveError` where `illegal_action` says so, and `MoveTextError` for what is no whole number.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        illegal = not self._take(action)
        self._cumulative_rewards[agent] = 0.0
        self._settle(illegal)
        if self.render_mode == "human":
            self._show()

    def _take(self, action: Any) -> bool:
        """Play the action and return True, or deal with an illegal one and return False."""
        try:
            self.board.push(action)
        except IllegalMoveError:
            if self.illegal_action == "terminate":
                return False
            move = f" ({move_of(action, self.board)})" if 0 <= action < NUM_ACTIONS else ""
            message = f"action: expected a legal action, got {action}{move} in {self.board.fen()!r}"
            raise IllegalMoveError(message) from None
        return True

    def _settle(self, illegal: bool = False) -> None:
        """Bring flags, rewards, infos and the turn to what the board says; illegal: the side to move has just lost."""
        now = self.board.fields
        side, ply, winner, termination = now.side, now.ply, now.winner, now.termination
        if illegal:
            winner, termination = 1 - side, int(Termination.ILLEGAL_ACTION)
        terminated = termination != 0
        cap = self.max_episode_plies
        truncated = not terminated and cap is not None and ply - self._first_ply >= cap
        white_reward = 0.0 if winner < 0 else 1.0 - 2.0 * winner
        white, black = AGENTS
        self._winner, self._termination = winner, termination
        self._over = terminated or truncated
        self.terminations = {white: terminated, black: terminated}
        self.truncations = {white: truncated, black: truncated}
        self.rewards = {white: white_reward, black: 0.0 - white_reward}
        info = {
            "ply": ply,
            "to_play": side,
            "count_kind": now.count_kind,
            "count_number": now.count_number,
            "count_limit": now.count_limit,
            "repetition": now.repetition,
            "termination": termination,
        }
        self.infos = {white: info, black: info.copy()}
        self.agent_selection = AGENTS[side]
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, in new arrays; at any time, also before the first reset and after the end."""
        planes, mask = self.board.look(_SIDE[agent])
        if self._over:
            mask[:] = 0
        return {"observation": planes, "action_mask": mask}

    def state(self) -> np.ndarray:
        """Return the whole game as White sees it, whoever is to move, [C, 8, 8] float32, in a new array."""
        return self.board.look(Colour.WHITE)[0]

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return an environment that goes its own way from here, sampling included: made to be cheap in a search."""
        other = type(self).__new__(type(self))
        state = other.__dict__
        state.update(self.__dict__)
        for name in _OWN:
            if name in state:
                state[name] = state[name].copy()
        state["board"], state["_face"] = self.board.copy(), self._face.copy()
        if "infos" in state:
            state["infos"] = {agent: info.copy() for agent, info in self.infos.items()}
        state["observation_spaces"] = {agent: copied(space) for agent, space in self.observation_spaces.items()}
        state["action_spaces"] = {agent: copied(space) for agent, space in self.action_spaces.items()}
        return other

    def render(self) -> str | np.ndarray | None:
        """Return the game as it stands, a text in the modes "ansi" and "svg", [H, W, 3] uint8 in "rgb_array".

        In the mode "human" it is shown in a window, after each reset and step also without this call, and None
        returned. Warns without a mode. Raises `MissingLibraryError` where a library for pictures is not installed.
        """
        if self.render_mode is None:
            modes = self.metadata["render_modes"]
            gymnasium.logger.warn(f"render: no render_mode was given; make the environment with one of {modes}.")
            return None
        return self._show()

    def _show(self) -> str | np.ndarray | None:
        outcome = None
        if self._termination:  # an illegal action ends a game that goes on for the board
            winner = None if self._winner < 0 else self._winner
            outcome = Outcome(winner, Termination(self._termination))
        cut_short = self.max_episode_plies if self._over and not self._termination else None
        return self._face.show(self.board, outcome, cut_short)

    def close(self) -> None:
        """Close the window, if there is one; may be called any number of times."""
        self._face.close()
