"""The compiled search against recorded trees, and the recorded trees against the plain search that made them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from agents.search import Search
from makruk_env import batch, move_of
from makruk_env.core.actions import COUNT_START
from tests.agents.search.givens import Hashed
from tests.data.make_trees import ARMS, BUDGETS, POSITIONS, TREES_FILE, board_of, trees

TREES = [json.loads(line) for line in TREES_FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("simulations", BUDGETS)
def test_the_compiled_search_finds_the_recorded_trees(arm: str, simulations: int) -> None:
    lines = [line for line in TREES if (line["arm"], line["simulations"]) == (arm, simulations)]
    assert [line["position"] for line in lines] == list(POSITIONS)
    network, searched = Hashed(), Search(1, simulations, ARMS[arm])
    for line in lines:
        board = board_of(line["position"])
        result = searched.run(batch.of_boards([board]), network)
        count = result.counts[0]
        names = [move_of(int(action), board).uci() for action in result.actions[0, :count]]
        visits = {text: int(n) for text, n in zip(names, result.visits[0, :count], strict=True) if n}
        assert list(visits.items()) == list(line["visits"].items()), line["position"]
        assert result.values[0] == pytest.approx(line["value"], abs=1e-4)
        assert result.distances[0] == line["distance"]
        at = names.index(line["chosen"])
        assert result.chosen[0] == result.actions[0, at], line["position"]
        assert result.policy[0, at] == pytest.approx(line["share"], abs=1e-4)


def test_the_recorded_trees_are_what_the_plain_search_finds() -> None:
    assert list(trees((8, 16))) == [line for line in TREES if line["simulations"] in (8, 16)]


def test_the_recorded_trees_hold_what_is_worth_recording() -> None:
    """Declarations that keep the turn are searched, wins and losses proven, and few simulations go several ways."""
    declared = [line for line in TREES if {"start", "stop"} & line["visits"].keys()]
    assert len(declared) > 5
    assert {line["value"] for line in TREES} >= {1.0, -1.0}
    assert {line["distance"] for line in TREES} >= {2, 3}
    assert {len(board_of(name).legal_actions()) for name in POSITIONS} >= {1}
    assert any(board_of(name).legal_actions()[-1] >= COUNT_START for name in POSITIONS)
    by_arm = [[line["visits"] for line in TREES if line["arm"] == arm and line["simulations"] == 64] for arm in ARMS]
    assert all(one != other for i, one in enumerate(by_arm) for other in by_arm[:i])
    assert np.median([len(line["visits"]) for line in TREES if line["simulations"] == 16]) > 3
