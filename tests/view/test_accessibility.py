"""The page of `ossicle view` in both themes and at two widths: the rules of axe-core, sizes of targets, contrasts, the
ring of the focus, and the layout. A page with all tabs is opened once for each theme and width."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import HEIGHT, WIDTH, Browser
from graph_page import write_graph_page
from ossicle.cli.main import main
from selenium.webdriver.common.keys import Keys
from test_page import press
from written import HERO, ROOT, write_page

pytestmark = pytest.mark.integration

AXE = ROOT / "build/viewer/node_modules/axe-core/axe.min.js"  # ./bootstrap viewer installs it
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
TABS = ("errors", "bytes", "banks", "graph")
WINDOWS = [(theme, width) for theme in ("light", "dark") for width in (1440, 390)]
LEAST_TARGET, LEAST_TOUCH_TARGET = 24, 44  # pixels
LEAST_CONTRAST, LEAST_CONTRAST_OF_LINES = 4.5, 3.0
TABBED = 80  # keys, more than there are controls

FINDINGS = """
    const [rules, done] = arguments;
    axe.run({runOnly: rules}).then(({violations}) => done(violations.flatMap(({id, impact, nodes}) =>
        nodes.map(({target, any}) => `${impact} ${id}: ${target} ${any.map(({message}) => message)}`))))"""
# The contrasts of pairs of colours.
CONTRASTS = """
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const read = (colour) => {
        canvas.fillStyle = '#000';
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const style = getComputedStyle(document.documentElement);
    const luminance = (rgb) => rgb.map((v) => v / 255)
        .map((v) => v > 0.03928 ? ((v + 0.055) / 1.055) ** 2.4 : v / 12.92)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    return arguments[0].map(([front, back]) => {
        const [a, b] = [front, back].map((name) => luminance(read(style.getPropertyValue(name).trim())));
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    })"""
# Texts, some of them in pictures, which axe-core does not see; and the lines and rings that show a control.
TEXTS = [(text, back) for text in ("--text", "--muted", "--accent", "--bad", "--good") for back in ("--back", "--panel")
         ] + [("--on-accent", "--accent"), ("--on-cell", "--cell"), ("--on-cell", "--cell-rest"), ("--back", "--text"),
              ("--muted", "--picture"), *(("--text", f"--state-{state}") for state in range(8))]
LINES = [("--accent", "--picture"),
         *((line, back) for line in ("--edge", "--accent") for back in ("--back", "--panel"))]
SMALL = """
    const [least, chosen] = arguments;
    const isShown = (e) => e.checkVisibility() && !e.closest('[hidden], dialog:not([open])');
    return [...document.querySelectorAll(chosen)].filter(isShown).map((e) => [e, e.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.width < least || box.height < least))
        .map(([e, box]) => `${e.outerHTML.slice(0, 60)}: ${box.width} x ${box.height}`)"""
CONTROLS = "button, select, input, [role=tab], [role=option], .point .reach"
MAIN_CONTROLS = "#clip-button, #help-button, [role=tab], :is(#transport, #graph-transport, #looks) :is(button, select)"
RING = """
    const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
    const shape = e.querySelector?.('rect, .ring');
    const drawn = style.outlineStyle === 'none' && shape ? getComputedStyle(shape) : null;
    const [width, colour] = drawn ? [drawn.strokeWidth, drawn.stroke] : [style.outlineWidth, style.outlineColor];
    return {name: e.id || e.dataset?.toggle || e.className?.baseVal || e.outerHTML?.slice(0, 50),
            isPage: e === document.body, width: parseFloat(width), colour,
            isSeen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth}"""


@pytest.fixture(scope="module")
def full_page(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Path:
    """A page of two banks, with a graph."""
    folder = tmp_path_factory.mktemp("accessible")
    chosen = [word for clip in ("Idle", "Walk", "Run", "Jump", "Wave") for word in ("--clips", clip)]
    assert main(["encode", str(HERO), "-o", str(folder / "coarse.ossb"), "--quiet", "--tolerance", "8mm", *chosen]) == 0
    write_graph_page(folder)
    return write_page(folder, folder / "hero.toml", "--compare", folder / "coarse.ossb")


@pytest.fixture(scope="module", params=WINDOWS, ids=lambda window: f"{window[0]}-{window[1]}")
def window(browser: Browser, full_page: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Browser, int]]:
    theme, width = request.param
    browser.theme(theme)
    browser.resize(width, 844 if width < 800 else 900)
    browser.open(full_page, "clip=Walk&paused=&frame=3")
    browser.wait("return window.ossicle?.costs.frames > 1")
    browser.wait("return document.getElementById('hash').dataset.hash")
    browser.run("ossicle.picture.scene.draw = () => {}")  # saves most of the processor time
    yield browser, width
    browser.run("ossicle.graph.session.pause()")
    browser.theme("light")
    browser.resize(WIDTH, HEIGHT)


def choose(browser: Browser, tab: str) -> None:
    browser.run("document.getElementById(`tab-${arguments[0]}`).click(); ossicle.graph.session.pause()", tab)


def findings(browser: Browser) -> list[str]:
    """Returns what axe-core finds, of any severity, once the colours of buttons have arrived at theirs."""
    browser.run("document.getAnimations().forEach((transition) => transition.finish())")
    browser.run(AXE.read_text(encoding="utf-8"))
    found: list[str] = browser.driver.execute_async_script(FINDINGS, RULES)
    return found


def test_it_opens_at_its_top(window: tuple[Browser, int]) -> None:
    """The clips, the picture and its controls are on the screen; nothing is wider than it."""
    browser, width = window
    assert browser.run("return scrollY") == 0
    assert browser.run("return document.documentElement.scrollWidth") <= width
    shown = "#clip-button, #picture, #transport" if width < 800 else "#clips, #picture, #transport"
    bottoms = browser.run("return [...document.querySelectorAll(arguments[0])].map("
                          "(e) => e.getBoundingClientRect().bottom <= innerHeight)", shown)
    assert bottoms == [True] * 3


def test_clips_are_chosen_on_a_narrow_screen(window: tuple[Browser, int]) -> None:
    browser, width = window
    if width > 800:
        return
    browser.run("document.getElementById('clip-button').click()")
    assert browser.run("return document.getElementById('search').checkVisibility()")
    browser.run("document.getElementById('clip-2').click()")
    chosen, text, expanded = browser.run(
        "const button = document.getElementById('clip-button');"
        "return [ossicle.state.get('clip'), button.textContent, button.getAttribute('aria-expanded')]")
    assert chosen == 2 and "Run" in text and expanded == "false"
    assert browser.run("return scrollY") == 0


BROKEN_NAMES = """
    const lines = (node) => {
        const range = document.createRange();
        range.selectNode(node);
        return new Set([...range.getClientRects()].map(({top}) => top)).size;
    };
    return [...document.querySelectorAll('th button')].filter((button) => button.checkVisibility())
        .flatMap((button) => [...button.childNodes].filter((node) => node.nodeType === 3 && lines(node) > 1))
        .map((node) => node.data)"""


def test_names_of_joints_break_only_at_separators(window: tuple[Browser, int]) -> None:
    browser, _ = window
    for tab in ("errors", "bytes"):
        choose(browser, tab)
        assert browser.run(BROKEN_NAMES) == [], tab


def test_labels_of_the_treemap_fit(window: tuple[Browser, int]) -> None:
    browser, _ = window
    choose(browser, "bytes")
    browser.wait("return document.querySelectorAll('.cell text').length > 3")
    assert browser.run("""
        return [...document.querySelectorAll('.cell')].flatMap((cell) => {
            const box = cell.querySelector('rect').getBoundingClientRect();
            return [...cell.querySelectorAll('text')].map((text) => text.getBoundingClientRect())
                .filter((text) => text.right > box.right || text.bottom > box.bottom).map(() => cell.textContent);
        })""") == []


def test_axe_finds_nothing(window: tuple[Browser, int]) -> None:
    browser, _ = window
    found = {}
    for tab in TABS:
        choose(browser, tab)
        found[tab] = findings(browser)
    choose(browser, "errors")
    browser.run("document.getElementById('help').showModal()")
    found["help"] = findings(browser)
    browser.run("document.getElementById('help').close(); document.getElementById('clip-button').click()")
    found["clips"] = findings(browser)
    browser.run("document.getElementById('clip-button').click()")
    assert [f"{place}: {finding}" for place in found for finding in found[place]] == []


def test_targets(window: tuple[Browser, int]) -> None:
    """Cells of the treemap are as large as their share; the table below it lists the same joints."""
    browser, width = window
    for tab in TABS:
        choose(browser, tab)
        assert browser.run(SMALL, LEAST_TARGET, CONTROLS) == [], tab
        if width < 800:
            assert browser.run(SMALL, LEAST_TOUCH_TARGET, MAIN_CONTROLS) == [], tab


def test_contrasts(window: tuple[Browser, int]) -> None:
    browser, _ = window
    for pairs, least in ((TEXTS, LEAST_CONTRAST), (LINES, LEAST_CONTRAST_OF_LINES)):
        contrasts = browser.run(CONTRASTS, pairs)
        assert [pair for pair, contrast in zip(pairs, contrasts, strict=True) if contrast < least] == []


def test_the_focus_is_always_visible(window: tuple[Browser, int]) -> None:
    browser, _ = window
    for tab in TABS:
        choose(browser, tab)
        browser.run("document.getElementById('help-button').focus()")
        seen: list[dict[str, Any]] = []
        for _ in range(TABBED):
            press(browser, Keys.TAB)
            ring = browser.run(RING)
            if ring["isPage"]:
                break
            seen.append(ring)
        assert [ring for ring in seen if ring["width"] < 2 or not ring["isSeen"] or "rgba" in ring["colour"]] == [], tab
        assert len(seen) > 15
