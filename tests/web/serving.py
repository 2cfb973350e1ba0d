"""A server as the command starts one, on a thread of this process, and a browser to look at it."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions, ChromeService

from makruk_web.api import Settings, make_app
from makruk_web.server import Server, address_of, listen

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


@contextmanager
def serving(settings: Settings, port: int = 0) -> Iterator[str]:
    """Yield the address of a server that ends with the block; port: 0 for a free one."""
    ready = threading.Event()
    with listen("127.0.0.1", port) as listening:
        server = Server(make_app(settings), ready.set)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            assert ready.wait(60)
            yield address_of(listening)
        finally:
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()


@contextmanager
def browsing(width: int, height: int, folder: Path, dark: bool = False) -> Iterator[Chrome]:
    """Yield a browser without a window, with its log of console messages and of requests."""
    options = ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--force-color-profile=srgb",
        f"--user-data-dir={folder}",
        f"--window-size={width},{height}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = Chrome(options=options, service=ChromeService(DRIVER))
    try:
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        set_size(browser, width, height)
        yield browser
    finally:
        browser.quit()


def set_size(browser: Chrome, width: int, height: int) -> None:
    """Give the page so many pixels, as few as a phone has."""
    told = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": min(width, height) < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", told)
