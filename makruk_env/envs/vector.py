"""Makruk as a native vector environment of Gymnasium: N episodes in step on the batch kernels. C planes, A actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike

from makruk_env.core import lanes as kernels
from makruk_env.core.random import new_streams
from makruk_env.envs import state
from makruk_env.envs.autoreset import AutoresetMode
from makruk_env.envs.lanes import Colour, Lanes, Settings, View
from makruk_env.envs.spaces import Observation, action_space, shaped_space, shown
from makruk_env.render.face import MODES, RENDER_SIZE
from makruk_env.rules import Rules

_NONE = np.empty(0, np.int64)


class _VectorEnv(VectorEnv[Any, Any, Any]):
    """What both vector environments share; see `VectorMakruk` and `VectorSelfPlay`."""

    closed = True
    """There is nothing to close until all is made: Gymnasium 1.0 closes also what its constructor refused."""

    def __init__(
        self,
        num_envs: int,
        lanes: Lanes,
        observation: Observation,
        autoreset_mode: AutoresetMode | str,
        reuse_buffers: bool,
        max_episode_steps: int | None,
    ) -> None:
        if max_episode_steps is not None and (type(max_episode_steps) is not int or max_episode_steps < 1):
            raise ValueError(f"max_episode_steps: expected None or at least 1, got {max_episode_steps!r}")
        self.num_envs = num_envs
        self.observation = observation
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": list(MODES), "render_fps": 2, "autoreset_mode": self.autoreset_mode}
        self.render_mode = lanes.settings.render_mode
        self.single_observation_space = shaped_space(observation)
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.lanes = lanes
        self.max_episode_steps = max_episode_steps
        self.reuse_buffers = reuse_buffers
        self._view = View.empty(num_envs)
        self._all = np.arange(num_envs)
        self._everyone = np.ones(num_envs, bool)
        self._everyone.flags.writeable = False  # handed out with each step
        self._steps = np.zeros(num_envs, np.int64)
        self._cut = np.zeros(num_envs, bool)  # by max_episode_steps
        self._seeded = False
        self._sampling = new_streams(0, num_envs)
        self.closed = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new episodes and return (observations, infos).

        seed: of lane i seed + i, or one for each lane; without one the lanes' chance goes on. options: `reset_mask`,
        [N] bool, the lanes that begin anew; `fen`, where these episodes start, a FEN or what else
        `makruk_env.starts.make_start` takes.
        """
        options = options or {}
        which = self._chosen(options.get("reset_mask"))
        if seed is not None or not self._seeded:
            super().reset(seed=None if seed is None else int(np.atleast_1d(seed)[0]))
            seeds = self._seeds(seed)
            self.lanes.seed(which, [seeds[lane] for lane in which])
            self._sampling[which] = [new_streams(seeds[lane], 2)[1] for lane in which]
            self._seeded = True
        self._steps[which] = 0
        self._cut[which] = False
        self.lanes.begin(which, options.get("fen"))
        observations, infos = self._look()
        return observations, {name: told for name, told in infos.items() if name[0] != "_"} | self._marks(infos, which)

    def _chosen(self, mask: Any) -> np.ndarray:
        if mask is None:
            return self._all
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != bool or not mask.any():
            raise ValueError(f"reset_mask: expected [{self.num_envs}] bool with a lane marked, got {mask!r}")
        return np.flatnonzero(mask)

    def _seeds(self, seed: int | Sequence[int] | None) -> list[int]:
        if seed is None:
            return [int(each) for each in self.np_random.integers(2**32, size=self.num_envs)]
        if isinstance(seed, int | np.integer):
            return [int(seed) + lane for lane in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"seed: expected one for each of {self.num_envs} lanes, got {len(seed)}")
        return [int(each) for each in seed]

    def step(self, actions: ArrayLike) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take one action in each lane, [N] integers, mover's view.

        Returns (observations, rewards [N] float64, terminated [N] bool, truncated [N] bool, infos). What follows the
        end of an episode is told by the autoreset mode. Raises `IllegalMoveError` where `illegal_action` says so, and
        `ValueError` for actions of another shape or type or, with the mode DISABLED, in a lane that has not been reset.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions: expected [{self.num_envs}] integers, got {chosen.dtype} of {chosen.shape}")
        done = self.lanes.over | self._cut
        acting, resting = self._all, _NONE
        if done.any():
            if self.autoreset_mode == AutoresetMode.DISABLED:
                raise ValueError(f"step: expected a reset of lanes {np.flatnonzero(done).tolist()} first")
            acting, resting = np.flatnonzero(~done), np.flatnonzero(done)
            chosen = chosen[acting]
        view = self._new_view()
        rewards = self.lanes.act(acting, chosen.astype(np.int64, copy=False), view)
        self._view = view
        self._steps[acting] += 1
        self._begin(resting)
        if self.max_episode_steps is not None:
            self._cut[acting] = ~self.lanes.over[acting] & (self._steps[acting] >= self.max_episode_steps)
        terminated, truncated = self.lanes.terminations != 0, self.lanes.truncated | self._cut
        final = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            ended = np.flatnonzero(terminated | truncated)
            final = self._final(ended)
            self._begin(ended)
        observations, infos = self._seen()
        return observations, rewards, terminated, truncated, infos | final

    def _begin(self, which: np.ndarray) -> None:
        if len(which):
            self._steps[which] = 0
            self._cut[which] = False
            self.lanes.begin(which)
            self.lanes.look(which, self._view)

    def _new_view(self) -> View:
        return self._view if self.reuse_buffers else View.empty(self.num_envs)

    def _look(self) -> tuple[Any, dict[str, Any]]:
        self._view = self._new_view()
        self.lanes.look(self._all, self._view)
        return self._seen()

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        """Return what the view holds as observations and infos."""
        infos: dict[str, Any] = self.lanes.facts(self._view)
        if self.observation != "dict":
            infos["action_mask"] = self._view.masks
        return shown(self.observation, self._view.planes, self._view.masks), infos | self._marks(infos, self._all)

    def _marks(self, infos: dict[str, Any], which: np.ndarray) -> dict[str, np.ndarray]:
        """Return the arrays that say which lanes an info speaks of."""
        mark = self._everyone
        if which is not self._all:
            mark = np.zeros(self.num_envs, bool)
            mark[which] = True
        return {f"_{name}": mark for name in infos if name[0] != "_"}

    def _final(self, ended: np.ndarray) -> dict[str, Any]:
        """Return the last observations and infos of the lanes whose episodes have just ended."""
        if not len(ended):
            return {}
        view = self._view
        observations = np.full(self.num_envs, None, object)
        for lane in ended:
            observations[lane] = shown(self.observation, view.planes[lane].copy(), view.masks[lane].copy())
        facts = self.lanes.facts(view)
        if self.observation != "dict":
            facts["action_mask"] = view.masks
        told: dict[str, Any] = {}
        for name, values in facts.items():
            told[name] = np.zeros_like(values)
            told[name][ended] = values[ended]
        final = {"final_obs": observations, "final_info": told | self._marks(told, ended)}
        return final | self._marks(final, ended)

    def action_masks(self) -> np.ndarray:
        """Return the legal masks of the last observations, [N, A] bool."""
        return self._view.masks.astype(bool)

    def sample_actions(self) -> np.ndarray:
        """Return a uniformly random legal action for each lane, [N] int64, from the lane's own stream."""
        actions = np.empty(self.num_envs, np.int64)
        games = self.lanes.games
        kernels.sample(self._sampling, games.moves, games.numbers, actions)
        return actions

    def render(self) -> tuple[Any, ...] | None:
        """Return the lanes' pictures, each as the single environment's `render` gives it; None without a mode."""
        if self.render_mode is None:
            return None
        return tuple(self.lanes.render(lane) for lane in range(self.num_envs))

    def close_extras(self, **_: Any) -> None:
        """Close the windows."""
        self.lanes.close()

    def get_state(self, lane: int | None = None) -> bytes:
        """Return the state of one lane, or of all: game, chance and episode, but not the seed of `np_random`."""
        return state.write(self.lanes, self._steps, self._sampling, self._all if lane is None else self._all[[lane]])

    def set_state(self, saved: bytes, lane: int | None = None) -> None:
        """Put one lane, or all, back to a state. Raises `StateError` for what is none, or one of other rules."""
        which = self._all if lane is None else self._all[[lane]]
        state.read(saved, self.lanes, self._steps, self._sampling, which)
        self._cut[which] = False
        self._seeded = True
        self._look()


