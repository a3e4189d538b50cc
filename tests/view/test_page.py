"""The page of `ossicle view` in a browser, as a person sees and uses it."""
from __future__ import annotations

import base64
import io
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chromium import Browser
from ossicle.cli.main import main
from mentions import mentions
from PIL import Image
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from written import HERO, ROOT, config_with, data_of, write_page

pytestmark = pytest.mark.integration

HASH = "return document.getElementById('hash').dataset.hash"
SHOWN = "return document.getElementById('picture').toDataURL()"
FRAME = "return ossicle.state.get('frame')"
CLIP = "return ossicle.page.clips[ossicle.state.get('clip')].name"
MOST_PAGE_BYTES = 1_600_000
MOST_PLAYER_BYTES = 150_000
MARKUP = "<img src=x onerror=window.hurt=1></script><script>window.hurt=1</script>&amp;\"'"


def with_data(page: Path, out: Path, document: dict[str, Any], arrays: bytes) -> Path:
    """The page with other data."""
    packed = data_of(page)[0]
    head = json.dumps(document).encode()
    start = struct.pack("<I", len(head)) + head
    changed = base64.b64encode(zlib.compress(start + bytes(-len(start) % 8) + arrays)).decode()
    out.write_text(page.read_text(encoding="utf-8").replace(packed, changed), encoding="utf-8")
    return out


def picture(browser: Browser) -> np.ndarray:
    data = base64.b64decode(browser.run(SHOWN).split(",")[1])
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def redrawn(browser: Browser) -> np.ndarray:
    """The picture once everything that changed is in it."""
    browser.wait(f"return ossicle.costs.frames > {browser.run('return ossicle.costs.frames') + 1}")
    return picture(browser)


def press(browser: Browser, *keys: str) -> None:
    ActionChains(browser.driver).send_keys(*keys).perform()


def test_it_plays_the_poses_of_the_host(hero: Browser, hero_page: Path) -> None:
    wanted = data_of(hero_page)[2]["banks"][0]["hash"]
    assert hero.wait(HASH) == wanted
    assert hero.run("return document.getElementById('hash').className") == "good"
    assert hero.log() == []
    assert hero.run("return document.getElementById('message').hidden")


def test_sizes(hero_page: Path) -> None:
    assert hero_page.stat().st_size <= MOST_PAGE_BYTES
    assert (ROOT / "build/viewer/player.wasm").stat().st_size <= MOST_PLAYER_BYTES
    assert "http-equiv=\"Content-Security-Policy\"" in hero_page.read_text(encoding="utf-8")


def test_scrubbing_changes_the_picture(hero: Browser) -> None:
    before = redrawn(hero)
    hero.run("const bar = document.getElementById('scrub'); bar.value = 7.5; bar.dispatchEvent(new Event('input'))")
    assert hero.run(FRAME) == 7.5
    assert np.abs(redrawn(hero) - before).max() > 50


