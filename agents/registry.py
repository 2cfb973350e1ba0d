"""Agents by name: any agent is a text that anyone can type, `name` or `name:setting=value,setting=value`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from agents.alphabeta import AlphaBeta
from agents.base import Agent
from agents.baselines import LEVELS
from agents.errors import AgentError
from agents.greedy import Greedy
from agents.mcts import Mcts
from agents.random import Random
from agents.uci import Uci

AGENTS: dict[str, type[Any]] = {agent.name: agent for agent in (Random, Greedy, AlphaBeta, Mcts, Uci)}


def _read_bool(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


_READERS: dict[str, Callable[[str], object]] = {"int": int, "float": float, "str": str, "bool": _read_bool}


def make(spec: str) -> Agent:
    """Return the agent of a text like `random`, `alphabeta:depth=3` or `mcts:checkpoint=runs/quick,simulations=200`.

    `easy`, `normal` and `hard` stand for the agents that `agents.baselines.LEVELS` tells.

    Raises `AgentError` for an unknown agent or setting and for a value that does not fit; `CheckpointError` where a
    checkpoint cannot be loaded comes with the first move.
    """
    name, _, text = LEVELS.get(spec, spec).partition(":")
    if name not in AGENTS:
        raise AgentError(f"agent: expected one of {(*AGENTS, *LEVELS)}, got {spec!r}")
    known = {field.name: str(field.type).removesuffix(" | None") for field in fields(AGENTS[name])}
    settings: dict[str, object] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if key not in known or not equals:
            raise AgentError(f"agent {name}: expected settings of {sorted(known)} as setting=value, got {part!r}")
        try:
            settings[key] = _READERS[known[key]](value)
        except ValueError:
            raise AgentError(f"agent {name}: expected {key} to be {known[key]}, got {value!r}") from None
    agent: Agent = AGENTS[name](**settings)
    return agent
