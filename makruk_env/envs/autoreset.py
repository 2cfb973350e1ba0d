"""The autoreset modes of vector environments: Gymnasium's own, which it names from 1.1 on, or the same for 1.0."""

from __future__ import annotations

from enum import Enum

__all__ = ["AutoresetMode"]

try:
    from gymnasium.vector import AutoresetMode
except ImportError:

    class AutoresetMode(Enum):  # type: ignore[no-redef]
        """When a lane whose episode has ended begins the next one; Gymnasium 1.0 itself does only NEXT_STEP."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"
