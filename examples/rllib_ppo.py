"""PPO by self-play with RLlib: `PettingZooEnv` and RLlib's own module that masks actions.

That module asks for observations named "observations" and "action_mask", the mask as floats; `ForRLlib` names them so.
One policy plays both sides.
"""

import os
import time
from typing import Any

import gymnasium
import numpy as np
import ray
import torch
from arena import RULES, TrainingStarts, arguments, report, score
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from makruk_env import NUM_ACTIONS, makruk_v0

WIDTH = 128


class ForRLlib(BaseWrapper):
    """Names planes, flat, and mask as RLlib's masking module asks for them."""

    def __init__(self, env: AECEnv) -> None:
        super().__init__(env)
        planes = env.observation_space("player_0")["observation"]
        mask = gymnasium.spaces.Box(0, 1, (NUM_ACTIONS,), np.float32)
        space = {"observations": gymnasium.spaces.flatten_space(planes), "action_mask": mask}
        self._spaces = {agent: gymnasium.spaces.Dict(space) for agent in env.possible_agents}

    def observation_space(self, agent: str) -> gymnasium.Space:
        return self._spaces[agent]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return renamed(super().observe(agent))


def renamed(seen: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return planes [..., C, 8, 8] and masks [..., A] as RLlib's masking module asks for them."""
    planes, masks = seen["observation"], seen["action_mask"]
    return {"observations": planes.reshape(*planes.shape[:-3], -1), "action_mask": masks.astype(np.float32)}


def make(config: dict[str, Any]) -> PettingZooEnv:
    """Return one environment as RLlib takes it."""
    return PettingZooEnv(ForRLlib(TrainingStarts(makruk_v0.env(rules=RULES), config["seed"])))


def main() -> None:
    """Train, and tell the score before and after."""
    args = arguments(__doc__)
    torch.set_num_threads(1)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
    register_env("makruk", make)
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"head_fcnet_hiddens": [], "fcnet_hiddens": [WIDTH, WIDTH], "vf_share_layers": True},
    )
    algorithm = (
        PPOConfig()
        .environment("makruk", env_config={"seed": args.seed})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
        .multi_agent(policies={"both"}, policy_mapping_fn=lambda agent, episode, **_: "both")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"both": module}))
        .training(
            train_batch_size_per_learner=512,
            minibatch_size=256,
            num_epochs=4,
            lr=1e-3,
            gamma=0.95,
            lambda_=0.9,
            entropy_coeff=0.02,
            vf_loss_coeff=0.5,
            grad_clip=0.5,
            use_kl_loss=False,
        )
        .debugging(seed=args.seed, log_level="ERROR")
        .build_algo()
    )

    @torch.no_grad()
    def play(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        seen = {
            key: torch.from_numpy(part) for key, part in renamed({"observation": planes, "action_mask": masks}).items()
        }
        logits = algorithm.get_module("both").forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
        return torch.distributions.Categorical(logits=logits).sample().numpy()

    before = score(play, args.games, args.seed)
    plies, end = 0, time.monotonic() + args.seconds
    while time.monotonic() < end:
        plies = algorithm.train()["num_env_steps_sampled_lifetime"]
    print(f"trained on {plies:.0f} plies")
    report(before, score(play, args.games, args.seed), args.games)
    ray.shutdown()


if __name__ == "__main__":
    main()
