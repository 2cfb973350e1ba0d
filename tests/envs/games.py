"""Positions, short games and looks at an environment, for the tests of the PettingZoo face."""

import copy
import importlib.util
import random
from collections.abc import Callable
from typing import Any

import pytest
from pettingzoo import AECEnv

from makruk_env import Move, makruk_v0

Env = AECEnv[str, Any, Any]

START = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"
BLACK_BEGINS = START.replace(" w ", " b ")
WHITE_MATES = "k7/8/1K6/8/8/8/8/M6R w - - 0 1"
"""White mates with h1h8."""
BLACK_MATES = "r6m/8/8/8/8/6k1/8/7K b - - 0 1"
"""Black mates with a8a1."""
BARED_AT_ONCE = "7k/8/8/8/8/8/r7/K7 w - - 0 1"
"""White takes the last man with a1a2 and draws."""
OPEN_BOARD = "3k4/2m5/8/8/3KS3/4R3/8/8 w - - 0 40"
"""No bia is left: either side may declare a board count."""
FACES: list[Callable[..., Env]] = [makruk_v0.env, makruk_v0.raw_env]
"""The environment under PettingZoo's wrappers, and bare."""
with_pictures = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("PIL", "pygame", "resvg_py"))),
    reason='pictures need pillow, pygame-ce and resvg_py: pip install -c constraints.txt -e ".[render]"',
)
"""Marks a test that draws pixels."""


def started(make: Callable[..., Env] = makruk_v0.env, **arguments: Any) -> Env:
    """Return a new environment after its first reset."""
    env = make(**arguments)
    env.reset()
    return env


def play(env: Env, *texts: str) -> None:
    """Step through moves given as UCI texts."""
    for text in texts:
        env.step(env.unwrapped.board.action(Move.from_uci(text)))


def play_randomly(env: Env, draw: random.Random, plies: int) -> None:
    """Take up to `plies` legal actions, fewer where the game ends."""
    for _ in range(plies):
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            break
        env.step(draw.choice(env.unwrapped.board.legal_actions()))


def last_words(env: Env) -> dict[str, tuple[Any, ...]]:
    """Take the last steps of a finished game; return what `last()` told each agent before its own."""
    words = {}
    for agent in env.agent_iter():
        words[agent] = env.last()
        env.step(None)
    return words


def other(agent: str) -> str:
    """Return the opponent of an agent."""
    return "player_1" if agent == "player_0" else "player_0"


def told(env: Env) -> tuple[Any, ...]:
    """Return everything that an environment shows."""
    seen = {agent: env.observe(agent) for agent in env.possible_agents}
    flags = env.rewards, env.terminations, env.truncations, env.infos
    return seen, *copy.deepcopy(flags), env.agent_selection, env.agents[:], env.last()
