"""MaskablePPO of sb3-contrib on the Gymnasium environment `Makruk-v0`: one agent against the agent `random`.

The environment's own `action_masks()` is what MaskablePPO asks for; the observation is the flat one, so that the plain
"MlpPolicy" does. The agent is White or Black by chance.
"""

import time
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import torch
from arena import RULES, arguments, report, score, training_start
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

ENVS = 8
WIDTH = 128


class TrainingStarts(gymnasium.Wrapper):
    """Begins each episode where `training_start` says."""

    def __init__(self, env: gymnasium.Env, seed: int) -> None:
        super().__init__(env)
        self._rng = np.random.default_rng(seed)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        return super().reset(seed=seed, options={"fen": training_start(self._rng), **(options or {})})


class Deadline(BaseCallback):
    """Stops the training in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._end = time.monotonic() + seconds

    def _on_step(self) -> bool:
        return time.monotonic() < self._end


def make(seed: int) -> gymnasium.Env:
    """Return one environment."""
    env = gymnasium.make("makruk_env:Makruk-v0", opponent="random", colour="random", rules=RULES, observation="flat")
    return TrainingStarts(env, seed)


def main() -> None:
    """Train, and tell the score before and after."""
    args = arguments(__doc__)
    torch.set_num_threads(1)
    seeds = [args.seed * ENVS + each for each in range(ENVS)]
    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([partial(make, seed) for seed in seeds]),
        learning_rate=1e-3,
        n_steps=64,
        batch_size=256,
        n_epochs=4,
        gamma=0.95,
        gae_lambda=0.9,
        ent_coef=0.02,
        policy_kwargs={"net_arch": [WIDTH, WIDTH]},
        seed=args.seed,
        device="cpu",
    )

    def play(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        actions, _ = model.predict(planes.reshape(len(planes), -1), action_masks=masks)
        return actions

    before = score(play, args.games, args.seed)
    model.learn(10**9, Deadline(args.seconds))
    print(f"trained on {model.num_timesteps} moves of the agent")
    report(before, score(play, args.games, args.seed), args.games)


if __name__ == "__main__":
    main()
