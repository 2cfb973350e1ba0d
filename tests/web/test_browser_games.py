"""The page in a browser beside the moves: games begun, come back to and lost, runs looked through, men dropped."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By

from makruk_web.api import Settings
from tests.training.games import ROOK_ENDING, random_game
from tests.web import tab as pages
from tests.web.serving import serving
from tests.web.tab import BROWSER, COUNTED, Tab
from training.records import GAMES_FILE, append_games

pytestmark = BROWSER
chrome, tab = pages.chrome, pages.tab
CHANGED = "ttakji:promotion=optional,max_plies=80"


class Hours:
    """A time that runs as usual, and may be put on."""

    ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


@pytest.fixture(scope="module")
def hours() -> Hours:
    return Hours()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, hours: Hours) -> Iterator[str]:
    """The address of a server with a run of two games."""
    folder = tmp_path_factory.mktemp("served")
    run = folder / "quick"
    (run / GAMES_FILE).parent.mkdir(parents=True)
    append_games(run / GAMES_FILE, [random_game(ROOK_ENDING, seed=1), random_game(ROOK_ENDING, seed=3)])
    with serving(Settings(folder / "games.sqlite", runs=(run,), threads=2, warm=False, now=hours)) as address:
        yield address


def look_away(tab: Tab, away: bool) -> None:
    """Let the page believe that it is not seen, or seen again."""
    tab.browser.execute_script(
        "Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });"
        "document.dispatchEvent(new Event('visibilitychange'))",
        away,
    )


def test_a_pgn_by_the_dialog_with_rules_for_it(tab: Tab) -> None:
    tab.begin(you="both")
    tab.click("#new")
    tab.click("dialog details summary")
    tab.click("#rules option[value=fairy]")
    tab.click("input[name=you][value=both]")
    tab.browser.find_element(By.ID, "pgn-in").send_keys("1. e4 e5 2. Nd2 *")
    tab.browser.find_element(By.ID, "fen-in").send_keys(COUNTED)
    tab.click("#begin")
    tab.wait(lambda: "both" in tab.text("dialog .wrong"))
    tab.forget()
    tab.browser.find_element(By.ID, "fen-in").clear()
    tab.click("#begin")
    tab.wait(lambda: tab.moves() == ["e4", "e5", "Nd2"])
    assert tab.text("#rules-shown") == "Rules: fairy"


def test_enter_in_the_dialog_begins_one_game(tab: Tab) -> None:
    tab.begin(you="both")
    tab.run("""
        window.posts = 0;
        const real = fetch;
        window.fetch = (...all) => {
            window.posts += "body" in (all[1] ?? {});
            return real(...all);
        };
    """)
    tab.click("#new")
    tab.click("dialog details summary")
    tab.browser.find_element(By.ID, "fen-in").send_keys(COUNTED, Keys.ENTER, Keys.ENTER)
    tab.wait(lambda: "move 60" in tab.text("#status"))
    assert tab.browser.execute_script("return window.posts") == 1


def test_a_position_is_played_from_by_its_own_rules(tab: Tab) -> None:
    tab.begin(you="both", rules=CHANGED, fen=COUNTED)
    assert tab.text("#rules-shown") == "Rules: ttakji, promotion=optional, max_plies=80"
    tab.click("#texts")
    tab.click("#play-from")
    tab.wait(lambda: tab.text("#dialog-title") == "New game")
    assert (tab.value("rules"), tab.value("fen-in")) == (CHANGED, COUNTED)
    tab.click("input[name=you][value=both]")
    tab.click("#begin")
    tab.wait(lambda: not tab.browser.find_element(By.ID, "dialog").is_displayed())
    assert tab.text("#rules-shown") == "Rules: ttakji, promotion=optional, max_plies=80"


def test_games_are_come_back_to(tab: Tab) -> None:
    first = tab.begin(you="both")
    tab.post(f"games/{first['id']}/moves", version=1, move="e3e4")
    tab.begin()
    tab.click("#games")
    tab.click_text("Both sides by hand")
    tab.wait(lambda: tab.moves() == ["e4"])
    assert tab.browser.current_url.endswith(f"#{first['id']}")


def test_a_run_is_looked_through(tab: Tab) -> None:
    tab.begin(you="both")
    tab.click("#runs")
    tab.click_text("Game 2")
    tab.wait(lambda: "quick, game 2: after 0 of" in tab.text("#status"))
    assert tab.text("#rules-shown").startswith("Rules: ttakji")
    assert tab.browser.find_elements(By.CSS_SELECTOR, ".curve .line")
    tab.click("#next")
    tab.wait(lambda: "quick, game 2: after 1 of" in tab.text("#said"))
    assert tab.browser.find_elements(By.CSS_SELECTOR, ".ways tbody tr")
    tab.click("#texts")
    tab.wait(lambda: "self-play of quick" in tab.value("pgn-out"))
    tab.keys(Keys.ESCAPE)
    tab.click("#leave-run")
    tab.wait(lambda: "White to move, move 1" in tab.text("#status"))
    tab.click("#square-e3")
    assert tab.targets() == ["e4"]


def test_a_game_that_is_gone_is_told(tab: Tab, hours: Hours) -> None:
    game = tab.begin()
    look_away(tab, True)
    tab.wait(lambda: is_gone(tab, game["id"], hours))
    look_away(tab, False)
    tab.wait(lambda: "does not keep this game" in tab.text("#trouble"))
    assert not tab.browser.find_element(By.ID, "connection").is_displayed()
    assert not tab.browser.find_element(By.ID, "resign").is_enabled()
    tab.click_text("New game")
    tab.click("#begin")
    tab.wait(lambda: not tab.text("#trouble"))
    tab.wait(lambda: tab.browser.find_element(By.ID, "resign").is_enabled())
    tab.forget()


def test_back_from_a_run_to_a_game_that_is_gone(tab: Tab, hours: Hours) -> None:
    """As often as one likes."""
    game = tab.begin()
    for _ in range(2):
        tab.run("await (await import('/static/js/app.js')).openRun('quick', 2)")
        tab.wait(lambda: is_gone(tab, game["id"], hours))
        tab.click("#leave-run")
        tab.wait(lambda: "does not keep this game" in tab.text("#trouble"))
        tab.wait(lambda: not tab.browser.find_elements(By.ID, "leave-run"))
    tab.forget()


def is_gone(tab: Tab, id_: str, hours: Hours) -> bool:
    """Tell whether a game has been removed; time passes after each question, as one keeps the game for a while."""
    told = httpx2.get(f"{tab.address}/api/games/{id_}").status_code
    hours.ahead += 700
    return told == 404


def test_the_page_comes_back_with_its_server(chrome: Chrome, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "games.sqlite", threads=1, warm=False)
    with serving(settings) as address:
        tab = Tab(chrome, address)
        game = tab.begin(you="both")
        tab.post(f"games/{game['id']}/moves", version=1, move="e3e4")
        tab.wait(lambda: tab.moves() == ["e4"])
    tab.wait(lambda: "does not answer" in tab.text("#connection"))
    assert tab.browser.find_element(By.ID, "connection").is_displayed()
    with serving(settings, int(address.rpartition(":")[2])):
        tab.wait(lambda: not tab.browser.find_element(By.ID, "connection").is_displayed())
        tab.click("#square-e6")
        tab.click("#square-e5")
        tab.wait(lambda: tab.moves() == ["e4", "e5"])
        tab.browser.get("about:blank")
    tab.forget()


def test_a_clock_runs_out_before_ones_eyes(tab: Tab, hours: Hours) -> None:
    game = tab.begin(you="both", clock=True)
    tab.post(f"games/{game['id']}/moves", version=1, move="e3e4")
    tab.wait(lambda: tab.browser.find_elements(By.CSS_SELECTOR, "#clock-1.runs"))
    hours.ahead += 300 + 2 * 30 + 22
    tab.browser.refresh()
    tab.wait(lambda: tab.browser.find_elements(By.CSS_SELECTOR, "#clock-1.runs.short"))
    assert re.fullmatch("0:0[1-8]×1", tab.text("#clock-1"))
    tab.wait(lambda: "White wins: timeout" in tab.text("#status"))
    assert tab.text("#clock-1").startswith("0:00")
    assert not tab.browser.find_elements(By.CSS_SELECTOR, ".clock.runs")


def stands(tab: Tab, square: str) -> bool:
    """Tell whether the man of a square is drawn there."""
    script = """
        const there = `.board .men use[style*="${given[0]}"]`;
        const man = document.querySelector(".board .lifted") ?? document.querySelector(there);
        return Boolean(man) && !man.classList.contains("lifted");
    """
    x, y = 100 * "abcdefgh".index(square[0]), 100 * (8 - int(square[1]))
    return bool(tab.run(script, f"translate({x}px, {y}px)"))


def pointer(tab: Tab, kind: str, **told: Any) -> None:
    """Send the board an event of a pointer."""
    tab.browser.execute_script(
        "document.getElementById('board').dispatchEvent(new PointerEvent(arguments[0], arguments[1]))", kind, told
    )


def test_a_drag_that_is_broken_off_leaves_the_man_where_it_stood(tab: Tab) -> None:
    tab.begin(you="both")
    ActionChains(tab.browser).click_and_hold(tab.square("e3")).move_by_offset(40, -90).perform()
    assert not stands(tab, "e3")
    lifted = "return document.querySelector('.board .lifted').style.transform"
    where = tab.browser.execute_script(lifted)
    for kind in ("pointermove", "pointerup", "pointercancel"):
        pointer(tab, kind, pointerId=99, clientX=5, clientY=5)
    assert tab.browser.execute_script(lifted) == where
    pointer(tab, "pointercancel", pointerId=1)
    assert stands(tab, "e3")
    assert tab.targets() == []
    ActionChains(tab.browser).release().perform()
    assert tab.moves() == []


def test_a_man_that_is_taken_while_it_is_dragged(tab: Tab) -> None:
    game = tab.begin(you="both", fen="4k3/8/8/8/r6R/8/8/4K3 w - - 0 1")
    ActionChains(tab.browser).click_and_hold(tab.square("h4")).move_by_offset(0, -80).perform()
    for version, move in ((1, "e1d1"), (2, "a4h4")):
        tab.post(f"games/{game['id']}/moves", version=version, move=move)
    tab.wait(lambda: len(tab.moves()) == 2)
    ActionChains(tab.browser).move_by_offset(0, -60).perform()
    assert stands(tab, "h4")
    ActionChains(tab.browser).release().perform()
    assert (tab.label("square-h4"), len(tab.moves())) == ("h4, black ruea", 2)


def test_a_late_answer_does_not_show_another_game(tab: Tab) -> None:
    other = tab.begin(you="both", fen=COUNTED)
    tab.begin(you="both")
    tab.run("""
        const real = fetch;
        window.fetch = async (...all) => {
            const answer = await real(...all);
            if (all[1]?.method) await new Promise((go) => setTimeout(go, 700));
            return answer;
        };
    """)
    tab.click("#square-e3")
    tab.click("#square-e4")
    tab.run("location.hash = given[0]", f"#{other['id']}")
    tab.wait(lambda: "move 60" in tab.text("#status"))
    time.sleep(1)
    assert "move 60" in tab.text("#status")
    assert tab.moves() == []
