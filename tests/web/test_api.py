"""The requests of the page, asked without a network."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient

from makruk_env.rules import PRESETS
from tests.web.conftest import HERE, Page, Time

MATE = "k7/8/1K6/8/8/8/8/7R w - - 0 1"
COUNTED = "4k3/2s1r3/8/3n4/4M3/3KS3/4R3/8 w - - 0 60"
WON = "8/8/8/3k4/8/2K5/8/RR6 w - - 0 60"


def test_the_page_its_parts_and_its_options(page: Page) -> None:
    assert 'src="/static/js/main.js"' in page.client.get("/").text
    for part in ("/static/js/main.js", "/static/css/base.css", "/static/icon.svg", "/men.svg"):
        assert page.client.get(part).status_code == 200, part
    assert 'id="man-bia-ngai"' in page.client.get("/men.svg").text
    told = page.client.get("/api/options").json()
    assert told["rules"] == list(PRESETS)
    assert {"random", "greedy"} <= set(told["agents"])


def test_a_move_is_answered(page: Page) -> None:
    game = page.begin()
    assert (game["version"], game["position"]["turn"], len(game["position"]["legal"])) == (1, 0, 23)
    game = page.move(game, "e3e4")
    assert [move["agent"] for move in game["moves"]] == [False, True]
    assert (game["moves"][0]["san"], game["moves"][0]["thai"]) == ("e4", "จ4")
    assert game["can"] == {"move": True, "back": True, "resign": True, "draw": True, "agent": True}
    assert (game["agent"], game["seen"]) == ({"text": "random", "tree": False}, [])


def test_an_agent_that_is_white_moves_first(page: Page) -> None:
    game = page.wait(page.begin(you="black", agent="greedy"))
    assert len(game["moves"]) == 1
    assert game["can"]["move"]


@pytest.mark.parametrize("rules", PRESETS)
def test_every_preset_is_played(page: Page, rules: str) -> None:
    game = page.begin(rules=rules)
    game = page.move(game, game["position"]["legal"][-1])
    assert (game["rules"], len(game["moves"])) == (rules, 2)


def test_promotion_where_the_rules_leave_the_choice(page: Page) -> None:
    fen = "8/8/8/P3k3/8/8/3K4/8 w - - 0 1"
    forced = page.begin(fen=fen, you="both")
    assert [move for move in forced["position"]["legal"] if move.startswith("a5")] == ["a5a6m"]
    game = page.begin(fen=fen, you="both", rules="ttakji:promotion=optional")
    assert sorted(move for move in game["position"]["legal"] if move.startswith("a5")) == ["a5a6", "a5a6m"]
    stays, turns = page.move(game, "a5a6"), page.move(page.begin(fen=fen, you="both"), "a5a6m")
    assert stays["position"]["men"]["a6"] == [0, "bia"]
    assert turns["position"]["men"]["a6"] == [0, "bia-ngai"]


def test_counts_are_declared_and_told(page: Page) -> None:
    game = page.begin(fen=COUNTED, you="both")
    assert (game["position"]["count"], game["position"]["declare"]) == (None, "start")
    game = page.move(game, "start")
    count = game["position"]["count"]
    assert (count["kind"], count["counter"], count["limit"]) == ("board", 0, 64)
    assert (game["position"]["turn"], game["moves"][0]["uci"]) == (0, "start")
    assert page.post(game, "moves", move="start").status_code == 422


def test_taking_back(page: Page) -> None:
    game = page.move(page.begin(), "e3e4")
    game = page.post(game, "back").json()
    assert (game["moves"], game["can"]["back"]) == ([], False)
    refused = page.post(game, "back")
    assert (refused.status_code, refused.json()["error"]["name"]) == (409, "TurnError")


def test_resigning_and_after_the_end(page: Page) -> None:
    game = page.post(page.begin(), "resign").json()
    assert game["outcome"] == {"winner": 1, "termination": "RESIGNATION", "line": "Black wins: resignation"}
    assert game["position"]["legal"] == []
    for what, more in (("moves", {"move": "e3e4"}), ("resign", {}), ("draw", {}), ("agent", {"agent": "greedy"})):
        assert page.post(game, what, **more).status_code == 409, what


def test_a_mate_on_the_board(page: Page) -> None:
    game = page.move(page.begin(fen=MATE), "h1h8")
    assert game["outcome"]["line"] == "White wins: checkmate"
    assert game["moves"][0]["san"] == "Rh8#"


def test_an_agent_without_values_declines_and_a_losing_one_agrees(page: Page) -> None:
    game = page.post(page.begin(), "draw").json()
    assert (game["offer"], game["outcome"], game["can"]["draw"]) == ("declined", None, False)
    losing = page.begin(fen=WON, agent="mcts:evaluator=heuristic,simulations=50")
    losing = page.wait(page.post(losing, "draw").json(), lambda state: state["offer"] != "asked")
    assert losing["outcome"]["termination"] == "AGREEMENT"
    winning = page.begin(
        fen="8/8/8/3k4/8/2K5/8/rr6 w - - 0 60", agent="mcts:evaluator=heuristic,simulations=50", rules="fairy"
    )
    winning = page.wait(page.post(winning, "draw").json(), lambda state: state["offer"] != "asked")
    assert (winning["offer"], winning["outcome"]) == ("declined", None)


def test_a_tree_is_looked_into_and_its_thoughts_are_kept(page: Page) -> None:
    game = page.move(page.begin(agent="mcts:evaluator=heuristic,simulations=60"), "e3e4")
    assert (game["agent"]["tree"], game["seen"]) == (True, [1])
    at = page.client.get(f"/api/games/{game['id']}/at/1").json()
    thought = at["thought"]
    assert thought["simulations"] == 60
    assert sum(way["visits"] for way in thought["ways"]) <= 60
    assert thought["ways"][0]["uci"] == game["moves"][1]["uci"]
    assert thought["ways"][0]["line"][0] == [game["moves"][1]["san"], game["moves"][1]["thai"]]
    assert game["moves"][1]["value"] == pytest.approx(-thought["value"])
    assert at["position"]["fen"].split()[1] == "b"


def test_a_position_is_analysed_by_request(page: Page) -> None:
    game = page.move(page.begin(), "e3e4")
    asked = page.client.post(f"/api/games/{game['id']}/analyse", json={"ply": 2})
    assert asked.status_code == 202
    looked = page.wait(game, lambda state: state["analysing"] is None)
    assert (looked["seen"], looked["version"], looked["moves"]) == ([2], game["version"], game["moves"])
    assert page.client.post(f"/api/games/{game['id']}/analyse", json={"ply": 3}).status_code == 404


def test_another_agent_in_mid_game(page: Page) -> None:
    game = page.move(page.begin(), "e3e4")
    game = page.post(game, "agent", agent="greedy").json()
    assert game["agent"]["text"] == "greedy"
    assert len(page.move(game, "d3d4")["moves"]) == 4


def test_time_runs_out(page: Page, clock: Time) -> None:
    game = page.move(page.begin(clock=True), "e3e4")
    clock.now += 320.0
    left = page.state(game)["clock"]
    assert (left["running"], left["left"][0]) == (0, {"main": 0.0, "periods": 3, "period": 10.0})
    clock.now += 100.0
    ended = page.state(game)
    assert ended["outcome"]["line"] == "Black wins: timeout"
    late = page.post({**game, "version": ended["version"]}, "moves", move="d3d4")
    assert late.status_code == 409


def test_pgn_out_and_in(page: Page) -> None:
    game = page.begin(fen=COUNTED, you="both", rules="pychess")
    for text in ("start", "d3d2", "e8d8"):
        game = page.move(game, text)
    game = page.post(game, "resign").json()
    text = page.client.get(f"/api/games/{game['id']}/pgn").text
    for line in ('[Rules "pychess"]', '[Result "0-1"]', '[Termination "resignation"]', "{[%count start]}"):
        assert line in text
    read = page.begin(pgn=text, you="both")
    assert (read["rules"], [move["uci"] for move in read["moves"]]) == ("pychess", ["start", "d3d2", "e8d8"])
    assert read["position"]["fen"] == page.client.get(f"/api/games/{game['id']}/at/3").json()["position"]["fen"]


def test_the_rules_of_a_pgn_are_its_own_or_else_those_that_are_named(page: Page) -> None:
    moves = "1. e4 e5 *"
    assert page.begin(pgn=moves, rules="fairy")["rules"] == "fairy"
    assert page.begin(pgn=f'[Rules "pychess"]\n\n{moves}', rules="fairy")["rules"] == "pychess"
    assert page.begin(pgn=moves)["rules"].startswith("ttakji:repetition=0")
    assert page.begin(pgn=f'[Variant "Makruk"]\n\n{moves}', rules="fairy")["rules"] == "fairy"
    assert page.begin(pgn=f'[Variant "Cambodian"]\n\n{moves}', rules="fairy")["rules"].startswith("cambodian:")
    assert page.begin(pgn=f'[Variant "Ouk"]\n\n{moves}', rules="ouk:promotion=optional")["rules"].startswith("ouk:p")


def test_a_crowd_of_games_from_pgn_is_refused(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page.client.app.state.house.writing, "_most", 0)
    refused = page.client.post("/api/games", json={"agent": "random", "pgn": "1. e4 *"})
    assert (refused.status_code, refused.json()["error"]["name"]) == (503, "BusyError")
    assert page.client.post("/api/games", json={"agent": "random"}).status_code == 201  # others are not held up


def test_fifty_games_begin_at_once(page: Page) -> None:
    with ThreadPoolExecutor(50) as crowd:
        answers = crowd.map(lambda _: page.client.post("/api/games", json={"agent": "random"}), range(50))
        assert [answer.status_code for answer in answers] == [201] * 50


def test_the_games_that_were_played_last_are_listed_to_this_machine(page: Page, clock: Time) -> None:
    assert page.client.get("/api/games").json() == []
    page.begin()
    first, second = page.move(page.begin(), "e3e4"), page.move(page.begin(you="both", fen=MATE), "h1h8")
    told = page.client.get("/api/games").json()
    assert [game.pop("changed") > 0 for game in told] == [True, True]
    assert told == [
        {"id": second["id"], "agent": "", "you": None, "plies": 1, "result": "1-0"},
        {"id": first["id"], "agent": "random", "you": 0, "plies": 2, "result": "*"},
    ]
    for host, listed in (("192.168.1.5", 0), ("::ffff:192.168.1.5", 0), ("::1", 2), ("::ffff:127.0.0.1", 2)):
        client = TestClient(page.client.app, base_url=HERE, client=(host, 50_000))
        assert len(client.get("/api/games").json()) == listed


def test_two_requests_about_one_version(page: Page) -> None:
    game = page.begin(you="both")
    first, second = page.post(game, "moves", move="e3e4"), page.post(game, "moves", move="e6e5")
    assert (first.status_code, second.status_code) == (200, 409)
    assert second.json()["error"]["name"] == "StaleError"
    assert [move["uci"] for move in page.state(game)["moves"]] == ["e3e4"]


def test_an_agent_that_fails_is_told_in_the_game(page: Page) -> None:
    page.table.opponents.listed = ("uci:command=no-such-engine",)
    game = page.move(page.begin(agent="uci:command=no-such-engine"), "e3e4")
    assert game["failure"]["name"] == "EngineError"
    assert "no-such-engine" in game["failure"]["message"]
    game = page.wait(page.post(game, "agent", agent="random").json())
    assert (game["failure"], len(game["moves"])) == (None, 2)
