"""Whatever picks a move, by name: `agents.make("alphabeta:depth=2")`."""

from agents.base import Agent
from agents.errors import AgentError, CheckpointError, EngineError
from agents.registry import AGENTS, make

__all__ = ["AGENTS", "Agent", "AgentError", "CheckpointError", "EngineError", "make"]
