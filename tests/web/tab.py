"""A page in a browser, as the tests of the page use it: fixtures, and what is done and read there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from makruk_web.api import Settings
from tests.web.serving import CHROMIUM, DRIVER, browsing, serving, set_size

BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER),
        reason="chromium or chromedriver is missing: apt-get install chromium chromium-driver",
    ),
]
COUNTED = "4k3/2s1r3/8/3n4/4M3/3KS3/4R3/8 w - - 0 60"
_NAMED = ("button", "checkbox", "combobox", "grid", "radio", "slider", "textbox", "timer", "region", "dialog")


def log(browser: Chrome, kind: str) -> list[dict[str, Any]]:
    """Return what a browser has noted since it was asked last."""
    return list(browser.get_log(kind))  # type: ignore[no-untyped-call]


class Tab:
    """A page with a game."""

    def __init__(self, browser: Chrome, address: str) -> None:
        self.browser, self.address = browser, address

    def post(self, path: str, **asked: Any) -> dict[str, Any]:
        """Ask the server for something beside the page."""
        answer = httpx2.post(f"{self.address}/api/{path}", json=asked)
        assert answer.is_success, answer.text
        return dict(answer.json())

    def begin(self, **asked: Any) -> dict[str, Any]:
        """Begin a game and show it."""
        game = self.post("games", **{"agent": "greedy", **asked})
        self.browser.get("about:blank")
        self.browser.get(f"{self.address}/#{game['id']}")
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, ".board .man") and self.text("#status"))
        return game

    def resign(self) -> None:
        """Give the game up, as a player does, and see it ended."""
        self.click("#resign")
        self.click("#resign-sure")
        self.wait(lambda: "resignation" in self.text("#status"))

    def wait(self, until: Callable[[], Any]) -> Any:
        """Return what comes as soon as it comes."""
        ignored = [NoSuchElementException, StaleElementReferenceException]
        return WebDriverWait(self.browser, 10, 0.05, ignored).until(lambda _: until())

    def run(self, script: str, *arguments: Any) -> Any:
        """Return what a script returns on the page, with `app`, `changed` and what is `given` at hand."""
        modules = "const { app, changed } = await import('/static/js/app.js');"
        whole = f"const given = [...arguments], done = given.pop(); (async () => {{ {modules} {script} }})().then(done)"
        return self.browser.execute_async_script(whole, *arguments)

    def text(self, selector: str) -> str:
        """Return what stands somewhere."""
        return str(
            self.browser.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)
        )

    def label(self, id_: str) -> str:
        """Return what those who listen are told of an element."""
        return str(self.browser.execute_script("return document.getElementById(arguments[0])?.ariaLabel ?? ''", id_))

    def value(self, id_: str) -> str:
        """Return what stands in a field."""
        return str(self.browser.execute_script("return document.getElementById(arguments[0])?.value ?? ''", id_))

    def click(self, selector: str) -> None:
        """Click on something as soon as it takes clicks."""
        ready = "const e = document.querySelector(arguments[0]); return e && !e.disabled ? e : null"

        def clicked() -> bool:
            element = self.browser.execute_script(ready, selector)
            if element:
                element.click()
            return bool(element)

        self.wait(clicked)

    def click_text(self, text: str) -> None:
        """Click on the button of the dialog, or above the board, that bears this text."""
        found = f'//*[self::dialog or @id="trouble"]//button[normalize-space()="{text}"]'
        self.wait(lambda: self.browser.find_element(By.XPATH, found)).click()

    def square(self, name: str) -> Any:
        """Return a square's element."""
        return self.browser.find_element(By.ID, f"square-{name}")

    def press(self, *keys: str) -> None:
        """Press keys on the board."""
        self.browser.execute_script("document.getElementById('board').focus()")
        ActionChains(self.browser).send_keys(*keys).perform()

    def keys(self, *keys: str) -> None:
        """Press keys wherever the focus is."""
        ActionChains(self.browser).send_keys(*keys).perform()

    def moves(self) -> list[str]:
        """Return the moves that the list shows."""
        script = "return [...document.querySelectorAll('#moves button')].map((button) => button.textContent)"
        return list(self.browser.execute_script(script))

    def targets(self) -> list[str]:
        """Return the squares that are marked as those to go to."""
        script = "return [...document.querySelectorAll('[data-target]')].map((target) => target.dataset.target)"
        return sorted(self.browser.execute_script(script))

    def nameless(self) -> list[str]:
        """Return what takes clicks or keys, or opens, and has no name for those who listen."""
        nodes = self.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        told = [node for node in nodes if not node["ignored"] and node["role"]["value"].lower() in _NAMED]
        assert len(told) >= 3
        return [node["role"]["value"] for node in told if not node.get("name", {}).get("value", "").strip()]

    def forget(self) -> None:
        """Let go what the browser has complained about: it logs every answer that refuses something."""
        log(self.browser, "browser")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(Settings(tmp_path_factory.mktemp("games") / "games.sqlite", threads=2, warm=False)) as address:
        yield address


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with browsing(1200, 900, tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def tab(chrome: Chrome, address: str) -> Iterator[Tab]:
    """A page that has complained about nothing at the end, and asked nobody but its server."""
    set_size(chrome, 1200, 900)
    for kind in ("browser", "performance"):
        log(chrome, kind)
    yield Tab(chrome, address)
    assert [entry for entry in log(chrome, "browser") if entry["level"] in ("SEVERE", "WARNING")] == []
    events = [json.loads(entry["message"])["message"] for entry in log(chrome, "performance")]
    asked = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    hosts = {urlsplit(url).hostname for url in asked if urlsplit(url).scheme not in ("data", "about", "blob")}
    assert hosts <= {"127.0.0.1"}
    assert hosts
