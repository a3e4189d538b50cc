"""Warnings of clips in which nothing happens, and of skeletons without height."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from ossicle.importers.importer import read_clips
from ossicle.model.bind_size import size_warnings
from ossicle.model.clip import Clip, Skeleton
from ossicle.model.standing_still import moves, still_warnings
from ossicle.model.editing.timing import Timing, retimed
from mentions import mention_each, mentions

SHELL_M = 0.03
SKELETON = Skeleton(("Hips", "Leg"), np.array([-1, 0]), np.array([[0, 0, 0, 1, 0, y, 0, 1, 1, 1] for y in (1.0, -0.5)]))


def clip(angles: Any, rate: float = 24.0, **more: Any) -> Clip:
    """The leg turned by these angles."""
    frames = np.repeat(SKELETON.bind[None], len(angles), axis=0)
    frames[:, 1, :4] = [turn("z", angle) for angle in angles]
    return Clip("Walk", rate, frames, np.zeros((len(frames), 2, 3), bool), "pack.glb", **more)


def swing(frames: int) -> list[float]:
    return (30 * np.sin(np.linspace(0, 2 * np.pi, frames))).tolist()


@pytest.mark.parametrize("last", [25, 24])
def test_a_first_frame_that_stands_still_in_a_loop(last: int) -> None:
    """With its last frame, which equals the first, and without."""
    (line,) = still_warnings([clip([0.0, *(4 * angle for angle in swing(25)[:last])])], SKELETON, SHELL_M)
    assert mentions(line, "pack.glb Walk") and mentions(line, "from 0.04167")


def test_the_remedy_removes_it(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("Hips", translation=[0, 1, 0], children=[1])
    g.node("Leg", translation=[0, -0.5, 0])
    times = (np.arange(1, 26) / 24).tolist()  # Blender's frame 1 is 1 / 24 s
    g.animation("Walk", (1, "rotation", times, [turn("z", angle) for angle in swing(25)], "LINEAR"))
    imported = read_clips([g.write_glb(tmp_path)])
    (line,) = still_warnings(imported.clips, imported.skeleton, SHELL_M)
    seconds = float(line.partition("from = ")[2].partition(" ")[0])
    shorter = retimed(imported.clips[0], Timing(start_s=seconds))
    assert still_warnings([shorter], imported.skeleton, SHELL_M) == [] and len(shorter.frames) == 25


def test_clips_of_a_pack_share_a_line() -> None:
    pack = [replace(clip([0.0, *swing(25)]), name=f"Walk{number}") for number in range(9)]
    (line,) = still_warnings(pack, SKELETON, SHELL_M)
    assert mentions(line, "Walk0") and mentions(line, "3")
    assert len(still_warnings([*pack, replace(pack[0], source="other.glb")], SKELETON, SHELL_M)) == 2


@pytest.mark.parametrize("angles", [
    swing(25), [0.0, *np.linspace(0, 90, 24)], [0.0] * 5 + swing(25), [0.0] * 25, [0.0],
], ids=["no pause", "no loop", "a longer pause", "no motion", "one frame"])
def test_other_starts_are_no_hitches(angles: list[float]) -> None:
    assert still_warnings([clip(angles)], SKELETON, SHELL_M) == []


def test_a_jump_after_the_first_frames_is_no_hitch() -> None:
    jumping = clip([0.0, 0.0, 30.0, 30.0, 0.0])
    jumping.steps[2, 1, 0] = True
    assert still_warnings([jumping], SKELETON, SHELL_M) == []


def test_mirror_images_are_not_named_again() -> None:
    assert still_warnings([clip([0.0, *swing(25)], mirror_of="Walk")], SKELETON, SHELL_M) == []


@pytest.mark.parametrize(("angles", "rate", "facts"), [
    ([0.0] * 601, 1.0, "600s"),
    ([*swing(49), *[0.0] * 24 * 600], 24.0, "2s 602s"),
    ([*[0.0] * 24 * 12, *swing(49)], 24.0, "0s 12s"),
    ([0.0] * (24 * 9), 24.0, None),
    ((np.arange(24 * 20) * 2e-5).tolist(), 24.0, None),
], ids=["all of it", "its end", "its beginning", "a short pause", "slow motion"])
def test_long_pauses(angles: list[float], rate: float, facts: str | None) -> None:
    lines = still_warnings([clip(angles, rate)], SKELETON, SHELL_M)
    assert [mentions(line, facts) and mentions(line, "pack.glb Walk") for line in lines] == [True] * (facts is not None)


def test_a_quaternion_and_its_negative_are_no_motion() -> None:
    turning = clip(swing(9))
    turning.frames[1::2, :, :4] *= -1.0
    assert moves(turning.frames).all()
    turning.frames[:, 1] = turning.frames[0, 1]
    turning.frames[1::2, 1, :4] *= -1.0
    assert not moves(turning.frames).any()


def test_motion_is_found_across_parts_of_a_long_clip() -> None:
    angles = np.zeros(10_000)
    changed = [1, 4095, 4096, 4097, 8192, 9999]
    angles[changed] = np.arange(1, 7) * 10
    expected = np.abs(np.diff(angles)) > 0
    assert moves(clip(angles).frames).tolist() == expected.tolist()


@pytest.mark.parametrize(("times", "warned"), [([0, 30, 60, 90], True), ([0, 30], True), ([0, 30, 31], False),
                                               ([0, 9], False)])
def test_keys_that_are_far_apart(tmp_path: Path, times: list[float], warned: bool) -> None:
    g = GltfBuilder()
    g.node("Hips", translation=[0, 1, 0])
    g.animation("Walk", (0, "rotation", times, [turn("z", second) for second in times], "LINEAR"))
    imported = read_clips([g.write_glb(tmp_path)])
    lines = still_warnings(imported.clips, imported.skeleton, SHELL_M)
    assert len(lines) == warned and all(mentions(line, "hero.glb Walk") and mentions(line, "30s") for line in lines)


def placed(*places: tuple[float, float, float]) -> Skeleton:
    bind = np.array([[0, 0, 0, 1, *place, 1, 1, 1] for place in places], float)
    return Skeleton(tuple(f"joint{number}" for number in range(len(places))), np.full(len(places), -1), bind)


@pytest.mark.parametrize(("places", "facts"), [
    ([(0, 0, 0)] * 3, "0m"),
    ([(0, 0, 0), (0, 1e-9, 0), (2e-9, 0, 0)], " 0m"),
    ([(0, 0, 0), (0.4, 1e-9, 0), (0, 0, 1.7)], " 0m"),
    ([(0, 0, 0), (0.4, 0, 0), (0, 0, 1.7)], "--up"),
    ([(0, 0, 0), (0.4, 0.001, 0), (0, 0, 1.7)], "--up"),
    ([(0, 0, 0), (0.4, 0.3, 0), (0, 0, 1.7)], None),
    ([(0, 0, 0), (0, 1.7, 0), (0, 0.8, 0)], None),
    ([(0, 0, 0), (1, 0, 0)], None),
    ([(0, 0, 0)], None),
    ([(0, 0, 0), (0, 8, 0), (0, 3, 0)], "--scale"),
])
def test_skeletons_without_height(places: list[tuple[float, float, float]], facts: str | None) -> None:
    lines = size_warnings(placed(*places), "walk.bvh")
    assert mention_each(lines, [f"walk.bvh {facts}"] * (facts is not None))
