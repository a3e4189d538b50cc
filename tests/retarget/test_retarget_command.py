"""`ossicle retarget` writes clips of other skeletons for a character."""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from captures import HERO, hero, write_capture
from mentions import mentions
from ossicle.importers.importer import read_clips
from running import Ran, run_inside


@pytest.fixture
def walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """walk.bvh in the current folder."""
    monkeypatch.chdir(tmp_path)
    return write_capture(Path("walk.bvh"))


def retarget(*arguments: object) -> Ran:
    return run_inside("retarget", *arguments, "--onto", HERO)


def test_the_file_has_the_skeleton_of_the_character(walk: Path) -> None:
    ran = retarget(walk, "-o", "walk_hero.glb")
    assert ran.status == 0 and ran.err == "" and mentions(ran.out.splitlines(), "walk_hero.glb")
    written, ours = read_clips([Path("walk_hero.glb")]), hero().skeleton
    assert written.skeleton.names == ours.names and [clip.name for clip in written.clips] == ["walk"]
    assert np.abs(written.skeleton.bind - ours.bind).max() < 1e-6
    assert written.skeleton.inverse_bind is not None and ours.inverse_bind is not None
    assert np.abs(written.skeleton.inverse_bind - ours.inverse_bind).max() < 1e-6
    assert (len(written.clips[0].frames), written.clips[0].rate) == (31, 30.0)


def test_encode_reads_the_file_beside_the_character(walk: Path, built_encoder: None) -> None:
    assert retarget(walk, "-o", "walk_hero.glb", "--quiet") == Ran(0, "", "")
    ran = run_inside("encode", HERO, "walk_hero.glb", "-o", "hero.ossb", "--clips", "walk", "--quiet", "--json",
                     "hero.json")
    assert ran == Ran(0, "", "")
    clip, = json.loads(Path("hero.json").read_text(encoding="utf-8"))["clips"]
    assert (clip["name"], clip["source"], clip["measure"]) == ("walk", "walk_hero.glb", None)


def test_each_clip_has_its_measures(walk: Path) -> None:
    write_capture(Path("run.bvh"), "Run")
    ran = retarget(walk, "run.bvh", "-o", "both.glb")
    row = next(line for line in ran.out.splitlines() if line.startswith("run "))
    assert len(row.split()) == 5
    found = json.loads(retarget(walk, "run.bvh", "-o", "both.glb", "--json").out)["clips"]
    assert [(clip["name"], clip["source"], clip["frames"]) for clip in found] == [
        ("walk", "walk.bvh", 31), ("run", "run.bvh", 22)]
    for clip in found:
        measure = clip["measure"]
        assert 0.0 <= measure["mean_angle_degrees"] <= measure["largest_angle_degrees"] < 90.0
        assert measure["slide_mm"] >= 0.0 and measure["ground_mm"] >= 0.0


@pytest.mark.parametrize("made", [False, True])
def test_a_folder_gets_a_file_for_each_source(walk: Path, made: bool) -> None:
    write_capture(Path("run.bvh"), "Run")
    if made:
        Path("made.by").mkdir()
    folder = Path("made.by" if made else "out/new")
    assert retarget(walk, "run.bvh", "-o", folder, "--quiet") == Ran(0, "", "")
    assert sorted(path.name for path in folder.iterdir()) == ["run.glb", "walk.glb"]
    assert [clip.name for clip in read_clips([folder / "run.glb"]).clips] == ["run"]


def test_clips_are_renamed_and_chosen(walk: Path) -> None:
    write_capture(Path("more/walk.bvh"), "Run")
    line = retarget(walk, "more/walk.bvh", "-o", "both.glb").line
    assert mentions(line, "more/walk.bvh walk walk.bvh --rename") and not Path("both.glb").exists()
    assert retarget(walk, "more/walk.bvh", "-o", "both.glb", "--rename", "more/walk.bvh:walk=Run",
                    "--quiet") == Ran(0, "", "")
    assert [clip.name for clip in read_clips([Path("both.glb")]).clips] == ["walk", "Run"]
    clip, = json.loads(retarget(walk, "more/walk.bvh", "-o", "one.glb", "--rename", "more/walk.bvh:walk=Run", "--clips",
                                "Run", "--fps", "15", "--json").out)["clips"]
    assert (clip["name"], clip["frames"], clip["rate"]) == ("Run", 12, 15.0)
    assert [clip.name for clip in read_clips([Path("one.glb")]).clips] == ["Run"]


@pytest.mark.parametrize(("arguments", "facts"), [
    ((), "-o --table"),
    (("-o", "walk.fbx"), "walk.fbx .fbx .glb"),
    (("-o", "walk.bvh/x.glb"), "walk.bvh"),
    (("-o", "x.glb", "--scale", "0"), "--scale"),
    (("-o", "x.glb", "--map", "left_hand"), "--map left_hand"),
    (("-o", "x.glb", "--map", "left_wing=LeftHand"), "left_wing"),
    (("-o", "x.glb", "--map", "left_hand=Paw"), "walk.bvh Paw"),
    (("-o", "x.glb", "--character-map", "left_hand=paw"), "paw"),
    (("-o", "x.glb", "--rest", "walk.bvh"), "--rest walk.bvh"),
    (("-o", "x.glb", "--rest", "walk.bvh@last"), "--rest walk.bvh@last"),
    (("-o", "x.glb", "--rest", "walk.bvh@31"), "walk.bvh 31 0 30"),
    (("-o", "x.glb", "--rest", "rest.bvh@0"), "rest.bvh"),
    (("-o", "x.glb", "--rest", f"{HERO}@0"), "hero.glb 7"),
    (("-o", "x.glb", "--rest", f"{HERO}@bind"), "walk.bvh Hips hero.glb hips"),
    (("-o", "x.glb", "--clips", "Wlak"), "--clips Wlak walk"),
])
def test_errors_name_the_value(walk: Path, arguments: tuple[object, ...], facts: str) -> None:
    ran = retarget(walk, *arguments)
    assert ran.status != 0 and mentions(ran.line, facts) and not Path("x.glb").exists()


def test_an_output_is_never_an_input(walk: Path) -> None:
    content = write_capture(Path("out/walk.glb")).read_bytes()
    assert mentions(retarget("out/walk.glb", "-o", "out").line, "out/walk.glb")
    assert mentions(retarget(walk, "-o", HERO).line, HERO)
    assert mentions(retarget(walk, "--rest", "out/walk.glb@0", "-o", "out").line, "out/walk.glb")
    assert Path("out/walk.glb").read_bytes() == content


def test_a_rest_pose_may_have_another_order_of_joints(walk: Path) -> None:
    """The pose is that of the character's bind, so its clip becomes exactly the motion of the capture."""
    assert retarget(walk, "-o", "walk.glb", "--rest", f"{walk}@0", "--quiet").status == 0
