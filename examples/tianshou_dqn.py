"""DQN by self-play with Tianshou 2: `PettingZooEnv` around the PettingZoo environment.

One DQN is given to both agents. Tianshou's buffer holds the plies of both in turn, so the position two plies on is the
next in which the same agent is to move: hence the horizon of two, over which rewards are the agent's own. With an odd
one the agent would be credited with its opponent's best move.
"""

import logging
import time
from functools import partial

import numpy as np
import torch
from arena import RULES, TrainingStarts, arguments, report, score
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step, torch_train_mode

from makruk_env import NUM_ACTIONS, NUM_PLANES, makruk_v0

ENVS = 16
BUFFER = 20_000
PLIES_PER_ROUND = 64
UPDATES_PER_ROUND = 8
BATCH = 256
WIDTH = 128
LEARNING_RATE = 1e-3
GAMMA = 0.95
EXPLORATION = 0.1


def make(seed: int) -> PettingZooEnv:
    """Return one environment as Tianshou takes it."""
    return PettingZooEnv(TrainingStarts(makruk_v0.env(rules=RULES), seed))


def main() -> None:
    """Train, and tell the score before and after."""
    args = arguments(__doc__)
    logging.getLogger("tianshou").setLevel(logging.ERROR)  # it warns of rewards that are one for each agent
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)
    envs = DummyVectorEnv([partial(make, args.seed * ENVS + each) for each in range(ENVS)])
    env = make(args.seed)
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=(NUM_PLANES, 8, 8), action_shape=NUM_ACTIONS, hidden_sizes=[WIDTH, WIDTH]),
        action_space=env.action_space,
        # A multi-agent policy does not tell its parts that they are in training, so this is the one that counts.
        eps_inference=EXPLORATION,
    )
    dqn = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=LEARNING_RATE),
        gamma=GAMMA,
        n_step_return_horizon=2,
        target_update_freq=100,
    )
    both = MultiAgentOffPolicyAlgorithm(algorithms=[dqn, dqn], env=env)
    collector = Collector(both, envs, VectorReplayBuffer(BUFFER, ENVS, ignore_obs_next=True), exploration_noise=True)

    @torch.no_grad()
    def play(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return policy(Batch(obs=Batch(obs=planes, mask=masks), info=[None] * len(planes))).act

    before = score(play, args.games, args.seed)
    collector.reset()
    end = time.monotonic() + args.seconds
    while time.monotonic() < end:
        with policy_within_training_step(both.policy):
            collector.collect(n_step=PLIES_PER_ROUND)
            with torch_train_mode(both.policy):
                for _ in range(UPDATES_PER_ROUND):
                    both.update(collector.buffer, BATCH)
    print(f"trained on {collector.collect_step} plies")
    report(before, score(play, args.games, args.seed), args.games)


if __name__ == "__main__":
    main()
