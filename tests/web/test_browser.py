"""The page in a browser: played by mouse, by keyboard and on a phone, without a word to anybody but its server."""

from __future__ import annotations

import pytest
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By

from tests.web import tab as pages
from tests.web.serving import set_size
from tests.web.tab import BROWSER, COUNTED, Tab

pytestmark = BROWSER
address, chrome, tab = pages.address, pages.chrome, pages.tab
PROMOTES = "8/8/8/P3k3/8/8/3K4/8 w - - 0 1"


def test_moves_by_click(tab: Tab) -> None:
    tab.begin()
    tab.click("#square-e3")
    assert tab.targets() == ["e4"]
    tab.click("#square-e4")
    tab.wait(lambda: len(tab.moves()) == 2)
    assert tab.moves()[0] == "e4"
    assert "White to move, move 2" in tab.text("#status")
    tab.wait(lambda: "Black:" in tab.text("#said"))
    tab.browser.find_element(By.ID, "thai").click()
    assert tab.moves()[0] == "จ4"
    tab.browser.find_element(By.ID, "thai").click()


def test_moves_by_drag_and_what_may_not_be(tab: Tab) -> None:
    tab.begin(you="both")
    ActionChains(tab.browser).drag_and_drop(tab.square("e3"), tab.square("e5")).perform()
    assert tab.moves() == []
    ActionChains(tab.browser).drag_and_drop(tab.square("b1"), tab.square("d2")).perform()
    tab.wait(lambda: tab.moves() == ["Nd2"])
    tab.click("#square-e6")
    tab.click("#square-e6")
    assert tab.targets() == []
    tab.click("#square-a1")
    assert tab.targets() == []


def test_moves_by_keyboard(tab: Tab) -> None:
    tab.begin()
    tab.press(Keys.ARROW_UP, Keys.ARROW_UP, Keys.ENTER)
    assert tab.targets() == ["e4"]
    assert "e3, white bia, picked" in tab.text("#cursor-said")
    tab.press(Keys.ESCAPE)
    assert tab.targets() == []
    tab.press(Keys.ENTER, Keys.ARROW_UP)
    assert "may go here" in tab.text("#cursor-said")
    tab.press(Keys.ENTER)
    tab.wait(lambda: len(tab.moves()) == 2)
    assert tab.browser.execute_script(
        "return document.getElementById('board').getAttribute('aria-activedescendant')"
    ) == ("square-e4")


def test_every_button_is_reached_by_the_keyboard(tab: Tab) -> None:
    tab.begin(fen=COUNTED)
    reached = set()
    for _ in range(40):
        ActionChains(tab.browser).send_keys(Keys.TAB).perform()
        found = tab.browser.execute_script("return document.activeElement.id")
        reached.add(found)
    assert {"new", "texts", "opponent", "board", "count-start", "draw", "resign", "flip", "thai", "moves"} <= reached


@pytest.mark.parametrize("opens", ["", "#new", "#texts", "#games", "#resign", "#opponent"])
def test_everything_has_a_name(tab: Tab, opens: str) -> None:
    tab.begin(fen=COUNTED, clock=True)
    if opens:
        tab.click(opens)
        tab.wait(lambda: tab.text("#dialog-title"))
    tab.browser.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
    assert tab.nameless() == []
    tab.keys(Keys.ESCAPE)


def test_a_count_by_its_button_and_back(tab: Tab) -> None:
    tab.begin(fen=COUNTED, you="both")
    tab.click("#count-start")
    tab.wait(lambda: tab.text("#count-title") == "Board count")
    assert tab.text("#count .limit") == "of 64"
    assert tab.text("#count .whose") == "White counts"
    assert "Board count: 0 of 64, White counts" in tab.text("#said")
    tab.click("#square-d3")
    tab.click("#square-d2")
    tab.wait(lambda: len(tab.moves()) == 2)
    tab.click("#back")
    tab.wait(lambda: len(tab.moves()) == 1)
    tab.click("#back")
    tab.wait(lambda: tab.moves() == [])
    assert tab.text("#count-title") == "Count"


def test_promotion_by_choice(tab: Tab) -> None:
    for choice, name in (("#promote", "promoted bia"), ("#stay", "white bia")):
        tab.begin(fen=PROMOTES, you="both", rules="ttakji:promotion=optional")
        tab.click("#square-a5")
        tab.click("#square-a6")
        tab.click(choice)
        tab.wait(lambda: len(tab.moves()) == 1)
        assert name in tab.label("square-a6")


