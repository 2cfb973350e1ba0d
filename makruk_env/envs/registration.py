"""The names by which Gymnasium makes the environments: `gymnasium.make("makruk_env:Makruk-v0")`."""

from __future__ import annotations

import gymnasium

IDS = {
    "Makruk-v0": ("makruk_env.envs.solo:Makruk", "makruk_env.envs.vector:VectorMakruk"),
    "MakrukSelfPlay-v0": ("makruk_env.envs.solo:MakrukSelfPlay", "makruk_env.envs.vector:VectorSelfPlay"),
}


def register() -> None:
    """Register the environments, once."""
    for name, (entry_point, vector_entry_point) in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=entry_point, vector_entry_point=vector_entry_point)
