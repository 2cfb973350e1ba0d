"""Every off-by-one of the rules and every end of a game, played by the core and by the plain second implementation.

tests/data/scenarios.jsonl holds one game a line with what must hold after its last action; what it expects was worked
out from the rules (`tests/data/make_scenarios`), not taken from either implementation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, ClassVar, Protocol

import pytest

from makruk_env import Board, FenError, IllegalMoveError, Move, Rules
from tests.data.make_scenarios import SCENARIOS_FILE, text
from tests.oracle import Oracle

SCENARIOS: list[dict[str, Any]] = [json.loads(line) for line in SCENARIOS_FILE.read_text("utf-8").splitlines()]
RESULTS = {0: "1-0", 1: "0-1", None: "1/2-1/2"}
EXPECTATIONS = {"result", "termination", "count", "fen", "legal", "legal_has", "legal_lacks", "check", "error"}


class Game(Protocol):
    """A game under test: what both implementations say of themselves, in the words of the file."""

    def push(self, uci: str) -> None:
        """Take one action."""

    def end(self) -> tuple[str, str | None]:
        """Return result and termination, * and None while the game goes on."""

    def count(self) -> list[Any] | None:
        """Return kind, counter, number and limit of the running count."""

    def fen(self) -> str:
        """Return the state as text."""

    def legal(self) -> list[str]:
        """Return the texts of all legal actions, sorted."""

    def check(self) -> bool:
        """Tell whether the side to move is in check."""


class CoreGame:
    """The core's face, `Board`; it refuses by named errors."""

    errors: ClassVar = {"FenError": FenError, "IllegalMoveError": IllegalMoveError}

    def __init__(self, fen: str | None, preset: str, options: dict[str, object]) -> None:
        self.board = Board(fen, Rules.preset(preset, **options))

    def push(self, uci: str) -> None:
        self.board.push(Move.from_uci(uci))

    def end(self) -> tuple[str, str | None]:
        outcome = self.board.outcome
        return (RESULTS[outcome.winner], outcome.termination.name) if outcome else ("*", None)

    def count(self) -> list[Any] | None:
        count = self.board.count
        return count and [count.kind.name.lower(), count.counter, count.number, count.limit]

    def fen(self) -> str:
        return self.board.fen()

    def legal(self) -> list[str]:
        return sorted(move.uci() for move in self.board.legal_moves)

    def check(self) -> bool:
        return self.board.is_check()


class OracleGame:
    """The naive implementation; all that it refuses is a ValueError."""

    errors: ClassVar = {"FenError": ValueError, "IllegalMoveError": ValueError}

    def __init__(self, fen: str | None, preset: str, options: dict[str, object]) -> None:
        self.oracle = Oracle(fen, preset, **options)

    def push(self, uci: str) -> None:
        self.oracle.push(uci)

    def end(self) -> tuple[str, str | None]:
        outcome = self.oracle.outcome
        return (RESULTS[outcome[0]], outcome[1]) if outcome else ("*", None)

    def count(self) -> list[Any] | None:
        count = self.oracle.count
        return count and [count.kind.lower(), *count[1:]]

    def fen(self) -> str:
        return self.oracle.fen()

    def legal(self) -> list[str]:
        return self.oracle.legal()

    def check(self) -> bool:
        return self.oracle.is_check()


def opened(player: type[CoreGame] | type[OracleGame], scenario: dict[str, Any]) -> Game:
    """Return a scenario's game before its first action."""
    rules = scenario["rules"]
    options = {} if isinstance(rules, str) else {name: value for name, value in rules.items() if name != "preset"}
    return player(scenario["fen"], rules if isinstance(rules, str) else rules["preset"], options)


def play(game: Game, actions: Iterable[str]) -> None:
    """Take actions in a game that goes on before each of them."""
    for action in actions:
        assert game.end() == ("*", None), action
        game.push(action)


def compare(game: Game, expect: dict[str, Any]) -> None:
    """Compare a game with what a scenario expects of it."""
    assert game.end() == (expect["result"], expect["termination"])
    for name, found in (("count", game.count), ("fen", game.fen), ("legal", game.legal), ("check", game.check)):
        if name in expect:
            assert found() == expect[name]
    legal = set(game.legal())
    assert legal >= set(expect.get("legal_has", ()))
    assert not legal & set(expect.get("legal_lacks", ()))
    assert bool(legal) == (expect["result"] == "*")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_scenario(scenario: dict[str, Any]) -> None:
    expect, actions = scenario["expect"], scenario["actions"]
    for player in (OracleGame, CoreGame):
        if "error" not in expect:
            game = opened(player, scenario)
            play(game, actions)
            compare(game, expect)
        elif not actions:
            with pytest.raises(player.errors[expect["error"]]):
                opened(player, scenario)
        else:
            game = opened(player, scenario)
            play(game, actions[:-2])
            for action in actions[-2:-1]:
                game.push(action)  # it may end the game, in which then nothing is legal
            with pytest.raises(player.errors[expect["error"]]):
                game.push(actions[-1])


def test_the_script_writes_the_file() -> None:
    assert SCENARIOS_FILE.read_text("utf-8") == text()


def test_every_scenario_expects_something_that_is_compared() -> None:
    names = [scenario["name"] for scenario in SCENARIOS]
    assert len(set(names)) == len(names)
    for scenario in SCENARIOS:
        expect = scenario["expect"]
        assert set(expect) <= EXPECTATIONS, scenario["name"]
        assert "error" in expect or {"result", "termination"} <= set(expect), scenario["name"]
