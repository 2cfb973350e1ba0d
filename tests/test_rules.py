"""Rules as options, presets and text."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

from makruk_env import Board, Rules, RulesError
from makruk_env.rules import FLAGS, MATERIAL_OPTIONS, OPTIONS, PRESETS, RULES, choices, option_text, options
from tests.judges.naive import random_rules
from tests.oracle import PRESETS as JUDGED


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_what_the_second_implementation_says(name: str) -> None:
    told = options(PRESETS[name]) | {"material": frozenset(PRESETS[name].material)}
    assert told == JUDGED[name]
    assert Rules.of(name).name == name


def test_rules_are_read_back_from_their_name() -> None:
    rng = random.Random(3)
    for _ in range(300):
        rules = random_rules(rng)
        assert Rules.of(rules.name) == rules
        assert pickle.loads(pickle.dumps(rules)) == rules


def test_the_record_holds_every_option_but_the_tilted_ruea() -> None:
    assert set(RULES.names or ()) == {*OPTIONS, *FLAGS, *MATERIAL_OPTIONS, "repetition", "max_plies"}
    rules = Rules.of("sut:stalemate=win,material=dead+table,repetition=5,max_plies=0,count_end=reach")
    told = {name: int(rules.record[name]) for name in RULES.names or ()}
    assert told["stalemate"] == 2
    assert (told["bare_kings"], told["dead"], told["table"]) == (0, 1, 1)
    assert (told["repetition"], told["max_plies"], told["count_end"]) == (5, 0, 2)
    assert (told["met_leap"], told["sut_met"], told["sut_ma"], told["king_leap"]) == (0, 1, 1, 1)
    assert not rules.array.flags.writeable


@pytest.mark.parametrize(
    ("text", "fen"),
    [
        ("ttakji", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"),
        ("ouk", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1"),
        ("sut", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w BDEGbdeg - 0 1"),
        ("ttakji:sut_ma=on", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w BGbg - 0 1"),
        ("ttakji:met_leap=on,tilted_ruea=black:h+white:ha", "rnsmksnm/8/pppppppp/8/8/PPPPPPPP/8/MNSKMSNM w Ed - 0 1"),
        ("ttakji:tilted_ruea=black:a", "mnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"),
    ],
)
def test_the_array_under_rules(text: str, fen: str) -> None:
    assert Board(rules=text).fen() == fen


def test_a_given_fen_is_not_tilted() -> None:
    fen = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"
    assert Board(fen, "ttakji:tilted_ruea=white:a").fen() == fen


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"promotion": "never"}, "promotion: expected one of"),
        ({"material": "dead"}, "material: expected a set"),
        ({"material": ("dead", "alive")}, "material: expected a set"),
        ({"repetition": 1}, "repetition: expected 0"),
        ({"repetition": True}, "repetition: expected 0"),
        ({"max_plies": -1}, "max_plies: expected 0"),
        ({"met_leap": 1}, "met_leap: expected True or False"),
        ({"king_leap": "always"}, "king_leap: expected one of"),
        ({"tilted_ruea": "white:b"}, "tilted_ruea: expected a text"),
        ({"tilted_ruea": "white:aa"}, "tilted_ruea: expected a text"),
        ({"tilted_ruea": "white:a,white:h"}, "tilted_ruea: expected a text"),
        ({"tilted_ruea": "green:a"}, "tilted_ruea: expected a text"),
        ({"tilted_ruea": None}, "tilted_ruea: expected a text"),
        ({"colour": "red"}, "expected one of"),
    ],
)
def test_what_no_option_takes_is_named(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        Rules.preset("ttakji", **changes)


@pytest.mark.parametrize(
    "text", ["shogi", "", "ttakji:promotion", "ttakji:met_leap=yes", "fairy:repetition=x", "sut:material=x"]
)
def test_a_text_that_is_no_rules(text: str) -> None:
    with pytest.raises(RulesError):
        Rules.of(text)


def test_every_option_says_what_it_takes() -> None:
    for option, value in options(Rules.of("sut:tilted_ruea=white:a")).items():
        assert choices(option)
        assert option_text(value)
