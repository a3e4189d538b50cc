"""A browser, and the page of the demo character."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Browser
from chromium import browser as started
from written import HERO, PAUSED, write_page


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with started() as running:
        yield running


@pytest.fixture(scope="session")
def hero_page(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Path:
    return write_page(tmp_path_factory.mktemp("view"), HERO)


@pytest.fixture
def hero(browser: Browser, hero_page: Path) -> Browser:
    """The demo character's page, drawn, and paused at its first frame."""
    browser.open(hero_page, PAUSED)
    browser.wait("return window.ossicle?.costs.frames > 0")
    return browser
