"""The PettingZoo environment with the checks of PettingZoo's usual wrappers in the class itself.

OrderEnforcingWrapper and AssertOutOfBoundsWrapper give the same errors at several times the cost of a step, most of it
for attributes that are passed on. TerminateIllegalWrapper, the third of the usual ones, is left out for another reason:
it would catch an illegal action before `illegal_action` is asked, leave the opponent without his +1 and report a
truncation as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from pettingzoo.utils.env_logger import EnvLogger

from makruk_env.core.actions import NUM_ACTIONS
from makruk_env.envs.aec import Observation, raw_env

_AFTER_RESET = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos")


class env(raw_env):
    """A game of makruk between two agents; arguments and meaning are those of `raw_env`.

    Before the first reset its agents, rewards, flags and infos raise AttributeError, and observe, render, state, step
    and agent_iter what PettingZoo raises. An action outside the space raises AssertionError. A step after the last
    agent is gone only warns.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._has_reset = False
        self._has_updated = False
        for name in _AFTER_RESET:
            del self.__dict__[name]

    def __getattr__(self, name: str) -> Any:
        """Say why an attribute is not there."""
        if name in _AFTER_RESET or name == "num_agents":
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed, options)
        self._has_reset = self._has_updated = True

    def step(self, action: int | None) -> None:
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        if not (type(action) is int and 0 <= action < NUM_ACTIONS):
            agent = self.agent_selection
            finished = self.terminations[agent] or self.truncations[agent]
            inside = finished if action is None else self.action_space(agent).contains(action)
            assert inside, "action is not in action space"
        super().step(action)

    def observe(self, agent: str) -> Observation:
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def state(self) -> np.ndarray:
        if not self._has_reset:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> Any:
        if not self._has_reset:
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:  # type: ignore[override]  # an iterator will do
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return self._turns(max_iter)

    def _turns(self, max_iter: int) -> Iterator[str]:
        for _ in range(max_iter):
            if not self.agents:
                return
            assert self._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            self._has_updated = False
            yield self.agent_selection
