"""PPO by self-play in one file, in the manner of CleanRL, on the native vector environment `MakrukSelfPlay-v0`.

Each step of a lane is one ply of whoever is to move, and both sides are the same network. A position's value to the
side to move is minus its value to the other side, hence the sign in the advantages.
"""

import time

import gymnasium
import numpy as np
import torch
from arena import RULES, arguments, report, score, training_start
from gymnasium.vector import AutoresetMode
from torch import nn
from torch.distributions import Categorical

from makruk_env import NUM_ACTIONS, NUM_PLANES

ENVS = 256
STEPS = 8
EPOCHS = 4
MINIBATCH = 512
LEARNING_RATE = 1e-3
GAMMA = 0.97
LAMBDA = 0.9
CLIP = 0.2
ENTROPY = 0.02
WIDTH = 128


class Network(nn.Module):
    """Policy and value of planes [B, C, 8, 8] for the side to move."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Flatten(), nn.Linear(NUM_PLANES * 64, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU()
        )
        self.policy = nn.Linear(WIDTH, NUM_ACTIONS)
        self.value = nn.Linear(WIDTH, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, planes: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Return the distribution over legal actions and the values, [B]."""
        features = self.body(planes)
        logits = self.policy(features).masked_fill(masks == 0, -1e9)
        return Categorical(logits=logits), self.value(features).squeeze(-1)


class Lanes:
    """The environment's lanes, of which the ended ones begin anew at a start drawn for them."""

    def __init__(self, seed: int) -> None:
        self.env = gymnasium.make_vec(
            "makruk_env:MakrukSelfPlay-v0", ENVS, rules=RULES, autoreset_mode=AutoresetMode.DISABLED
        )
        self._rng = np.random.default_rng(seed)
        seen, infos = self.env.reset(seed=seed, options={"fen": training_start(self._rng)})
        self._keep(seen, infos)

    def _keep(self, seen: dict[str, np.ndarray], infos: dict[str, np.ndarray]) -> None:
        self.planes = torch.from_numpy(seen["observation"])
        self.masks = torch.from_numpy(seen["action_mask"])
        self.to_play = torch.from_numpy(infos["to_play"])

    def step(self, actions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Take a ply in each lane and return rewards [N] float32, of those who acted, and ends [N] bool."""
        seen, rewards, terminated, truncated, infos = self.env.step(actions.numpy())
        ended = terminated | truncated
        if ended.any():
            seen, infos = self.env.reset(options={"reset_mask": ended, "fen": training_start(self._rng)})
        self._keep(seen, infos)
        return torch.from_numpy(rewards).float(), torch.from_numpy(ended)


@torch.no_grad()
def rollout(lanes: Lanes, network: Network) -> list[torch.Tensor]:
    """Play STEPS plies in each lane; return planes, masks, actions, log-probabilities, advantages and returns, [B]."""
    rows, values, rewards, signs = [], [], [], []
    for _ in range(STEPS):
        planes, masks, mover = lanes.planes, lanes.masks, lanes.to_play
        policy, value = network(planes, masks)
        actions = policy.sample()
        reward, ended = lanes.step(actions)
        rows.append((planes, masks, actions, policy.log_prob(actions)))
        values.append(value)
        rewards.append(reward)
        signs.append(torch.where(lanes.to_play == mover, 1, -1) * ~ended)
    values.append(network(lanes.planes, lanes.masks)[1])
    advantages: list[torch.Tensor] = []
    latest = torch.zeros(ENVS)
    for t in reversed(range(STEPS)):
        latest = rewards[t] - values[t] + GAMMA * signs[t] * (values[t + 1] + LAMBDA * latest)
        advantages.insert(0, latest)
    returns = [advantage + value for advantage, value in zip(advantages, values, strict=False)]
    return [torch.cat(part) for part in (*zip(*rows, strict=True), advantages, returns)]


def main() -> None:
    """Train, and tell the score before and after."""
    args = arguments(__doc__)
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    network = Network()
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE)

    @torch.no_grad()
    def play(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        policy, _ = network(torch.from_numpy(planes), torch.from_numpy(masks))
        return policy.sample().numpy()

    before = score(play, args.games, args.seed)
    lanes = Lanes(args.seed)
    plies, end = 0, time.monotonic() + args.seconds
    while time.monotonic() < end:
        batch = rollout(lanes, network)
        for _ in range(EPOCHS):
            for rows in torch.randperm(len(batch[0])).split(MINIBATCH):
                planes, masks, actions, log_probs, advantages, returns = (part[rows] for part in batch)
                policy, value = network(planes, masks)
                advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
                ratio = (policy.log_prob(actions) - log_probs).exp()
                gain = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
                loss = -gain + 0.5 * (value - returns).square().mean() - ENTROPY * policy.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                optimizer.step()
        plies += ENVS * STEPS
    print(f"trained on {plies} plies")
    report(before, score(play, args.games, args.seed), args.games)


if __name__ == "__main__":
    main()
