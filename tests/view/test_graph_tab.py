"""The tab of the graph: states and transitions, parameters, time, and recordings."""
from __future__ import annotations

import json
import random
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chromium import Browser
from graph_page import write_graph_page
from ossicle.cli.main import main
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
    browser.run("ossicle.graph.session.pause(); ossicle.graph.session.forget(ossicle.graph.graph.tick_us)")
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
        "idle", "leap", "greet.once", "greet.again", "move", "gesture.none", "gesture.nod"]
    titles = graph.run("return [...document.querySelectorAll('.transition title')].map((title) => title.textContent)")
    assert titles == [
        "idle: jump and grounded → leap, over 0.12 s", "move: jump and grounded → leap, over 0.12 s",
        "idle: speed >= 0.2 → move, over 0.2 s", "move: speed < 0.2 → idle, over 0.2 s",
        "idle: wave and stance != armed → greet.once, over 0.2 s",
        "greet.once: wave and after(0.4s) → greet.again, cut",
        "leap: finished → idle, over 0.2 s", "greet.once: finished → idle, over 0.2 s",
        "greet.again: finished → idle, over 0.2 s",
        "gesture.none: nod → gesture.nod, cut", "gesture.nod: finished → gesture.none, cut"]
    assert graph.run(ACTIVE) == ["idle", "gesture.none"]
    assert "while not in(leap)" in graph.run("return document.querySelector('#graph-diagrams figcaption').textContent")
    assert "jump and grounded → leap" in graph.run("return document.getElementById('graph-ways').textContent")
    assert graph.log() == []


def test_parameters_move_the_character(graph: Browser) -> None:
    before = picture(graph)
    write(graph, "speed", 3.0)
    ticks(graph, 90)
    assert graph.run(ACTIVE)[0] == "move"
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
    assert graph.run(ACTIVE)[0] == "idle"
    assert graph.run("return document.querySelector('.trigger').classList.contains('pending')")
    press(graph, "g")
    ticks(graph, 2)
    assert graph.run(ACTIVE)[0] == "leap"


def test_a_choice_and_a_state_by_hand(graph: Browser) -> None:
    write(graph, "stance", "armed")
    write(graph, "wave", None)
    ticks(graph, 2)
    assert graph.run(ACTIVE)[0] == "idle"
    graph.driver.find_element("css selector", "[data-state='greet.again']").click()
    ticks(graph, 1)
    assert graph.run(ACTIVE)[0] == "greet.again"


def test_a_head_looks_at_a_point(graph: Browser, graph_page: Path, tmp_path: Path) -> None:
    """The point is a ball in the picture, and part of scripts."""
    before = graph.run("return [...ossicle.graph.character.model()]")
    graph.run("""
        const inputs = [...document.querySelectorAll('.target input')];
        [2, 1.5, 1].forEach((value, axis) => inputs[axis].value = value);
        inputs[0].dispatchEvent(new Event('input'))""")
    ticks(graph, 30)
    assert "2.00, 1.50, 1.00 m" in graph.run("return document.querySelector('.target').textContent")
    assert graph.run("return ossicle.picture.targets.balls.filter(Boolean).map((ball) => ball.position.toArray())"
                     ) == [[2, 1.5, 1]]
    moved = graph.run("return [...ossicle.graph.character.model()]")
    assert before[:12] == pytest.approx(moved[:12], abs=1 << 14) and before != moved
    script = tmp_path / "look.toml"
    script.write_text("inputs = [{ at = '0.2s', set = { look = [-1.5, 1.25, 2] } }]", encoding="utf-8")
    graph.driver.find_element("id", "graph-file").send_keys(str(script))
    graph.wait("return ossicle.graph.session.length === 72")
    assert graph.run(HASHES) == [tick["pose"] for tick in play(script, graph_page)["ticks"]]


def test_layers_have_their_states_and_weights(graph: Browser) -> None:
    write(graph, "nod", None)
    weight = "return document.querySelectorAll('#graph-diagrams meter')[0].value"
    ticks(graph, 1)
    assert graph.run(ACTIVE) == ["idle", "gesture.nod"]
    assert 0 < graph.run(weight) < 0.5
    ticks(graph, 30)
    assert graph.run(weight) == 1
    assert "finished → gesture.none" in graph.run("return document.getElementById('graph-ways').textContent")


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


