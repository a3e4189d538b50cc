"""A browser, and the page of the demo character."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Browser
from chromium import browser as started
from ossicle.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
HERO = ROOT / "codegen/demo/hero.glb"


def write_page(folder: Path, *arguments: object) -> Path:
    """The page that a command line of `ossicle view` writes."""
    page = folder / "page.html"
    assert main(["view", *map(str, arguments), "-o", str(page), "--no-open", "--quiet"]) == 0
    return page


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
    browser.open(hero_page, "clip=Walk&paused=&frame=0")
    browser.wait("return window.ossicle?.costs.frames > 0")
    return browser
