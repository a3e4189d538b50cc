"""Several inputs share one skeleton; options are checked."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from ossicle.importers.importer import read_clips, read_groups
from ossicle.model.clip import TRANSLATION, ImportProblem
from ossicle.model.import_options import ImportOptions
from ossicle.base.problem import SettingProblem
from mentions import mention_each, mentioning, mentions


def write(folder: Path, file: str, clip: str, **changes: Any) -> Path:
    """Hips with the children Leg and Arm; clip moves Arm to (x, 0, 0)."""
    g = GltfBuilder()
    nodes = {
        "Hips": {"children": [1, 2]},
        "Leg": {"translation": [0, -1, 0]},
        "Arm": {"translation": [0, 1, 0], "rotation": turn("x", 20)},
    }
    order = changes.pop("order", list(nodes))
    nodes = {name: nodes[name] | changes.pop(name, {}) for name in order}
    for name, properties in nodes.items():
        g.node(changes.get("names", {}).get(name, name), **properties)
    g.skin([0, 1, 2])
    arm = order.index("Arm")
    g.animation(clip, (arm, "translation", [0, 1], [[0, 1, 0], [4, 0, 0]], "LINEAR"))
    return g.write_glb(folder, file)


def test_clips_in_the_order_of_the_files(tmp_path: Path) -> None:
    paths = [write(tmp_path, "b.glb", "Walk"), write(tmp_path, "a.glb", "Run")]
    imported = read_clips(paths)
    assert [(c.name, c.source) for c in imported.clips] == [("Walk", "b.glb"), ("Run", "a.glb")]
    assert read_clips([str(paths[0])]).clips[0].name == "Walk"  # type: ignore[list-item]


def test_other_joint_order_is_matched_by_name(tmp_path: Path) -> None:
    first = write(tmp_path, "a.glb", "Walk")
    second = write(tmp_path, "b.glb", "Run", order=["Hips", "Arm", "Leg"])
    walk, run = read_clips([first, second]).clips
    np.testing.assert_array_equal(walk.frames, run.frames)
    assert run.frames[-1, 2, TRANSLATION].tolist() == [4, 0, 0]


def test_bind_pose_may_differ_by_rounding_and_sign(tmp_path: Path) -> None:
    first = write(tmp_path, "a.glb", "Walk")
    arm = {"rotation": [-c for c in turn("x", 20)], "translation": [0, 1.00005, 0]}
    second = write(tmp_path, "b.glb", "Run", Arm=arm)
    assert len(read_clips([first, second]).clips) == 2


def test_rest_of_a_joint_that_the_clips_place_may_differ(tmp_path: Path) -> None:
    first = write(tmp_path, "a.glb", "Walk")
    second = write(tmp_path, "b.glb", "Run", Arm={"translation": [0, 7, 0]})
    imported = read_clips([first, second])
    walk, run = imported.clips
    np.testing.assert_array_equal(walk.frames, run.frames)
    assert imported.warnings == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"Hips": {"children": [1]}, "Leg": {"children": [2]}},
            "b.glb Leg Hips a.glb",
        ),
        ({"names": {"Hips": "A", "Leg": "B", "Arm": "C"}}, "b.glb a.glb"),
    ],
)
def test_other_skeleton(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    paths = [write(tmp_path, "a.glb", "Walk"), write(tmp_path, "b.glb", "Run", **changes)]
    with pytest.raises(ImportProblem) as caught:
        read_clips(paths)
    assert mentions(caught.value, message)


@pytest.mark.parametrize(
    ("changes", "joint"),
    [
        ({"names": {"Leg": "Tail"}}, "Leg"),
        ({"Leg": {"translation": [0, -1.5, 0]}}, "Leg"),
        ({"Arm": {"rotation": turn("x", 21)}}, "Arm"),
        ({"Leg": {"scale": [1, 1, 2]}}, "Leg"),
        ({"Leg": {"scale": [1, 1, 2]}, "Arm": {"translation": [0, 7, 0]}}, "Leg"),  # the clip moves the arm
    ],
)
def test_other_rest_poses_and_missing_joints(tmp_path: Path, changes: dict[str, Any], joint: str) -> None:
    """Joints that the clip does not move are as in the first file."""
    paths = [write(tmp_path, "a.glb", "Walk"), write(tmp_path, "b.glb", "Run", **changes)]
    imported = read_clips(paths)
    np.testing.assert_array_equal(imported.clips[1].frames, imported.clips[0].frames)
    warning, = imported.warnings
    assert warning.startswith("b.glb: ") and "a.glb" in warning
    assert [name for name in ("Leg", "Arm") if name in warning] == [joint]


def test_additional_joint(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("Hips", children=[1])
    g.node("Tail")
    g.animation("Wag", (1, "translation", [0, 1], [[0, 0, 0], [0, 1, 0]], "LINEAR"))
    first = tmp_path / "first.glb"
    lone = GltfBuilder()
    lone.node("Hips")
    lone.animation("Hop", (0, "translation", [0, 1], [[0, 0, 0]] * 2, "LINEAR"))
    first.write_bytes(lone.glb_bytes())
    with pytest.raises(ImportProblem, match=mentioning("hero.glb first.glb")):
        read_clips([first, g.write_glb(tmp_path)])


def test_files_with_other_parents_are_another_group(tmp_path: Path) -> None:
    other = {"Hips": {"children": [1]}, "Leg": {"children": [2]}}
    paths = [write(tmp_path, "a.glb", "Walk"), write(tmp_path, "b.glb", "Run", **other),
             write(tmp_path, "c.glb", "Jump")]
    groups, _ = read_groups(paths, ImportOptions())
    assert [[clip.name for clip in group.clips] for group in groups] == [["Walk", "Jump"], ["Run"]]


def test_duplicate_clip_name(tmp_path: Path) -> None:
    paths = [write(tmp_path, "a.glb", "Walk"), write(tmp_path, "b.glb", "Walk")]
    with pytest.raises(ImportProblem, match=mentioning("b.glb Walk a.glb")):
        read_clips(paths)


def test_memory_limit_over_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [write(tmp_path, "a.glb", "Walk"), write(tmp_path, "b.glb", "Run")]
    monkeypatch.setattr("ossicle.importers.importer.MAX_JOINT_FRAMES", 2 * 31 * 3 - 1)
    with pytest.raises(ImportProblem, match=mentioning("b.glb 185")):
        read_clips(paths)


def test_warnings_name_their_file(tmp_path: Path) -> None:
    path = write(tmp_path, "b.glb", "Run")
    path.write_bytes(path.read_bytes() + b"?")
    assert mention_each(read_clips([write(tmp_path, "a.glb", "Walk"), path]).warnings, ["b.glb 1"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fps": 0}, "--fps 0 0.001 480"),
        ({"fps": -3.5}, "--fps -3.5: choose"),
        ({"fps": float("nan")}, "--fps nan: choose"),
        ({"fps": 480.001}, "--fps 480.001: choose"),
        ({"scale": 0}, "--scale 0: give"),
        ({"scale": float("inf")}, "--scale inf: give"),
        ({"up": "x"}, "--up x"),
        ({"ancestors": "keep"}, "--ancestors keep"),
    ],
)
def test_options_are_checked(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingProblem) as caught:
        read_clips([write(tmp_path, "a.glb", "Walk")], ImportOptions(**options))
    assert mentions(caught.value, message)


def test_unreadable_paths(tmp_path: Path) -> None:
    folder = tmp_path / "folder.glb"
    folder.mkdir()
    for path, message in (
        (tmp_path / "none.glb", "none.glb No such file or directory"),
        (folder, "folder.glb"),
        (tmp_path / "hero.obj", "hero.obj .obj .glb"),
        (tmp_path / "hero", "hero .glb"),
    ):
        with pytest.raises(ImportProblem) as caught:
            read_clips([path])
        assert mentions(caught.value, message)
    with pytest.raises(ImportProblem, match=mentioning(".glb .bvh")):
        read_clips([])


def test_a_file_that_is_named_twice(tmp_path: Path) -> None:
    """Also by another path."""
    walk = write(tmp_path, "walk.glb", "Walk")
    (tmp_path / "more").mkdir()
    with pytest.raises(ImportProblem, match=mentioning("walk.glb twice")):
        read_clips([walk, tmp_path / "more/../walk.glb"])


def test_folders_are_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mocap").mkdir()
    for folder in (".", "mocap"):
        with pytest.raises(ImportProblem, match=mentioning(f"{folder} folder *.glb")):
            read_clips([Path(folder)])