def play(script: Path, page: Path, *options: str) -> Any:
    """The recording of `ossicle play`, as JSON."""
    output = page.parent / "play.json"
    with output.open("w") as file, redirect_stdout(file):
        assert main(["play", str(page.parent / "hero.toml"), "--script", str(script), "--json", *options]) == 0
    return json.loads(output.read_text(encoding="utf-8"))


HASHES = """
    const {session} = ossicle.graph, found = [];
    session.replay();
    for (session.pause(); ; session.step()) {
        found.push(session.now.hash);
        if (session.tick >= session.length) return found;
    }"""


def test_a_recorded_minute_has_the_hashes_of_the_host(graph: Browser, graph_page: Path, tmp_path: Path) -> None:
    """What a person did on the page for a minute, saved as a script, gives the same poses on the host and when it is
    loaded again."""
    draw = random.Random(1)
    graph.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    live = []
    for _ in range(24):
        name = draw.choice(["speed", "speed", "grounded", "stance", "jump", "wave", "nod"])
        write(graph, name, draw.choice(["armed", "relaxed"]) if name == "stance" else draw.uniform(-1, 7))
        graph.run("ossicle.graph.session.write(arguments[0], arguments[1].map((x) => Math.round(x * 2 ** 20)))",
                  graph.run("return ossicle.graph.graph.parameters.findIndex(({name}) => name === 'look')"),
                  [draw.uniform(-2, 2) for _ in range(3)])
        if draw.random() < 0.1:
            graph.run("document.querySelector('[data-state=leap]').dispatchEvent(new Event('click'))")
        live += graph.run("const found = []; for (let i = 0; i < 150; i++) { ossicle.graph.session.step();"
                          "found.push(ossicle.graph.session.now.hash); } return found")
    script = tmp_path / "hero_script.toml"
    graph.driver.find_element("id", "graph-save").click()
    end = time.monotonic() + 30.0
    while not script.exists():
        assert time.monotonic() < end
        time.sleep(0.02)
    played = play(script, graph_page)["ticks"]
    assert len(played) == 3601 and len({tick["state"] for tick in played}) >= 3
    assert [tick["pose"] for tick in played][1:] == live
    assert graph.run(HASHES) == [tick["pose"] for tick in played]
    graph.run("ossicle.graph.session.forget(20000)")
    graph.driver.find_element("id", "graph-file").send_keys(str(script))
    graph.wait("return ossicle.graph.session.length === 3601")
    assert graph.run(HASHES) == [tick["pose"] for tick in played]
    graph.run("ossicle.graph.session.pause()")
    redrawn(graph)
    assert played[-1]["pose"] in graph.run("return document.getElementById('graph-recorded').textContent")
    assert graph.log() == []


def test_scripts_by_hand_play_as_on_the_host(graph: Browser, graph_page: Path, tmp_path: Path) -> None:
    script = tmp_path / "walk.toml"
    script.write_text("""
        tick = "16ms"
        inputs = [
            { at = "1.5s", go = "leap", over = 0.1 },
            { at = 0.1, set = { speed = 2 } },
            { at = "0.102s", set = { speed = 2.5, stance = "armed" } },
            { at = "2.5s", appear = { x = -1.5, z = 2, yaw = 0.25 } },
            { at = "3s", set = { wave = true } },
        ]
        expect = [{ at = "4.2s" }]
        """, encoding="utf-8")
    graph.driver.find_element("id", "graph-file").send_keys(str(script))
    graph.wait("return ossicle.graph.session.tickUs === 16000")
    played = play(script, graph_page)["ticks"]
    assert graph.run(HASHES) == [tick["pose"] for tick in played]
    assert graph.run(PLACE) == played[-1]["place"]