class VectorMakruk(_VectorEnv):
    """`Makruk-v0` in N lanes: in each, one agent plays against an opponent; see `makruk_env.envs.solo.Makruk`.

    num_envs: N, the number of lanes; observation: "dict", "planes" or "flat"; autoreset_mode: NEXT_STEP, SAME_STEP or
    DISABLED, or its value as text; reuse_buffers: hand out the same arrays of planes and masks each time, overwritten
    by the next step: faster, for those who copy what they keep; max_episode_steps: truncates an episode after so many
    steps of the agent.

    `infos` holds what the single environment's does as arrays, each with its `_name` array of the lanes it speaks of.
    """

    def __init__(
        self,
        num_envs: int = 1,
        opponent: Any = "random",
        colour: Colour = "white",
        rules: str | Rules = "ttakji",
        start: str | None = None,
        observation: Observation = "dict",
        max_episode_plies: int | None = None,
        illegal_action: str = "terminate",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        reuse_buffers: bool = False,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        render_size: int = RENDER_SIZE,
    ) -> None:
        settings = Settings(rules, start, max_episode_plies, illegal_action, render_mode, render_size)  # type: ignore[arg-type]
        lanes = Lanes(num_envs, settings, opponent, colour)
        super().__init__(num_envs, lanes, observation, autoreset_mode, reuse_buffers, max_episode_steps)


class VectorSelfPlay(_VectorEnv):
    """`MakrukSelfPlay-v0` in N lanes: each step is one action of whoever is to move, told by `infos["to_play"]`.

    Arguments as in `VectorMakruk`; see `makruk_env.envs.solo.MakrukSelfPlay`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: str | Rules = "ttakji",
        start: str | None = None,
        observation: Observation = "dict",
        max_episode_plies: int | None = None,
        illegal_action: str = "terminate",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        reuse_buffers: bool = False,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        render_size: int = RENDER_SIZE,
    ) -> None:
        settings = Settings(rules, start, max_episode_plies, illegal_action, render_mode, render_size)  # type: ignore[arg-type]
        super().__init__(
            num_envs, Lanes(num_envs, settings), observation, autoreset_mode, reuse_buffers, max_episode_steps
        )
