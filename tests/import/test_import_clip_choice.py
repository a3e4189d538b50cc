"""Clips are chosen and renamed while they are read."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import GltfBuilder
from ossicle.base.problem import SettingProblem
from ossicle.importers.importer import read_clips, read_groups
from ossicle.model.clip import ImportProblem
from ossicle.model.import_options import ImportOptions, Rename
from mentions import mentioning


def write(folder: Path, file: str, *clips: str) -> Path:
    """A chain Hips - Leg; every clip moves Leg to (its number, 0, 0)."""
    g = GltfBuilder()
    g.node("Hips", children=[1])
    g.node("Leg", translation=[0, -1, 0])
    g.skin([0, 1])
    for number, clip in enumerate(clips, 1):
        g.animation(clip, (1, "translation", [0, 1], [[0, -1, 0], [number, 0, 0]], "LINEAR"))
    return g.write_glb(folder, file)


def names(paths: list[Path], **options: Any) -> list[str]:
    rename = tuple(Rename(*pair) for pair in options.pop("rename", {}).items())
    return [clip.name for clip in read_clips(paths, ImportOptions(rename=rename, **options)).clips]


@pytest.mark.parametrize(("options", "expected"), [
    ({}, ["Walk_A", "Walk_B", "Idle", "T[1]"]),
    ({"only": ("Walk*",)}, ["Walk_A", "Walk_B"]),
    ({"only": ("Idle", "Walk_?")}, ["Walk_A", "Walk_B", "Idle"]),
    ({"exclude": ("*_B", "T[1]")}, ["Walk_A", "Idle"]),
    ({"only": ("Walk*",), "exclude": ("Walk_A",)}, ["Walk_B"]),
    ({"rename": {"Idle": "Stand"}}, ["Walk_A", "Walk_B", "Stand", "T[1]"]),
    ({"rename": {"Walk*": "{file}.{name}"}}, ["hero.Walk_A", "hero.Walk_B", "Idle", "T[1]"]),
    ({"rename": {"*": "x{name}", "Idle": "Stand"}}, ["xWalk_A", "xWalk_B", "Stand", "xT[1]"]),
    ({"rename": {"Idle": "Stand"}, "only": ("Stand",)}, ["Stand"]),
    ({"rename": {"Idle": "Stand"}, "only": ("Idle",)}, ["Stand"]),
])
def test_choice_and_names(tmp_path: Path, options: dict[str, Any], expected: list[str]) -> None:
    assert names([write(tmp_path, "hero.glb", "Walk_A", "Walk_B", "Idle", "T[1]")], **options) == expected


def test_a_chosen_clip_is_the_clip_that_is_read_without_a_choice(tmp_path: Path) -> None:
    path = write(tmp_path, "hero.glb", "Walk", "Idle")
    alone = read_clips([path], ImportOptions(only=("Idle",)))
    assert alone.left_out == ["Walk"]
    np.testing.assert_array_equal(alone.clips[0].frames, read_clips([path]).clips[1].frames)


def test_files_that_repeat_a_name(tmp_path: Path) -> None:
    """Mixamo calls the clip of every file mixamo.com."""
    paths = [write(tmp_path, f"{name}.glb", "mixamo.com") for name in ("walk", "run")]
    with pytest.raises(ImportProblem, match=mentioning("run.glb mixamo.com walk.glb --rename mixamo.com={file}")):
        read_clips(paths)
    assert names(paths, rename={"mixamo.com": "{file}"}) == ["walk", "run"]
    assert names(paths, rename={"run.glb:mixamo.com": "Run"}) == ["mixamo.com", "Run"]
    assert names(paths, rename={"run.glb:*": "Run"}, only=("Run",)) == ["Run"]
    assert names(paths, rename={f"{paths[0]}:mixamo.com": "Walk"}) == ["Walk", "mixamo.com"]


def test_a_file_that_repeats_a_name(tmp_path: Path) -> None:
    path = write(tmp_path, "hero.glb", "Take", "Idle", "Take")
    with pytest.raises(ImportProblem, match=mentioning("0 2 --rename Take#2=Take_2")):
        read_clips([path])
    assert names([path], rename={"Take#2": "Run"}) == ["Take", "Idle", "Run"]
    assert names([path], rename={"hero.glb:Take#1": "Walk"}) == ["Walk", "Idle", "Take"]
    assert names([path], exclude=("Take",)) == ["Idle"]


@pytest.mark.parametrize(("options", "message"), [
    ({"only": ("Wlak*",)}, "--clips Wlak* Walk_A Walk_B"),
    ({"exclude": ("idel",)}, "--exclude idel Idle"),
    ({"exclude": ("Jump",)}, "--exclude Jump Idle Walk_A Walk_B"),
    ({"rename": {"Idel": "Stand"}}, "--rename Idel Idle"),
    ({"exclude": ("*",)}, "--clips --exclude Idle Walk_A Walk_B"),
])
def test_a_pattern_that_matches_nothing(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    path = write(tmp_path, "hero.glb", "Idle", "Walk_A", "Walk_B")
    with pytest.raises(SettingProblem, match=mentioning(message)):
        names([path], **options)
    with pytest.raises(SettingProblem, match=mentioning(message)):
        rename = tuple(Rename(*pair) for pair in options.pop("rename", {}).items())
        read_groups([path], ImportOptions(rename=rename, **options))


def test_a_bvh_file_is_renamed_and_left_out(tmp_path: Path) -> None:
    text = ("HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n"
            "MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n9 0 0\n")
    paths = [tmp_path / f"take_{number}.bvh" for number in (1, 2)]
    for path in paths:
        path.write_text(text, encoding="utf-8")
    assert names(paths, rename={"take_1": "Nod"}, exclude=("take_2",)) == ["Nod"]