@pytest.mark.parametrize("text, mentioned", [
    ("inputs = [{ at = 1, set = { sped = 1.0 } }]", "sped"), ("inputs = [{ at = 'soon' }]", "soon"),
    ("inputs = [{ at = 1, go = 'fly' }]", "fly"), ("inputs = [{ at = 1, set = { grounded = 1 } }]", "grounded"),
    ("tick = '2s'", "tick"), ("= 1", "script.toml")])
def test_wrong_scripts_are_refused(graph: Browser, tmp_path: Path, text: str, mentioned: str) -> None:
    (tmp_path / "script.toml").write_text(text, encoding="utf-8")
    graph.driver.find_element("id", "graph-file").send_keys(str(tmp_path / "script.toml"))
    assert mentioned in graph.wait("return document.getElementById('message').textContent")
    assert graph.run("return ossicle.graph.session.length") == 1


def test_going_back_gives_the_same_poses(graph: Browser) -> None:
    write(graph, "speed", 3.0)
    ticks(graph, 60)
    write(graph, "jump", None)
    ticks(graph, 60)
    before = graph.run("return [...ossicle.graph.session.moments.values()].map(({result}) => result.hash)")
    again = graph.run("""
        const {session} = ossicle.graph, found = [];
        for (let tick = 1; tick <= 121; tick += 24) { session.goTo(tick); found.push(session.now.hash); }
        session.goTo(30);
        while (session.tick < 121) session.step();
        return [found, session.now.hash]""")
    assert again == [before[::24], before[-1]]
    graph.run("ossicle.graph.session.goTo(30)")
    write(graph, "speed", 0.0)
    assert graph.run("return [ossicle.graph.session.length, ossicle.graph.session.inputs.size]") == [30, 2]


def test_a_phone_shows_the_character_beside_every_control(graph: Browser) -> None:
    graph.resize(390, 844)
    try:
        redrawn(graph)
        assert graph.run("return document.documentElement.scrollWidth") == 390
        for part in ("graph-parameters", "graph-diagrams", "graph-ways", "graph-events", "graph-save"):
            seen = graph.run("""
                const part = document.getElementById(arguments[0]);
                part.scrollIntoView({block: 'end'});
                const box = part.getBoundingClientRect();
                const view = document.getElementById("view").getBoundingClientRect();
                return [view.top, view.bottom - view.top, innerHeight - box.bottom, box.right]""", part)
            assert seen[0] >= -1 and seen[1] > 250 and seen[2] >= -1 and seen[3] <= 390, (part, seen)
        assert graph.run("return Math.min(...[...document.querySelectorAll('.trigger')].map((e) => e.offsetHeight))"
                         ) >= 40
    finally:
        graph.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_many_states_that_a_transition_leaves_are_one_point(browser: Browser, tmp_path: Path) -> None:
    states = "".join(f'[graph.states.s{number}]\nplay = "Jump"\n' for number in range(12))
    ways = "".join(f'    {{ from = "s{number}", to = "s{number + 1}", when = "finished" }},\n' for number in range(11))
    browser.open(write_graph_page(tmp_path, f"""
[graph]
start = "s0"
transitions = [
    {{ from = "*", to = "s0", when = "hit" }},
{ways}]
[graph.parameters]
hit = "trigger"
{states}"""), "tab=graph")
    browser.wait("return window.ossicle?.costs.frames > 0")
    assert browser.run("return [...document.querySelectorAll('.crowd text')].map((text) => text.textContent)"
                       ) == ["11 states"]
    assert browser.run("return document.querySelectorAll('.transition').length") == 12
    browser.run("ossicle.graph.session.pause(); for (let tick = 0; tick < 1800; tick++) ossicle.graph.session.step()")
    redrawn(browser)
    assert browser.run(ACTIVE) == ["s11"]
    browser.wait("""
        const [state, frame] = ['.state.active', '#graph-diagrams figure > div'].map(
            (part) => document.querySelector(part).getBoundingClientRect());
        return state.top >= frame.top && state.bottom <= frame.bottom""")
    press(browser, "h")
    ticks(browser, 1)
    assert browser.run(ACTIVE) == ["s0"]
    assert browser.run("return document.querySelectorAll('.transition.lit').length") == 1
