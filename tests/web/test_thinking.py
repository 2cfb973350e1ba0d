"""The agents' part in games: draws, looks into positions, and what they fail at."""

from __future__ import annotations

import pytest

from agents.errors import EngineError
from makruk_web import thinking
from tests.web.conftest import Page

WON = "8/8/8/3k4/8/2K5/8/RR6 w - - 0 60"
LOST = "8/8/8/3k4/8/2K5/8/rr6 w - - 0 60"
SEARCHES = "mcts:evaluator=heuristic,simulations=50"


def fail(*_: object) -> None:
    raise EngineError("engine: gone")


@pytest.mark.parametrize(("agent", "agrees"), [("alphabeta", True), ("alphabeta:nodes=1", False), ("greedy", False)])
def test_who_agrees_to_a_draw_in_a_lost_game(page: Page, agent: str, agrees: bool) -> None:
    game = page.post(page.begin(fen=WON, agent=agent), "draw").json()
    game = page.wait(game, lambda state: state["offer"] != "asked")
    assert (game["outcome"] is not None) is agrees
    assert game["offer"] == (None if agrees else "declined")


def test_nobody_agrees_to_a_draw_in_a_won_game(page: Page) -> None:
    game = page.post(page.begin(fen=LOST, agent="alphabeta", rules="fairy"), "draw").json()
    assert page.wait(game, lambda state: state["offer"] != "asked")["offer"] == "declined"


def test_an_offer_that_the_agent_fails_over_can_be_made_again(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    game = page.begin(fen=WON, agent=SEARCHES)
    with monkeypatch.context() as patch:
        patch.setattr(thinking, "make_thinker", fail)
        failed = page.wait(page.post(game, "draw").json())
    assert failed["failed"] == {"job": "offer", "name": "EngineError", "message": "engine: gone"}
    assert (failed["offer"], failed["failure"], failed["can"]["draw"]) == (None, None, True)
    again = page.wait(page.post(failed, "draw").json())
    assert (again["failed"], again["outcome"]["termination"]) == (None, "AGREEMENT")


def test_a_look_that_fails_is_told(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    game = page.begin(agent=SEARCHES)
    with monkeypatch.context() as patch:
        patch.setattr(thinking, "make_thinker", fail)
        page.client.post(f"/api/games/{game['id']}/analyse", json={"ply": 0})
        failed = page.wait(game, lambda state: state["analysing"] is None)
    assert failed["failed"] == {"job": "analysis", "name": "EngineError", "message": "engine: gone"}
    looking = page.client.post(f"/api/games/{game['id']}/analyse", json={"ply": 0}).json()
    assert (looking["failed"], looking["job"], looking["thinking"]) == (None, "analysis", False)
    assert page.wait(game, lambda state: state["analysing"] is None)["seen"] == [0]


def test_positions_are_looked_into_after_the_games_agent_has_gone(page: Page) -> None:
    page.table.opponents.listed = ("mcts:evaluator=uniform,simulations=1000000",)
    game = page.begin(agent=page.table.opponents.listed[0])
    page.table.opponents.listed = ()
    page.table.opponents._kept.clear()
    assert page.client.post(f"/api/games/{game['id']}/analyse", json={"ply": 0}).status_code == 202
    assert page.wait(game, lambda state: state["analysing"] is None)["seen"] == [0]
