"""The settings of a search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agents.search.select import SETTINGS


@dataclass(frozen=True)
class SearchSettings:
    """How a search weighs its edges and its root: see `best_edge`, `enter_root`, `root_policy`, `enter`.

    c_init and c_base are AlphaZero's (Silver et al. 2018), c_visit and c_scale those of Danihelka et al. 2022 for board
    games; noise_share 0 means no noise, as in all play that is rated. considered: how many actions a Gumbel root begins
    with (see `agents.search.gumbel`), 0 for PUCT at the root too. forced_playouts: KataGo's 2 with PUCT and noise, or 0
    (see `forced_edge`).
    """

    c_init: float = 1.25
    c_base: float = 19652.0
    fpu_reduction: float = 0.25
    noise_share: float = 0.0
    noise_total: float = 10.0
    c_visit: float = 50.0
    c_scale: float = 1.0
    twofold: float = 1.0
    considered: int = 0
    forced_playouts: float = 0.0

    def __post_init__(self) -> None:
        if self.considered < 0 or (self.considered and self.c_scale <= 0):
            raise ValueError(
                f"search: expected considered of at least 0, and above 0 only with a c_scale above 0, "
                f"got {self.considered!r} and {self.c_scale!r}"
            )

    @cached_property
    def array(self) -> np.ndarray:
        """[1] SETTINGS: the numbers as the kernels read them."""
        row = np.zeros(1, SETTINGS)
        for name in SETTINGS.names or ():
            row[name] = getattr(self, name)
        return row
