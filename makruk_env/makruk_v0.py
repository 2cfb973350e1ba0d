"""Makruk as a PettingZoo environment, named as PettingZoo names its own: `from makruk_env import makruk_v0`.

Once this module is imported, PettingZoo 1.27 and later also make it by name:
`pettingzoo.make("aec", "makruk/makruk-v0")`.
"""

from __future__ import annotations

import pettingzoo

from makruk_env.envs.aec import raw_env
from makruk_env.envs.checked import env

__all__ = ["env", "raw_env"]

REGISTERED_ID = "makruk/makruk-v0"

# Older releases have no registry, and a module that is loaded again must not warn of overriding its own entry.
if hasattr(pettingzoo, "register") and REGISTERED_ID not in pettingzoo.aec_registry:
    pettingzoo.register("aec", id=REGISTERED_ID, entry_point="makruk_env.makruk_v0:env")
