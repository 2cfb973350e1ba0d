"""The rules of makruk as data: every disputed point is an option of `Rules`, every preset a named set of options.

The options reach the compiled kernels as one record of integers (`Rules.record`), so that an option costs a branch and
all presets run the same machine code. An option's code is the position of its value in `OPTIONS`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from functools import cached_property
from typing import Any, Literal

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
    "king_leap": ("off", "unmoved", "ouk"),
}
MATERIAL_OPTIONS = ("bare_kings", "dead", "table")
FLAGS = ("met_leap", "sut_met", "sut_ma")
_LEAST = {"repetition": 2, "max_plies": 1}
_MOST = 100_000

RULES = np.dtype(
    (
        np.record,
        [(name, "i4") for name in (*OPTIONS, *MATERIAL_OPTIONS, *FLAGS, *_LEAST)],
    )
)


@dataclass(frozen=True)
class Rules:
    """One complete set of rules; the defaults are the preset `ttakji`.

    Rules are written and read as text (`name`, `Rules.of`) as a preset with its changes:
    `ttakji:promotion=optional,material=bare_kings+dead,met_leap=on,tilted_ruea=white:a+black:h`.
    Raises `RulesError` for a value that an option does not take.

    promotion: a bia that arrives on its 6th or 7th rank must, or may, promote. stalemate: what it is to the side that
    has no move. repetition: the occurrence of a position that draws (0: off). perpetual_check: what happens when one
    side has checked all the way to it. pieces_count, board_count: whether a count starts by itself or is declared.
    pieces_table: the limits of a pieces count. count_end: when a count that has come to its limit draws.
    counter_mates: what a mate by the counter of a running board count is. material: any of "bare_kings", "dead" and
    "table", the men with which a game is drawn at once. max_plies: the number of moves of both sides after which it is
    drawn (0: off). king_leap, met_leap, sut_met, sut_ma: first moves of men that have not moved. tilted_ruea: ruea that
    begin as mets, a handicap, like "white:a" or "white:ah,black:h".
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
    king_leap: Literal["off", "unmoved", "ouk"] = "off"
    met_leap: bool = False
    sut_met: bool = False
    sut_ma: bool = False
    tilted_ruea: str = ""
    name: str = "ttakji"

    def __post_init__(self) -> None:
        for option, values in OPTIONS.items():
            if getattr(self, option) not in values:
                raise RulesError(f"option {option}: expected one of {values}, got {getattr(self, option)!r}")
        if isinstance(self.material, str) or not set(self.material) <= set(MATERIAL_OPTIONS):
            raise RulesError(f"option material: expected a set of {MATERIAL_OPTIONS}, got {self.material!r}")
        object.__setattr__(self, "material", tuple(m for m in MATERIAL_OPTIONS if m in self.material))
        for option, least in _LEAST.items():
            value = getattr(self, option)
            if type(value) is not int or not (value == 0 or least <= value <= _MOST):
                raise RulesError(f"option {option}: expected 0 (off) or {least} .. {_MOST}, got {value!r}")
        for option in FLAGS:
            if type(getattr(self, option)) is not bool:
                raise RulesError(f"option {option}: expected True or False, got {getattr(self, option)!r}")
        object.__setattr__(self, "tilted_ruea", _tilted(self.tilted_ruea))

    @classmethod
    def preset(cls, name: str, **overrides: object) -> Rules:
        """Return the preset `name` with some options replaced.

        Raises `RulesError` for an unknown preset or option.
        """
        if name not in PRESETS:
            raise RulesError(f"preset: expected one of {tuple(PRESETS)}, got {name!r}")
        known = set(options(PRESETS[name]))
        unknown = sorted(set(overrides) - known)
        if unknown:
            raise RulesError(f"option of preset {name}: expected one of {sorted(known)}, got {unknown[0]!r}")
        rules = replace(PRESETS[name], **overrides)  # type: ignore[arg-type]
        changes = ",".join(f"{option}={option_text(getattr(rules, option))}" for option in overrides)
        return replace(rules, name=f"{name}:{changes}" if changes else name)

    def __deepcopy__(self, memo: dict[int, object]) -> Rules:
        return self

    def __getstate__(self) -> dict[str, object]:
        """Return the options alone: an unpickled array would be writable, so another type to the compiled kernels."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def of(cls, rules: str | Rules) -> Rules:
        """Return `rules` itself, or those of a text: what every `rules=` argument goes through.

        Raises `RulesError`.
        """
        if isinstance(rules, Rules):
            return rules
        if not isinstance(rules, str):
            raise RulesError(f"rules: expected a preset's name or a Rules, got {rules!r}")
        name, _, changes = rules.partition(":")
        overrides: dict[str, object] = {}
        for change in filter(None, changes.split(",")):
            option, _, value = change.partition("=")
            overrides[option.strip()] = _option_value(option.strip(), value.strip())
        return cls.preset(name.strip(), **overrides)

    @property
    def tilted_squares(self) -> tuple[int, ...]:
        """The squares, 0 (a1) .. 63 (h8), whose ruea begin as mets."""
        sides = (part.partition(":") for part in self.tilted_ruea.split(",") if part)
        return tuple(
            "ah".index(file) * 7 + (56 if name == "black" else 0) for name, _, files in sides for file in files
        )

    @cached_property
    def array(self) -> np.ndarray:
        """[1] RULES: the options as integers; parallel kernels take the array, scalar ones its `record`."""
        row = np.zeros(1, RULES)
        for option, values in OPTIONS.items():
            row[option] = values.index(getattr(self, option))
        for material in MATERIAL_OPTIONS:
            row[material] = material in self.material
        for option in (*FLAGS, *_LEAST):
            row[option] = getattr(self, option)
        row.setflags(write=False)
        return row

    @cached_property
    def record(self) -> np.record:
        """The options as one `RULES` record of integers, as the kernels read them."""
        record: np.record = self.array[0]
        return record


def options(rules: Rules) -> dict[str, Any]:
    """Return every option of some rules with its value."""
    return {field.name: getattr(rules, field.name) for field in fields(rules) if field.name != "name"}


def choices(option: str) -> str:
    """Return what an option takes, in words."""
    if option in OPTIONS:
        return ", ".join(OPTIONS[option])
    if option in _LEAST:
        return f"0 (off), {_LEAST[option]} .. {_MOST}"
    if option == "material":
        return f"none, or any of {' + '.join(MATERIAL_OPTIONS)}"
    if option in FLAGS:
        return "on, off"
    return "none, or ruea like white:a or white:ah+black:h"


def option_text(value: object) -> str:
    """Return an option's value as it is written in a rules text: on, off, or the parts of a list joined by +."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "+".join(value) or "none"
    return str(value).replace(",", "+") or "none"


