"""`ossicle clips` lists the clips of source files."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gltf_builder import GltfBuilder, turn

from running import HERO, run_inside, write_bvh
from mentions import mentions


def listed(*arguments: object) -> dict[str, dict[str, Any]]:
    """The clips in the JSON, by name."""
    ran = run_inside("clips", *arguments, "--json")
    assert ran.status == 0, ran
    return {clip["name"]: clip for clip in json.loads(ran.out)["clips"]}


@pytest.fixture
def character(tmp_path: Path) -> Path:
    """Hips 1 m high, and an arm that reaches 1 m to the side; keys at 20 per second."""
    g = GltfBuilder()
    g.node("Root", children=[1])
    g.node("Hips", translation=[0, 1, 0], children=[2])
    g.node("Arm", translation=[1, 0, 0])
    g.skin([0, 1, 2])
    times = [key / 20 for key in range(31)]

    def line(end: list[float]) -> list[list[float]]:
        return [[start + key / 30 * (last - start) for start, last in zip([0, 1, 0], end)] for key in range(31)]

    rest = [turn("y", 0)] * 31
    g.animation("Stand", (2, "rotation", times, [turn("z", key) for key in (*range(16), *range(14, -1, -1))], "LINEAR"))
    g.animation("Walk", (1, "translation", times, line([0, 1, 3]), "LINEAR"), (2, "rotation", times, rest, "LINEAR"))
    g.animation("Drift", (1, "translation", times, line([0, 1.02, 0]), "LINEAR"))
    g.animation("Pose", (1, "translation", [0], [[0, 1, 0]], "LINEAR"))
    g.animation("Walk", (1, "translation", [0, 0.0123, 0.71231], line([0, 1, 1])[:3], "LINEAR"))
    return g.write_glb(tmp_path)


def test_facts(character: Path) -> None:
    clips = listed(character)
    assert list(clips) == ["Stand", "Walk", "Drift", "Pose", "Walk#2"]
    assert {name: (clip["loops"], clip["moving_joints"], clip["joints"]) for name, clip in clips.items()} == {
        "Stand": ("yes", ["Arm"], 3), "Walk": ("no", ["Hips"], 3), "Drift": ("close", ["Hips"], 3),
        "Pose": ("yes", [], 3), "Walk#2": ("no", ["Hips"], 3)}
    assert clips["Walk"]["seconds"] == pytest.approx(1.5) and clips["Walk"]["fps"] == 20.0
    assert clips["Walk#2"]["fps"] is None and clips["Pose"]["seconds"] == 0.0
    assert clips["Walk"]["travel_mm"] == pytest.approx([0, 0, 3000]) and clips["Walk"]["travel_joint"] == "Hips"
    assert clips["Walk"]["gap_mm"] == pytest.approx(3000) and clips["Walk"]["in_place_mm"] == 0.0
    assert clips["Drift"]["gap_mm"] == pytest.approx(20.0, abs=1e-4) and clips["Stand"]["travel_joint"] is None


def test_the_table(character: Path) -> None:
    ran = run_inside("clips", character, "--clips", "Drift")
    assert ran.status == 0 and ran.err == ""
    heading, row = ran.out.splitlines()
    assert heading.split() == ["clip", "seconds", "keys", "per", "s", "loops", "gap", "mm", "at", "joint", "in",
                               "place", "mm", "moving", "travel", "m"]
    assert row.split() == ["Drift", "1.500", "20", "close", "20.000", "Hips", "0.000", "1/3", "0.020"]


def test_files_of_different_skeletons(character: Path, tmp_path: Path) -> None:
    ran = run_inside("clips", character, write_bvh(tmp_path / "capture.bvh", frames=31, travel_cm=0.0))
    assert ran.out.splitlines()[0].startswith("file") and "capture.bvh" in ran.out and "hero.glb" in ran.out


def test_a_listed_repeat_can_be_renamed(character: Path, tmp_path: Path) -> None:
    assert "Run" in listed(character, "--rename", "Walk#2=Run")
    ran = run_inside("encode", character, "-o", tmp_path / "hero.ossb", "--rename", "Walk#2=Run", "--quiet")
    assert ran.status == 0, ran


def test_loops_are_those_that_encode_accepts(tmp_path: Path) -> None:
    looping = [name for name, clip in listed(HERO).items() if clip["loops"] == "yes"]
    assert {"Idle", "Walk", "Run"} <= set(looping)
    ran = run_inside("encode", HERO, "-o", tmp_path / "hero.ossb", "--effort", "fast", "--quiet",
                     *(word for name in looping for word in ("--loop", name)))
    assert ran.status == 0, ran


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    ran = run_inside("clips", tmp_path / "no.glb")
    assert ran.status == 1 and mentions(ran.line, "no.glb")


def test_skeletons(character: Path, tmp_path: Path) -> None:
    """The parts of a person's body are found, in no known naming scheme; two joints are no body."""
    ran = run_inside("clips", HERO, character, "--json")
    hero, other = json.loads(ran.out)["skeletons"]
    assert (hero["file"], hero["joints"], hero["body"], hero["convention"]) == ("hero.glb", 18, "person", "")
    assert hero["confidence"]["left leg"] == 1.0
    assert (other["joints"], other["body"], other["confidence"]) == (3, "other", {})
    assert mentions(run_inside("clips", HERO).out, "hero.glb 100%")
    assert "100" not in run_inside("clips", character).out
