"""PPO by self-play with AgileRL: a hand loop over PettingZoo's `agent_iter` and `last`.

One agent plays both sides. What came of a turn is told when the same side is next to act, or has lost or won: `last`
gives its reward since then. The turns of White and of Black go to the rollout buffer one side after the other.
"""

import time
from typing import Any

import numpy as np
import torch
from agilerl.algorithms.ppo import PPO
from arena import RULES, TrainingStarts, arguments, report, score
from gymnasium.spaces import flatten_space
from pettingzoo import AECEnv

from makruk_env import makruk_v0

TURNS = 512
LONGEST_GAME = 40
WIDTH = 128


def play_game(env: AECEnv, ppo: PPO) -> int:
    """Play one game, put its turns into the rollout buffer and return how many they are."""
    turns: dict[str, list[dict[str, Any]]] = {agent: [] for agent in env.possible_agents}
    env.reset()
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        if turns[agent]:
            turns[agent][-1]["reward"] = reward
        if terminated or truncated:
            env.step(None)
            continue
        planes, mask = seen["observation"].reshape(1, -1), seen["action_mask"][None]
        action, log_prob, _, value = ppo.get_action(planes, action_mask=mask)
        # AgileRL takes the flag of a turn for that of a game which ended before it, so it marks the first ones.
        first = not turns[agent]
        turns[agent].append(
            {"obs": planes, "action": action, "done": first, "value": value, "log_prob": log_prob, "action_mask": mask}
        )
        env.step(int(action[0]))
    for turn in (*turns["player_0"], *turns["player_1"]):
        ppo.rollout_buffer.add(**turn)
    return len(turns["player_0"]) + len(turns["player_1"])


def main() -> None:
    """Train, and tell the score before and after."""
    args = arguments(__doc__)
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)
    env = TrainingStarts(makruk_v0.env(rules=RULES), args.seed)
    ppo = PPO(
        flatten_space(env.observation_space("player_0")["observation"]),
        env.action_space("player_0"),
        net_config={
            "latent_dim": WIDTH,
            "encoder_config": {"hidden_size": [WIDTH]},
            "head_config": {"hidden_size": [WIDTH]},
        },
        learn_step=TURNS + LONGEST_GAME,  # the room of the rollout buffer
        batch_size=256,
        update_epochs=4,
        lr=1e-3,
        gamma=0.95,
        gae_lambda=0.9,
        ent_coef=0.02,
    )

    def play(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return ppo.get_action(planes.reshape(len(planes), -1), action_mask=masks)[0]

    before = score(play, args.games, args.seed)
    plies, end = 0, time.monotonic() + args.seconds
    while time.monotonic() < end:
        plies += play_game(env, ppo)
        if ppo.rollout_buffer.size() >= TURNS:
            ppo.rollout_buffer.compute_returns_and_advantages(last_value=np.zeros(1), last_done=np.ones(1))
            ppo.learn()
            ppo.rollout_buffer.reset()
    print(f"trained on {plies} plies")
    report(before, score(play, args.games, args.seed), args.games)


if __name__ == "__main__":
    main()
