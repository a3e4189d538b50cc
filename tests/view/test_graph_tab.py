"""The tab of the graph: states and transitions, parameters, time, and recordings."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chromium import Browser
from graph_page import write_graph_page
from selenium.webdriver.common.keys import Keys
from test_page import picture, press, redrawn

pytestmark = pytest.mark.integration

ACTIVE = "return [...document.querySelectorAll('.state.active')].map((state) => state.dataset.state)"
PLACE = "return ossicle.graph.session.now.place"


@pytest.fixture(scope="session")
def graph_page(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Path:
    return write_graph_page(tmp_path_factory.mktemp("graph"))


@pytest.fixture
def graph(browser: Browser, graph_page: Path) -> Browser:
    """The page with the tab of the graph, paused at its first tick."""
    browser.open(graph_page, "tab=graph")
    browser.wait("return window.ossicle?.costs.frames > 0")
    browser.run("ossicle.graph.session.pause(); ossicle.graph.session.restart()")
    return browser


def ticks(browser: Browser, count: int) -> None:
    """Lets ticks pass, and waits until the page shows the last one."""
    browser.run("for (let tick = 0; tick < arguments[0]; tick++) ossicle.graph.session.step()", count)
    redrawn(browser)


def write(browser: Browser, name: str, value: Any) -> None:
    """Operates the control of a parameter as a person does."""
    browser.run("""
        const [name, value] = arguments, isNamed = (e) => e.textContent.includes(name);
        const control = [...document.querySelectorAll('#graph-parameters :is(label, button)')].find(isNamed);
        const input = control.querySelector('input, select');
        if (!input || input.type === 'checkbox') return (input ?? control).click();
        input.value = input.matches('select') ? [...input.options].find((e) => e.text === value).value : value;
        input.dispatchEvent(new Event(input.matches('select') ? 'change' : 'input'))""", name, value)


def test_it_shows_the_graph(graph: Browser) -> None:
    assert graph.run("return [...document.querySelectorAll('.state')].map((state) => state.dataset.state)") == [
        "idle", "leap", "greet.once", "greet.again", "move"]
    titles = graph.run("return [...document.querySelectorAll('.transition title')].map((title) => title.textContent)")
    assert titles == [
        "idle: jump and grounded → leap, over 0.12 s", "move: jump and grounded → leap, over 0.12 s",
        "idle: speed >= 0.2 → move, over 0.2 s", "move: speed < 0.2 → idle, over 0.2 s",
        "idle: wave and stance != armed → greet.once, over 0.2 s", "greet.once: wave and after(0.4s) → greet.again, cut",
        "leap: finished → idle, over 0.2 s", "greet.once: finished → idle, over 0.2 s",
        "greet.again: finished → idle, over 0.2 s"]
    assert graph.run(ACTIVE) == ["idle"]
    assert "jump and grounded → leap" in graph.run("return document.getElementById('graph-ways').textContent")
    assert graph.log() == []


def test_parameters_move_the_character(graph: Browser) -> None:
    before = picture(graph)
    write(graph, "speed", 3.0)
    ticks(graph, 90)
    assert graph.run(ACTIVE) == ["move"]
    assert graph.run(PLACE)[2] > 1 << 20
    assert np.abs(picture(graph) - before).max() > 50
    weights = graph.run("return ossicle.graph.session.now.machines[0].weights")
    assert sum(weights) == 1 and 0 < weights[1] < 1
    events = graph.run("return document.getElementById('graph-events').textContent")
    assert "left_foot  (move)" in events and "right_foot" in events


def test_triggers_have_keys(graph: Browser) -> None:
    write(graph, "grounded", False)
    press(graph, "j")
    ticks(graph, 5)
    assert graph.run(ACTIVE) == ["idle"]
    assert graph.run("return document.querySelector('.trigger').classList.contains('pending')")
    press(graph, "g")
    ticks(graph, 2)
    assert graph.run(ACTIVE) == ["leap"]


def test_a_choice_and_a_state_by_hand(graph: Browser) -> None:
    write(graph, "stance", "armed")
    write(graph, "wave", None)
    ticks(graph, 2)
    assert graph.run(ACTIVE) == ["idle"]
    graph.driver.find_element("css selector", "[data-state='greet.again']").click()
    ticks(graph, 1)
    assert graph.run(ACTIVE) == ["greet.again"]


def test_it_has_no_tab_without_a_graph(hero: Browser) -> None:
    assert hero.run("return document.getElementById('tab-graph').hidden")


def test_keys_of_time(graph: Browser) -> None:
    time = "return document.getElementById('graph-time').textContent"
    ticks(graph, 119)
    assert graph.run(time) == "2.00 s"
    press(graph, Keys.BACKSPACE)
    redrawn(graph)
    assert graph.run(time) == "1.00 s"
    press(graph, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    redrawn(graph)
    assert graph.run(time) == "1.02 s"
    press(graph, " ")
    graph.wait("return ossicle.graph.session.tick > 65")
    press(graph, Keys.HOME)
    assert graph.run("return ossicle.graph.session.tick") < 60