def test_a_check_is_marked_and_the_board_turned(tab: Tab) -> None:
    tab.begin(fen="8/8/8/4k3/8/8/3K4/R7 w - - 0 1", you="both")
    before = tab.square("a1").location
    tab.click("#square-a1")
    tab.click("#square-a5")
    tab.wait(lambda: tab.text("#status").startswith("Check!"))
    mark = tab.browser.find_element(By.CSS_SELECTOR, ".mark.check")
    assert mark.get_attribute("data-mark") == "e5"
    assert len(tab.browser.find_elements(By.CSS_SELECTOR, ".mark.last")) == 2
    tab.click("#flip")
    assert tab.square("h8").location == before


def test_resigning_and_a_new_game_by_the_dialog(tab: Tab) -> None:
    tab.begin()
    tab.resign()
    assert "Black wins: resignation" in tab.text("#status")
    tab.click("#new")
    tab.browser.find_element(By.CSS_SELECTOR, "#agent option[value=random]").click()
    tab.browser.find_element(By.CSS_SELECTOR, "#rules option[value=sut]").click()
    tab.browser.find_element(By.CSS_SELECTOR, "input[name=you][value=black]").click()
    tab.browser.find_element(By.CSS_SELECTOR, "input[name=clock][value=timed]").click()
    tab.click("#begin")
    tab.wait(lambda: len(tab.moves()) == 1)
    assert tab.text("#far .who") == "random"
    tab.wait(lambda: tab.browser.find_elements(By.CSS_SELECTOR, "#near .clock.runs"))
    tab.browser.find_element(By.CSS_SELECTOR, "body").click()


def test_what_the_dialog_refuses_is_told_there(tab: Tab) -> None:
    tab.begin()
    tab.click("#new")
    tab.click("dialog details summary")
    tab.browser.find_element(By.ID, "fen-in").send_keys("nonsense")
    tab.click("#begin")
    tab.wait(lambda: "FEN" in tab.text("dialog .wrong"))
    tab.forget()
    ActionChains(tab.browser).send_keys(Keys.ESCAPE).perform()


def test_looking_back_and_inside(tab: Tab) -> None:
    tab.begin(agent="mcts:evaluator=heuristic,simulations=80")
    tab.click("#square-e3")
    tab.click("#square-e4")
    tab.wait(lambda: len(tab.moves()) == 2)
    tab.wait(lambda: tab.browser.find_elements(By.CSS_SELECTOR, ".ways tbody tr"))
    assert "80 simulations" in tab.text(".about")
    assert tab.browser.find_elements(By.CSS_SELECTOR, ".curve .line")
    assert not tab.browser.find_elements(By.CSS_SELECTOR, ".arrow")
    tab.click("#previous")
    tab.wait(lambda: "Looking back" in tab.text("#status"))
    tab.wait(lambda: tab.browser.find_elements(By.CSS_SELECTOR, ".arrow.played"))
    tab.click("#last")
    tab.click("#analyse")
    tab.wait(lambda: "3,000 simulations" in tab.text(".about"))
    assert tab.browser.find_elements(By.CSS_SELECTOR, ".arrow")


def test_an_agent_without_a_tree_says_so(tab: Tab) -> None:
    tab.begin()
    assert "no search tree" in tab.text(".about")


def test_fen_and_pgn_to_take_away(tab: Tab) -> None:
    tab.begin(fen=COUNTED, you="both")
    tab.click("#texts")
    tab.wait(lambda: tab.browser.find_elements(By.ID, "pgn-out"))
    assert tab.browser.find_element(By.ID, "fen-out").get_attribute("value") == COUNTED
    assert '[Rules "ttakji"]' in (tab.browser.find_element(By.ID, "pgn-out").get_attribute("value") or "")
    ActionChains(tab.browser).send_keys(Keys.ESCAPE).perform()


def test_another_client_sees_the_moves(tab: Tab) -> None:
    game = tab.begin(you="both")
    tab.post(f"games/{game['id']}/moves", version=1, move="e3e4")
    tab.wait(lambda: tab.moves() == ["e4"])
    tab.post(f"games/{game['id']}/back", version=2)
    tab.wait(lambda: tab.moves() == [])


@pytest.mark.parametrize("fen", [None, COUNTED])
def test_on_a_phone(tab: Tab, fen: str | None) -> None:
    set_size(tab.browser, 390, 844)
    tab.begin(fen=fen, clock=True)
    page, window = tab.browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert (page, window) == (390, 390)
    assert tab.browser.find_element(By.ID, "board").rect["width"] > 340
    tops = [tab.browser.find_element(By.ID, part).rect["y"] for part in ("board", "count", "actions", "moves")]
    assert tops == sorted(tops)
    square = tab.square("e3" if fen is None else "e4")
    square.click()
    assert tab.targets()
    tab.click("#new")
    assert tab.browser.execute_script("return document.querySelector('dialog').scrollWidth") <= 390
    ActionChains(tab.browser).send_keys(Keys.ESCAPE).perform()


