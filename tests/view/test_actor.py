"""The page shows the actor of a clip that was made for another skeleton."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from captures import write_capture
from chromium import Browser
from written import HERO, config_with, data_of, write_page

STEP_M = 0.04  # in a frame, forward
TABLE = '[[retarget]]\ninputs = ["walk.bvh"]\n'
CHOSEN = 'effort = "fast"\n[import]\nclips = ["Idle", "walk"]\n'
ROUNDED_M = 1e-4
ABOVE_M = 0.3  # the hips of a standing person are higher


@pytest.fixture
def folder(tmp_path: Path, built_encoder: None) -> Path:
    write_capture(tmp_path / "walk.bvh", step_m=STEP_M)
    return tmp_path


def actor_in(page: Path) -> tuple[dict, np.ndarray]:
    """The actor of the second clip, and the positions [F, P, 3] of its joints in metres."""
    _, _, contents, arrays = data_of(page)
    of_idle, actor = contents["actors"]
    assert of_idle is None
    place = actor["positions"]
    planes = np.frombuffer(arrays, np.uint8, place["bytes"], place["at"]).reshape(4, -1)
    series = np.ascontiguousarray(planes.T).view("<i4").reshape(-1, actor["frames"])
    positions = np.cumsum(series.astype(np.int64), axis=1).T / actor["steps"]
    return actor, positions.reshape(actor["frames"], -1, 3)


def test_the_actor_moves_with_the_character(folder: Path) -> None:
    actor, positions = actor_in(write_page(folder, HERO, *config_with(folder, CHOSEN + TABLE)))
    assert actor["frames"] == 31 and actor["rate"] == 30.0 and sum(parent < 0 for parent in actor["parents"]) == 1
    hips = positions[:, actor["parents"].index(-1)]
    assert np.isclose(hips[-1, 2] - hips[0, 2], 30 * STEP_M, atol=ROUNDED_M)
    feet = positions[:, actor["feet"]]
    assert (feet[..., 1] < ABOVE_M).all(axis=1).any() and (hips[:, 1] > ABOVE_M).all()


def test_the_actor_stays_in_place_with_the_clip(folder: Path) -> None:
    rule = '[clips.walk]\nroot_motion = "xz"\nto = 0.8\n'
    _, positions = actor_in(write_page(folder, HERO, *config_with(folder, CHOSEN + TABLE + rule)))
    travelled = positions[:, :, 2].mean(axis=1)
    assert np.ptp(travelled) < STEP_M


def test_the_actor_is_cut_with_the_clip(folder: Path) -> None:
    whole = actor_in(write_page(folder, HERO, *config_with(folder, CHOSEN + TABLE)))[1]
    rule = "[clips.walk]\nfrom = 0.2\nto = 0.8\nspeed = 2.0\nreverse = true\n"
    actor, positions = actor_in(write_page(folder, HERO, *config_with(folder, CHOSEN + TABLE + rule)))
    assert actor["rate"] == 60.0 and np.array_equal(positions, whole[6:25][::-1])


def test_feet_and_actor_are_drawn(browser: Browser, folder: Path) -> None:
    browser.open(write_page(folder, HERO, *config_with(folder, CHOSEN + TABLE)), "clip=walk&paused=&frame=0")
    browser.wait("return window.ossicle?.costs.frames > 0")
    shown = browser.run("return document.getElementById('feet-text').textContent")
    assert "left foot: stands" in shown and "right foot: stands" in shown
    browser.run("""const select = document.getElementById('actor'); select.value = 'over';
                   select.dispatchEvent(new Event('change'));""")
    assert browser.wait("return window.ossicle.picture.actor.group.visible")
    ends = "return Array.from(window.ossicle.picture.actor.ends)"
    first = browser.run(ends)
    browser.run("window.ossicle.state.set({frame: 15})")
    browser.wait(f"return window.ossicle.picture.actor.ends[2] !== {first[2]}")
    browser.run("window.ossicle.state.set({clip: 0})")
    browser.wait("return !document.getElementById('feet').checkVisibility() && window.ossicle.picture.actor === null")


def test_a_page_without_actors_offers_none(hero: Browser) -> None:
    assert hero.run("return document.getElementById('actor').parentElement.hidden")
    assert hero.run("return document.getElementById('panel-graph').hidden")
