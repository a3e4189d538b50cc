"""A headless Chromium that opens pages of this computer, without a network."""
from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

WIDTH, HEIGHT = 1400, 900
_FLAGS = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--use-angle=swiftshader",
          "--enable-unsafe-swiftshader", "--force-color-profile=srgb",
          "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
_PATIENCE = 30.0  # seconds, far more than anything takes


class Browser:
    """One window. Pages are opened one after the other."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, page: Path, fragment: str = "") -> None:
        """Reopens a page, with an empty log."""
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get(page.as_uri() + (f"#{fragment}" if fragment else ""))

    def resize(self, width: int, height: int) -> None:
        """Gives the page itself this size, in pixels."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def theme(self, name: str) -> None:
        """Shows pages in the `light` or the `dark` theme."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": name}]})

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of a script."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str, what: str = "") -> Any:
        """The value of a script, once it is true. AssertionError if it never becomes so."""
        end = time.monotonic() + _PATIENCE
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"never true: {what or script}; {self.log()}"
            time.sleep(0.02)
        return value

    def log(self) -> list[str]:
        """Warnings and errors of the page."""
        return [f"{entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")]


@contextmanager
def browser() -> Iterator[Browser]:
    options = Options()
    for flag in (*_FLAGS, f"--window-size={WIDTH},{HEIGHT}"):
        options.add_argument(flag)
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
