"""The options of the rules and the presets that name whole sets of them."""

from collections.abc import Mapping
from typing import Any

Options = dict[str, Any]

CHOICES: dict[str, tuple[object, ...]] = {
    "promotion": ("forced", "optional"),
    "stalemate": ("draw", "loss", "win", "forbidden"),
    "perpetual_check": ("draw", "loss", "forbidden"),
    "pieces_count": ("auto", "declared", "off"),
    "pieces_table": ("ranked", "minimum"),
    "board_count": ("auto", "declared", "cambodian", "off"),
    "count_end": ("last_reply", "exceed", "reach"),
    "counter_mates": ("draw", "draw_unless_stopped", "win"),
    "king_leap": ("off", "unmoved", "ouk"),
    "met_leap": (False, True),
    "sut_met": (False, True),
    "sut_ma": (False, True),
}
MATERIAL_RULES = frozenset({"bare_kings", "dead", "table"})

TTAKJI: Options = {
    "promotion": "forced",
    "stalemate": "draw",
    "repetition": 3,
    "perpetual_check": "draw",
    "pieces_count": "auto",
    "pieces_table": "ranked",
    "board_count": "declared",
    "count_end": "last_reply",
    "counter_mates": "draw",
    "material": frozenset({"bare_kings"}),
    "max_plies": 400,
    "king_leap": "off",
    "met_leap": False,
    "sut_met": False,
    "sut_ma": False,
    "tilted_ruea": "",
}
WIKIPEDIA: Options = TTAKJI | {
    "stalemate": "loss",
    "perpetual_check": "forbidden",
    "pieces_count": "declared",
    "material": frozenset({"bare_kings", "table"}),
    "max_plies": 0,
}
FAIRY: Options = TTAKJI | {
    "pieces_table": "minimum",
    "board_count": "auto",
    "count_end": "exceed",
    "counter_mates": "win",
    "material": frozenset({"dead"}),
    "max_plies": 0,
}

PRESETS: dict[str, Options] = {
    "ttakji": TTAKJI,
    "wikipedia": WIKIPEDIA,
    "wiki_classic": WIKIPEDIA | {"stalemate": "forbidden"},
    "fairy": FAIRY,
    "pychess": FAIRY | {"board_count": "declared", "counter_mates": "draw_unless_stopped", "max_plies": 600},
    "ouk": TTAKJI | {"king_leap": "unmoved", "met_leap": True},
    "cambodian": FAIRY | {"board_count": "cambodian", "count_end": "reach", "king_leap": "ouk", "met_leap": True},
    "sut": TTAKJI | {"king_leap": "unmoved", "sut_met": True, "sut_ma": True},
}


def resolve(rules: str | Mapping[str, object], overrides: Mapping[str, object]) -> Options:
    """Return every option of a preset, or of some options over the default preset, with the overrides applied."""
    if isinstance(rules, str):
        if rules not in PRESETS:
            raise ValueError(f"unknown preset {rules!r}")
        options = PRESETS[rules] | dict(overrides)
    else:
        options = TTAKJI | dict(rules) | dict(overrides)
    for name, value in options.items():
        if name not in TTAKJI:
            raise ValueError(f"unknown option {name!r}")
        if name in CHOICES and value not in CHOICES[name]:
            raise ValueError(f"{name} cannot be {value!r}")
    options["material"] = frozenset(options["material"])
    if not options["material"] <= MATERIAL_RULES:
        raise ValueError(f"unknown material rule in {sorted(options['material'])}")
    return options
