"""The page in a browser: played by mouse, by keyboard and on a phone, without a word to anybody but its server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from makruk_web.api import Settings
from tests.web.serving import CHROMIUM, DRIVER, browsing, serving, set_size

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER),
        reason="chromium or chromedriver is missing: apt-get install chromium chromium-driver",
    ),
]
COUNTED = "4k3/2s1r3/8/3n4/4M3/3KS3/4R3/8 w - - 0 60"
PROMOTES = "8/8/8/P3k3/8/8/3K4/8 w - - 0 1"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(Settings(tmp_path_factory.mktemp("games") / "games.sqlite", threads=2, warm=False)) as address:
        yield address


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with browsing(1200, 900, tmp_path_factory.mktemp("profile")) as browser:
        yield browser


class Tab:
    """A page with a game."""

    def __init__(self, browser: Chrome, address: str) -> None:
        self.browser, self.address = browser, address

    def begin(self, **asked: Any) -> dict[str, Any]:
        """Begin a game and show it."""
        answer = httpx2.post(f"{self.address}/api/games", json={"agent": "greedy", **asked})
        assert answer.status_code == 201, answer.text
        self.id = answer.json()["id"]
        self.browser.get("about:blank")
        self.browser.get(f"{self.address}/#{self.id}")
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, ".board .man") and self.text("#status"))
        return dict(answer.json())

    def wait(self, until: Callable[[], Any]) -> Any:
        """Return what comes as soon as it comes."""
        ignored = [NoSuchElementException, StaleElementReferenceException]
        return WebDriverWait(self.browser, 10, 0.05, ignored).until(lambda _: until())

    def text(self, selector: str) -> str:
        """Return what stands somewhere."""
        return str(
            self.browser.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)
        )

    def click(self, selector: str) -> None:
        """Click on something as soon as it takes clicks."""
        ready = "const e = document.querySelector(arguments[0]); return e && !e.disabled ? e : null"

        def clicked() -> bool:
            element = self.browser.execute_script(ready, selector)
            if element:
                element.click()
            return bool(element)

        self.wait(clicked)

    def square(self, name: str) -> Any:
        """Return a square's element."""
        return self.browser.find_element(By.ID, f"square-{name}")

    def press(self, *keys: str) -> None:
        """Press keys on the board."""
        self.browser.execute_script("document.getElementById('board').focus()")
        ActionChains(self.browser).send_keys(*keys).perform()

    def moves(self) -> list[str]:
        """Return the moves that the list shows."""
        script = "return [...document.querySelectorAll('#moves button')].map((button) => button.textContent)"
        return list(self.browser.execute_script(script))

    def targets(self) -> list[str]:
        """Return the squares that are marked as those to go to."""
        script = "return [...document.querySelectorAll('[data-target]')].map((target) => target.dataset.target)"
        return sorted(self.browser.execute_script(script))


@pytest.fixture
def tab(chrome: Chrome, address: str) -> Iterator[Tab]:
    """A page that has complained about nothing at the end, and asked nobody but its server."""
    set_size(chrome, 1200, 900)
    for kind in ("browser", "performance"):
        chrome.get_log(kind)
    yield Tab(chrome, address)
    assert [entry for entry in chrome.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []
    events = [json.loads(entry["message"])["message"] for entry in chrome.get_log("performance")]
    asked = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    hosts = {urlsplit(url).hostname for url in asked if urlsplit(url).scheme not in ("data", "about", "blob")}
    assert hosts <= {"127.0.0.1"}
    assert hosts


def test_moves_by_click(tab: Tab) -> None:
    tab.begin()
    tab.square("e3").click()
    assert tab.targets() == ["e4"]
    tab.square("e4").click()
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
    tab.square("e6").click()
    tab.square("e6").click()
    assert tab.targets() == []
    tab.square("a1").click()
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
    names = "return [...document.querySelectorAll('button, input, select, [role=img], [role=grid]')]"
    named = (
        f"{names}.every((e) => e.ariaLabel || e.textContent.trim() || e.labels?.length || e.getAttribute('aria-label'))"
    )
    assert tab.browser.execute_script(named)


def test_a_count_by_its_button_and_back(tab: Tab) -> None:
    tab.begin(fen=COUNTED, you="both")
    tab.click("#count-start")
    tab.wait(lambda: tab.text("#count-title") == "Board count")
    assert tab.text("#count .limit") == "of 64"
    assert tab.text("#count .whose") == "White counts"
    assert "Board count: 0 of 64, White counts" in tab.text("#said")
    tab.square("d3").click()
    tab.square("d2").click()
    tab.wait(lambda: len(tab.moves()) == 2)
    for left in (1, 0):
        tab.click("#back")
        tab.wait(lambda left=left: len(tab.moves()) == left)
    assert tab.text("#count-title") == "Count"


def test_promotion_by_choice(tab: Tab) -> None:
    for choice, name in (("#promote", "promoted bia"), ("#stay", "white bia")):
        tab.begin(fen=PROMOTES, you="both", rules="ttakji:promotion=optional")
        tab.square("a5").click()
        tab.square("a6").click()
        tab.click(choice)
        tab.wait(lambda: len(tab.moves()) == 1)
        assert name in (tab.square("a6").get_attribute("aria-label") or "")


def test_a_check_is_marked_and_the_board_turned(tab: Tab) -> None:
    tab.begin(fen="8/8/8/4k3/8/8/3K4/R7 w - - 0 1", you="both")
    before = tab.square("a1").location
    tab.square("a1").click()
    tab.square("a5").click()
    tab.wait(lambda: tab.text("#status").startswith("Check!"))
    mark = tab.browser.find_element(By.CSS_SELECTOR, ".mark.check")
    assert mark.get_attribute("data-mark") == "e5"
    assert len(tab.browser.find_elements(By.CSS_SELECTOR, ".mark.last")) == 2
    tab.click("#flip")
    assert tab.square("h8").location == before


def test_resigning_and_a_new_game_by_the_dialog(tab: Tab) -> None:
    tab.begin()
    tab.click("#resign")
    tab.click("#resign-sure")
    tab.wait(lambda: "Black wins: resignation" in tab.text("#status"))
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
    tab.browser.get_log("browser")  # a browser logs every answer of 422
    ActionChains(tab.browser).send_keys(Keys.ESCAPE).perform()


def test_looking_back_and_inside(tab: Tab) -> None:
    tab.begin(agent="mcts:evaluator=heuristic,simulations=80")
    tab.square("e3").click()
    tab.square("e4").click()
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
    httpx2.post(f"{tab.address}/api/games/{game['id']}/moves", json={"version": 1, "move": "e3e4"})
    tab.wait(lambda: tab.moves() == ["e4"])
    httpx2.post(f"{tab.address}/api/games/{game['id']}/back", json={"version": 2})
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