def test_keys(hero: Browser) -> None:
    press(hero, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert hero.run(FRAME) == 1
    press(hero, Keys.END)
    assert hero.run(FRAME) == hero.run("return ossicle.page.clips[ossicle.state.get('clip')].frames - 1")
    press(hero, Keys.ARROW_DOWN)
    assert (hero.run(CLIP), hero.run(FRAME)) == ("Run", 0)
    press(hero, " ")
    assert hero.run("return ossicle.state.get('playing')")
    hero.wait("return ossicle.state.get('frame') > 0.5")
    press(hero, " ")
    assert not hero.run("return ossicle.state.get('playing')")


@pytest.mark.exhaustive
def test_playing_backward_ends_or_wraps(hero: Browser) -> None:
    hero.run("ossicle.state.set({frame: 0.2, reverse: true, loop: false, playing: true, speed: 4})")
    hero.wait("return !ossicle.state.get('playing')")
    assert hero.run(FRAME) == 0
    hero.run("ossicle.state.set({frame: 0.2, loop: true, playing: true})")
    hero.wait("return ossicle.state.get('frame') > 5")


@pytest.mark.exhaustive
def test_search(hero: Browser) -> None:
    hero.driver.find_element("id", "search").send_keys("wav")
    assert hero.run("return [...document.querySelectorAll('#clips li:not([hidden]) .name')].map(e => e.textContent)"
                    ) == ["Wave"]
    assert "1 of 7" in hero.run("return document.getElementById('clip-count').textContent")


def test_the_map_leads_to_the_largest_error(hero: Browser) -> None:
    """A click on the worst joint and time of the map goes there."""
    place = hero.run("""
        const {errors} = ossicle.page.clips[ossicle.state.get('clip')];
        const box = document.getElementById('timeline').getBoundingClientRect();
        const {x, y} = ossicle.timeline.positionOf(errors.joint, errors.sample / 2);
        return {...errors, x: Math.round(box.left + x), y: Math.round(box.top + y)}""")
    actions = ActionChains(hero.driver)
    actions.w3c_actions.pointer_action.move_to_location(place["x"], place["y"]).click()
    actions.perform()
    assert hero.run("return ossicle.state.get('joint')") == place["joint"]
    assert abs(hero.run(FRAME) - place["sample"] / 2) <= 0.5
    assert "largest error" in hero.run("return document.getElementById('timeline-text').textContent")


LOOKS = [{"source": "over"}, {"source": "beside"}, {"source": "difference"}, {"bones": True},
         {"heat": True, "bones": True, "mesh": False}, {"onion": True}, {"shells": True}]


@pytest.mark.exhaustive
def test_looks(hero: Browser) -> None:
    """Each changes the picture, which is the same as before without it."""
    hero.run("ossicle.state.set({frame: 4})")
    before = redrawn(hero)
    for look in LOOKS:
        usual = hero.run("return Object.fromEntries(arguments[0].map(name => [name, ossicle.state.get(name)]))",
                         [*look])
        hero.run("ossicle.state.set(arguments[0])", look)
        assert np.abs(redrawn(hero) - before).max() > 20, look
        hero.run("ossicle.state.set(arguments[0])", usual)
        assert np.array_equal(redrawn(hero), before), look
        assert hero.log() == [], look


def test_the_device_shows_its_pixels(hero: Browser) -> None:
    press(hero, "d")
    redrawn(hero)
    assert hero.run("const c = document.getElementById('device'); return [c.width, c.height, c.parentElement.hidden]"
                    ) == [240, 160, False]
    colours = hero.run("const c = document.getElementById('device'); return new Set(new Uint32Array("
                       "c.getContext('2d').getImageData(0, 0, 240, 160).data.buffer)).size")
    assert colours > 20


APART = """
    const {page} = ossicle, clip = arguments[0], {errors, frames} = page.clips[clip], found = [];
    for (let sample = 0; sample < 2 * frames - 1; sample++) {
        const wanted = page.sourceOf(clip).pose(sample / 2), played = page.banks[0].stage.pose(clip, sample / 2);
        for (let joint = 0; joint < page.joints.length; joint++) for (let axis = 0; axis < 3; axis++)
            found.push(Math.hypot(...[0, 4, 8].map((row) => {
                const at = 12 * joint + row, off = (i) => played[at + i] / 2 ** 20 - wanted[at + i];
                return 0.03 * off(axis) + off(3);
            })));
    }
    return 1000 * Math.max(...found)"""
ADDING_MM = 0.15  # what the sums of osc_mix_add may be off in the chains of the hero


def test_source_and_bank_stand_at_the_same_place(hero: Browser) -> None:
    """The source, blended by the page in floating point, is as far from the decoded pose as the encoder says."""
    apart = hero.run(APART, 1)
    assert apart == pytest.approx(hero.run("return ossicle.page.clips[1].errors.largest_mm"), abs=0.005)


@pytest.mark.exhaustive
def test_additive_clips_are_shown_in_their_pose(browser: Browser, tmp_path: Path) -> None:
    """As the game shows them, and beside the poses of the source; the hash is that of the differences."""
    config = tmp_path / "hero.toml"
    config.write_text(f"inputs = [{json.dumps(str(HERO))}]\n[clips.Wave]\nadditive = 'Idle@5'\n")
    assert main(["build", str(config), "--quiet"]) == 0
    page = write_page(tmp_path, config)
    browser.open(page, "paused=")
    assert browser.wait(HASH) == data_of(page)[2]["banks"][0]["hash"]
    wave = browser.run("return ossicle.page.clips.findIndex(({name}) => name === 'Wave')")
    largest = browser.run("return ossicle.page.clips[arguments[0]].errors.largest_mm", wave)
    assert largest <= 1.0 and abs(browser.run(APART, wave) - largest) <= ADDING_MM
    assert "additive over Idle, frame 5" in browser.run("return document.getElementById('clips').textContent")
    assert browser.log() == []


BARS = """
    return [...document.querySelectorAll('#joint-errors tr')].map((row) => {
        const bar = row.querySelector('.bar'), style = getComputedStyle(bar, '::before');
        return [parseFloat(row.children[1].textContent), parseFloat(style.width) / bar.clientWidth];
    })"""


def test_a_full_bar_is_the_tolerance(hero: Browser) -> None:
    """An error of 1 mm of 1 mm fills its bar."""
    bars = hero.run(BARS)
    assert len(bars) == 18 and bars[0][0] > 0.9
    assert [share for _, share in bars] == pytest.approx([error for error, _ in bars], abs=0.02)


def test_plots_have_names_and_explain_themselves(hero: Browser) -> None:
    """The margin of the plot has names of joints, and a text beside the pointer states joint, frame and error."""
    box, at = hero.run("""
        const canvas = document.getElementById('timeline'), {left, top} = canvas.getBoundingClientRect();
        return [{left, top}, ossicle.timeline.positionOf(4, 5)]""")
    actions = ActionChains(hero.driver)
    actions.w3c_actions.pointer_action.move_to_location(round(box["left"] + at["x"]), round(box["top"] + at["y"]))
    actions.perform()
    tip = hero.run("const tip = document.querySelector('#timeline ~ .tip'); return tip.hidden ? '' : tip.textContent")
    name = hero.run("return ossicle.page.joints[4].name")
    assert mentions(tip, f"{name} 5") and "mm" in tip
    ink = hero.run("""
        const canvas = document.getElementById('timeline'), y = Math.round(arguments[0]) - 5;
        const {data} = canvas.getContext('2d').getImageData(0, y, 90, 10);
        return data.filter((value, i) => i % 4 === 3 && value > 40).length""", at["y"])
    assert ink > 10


def test_empty_lists_say_so(hero: Browser) -> None:
    hero.run("const search = document.getElementById('search'); search.value = 'no such clip';"
             "search.dispatchEvent(new Event('input')); document.getElementById('tab-banks').click()")
    assert "7 clips" in hero.run("return document.getElementById('clip-count').textContent")
    assert "--compare" in hero.run("return document.getElementById('no-plot').textContent")
    assert hero.run("return document.getElementById('banks-plot').hidden")
    hero.run("document.getElementById('tab-errors').click()")


def test_everything_has_a_name_for_screen_readers(hero: Browser) -> None:
    nameless = hero.run("""
        const named = "button, select, input, [role=img], [role=tab], canvas, svg:not([aria-hidden])";
        return [...document.querySelectorAll(named)]
            .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label") ||
                             e.labels?.length))
            .map((e) => e.outerHTML)""")
    assert nameless == []
    assert hero.run("return document.documentElement.lang") == "en"


def test_all_controls_are_reached_by_tab(hero: Browser) -> None:
    reached = set()
    for _ in range(60):
        press(hero, Keys.TAB)
        reached.add(hero.run("return document.activeElement.id || document.activeElement.dataset.toggle"))
    assert {"search", "clips", "picture", "play", "scrub", "speed", "source", "loop", "heat", "camera", "tab-errors",
            "help-button"} <= reached


@pytest.mark.exhaustive
def test_it_remembers_its_place(hero: Browser) -> None:
    hero.run("ossicle.state.set({clip: 3, frame: 0, playing: true})")
    hero.run("ossicle.state.set({frame: 5, playing: false})")
    hero.driver.refresh()
    hero.wait("return window.ossicle?.costs.frames > 0")
    assert (hero.run(CLIP), hero.run(FRAME), hero.run("return ossicle.state.get('playing')")) == ("Jump", 5, False)


@pytest.mark.parametrize("damage", ["data", "bank"])
def test_damage_is_reported(browser: Browser, hero_page: Path, tmp_path: Path, damage: str) -> None:
    packed, _, document, arrays = data_of(hero_page)
    page = tmp_path / "page.html"
    if damage == "data":
        page.write_text(hero_page.read_text(encoding="utf-8").replace(packed, packed[:400] + packed[500:]),
                        encoding="utf-8")
    else:
        at = document["banks"][0]["data"]["at"] + 300
        with_data(hero_page, page, document, arrays[:at] + bytes([arrays[at] ^ 1]) + arrays[at + 1:])
    browser.open(page)
    message = browser.wait("return document.getElementById('message').textContent")
    assert "cannot show" in message and "ossicle view" in message
    assert damage == "data" or "damaged" in message


def test_names_are_never_markup(browser: Browser, hero_page: Path, tmp_path: Path) -> None:
    document, arrays = data_of(hero_page)[2:]
    document["name"] = document["joints"][0]["name"] = document["joints"][9]["name"] = MARKUP
    for clip in document["banks"][0]["clips"]:
        clip["name"] = MARKUP + clip["name"]
    browser.open(with_data(hero_page, tmp_path / "page.html", document, arrays))
    browser.wait("return window.ossicle?.costs.frames > 0")
    for tab in ("bytes", "banks"):
        browser.driver.find_element("id", f"tab-{tab}").click()
    assert MARKUP in browser.run("return document.getElementById('title').textContent")
    assert browser.run("return [window.hurt ?? null, document.querySelectorAll('img').length]") == [None, 0]
    assert browser.log() == []


def test_a_title_is_never_markup(tmp_path: Path) -> None:
    file = tmp_path / "<b>&.glb"
    file.write_bytes(HERO.read_bytes())
    page = write_page(tmp_path, file, *config_with(tmp_path, 'clips = ["Run"]'))
    assert "<title>&lt;b&gt;&amp;</title>" in page.read_text(encoding="utf-8")


def test_a_bank_alone(browser: Browser, tmp_path: Path) -> None:
    bank = tmp_path / "hero.ossb"
    assert main(["encode", str(HERO), "-o", str(bank), "--quiet", "--clips", "Run"]) == 0
    browser.open(write_page(tmp_path, bank))
    assert browser.wait(HASH)
    assert "--source" in browser.run("return document.getElementById('no-source').textContent")
    assert browser.run("return document.querySelector('[data-toggle=heat]').disabled")
    assert browser.run("return document.getElementById('joint-errors').parentElement.hidden")
    assert browser.run("return document.getElementById('source').disabled")
    assert browser.log() == []


@pytest.mark.exhaustive
def test_banks_are_switched(browser: Browser, tmp_path: Path) -> None:
    coarse = tmp_path / "coarse.ossb"
    assert main(["encode", str(HERO), "-o", str(coarse), "--quiet", "--tolerance", "8mm", "--codec", "curve",
                 "--clips", "Run", "--clips", "Walk"]) == 0
    browser.open(write_page(tmp_path, HERO, "--compare", coarse), "clip=Run&paused=&frame=3")
    browser.wait("return window.ossicle?.costs.frames > 0")
    figures = [browser.run("ossicle.state.set({bank: arguments[0]}); return ossicle.page.clipIn(arguments[0], 2)", bank)
               for bank in (0, 1)]
    assert figures[0]["bytes"] > figures[1]["bytes"] and figures[0]["codec"] != figures[1]["codec"]
    assert figures[0]["errors"]["largest_mm"] <= 1.0 < figures[1]["errors"]["largest_mm"] <= 8.0
    browser.driver.find_element("id", "tab-banks").click()
    points = browser.run("return [...document.querySelectorAll('.point')].map((e) => e.getAttribute('aria-label'))")
    assert len(points) == 2 and points[1].startswith("coarse: ")
    browser.run("ossicle.state.set({clip: 0})")  # which the second bank lacks
    assert "no such clip" in browser.run("document.getElementById('banks-scope').value = 'clip';"
                                         "document.getElementById('banks-scope').dispatchEvent(new Event('change'));"
                                         "return document.getElementById('bank-rows').textContent")
    assert browser.log() == []
