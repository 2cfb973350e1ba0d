"""The rules of makruk as data: every disputed point is an option of `Rules`, every preset a named set of options.

The options reach the compiled kernels as one record of integers (`Rules.record`), so that an option costs a branch and
all presets run the same machine code. An option's code is the position of its value in `OPTIONS`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from functools import cached_property
from typing import Literal

import numpy as np

from makruk_env.errors import RulesError


class Colour(IntEnum):
    """A side; White moves first."""

    WHITE = 0
    BLACK = 1


class CountKind(IntEnum):
    """Which count runs: on the pieces (the counter is bare) or on the board (both sides have men, no bia is left)."""

    PIECES = 1
    BOARD = 2


class Termination(IntEnum):
    """How a game ended. The values up to NO_ALLOWED_MOVE come from the rules core, the others from a face."""

    CHECKMATE = 1
    STALEMATE = 2
    REPETITION = 3
    PERPETUAL_CHECK = 4
    PIECES_COUNT = 5
    BOARD_COUNT = 6
    COUNTER_MATED = 7
    MATERIAL = 8
    MAX_PLIES = 9
    NO_ALLOWED_MOVE = 10
    ILLEGAL_ACTION = 11
    RESIGNATION = 12
    AGREEMENT = 13
    TIMEOUT = 14


OPTIONS: dict[str, tuple[str, ...]] = {
    "promotion": ("forced", "optional"),
    "stalemate": ("draw", "loss", "win", "forbidden"),
    "perpetual_check": ("draw", "loss", "forbidden"),
    "pieces_count": ("off", "auto", "declared"),
    "pieces_table": ("ranked", "minimum"),
    "board_count": ("off", "auto", "declared", "cambodian"),
    "count_end": ("last_reply", "exceed", "reach"),
    "counter_mates": ("draw", "draw_unless_stopped", "win"),
}
MATERIAL_OPTIONS = ("bare_kings", "dead", "table")

RULES = np.dtype(
    (
        np.record,
        [(name, "i4") for name in (*OPTIONS, *MATERIAL_OPTIONS, "repetition", "max_plies")],
    )
)


@dataclass(frozen=True)
class Rules:
    """One complete set of rules; the defaults are the preset `ttakji`.

    `repetition` is the occurrence that draws (0: off), `max_plies` the number of moves of both sides after which a game
    is drawn (0: off). `material` holds any of "bare_kings" and "dead".
    Raises `RulesError` for a value that an option does not take.
    """

    promotion: Literal["forced", "optional"] = "forced"
    stalemate: Literal["draw", "loss", "win", "forbidden"] = "draw"
    repetition: int = 3
    perpetual_check: Literal["draw", "loss", "forbidden"] = "draw"
    pieces_count: Literal["off", "auto", "declared"] = "auto"
    pieces_table: Literal["ranked", "minimum"] = "ranked"
    board_count: Literal["off", "auto", "declared", "cambodian"] = "declared"
    count_end: Literal["last_reply", "exceed", "reach"] = "last_reply"
    counter_mates: Literal["draw", "draw_unless_stopped", "win"] = "draw"
    material: Collection[str] = ("bare_kings",)
    max_plies: int = 400
    name: str = "ttakji"

    def __post_init__(self) -> None:
        for option, values in OPTIONS.items():
            if getattr(self, option) not in values:
                raise RulesError(f"option {option}: expected one of {values}, got {getattr(self, option)!r}")
        if isinstance(self.material, str) or not set(self.material) <= set(MATERIAL_OPTIONS):
            raise RulesError(f"option material: expected a set of {MATERIAL_OPTIONS}, got {self.material!r}")
        object.__setattr__(self, "material", tuple(m for m in MATERIAL_OPTIONS if m in self.material))
        for option, least in (("repetition", 2), ("max_plies", 1)):
            value = getattr(self, option)
            if type(value) is not int or not (value == 0 or least <= value <= 100_000):
                raise RulesError(f"option {option}: expected 0 (off) or a number of at least {least}, got {value!r}")

    @classmethod
    def preset(cls, name: str, **overrides: object) -> Rules:
        """Return the preset `name` with some options replaced.

        Raises `RulesError` for an unknown preset or option.
        """
        if name not in PRESETS:
            raise RulesError(f"preset: expected one of {tuple(PRESETS)}, got {name!r}")
        known = {field.name for field in fields(cls)} - {"name"}
        unknown = sorted(set(overrides) - known)
        if unknown:
            raise RulesError(f"option of preset {name}: expected one of {sorted(known)}, got {unknown[0]!r}")
        changes = ",".join(f"{option}={value}" for option, value in overrides.items())
        full_name = f"{name}:{changes}" if changes else name
        return replace(PRESETS[name], name=full_name, **overrides)  # type: ignore[arg-type]

    def __deepcopy__(self, memo: dict[int, object]) -> Rules:
        return self

    def __getstate__(self) -> dict[str, object]:
        """Return the options alone: an unpickled array would be writable, so another type to the compiled kernels."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def of(cls, rules: str | Rules) -> Rules:
        """Return `rules` itself, or the preset of that name: what every `rules=` argument goes through."""
        if isinstance(rules, Rules):
            return rules
        if not isinstance(rules, str):
            raise RulesError(f"rules: expected a preset's name or a Rules, got {rules!r}")
        return cls.preset(rules)

    @cached_property
    def array(self) -> np.ndarray:
        """[1] RULES: the options as integers; parallel kernels take the array, scalar ones its `record`."""
        row = np.zeros(1, RULES)
        for option, values in OPTIONS.items():
            row[option] = values.index(getattr(self, option))
        for material in MATERIAL_OPTIONS:
            row[material] = material in self.material
        row["repetition"], row["max_plies"] = self.repetition, self.max_plies
        row.setflags(write=False)
        return row

    @cached_property
    def record(self) -> np.record:
        """The options as one `RULES` record of integers, as the kernels read them."""
        record: np.record = self.array[0]
        return record


PRESETS: dict[str, Rules] = {
    "ttakji": Rules(),
    "fairy": Rules(
        name="fairy",
        pieces_table="minimum",
        board_count="auto",
        count_end="exceed",
        counter_mates="win",
        material=("dead",),
        max_plies=0,
    ),
}
