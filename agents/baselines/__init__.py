"""Networks that come with the package, NAME.safetensors, each with a model card beside it, NAME.md; and the levels."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from agents.errors import AgentError

FOLDER: Final = Path(__file__).parent
SUFFIX: Final = ".safetensors"
LEVELS: Final = {
    "easy": "mcts:baseline=sparse,simulations=2,temperature=1.0",
    "normal": "mcts:baseline=sparse,simulations=50,temperature=0.3",
    "hard": "mcts:baseline=sparse,simulations=20000",
}
"""Opponents for people, by the agent that each stands for."""


def baselines() -> tuple[str, ...]:
    """Return the names of the networks that are there."""
    return tuple(sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}")))


def baseline_file(name: str) -> Path:
    """Return a network's weights file. Raises `AgentError` for an unknown name."""
    if name not in baselines():
        raise AgentError(f"baseline: expected one of {baselines()}, got {name!r}")
    return FOLDER / f"{name}{SUFFIX}"
