"""`python -m tests.web.screenshots FOLDER`: pictures of the page with each count, light and dark, on a desk, on a
phone that stands and on one that lies."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx2
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from makruk_web.api import Settings
from tests.web.serving import browsing, serving

GAMES = {
    "start": {"agent": "normal"},
    "pieces": {"agent": "normal", "you": "black", "fen": "8/8/2k5/8/3K1S2/8/4R3/7N b - 32 22 60", "clock": True},
    "board": {"agent": "normal", "fen": "4k3/2s1r3/8/3n4/4M3/3KS3/4R3/8 w - - 0 60", "clock": True},
    "middle": {
        "agent": "normal",
        "pgn": "1. e4 e5 2. Nd2 Nd7 3. d4 d5 4. Se2 Se7 5. f4 f5 6. exf5 exf4 *",
    },
}
SIZES = {"desk": (1280, 800), "phone": (390, 844), "phone-lying": (844, 390)}


def settled(browser: Chrome) -> None:
    """Wait until the page shows a game in which nobody thinks."""
    ready = "const p = document.querySelectorAll('.board .man').length; const t = document.querySelector('.dots');"
    WebDriverWait(browser, 20).until(lambda b: b.execute_script(f"{ready} return p > 2 && !t"))
    browser.execute_async_script("setTimeout(arguments[0], 450)")


def take(folder: Path) -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as scratch, serving(Settings(Path(scratch, "games.sqlite"))) as address:
        for scheme in ("light", "dark"):
            for size, (width, height) in SIZES.items():
                with browsing(width, height, Path(scratch, scheme + size), scheme == "dark") as browser:
                    for name, asked in GAMES.items():
                        game = httpx2.post(f"{address}/api/games", json=asked, timeout=120).json()  # may compile first
                        browser.get(f"{address}/#{game['id']}")
                        browser.refresh()
                        settled(browser)
                        play(browser, name)
                        full = size == "phone"
                        picture = folder / f"{name}-{size}-{scheme}.png"
                        shoot(browser, picture, full)
                    browser.find_element(By.ID, "new").click()
                    browser.execute_async_script("setTimeout(arguments[0], 200)")
                    shoot(browser, folder / f"dialog-{size}-{scheme}.png", False)


def play(browser: Chrome, name: str) -> None:
    """Bring a game to where it is to be seen."""
    if name == "board":
        browser.find_element(By.ID, "count-start").click()
        settled(browser)
    if name == "pieces":
        legal = browser.find_elements(By.CSS_SELECTOR, "#count .number")
        assert legal, "a pieces count runs"
    if name == "middle":
        if not browser.find_element(By.ID, "inside").get_attribute("open"):
            browser.find_element(By.CSS_SELECTOR, "#inside summary").click()
        browser.find_element(By.ID, "analyse").click()
        WebDriverWait(browser, 20).until(lambda b: b.find_elements(By.CSS_SELECTOR, ".ways tbody tr"))
        browser.execute_async_script("setTimeout(arguments[0], 1200)")


def shoot(browser: Chrome, file: Path, full: bool) -> None:
    """Write what is seen, or the whole page, to a file."""
    import base64

    told: dict[str, Any] = {"captureBeyondViewport": full}
    if full:
        size = browser.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        told["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
    file.write_bytes(base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", told)["data"]))


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    take(target)
