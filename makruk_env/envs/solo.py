"""Makruk as Gymnasium environments for one learner: against an opponent, or playing both sides. C planes, A actions.

An episode of either is a vector environment of one lane, so that one and many cannot differ.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import ArrayLike

from makruk_env.core.random import new_streams
from makruk_env.envs import state
from makruk_env.envs.lanes import Colour, Lanes, Settings, View
from makruk_env.envs.spaces import Observation, action_space, shaped_space, shown
from makruk_env.errors import MoveTextError
from makruk_env.render.face import MODES, RENDER_SIZE
from makruk_env.rules import Rules

_LANE = np.zeros(1, np.int64)


class _Solo(gymnasium.Env[Any, Any]):
    """What both environments share; see `Makruk` and `MakrukSelfPlay`."""

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(self, lanes: Lanes, observation: Observation) -> None:
        self.lanes = lanes
        self.observation = observation
        self.observation_space = shaped_space(observation)
        self.action_space = action_space()
        self._view = View.empty(1)
        self._seeded = False
        self._steps = np.zeros(1, np.int64)
        self._sampling = new_streams(0, 1)
        self.render_mode = lanes.settings.render_mode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new episode and return (observation, info).

        seed: of all chance in the episodes from here on; without one it goes on. options: `fen`, where this episode
        starts, a FEN or what else `makruk_env.starts.make_start` takes.
        """
        super().reset(seed=seed)
        if seed is not None or not self._seeded:
            chosen = int(self.np_random.integers(2**32)) if seed is None else seed
            self.lanes.seed(_LANE, [chosen])
            self._sampling = new_streams(chosen, 2)[1:]
            self._seeded = True
        self._steps[:] = 0
        self.lanes.begin(_LANE, (options or {}).get("fen"))
        if self.render_mode == "human":
            self.lanes.render(0)
        return self._look()

    def step(self, action: ArrayLike) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action, 0 .. A - 1, mover's view, and return (observation, reward, terminated, truncated, info).

        Raises `IllegalMoveError` where `illegal_action` says so, `MoveTextError` for what is no whole number, and
        `ResetNeeded` before the first reset and in an episode that is over.
        """
        number = np.asarray(action)
        if number.shape != () or number.dtype.kind not in "iu":
            raise MoveTextError(f"action: expected a whole number, got {action!r}")
        if not self._seeded or self.lanes.over[0]:
            raise gymnasium.error.ResetNeeded("step: expected a reset first")
        self._view = View.empty(1)
        reward = float(self.lanes.act(_LANE, number.reshape(1).astype(np.int64), self._view)[0])
        self._steps += 1
        if self.render_mode == "human":
            self.lanes.render(0)
        observation, info = self._seen()
        return observation, reward, bool(self.lanes.terminations[0]), bool(self.lanes.truncated[0]), info

    def _look(self) -> tuple[Any, dict[str, Any]]:
        self._view = View.empty(1)
        self.lanes.look(_LANE, self._view)
        return self._seen()

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        """Return what the view holds as observation and info."""
        view = self._view
        info: dict[str, Any] = {name: int(told[0]) for name, told in self.lanes.facts(view).items()}
        if self.observation != "dict":
            info["action_mask"] = view.masks[0]
        return shown(self.observation, view.planes[0], view.masks[0]), info

    def action_masks(self) -> np.ndarray:
        """Return the legal mask of the last observation, [A] bool, as sb3-contrib's MaskablePPO asks for it."""
        return np.asarray(self._view.masks[0], bool)

    def render(self) -> Any:
        """Return the game as it stands: a text in the modes "ansi" and "svg", [H, W, 3] uint8 in "rgb_array".

        In the mode "human" it is shown in a window, after each reset and step also without this call. Warns without a
        mode. Raises `MissingLibraryError` where a library for pictures is not installed.
        """
        if self.render_mode is None:
            gymnasium.logger.warn(f"render: no render_mode was given; make the environment with one of {list(MODES)}.")
        return self.lanes.render(0)

    def close(self) -> None:
        """Close the window, if there is one; may be called any number of times."""
        self.lanes.close()

    def fen(self) -> str:
        """Return the game as a FEN."""
        return self.lanes.fen(0)

    def get_state(self) -> bytes:
        """Return the state of the episode and of its chance, also for a lane of the vector environment."""
        return state.write(self.lanes, self._steps, self._sampling, _LANE)

    def set_state(self, saved: bytes) -> None:
        """Put the episode back to a state. Raises `StateError` for what is none, or one of other rules."""
        state.read(saved, self.lanes, self._steps, self._sampling, _LANE)
        self._seeded = True
        self._look()


class Makruk(_Solo):
    """`Makruk-v0`: one agent plays a game of makruk against an opponent.

    opponent: an agent's name such as "random" or "alphabeta:depth=2", an agent, or a function of planes [M, C, 8, 8]
    and masks [M, A] that returns actions [M]. colour: the agent's, "white", "black", "alternate" from episode to
    episode, or "random". rules: a preset's name or a `Rules`. start: None for the usual array, or what
    `makruk_env.starts.make_start` takes: a FEN, "opening:4-12", "ending", "KRM v K". observation: "dict", "planes" or
    "flat". max_episode_plies: truncates an episode after so many moves of both sides. illegal_action: "terminate", the
    agent loses, or "raise". render_mode: None, "ansi", "human", "rgb_array" or "svg"; render_size: of pictures, in
    pixels.

    An observation is always the agent's view of a position in which it is to move, or of the last one. The reward is
    +1 or -1 when the game is won or lost, whoever ended it, else 0. COUNT_START and COUNT_STOP leave the turn with the
    agent. Infos are whole numbers: `ply`, `to_play`, `count_kind`, `count_number`, `count_limit`, `repetition`,
    `termination` (0 or a `Termination`) and `colour`, 0 White or 1 Black; without the dictionary also `action_mask`.
    """

    def __init__(
        self,
        opponent: Any = "random",
        colour: Colour = "white",
        rules: str | Rules = "ttakji",
        start: str | None = None,
        observation: Observation = "dict",
        max_episode_plies: int | None = None,
        illegal_action: str = "terminate",
        render_mode: str | None = None,
        render_size: int = RENDER_SIZE,
    ) -> None:
        settings = Settings(rules, start, max_episode_plies, illegal_action, render_mode, render_size)  # type: ignore[arg-type]
        super().__init__(Lanes(1, settings, opponent, colour), observation)


class MakrukSelfPlay(_Solo):
    """`MakrukSelfPlay-v0`: each step is one action of whoever is to move, told by `info["to_play"]`, 0 or 1.

    Arguments as in `Makruk`. An observation is the view of the side to move; the reward is that of the side that has
    just acted: +1 if its action won, -1 if it lost (by stalemate or an illegal action), else 0.
    """

    def __init__(
        self,
        rules: str | Rules = "ttakji",
        start: str | None = None,
        observation: Observation = "dict",
        max_episode_plies: int | None = None,
        illegal_action: str = "terminate",
        render_mode: str | None = None,
        render_size: int = RENDER_SIZE,
    ) -> None:
        settings = Settings(rules, start, max_episode_plies, illegal_action, render_mode, render_size)  # type: ignore[arg-type]
        super().__init__(Lanes(1, settings), observation)
