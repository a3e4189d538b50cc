"""`scons site`: a site from the pages, which needs no network and which everybody can read."""
from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import chromium
import pytest
from pages import ROOT, pages
from tools.c_reference import described, page
from tools.site import HEADERS, SECTIONS, index, make_site, with_tabs

sys.path.insert(0, str(ROOT / "tests/view"))
from test_accessibility import AXE, FINDINGS, RULES, WINDOWS  # noqa: E402

SHOWN = ("index.html", "codegen/START.html", "README.html", "runtime/POSES.html", "runtime/ossicle.h.html",
         "codegen/CODECS.html", "codegen/COMPARISONS.html", "search.html")
SERIOUS = ("serious", "critical")


def test_every_page_is_on_the_site() -> None:
    listed = [name for section in SECTIONS.values() for name in section]
    assert len(listed) == len(set(listed)) and set(pages()) <= set(listed)
    assert all(f"\n{name}\n" in index() for name in (*listed, *(f"{header}.md" for header in HEADERS)))


def test_sections_become_tabs() -> None:
    text = "a\n<!-- tabs -->\n## One\n\nb\n\n```sh\nc\n```\n\n## Two\n\nd\n<!-- end of tabs -->\n## Three\n"
    tabs = "a\n`````{tab} One\nb\n\n```sh\nc\n```\n`````\n\n`````{tab} Two\nd\n`````\n\n## Three\n"
    assert with_tabs(text) == tabs and with_tabs(tabs) == tabs


@pytest.mark.parametrize("header", HEADERS)
def test_every_function_of_a_header_is_described(header: str) -> None:
    text = (ROOT / header).read_text(encoding="utf-8")
    functions = set(re.findall(r"^(?!typedef|static|#| |/)[a-z][\w *]*?\*?(\w+)\([^;{]*\);", text, re.MULTILINE))
    shown = page(ROOT / header)
    assert {name for name in functions if f"{name}(" not in shown} == set()
    assert all(block.text for block in described(text)) and "SPDX" not in shown


def test_structs_are_whole() -> None:
    pair = "typedef struct pair {\n    int a; /* one */\n\n    int b;\n} pair;"
    text = f"/* A header. */\n#ifndef OSC_A_H\n\n/* A pair. */\n{pair}\n\nint after;\n"
    assert described(text)[1].code == pair and described(text)[1].name == "pair"


def test_a_page_has_the_comments_of_its_header(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("/* A header. */\n\n/* Goes far. */\nint go(void);\n", encoding="utf-8")
    assert page(tmp_path / "a.h") == "# a.h\n\nA header.\n\nGoes far.\n\n```c\nint go(void);\n```\n"


class Links(HTMLParser):
    """The addresses that a page loads or links, and the names in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.names |= {value for key, value in attrs if key in ("id", "name") and value}
        address = found.get("href" if tag in ("a", "link") else "src")
        if address and found.get("rel") != "canonical":
            (self.linked if tag == "a" else self.loaded).append(address)


@pytest.fixture(scope="module")
def site(built_encoder: None) -> Path:
    """The site, as `scons site` makes it."""
    if not (ROOT / "build/viewer/page.html").is_file():
        pytest.skip("./bootstrap viewer builds the live page")
    pytest.importorskip("sphinx")
    return make_site()


@pytest.mark.integration
def test_links_lead_to_files_of_the_site(site: Path) -> None:
    read = {path: Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html") if path.name != "live.html"}
    assert len(read) > len(HEADERS) + 20
    wrong = []
    for path, links in read.items():
        loaded = [address for address in links.loaded if address != "#" and not address.startswith("data:")]
        wrong += [f"{path}: {address}" for address in loaded if address.startswith(("http", "//"))
                  or not (path.parent / unquote(address.split("?")[0])).is_file()]
        for address in links.linked:
            if address.startswith("http"):
                continue
            file, _, anchor = address.partition("#")
            target = (path.parent / unquote(file.split("?")[0])).resolve() if file else path
            if not target.is_file() or anchor and target in read and unquote(anchor) not in read[target].names:
                wrong.append(f"{path}: {address}")
    assert wrong == []


@pytest.mark.integration
def test_style_sheets_load_nothing_from_elsewhere(site: Path) -> None:
    for path in (*site.rglob("*.css"), *site.rglob("*.js")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"url\(['\"]?(?:https?:)?//|@import|cdn\.|fonts\.g", text), path


@pytest.fixture(scope="module")
def browser() -> Iterator[chromium.Browser]:
    with chromium.browser() as opened:
        yield opened


@pytest.mark.integration
@pytest.mark.parametrize(("theme", "width"), WINDOWS)
def test_axe_finds_nothing_serious(site: Path, browser: chromium.Browser, theme: str, width: int) -> None:
    browser.theme(theme)
    browser.resize(width, 844)
    found = {}
    for name in SHOWN:
        browser.open(site / name)
        browser.run("document.querySelector('iframe')?.remove()")  # tests/view tests the live page
        assert browser.run("return document.documentElement.scrollWidth") <= width, name
        browser.run(AXE.read_text(encoding="utf-8"))
        findings = browser.driver.execute_async_script(FINDINGS, RULES)
        found[name] = [finding for finding in findings if finding.startswith(SERIOUS)][:3]
    assert [f"{name}: {finding}" for name in found for finding in found[name]] == []


@pytest.mark.integration
def test_the_search_finds_a_function(site: Path, browser: chromium.Browser) -> None:
    browser.open(site / "search.html")
    browser.driver.get((site / "search.html").as_uri() + "?q=osc_compose")
    browser.wait("return document.querySelectorAll('.search a').length > 2")
