"""What the examples share: a small task, and the score of a policy against the agent `random`.

The task is a race. Each side has its khun and two ruea, and whoever first cuts off the other khun with one ruea and
checks with the other gives mate. Random play nearly always draws; two minutes of training suffice to win. Training
begins half of its games one move before that mate, so that there is something to learn from at once; matches begin
at the race itself.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper

from makruk_env import Board

RULES = "ttakji:board_count=off,max_plies=40"
"""Short games, and no declarations about a count, so that the turn passes with every action."""
RACE = "4k1r1/8/R7/8/8/7r/8/1R1K4 w - - 0 1"
NEARLY_WON = "4k1r1/R7/8/8/8/8/7r/1R1K4 w - - 0 1"
MOST_RANDOM_PLIES = 8

Policy = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""A function of planes [G, C, 8, 8] float32 and masks [G, A] int8, the mover's view, that returns actions [G]."""


def arguments(description: str | None) -> argparse.Namespace:
    """Return what the command line says: `seconds` of training, `seed`, and `games` of a match with each colour."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120, help="of training, matches not counted (120)")
    parser.add_argument("--seed", type=int, default=0, help="of networks, starts and matches (0)")
    parser.add_argument("--games", type=int, default=100, help="of each match with each colour (100)")
    return parser.parse_args()


def training_start(rng: np.random.Generator, most_plies: int = MOST_RANDOM_PLIES) -> str:
    """Return a FEN to train from: one of the two positions after up to so many random plies."""
    while True:
        board = Board(RACE if rng.random() < 0.5 else NEARLY_WON, RULES)
        for _ in range(rng.integers(most_plies + 1)):
            if not board.outcome:
                board.push(int(rng.choice(board.legal_actions())))
        if not board.outcome:
            return board.fen()


class TrainingStarts(BaseWrapper):
    """A PettingZoo environment whose episodes begin where `training_start` says."""

    def __init__(self, env: AECEnv, seed: int, most_plies: int = MOST_RANDOM_PLIES) -> None:
        super().__init__(env)
        self._most_plies = most_plies
        self._rng = np.random.default_rng(seed)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        super().reset(seed, {"fen": training_start(self._rng, self._most_plies), **(options or {})})


def score(policy: Policy, games: int, seed: int) -> float:
    """Return the points per game of a policy against `random`, in so many games with each colour.

    A win is 1, a draw 1/2. The policy is asked for all games at once.
    """
    points = 0.0
    for colour in ("white", "black"):
        env = gymnasium.make_vec(
            "makruk_env:Makruk-v0", games, opponent="random", colour=colour, rules=RULES, start=RACE
        )
        seen, _ = env.reset(seed=seed)
        going = np.ones(games, bool)
        while going.any():
            actions = np.zeros(games, np.int64)  # those of ended games are not looked at
            actions[going] = policy(seen["observation"][going], seen["action_mask"][going])
            seen, rewards, terminated, truncated, _ = env.step(actions)
            ending = going & (terminated | truncated)
            points += float((rewards[ending] + 1).sum()) / 2
            going &= ~ending
    return points / (2 * games)


def report(before: float, after: float, games: int) -> None:
    """Print the two lines with which every example ends; games: of each match with each colour."""
    print(f"score against random before: {before:.2f} ({2 * games} games)")
    print(f"score against random after: {after:.2f} ({2 * games} games)")