def test_on_a_phone_that_lies(tab: Tab) -> None:
    set_size(tab.browser, 844, 390)
    tab.begin(fen=COUNTED, clock=True)
    assert tab.browser.execute_script("return document.documentElement.scrollWidth") == 844
    board, count = (tab.browser.find_element(By.ID, part).rect for part in ("board", "count"))
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= 390
    assert board["width"] > 330
    assert count["x"] > board["x"] + board["width"]
    tab.click("#square-e4")
    assert tab.targets()
    tab.click("#new")
    assert tab.browser.find_element(By.ID, "dialog").rect["height"] <= 390
    tab.keys(Keys.ESCAPE)


def analyse(tab: Tab) -> None:
    """Look into the position shown, and wait for the end of it."""
    tab.click("#analyse")
    tab.wait(lambda: tab.text("#analyse") == "Analysing …")
    tab.wait(lambda: tab.text("#analyse") == "Analyse this position" and "3,000 simulations" in tab.text(".about"))


def test_an_analysis_while_looking_back_stays(tab: Tab) -> None:
    tab.begin(you="both", pgn="1. e4 *")
    analyse(tab)
    best = tab.run("return app.thought.thought.ways[0].uci")
    game = tab.begin(you="both", pgn="1. e4 *")
    tab.post(f"games/{game['id']}/moves", version=game["version"], move=best)
    tab.wait(lambda: len(tab.moves()) == 2)
    tab.click("#first")
    tab.click("#next")
    tab.wait(lambda: "after 1 of 2 moves" in tab.text("#status"))
    analyse(tab)
    assert "Thinking" not in tab.text(".about")
    assert tab.browser.find_elements(By.CSS_SELECTOR, ".arrow.played")


def test_the_last_position_of_a_game_given_up_is_analysed(tab: Tab) -> None:
    tab.begin()
    tab.resign()
    tab.click("#analyse")
    tab.wait(lambda: "3,000 simulations" in tab.text(".about") and tab.text("#analyse") == "Analyse this position")
    assert tab.browser.find_elements(By.CSS_SELECTOR, ".curve .line")


def test_steps_are_told_and_the_curve_takes_keys(tab: Tab) -> None:
    tab.begin(agent="mcts:evaluator=heuristic,simulations=40", clock=True)
    tab.click("#square-e3")
    tab.click("#square-e4")
    tab.wait(lambda: len(tab.moves()) == 2 and tab.browser.find_elements(By.CSS_SELECTOR, ".curve"))
    assert "3 periods" in tab.label("clock-0")
    tab.browser.execute_script("document.querySelector('.curve').focus()")
    tab.keys(Keys.ARROW_LEFT)
    tab.wait(lambda: "after 1 of 2 moves. White: e4" in tab.text("#said"))
    tab.keys(Keys.HOME)
    tab.wait(lambda: "after 0 of 2 moves" in tab.text("#said"))
    focus = "return document.activeElement.matches('.curve') && document.activeElement.ariaValueNow"
    tab.wait(lambda: tab.browser.execute_script(focus) == "0")
    tab.keys(Keys.END)
    tab.wait(lambda: "White to move, move 2" in tab.text("#said"))


def test_steps_faster_than_the_server(tab: Tab) -> None:
    tab.begin(you="both", pgn="1. e4 e5 2. Nd2 Nd7 3. d4 d5 *")
    tab.browser.execute_script("for (let k = 0; k < 4; k++) document.getElementById('previous').click()")
    tab.wait(lambda: "after 2 of 6 moves" in tab.text("#status"))
    assert tab.label("square-e5") == "e5, black bia"


DOTS = "changed('state'); return ['far', 'near'].map((id) => document.querySelector(`#${id} .dots`)?.textContent ?? '')"
TROUBLE = "changed('state'); return document.getElementById('trouble').textContent"


def test_what_the_agent_is_about(tab: Tab) -> None:
    tab.begin()
    for job, words in (("offer", "considers the draw"), ("move", "thinks"), ("analysis", "")):
        told = tab.run(f"app.game = {{ ...app.game, thinking: true, job: given[0] }}; {DOTS}", job)
        assert told == [words, ""]
    failed = {"job": "analysis", "name": "AgentError", "message": "no tree"}
    told = tab.run(f"app.game = {{ ...app.game, failed: given[0] }}; {TROUBLE}", failed)
    assert told == "The position cannot be looked into. AgentError: no tree"


def test_a_refusal_stays_while_states_come(tab: Tab) -> None:
    game = tab.begin(you="both")
    tab.run("const { complain } = await import('/static/js/trouble.js'); complain(new Error('no such thing'))")
    tab.post(f"games/{game['id']}/moves", version=1, move="e3e4")
    tab.wait(lambda: tab.moves() == ["e4"])
    assert "no such thing" in tab.text("#trouble")
    assert tab.browser.find_element(By.ID, "trouble").is_displayed()
