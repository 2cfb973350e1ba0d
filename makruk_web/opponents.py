"""Which agents the page may name, and the agents themselves, made once each."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress

import agents
from agents.alphabeta import AlphaBeta
from agents.base import Agent
from agents.baselines import LEVELS, baselines
from agents.errors import AgentError
from agents.greedy import Greedy
from agents.mcts import Mcts
from agents.random import Random

MOST_SIMULATIONS = 100_000
MOST_SECONDS = 30.0
MOST_NODES = 50_000_000
_KEPT = 32
"""Agents that are kept ready; a network of its own takes some megabytes."""
_RANGES = {"c_init": (0.01, 20.0), "fpu_reduction": (0.0, 2.0), "temperature": (0.0, 10.0)}


class Opponents:
    """The agents of one server.

    listed: the texts that the command line allows beside those that are safe; named: texts that the page knows by
    another name, which tells less of this machine. Raises `AgentError` for a text among them that is no agent.
    """

    def __init__(self, listed: Sequence[str] = (), named: Mapping[str, str] | None = None) -> None:
        self._named = dict(named or {})
        for text in (*listed, *self._named.values()):
            agents.make(text)
        self.listed = tuple(dict.fromkeys((*listed, *self._named)))
        self._kept: OrderedDict[str, Agent] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def offered(self) -> tuple[str, ...]:
        """The texts that the page lists: the levels, as far as their networks are there, and the command line's."""
        there = baselines()
        levels = [name for name, text in LEVELS.items() if any(f"baseline={kept}," in text for kept in there)]
        return (*levels, *self.listed, "alphabeta:depth=3", "greedy", "random")

    def make(self, text: str) -> Agent:
        """Return the agent of a text. Raises `AgentError` for one that is none, or that the page may not name."""
        with self._lock:
            if text not in self._kept:
                agent = agents.make(self._named.get(text, text))
                if text not in self.listed:
                    check(agent, text)
                self._kept[text] = agent
                if len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(text)
            return self._kept[text]

    def analyst(self, text: str) -> tuple[str, Agent]:
        """Return who looks into a position of a game with this agent: itself if it searches a tree, else a network."""
        with suppress(AgentError):  # of a game that another server's list allowed
            if text and has_tree(agent := self.make(text)):
                return text, agent
        best = "mcts:baseline=sparse" if "sparse" in baselines() else "mcts:evaluator=heuristic"
        return best, self.make(best)


def has_tree(agent: Agent) -> bool:
    """Tell whether there is a search tree to look into."""
    return isinstance(agent, Mcts) and not agent.considered


def check(agent: Agent, text: str) -> None:
    """Raise `AgentError` for an agent that runs programs, reads files, or would think without an end."""
    if not isinstance(agent, Random | Greedy | AlphaBeta | Mcts):
        raise AgentError(
            f"agent: expected one that runs no other program, got {text!r}; name it to the server: makruk serve --agent"
        )
    if isinstance(agent, Mcts):
        _check_mcts(agent, text)
    elif isinstance(agent, AlphaBeta) and ((agent.seconds or 0) > MOST_SECONDS or (agent.nodes or 0) > MOST_NODES):
        raise AgentError(
            f"agent alphabeta: expected at most {MOST_SECONDS:g} seconds or {MOST_NODES:,} nodes, got {text!r}"
        )


def _check_mcts(agent: Mcts, text: str) -> None:
    if agent.checkpoint:
        raise AgentError(
            f"agent mcts: expected evaluator= or baseline=, got {text!r}; a checkpoint is named to the server: "
            "makruk serve --run or --agent"
        )
    if agent.considered:
        raise AgentError(f"agent mcts: expected a PUCT root, considered=0, got {text!r}")
    if agent.device != "cpu":
        raise AgentError(f"agent mcts: expected device=cpu, got {text!r}")
    if agent.simulations > MOST_SIMULATIONS or not 0 <= agent.seconds <= MOST_SECONDS:
        raise AgentError(
            f"agent mcts: expected at most {MOST_SIMULATIONS:,} simulations or {MOST_SECONDS:g} seconds, got {text!r}"
        )
    for name, (least, most) in _RANGES.items():
        value = getattr(agent, name)
        if not (math.isfinite(value) and least <= value <= most):
            raise AgentError(f"agent mcts: expected {name} of {least:g} .. {most:g}, got {text!r}")
