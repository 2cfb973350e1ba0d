"""PPO by self-play with TorchRL: `PettingZooWrapper(use_mask=True)` around the PettingZoo environment.

TorchRL tells what both agents see after every step, whoever acted; "mask" says who is to act. One network plays both
sides. What PPO learns from are each agent's own turns, strung together by `own_turns`.
"""

import time

import numpy as np
import torch
from arena import RULES, TrainingStarts, arguments, report, score
from tensordict import TensorDict
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import MarlGroupMapType, PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value.functional import generalized_advantage_estimate

from makruk_env import NUM_ACTIONS, NUM_PLANES, makruk_v0

WIDTH = 128
FRAMES = 512
EPOCHS = 4
MINIBATCH = 256
LEARNING_RATE = 1e-3
GAMMA = 0.97
LAMBDA = 0.9

SEEN = ("agents", "observation", "observation")


def own_turns(data: TensorDict, agent: int) -> TensorDict:
    """Return one agent's turns of a batch [T] with what came of each: reward, next value and end of the game."""
    acts = data["agents", "mask"][:, agent]
    ended = data["next", "done"].squeeze(-1)
    game = ended.cumsum(0) - ended.long()
    turns = data["agents"][acts][:, agent].select("observation", "action_mask", "action", "action_log_prob", "value")
    rewards = torch.zeros(len(turns), 1)
    done = torch.zeros(len(turns), 1, dtype=torch.bool)
    latest = acts.cumsum(0) - 1  # each row's latest turn of the agent; what follows in the same game came of it
    for row in ended.nonzero().squeeze(-1).tolist():
        turn = int(latest[row])
        if turn >= 0 and game[acts][turn] == game[row]:
            rewards[turn] = data["next", "agents", "reward"][row, agent]
            done[turn] = True
    kept = len(turns) if done[-1] else len(turns) - 1  # what came of the last one is not known yet
    values = torch.cat([turns["value"], torch.zeros(1, 1)])
    turns = turns[:kept]
    turns["advantage"], turns["value_target"] = generalized_advantage_estimate(
        GAMMA, LAMBDA, values[:kept], values[1 : kept + 1], rewards[:kept], done[:kept]
    )
    return turns


def main() -> None:
    """Train, and tell the score before and after."""
    args = arguments(__doc__)
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    body = nn.Sequential(
        nn.Flatten(-3), nn.Linear(NUM_PLANES * 64, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU()
    )
    policy_head, value_head = nn.Linear(WIDTH, NUM_ACTIONS), nn.Linear(WIDTH, 1)
    nn.init.orthogonal_(policy_head.weight, 0.01)

    # Some 20,000 plies are what there is time for: too few for PPO to learn from starts as varied as the others use.
    wrapped = TrainingStarts(makruk_v0.env(rules=RULES), args.seed, most_plies=2)
    env = PettingZooWrapper(wrapped, use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP)
    features = TensorDictModule(body, [SEEN], [("agents", "features")])
    critic_head = TensorDictModule(value_head, [("agents", "features")], [("agents", "value")])
    actor = ProbabilisticActor(
        TensorDictSequential(features, TensorDictModule(policy_head, [("agents", "features")], [("agents", "logits")])),
        spec=env.action_spec,
        in_keys={"logits": ("agents", "logits"), "mask": ("agents", "action_mask")},
        out_keys=[("agents", "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=("agents", "action_log_prob"),
    )
    critic = TensorDictSequential(features, critic_head)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.02, critic_coeff=0.5, normalize_advantage=True)
    loss.set_keys(action=("agents", "action"), sample_log_prob=("agents", "action_log_prob"), value=("agents", "value"))
    optimizer = torch.optim.Adam(loss.parameters(), LEARNING_RATE)

    @torch.no_grad()
    def play(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        logits = policy_head(body(torch.from_numpy(planes)))
        return MaskedCategorical(logits, mask=torch.from_numpy(masks).bool()).sample().numpy()

    before = score(play, args.games, args.seed)
    end = time.monotonic() + args.seconds
    frames = 0
    for data in Collector(env, TensorDictSequential(actor, critic_head), frames_per_batch=FRAMES):
        turns = torch.cat([own_turns(data, agent) for agent in (0, 1)])
        batch = TensorDict({"agents": turns, **turns.select("advantage", "value_target")}, len(turns))
        for _ in range(EPOCHS):
            for rows in torch.randperm(len(batch)).split(MINIBATCH):
                losses = loss(batch[rows])
                optimizer.zero_grad()
                sum(losses[name] for name in ("loss_objective", "loss_critic", "loss_entropy")).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        frames += FRAMES
        if time.monotonic() > end:
            break
    print(f"trained on {frames} plies")
    report(before, score(play, args.games, args.seed), args.games)


if __name__ == "__main__":
    main()