def _option_value(option: str, text: str) -> object:
    """Read what `option_text` wrote; a text that is no value of the option is left for `Rules` to refuse."""
    if option == "material":
        return () if text in ("none", "") else tuple(text.split("+"))
    if option in FLAGS:
        return {"on": True, "off": False}.get(text, text)
    if option in _LEAST:
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else text
    return "" if text == "none" else text.replace("+", ",")


def _tilted(text: object) -> str:
    """Return a list of tilted ruea in its one written form, White's first. Raises `RulesError`."""
    files = {"white": "", "black": ""}
    for part in text.split(",") if isinstance(text, str) and text else ():
        name, _, named = part.strip().partition(":")
        if name not in files or files[name] or not named or set(named) - set("ah") or len(set(named)) < len(named):
            break
        files[name] = "".join(sorted(named))
    else:
        if isinstance(text, str):
            return ",".join(f"{name}:{named}" for name, named in files.items() if named)
    raise RulesError(f"option tilted_ruea: expected a text like white:a or white:ah,black:h, got {text!r}")


_WIKIPEDIA = Rules(
    name="wikipedia",
    stalemate="loss",
    perpetual_check="forbidden",
    pieces_count="declared",
    material=("bare_kings", "table"),
    max_plies=0,
)
_FAIRY = Rules(
    name="fairy",
    pieces_table="minimum",
    board_count="auto",
    count_end="exceed",
    counter_mates="win",
    material=("dead",),
    max_plies=0,
)
PRESETS: dict[str, Rules] = {
    rules.name: rules
    for rules in (
        Rules(),
        _WIKIPEDIA,
        replace(_WIKIPEDIA, name="wiki_classic", stalemate="forbidden"),
        _FAIRY,
        replace(_FAIRY, name="pychess", board_count="declared", counter_mates="draw_unless_stopped", max_plies=600),
        Rules(name="ouk", king_leap="unmoved", met_leap=True),
        replace(_FAIRY, name="cambodian", board_count="cambodian", count_end="reach", king_leap="ouk", met_leap=True),
        Rules(name="sut", king_leap="unmoved", sut_met=True, sut_ma=True),
    )
}
