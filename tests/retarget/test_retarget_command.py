"""`ossicle retarget` writes clips of other skeletons for a character."""
from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from captures import BIND, HERO, bind_of_capture, hero, write_capture
from mentions import mentions
from ossicle.importers.importer import read_clips
from ossicle.model.clip import ROTATION
from running import Ran, run_inside

ROTATION_DEGREES = 2.0  # the spine shares the rotation of the whole chain


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
        assert 0.0 <= measure["slide_mm"] < 10.0 and 0.0 <= measure["ground_mm"] < 5.0 and measure["unmapped"] == []
    lines = retarget(walk, "-o", "both.glb", "--character-map", "head=").out.splitlines()
    assert [line for line in lines if line.endswith(": neck, head")]


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
    (("-o", "x.glb", "--character-map", "left_hand=paw"), "hero.glb --character-map paw"),
    (("--table", "--character-map", "left_hand=paw"), "hero.glb --character-map paw"),
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


def test_the_table_names_the_joints_of_both(walk: Path) -> None:
    ran = retarget(walk, "--table")
    assert ran.status == 0 and ran.err == ""
    rows = {tuple(line.split()[:3]): line for line in ran.out.splitlines() if " = " not in line}
    assert mentions(rows["left", "lower", "arm"], "LeftForeArm left_lower_arm")
    assert mentions(rows["right", "foot", "RightFoot"], "right_foot")
    assert mentions(ran.out.splitlines(), "spine Spine, Spine1, Spine2 spine, chest, upper_chest")
    found = json.loads(retarget(walk, "--table", "--json").out)
    source, = found["sources"]
    assert found["clips"] == [] and (found["character"]["file"], source["file"]) == ("hero.glb", "walk.bvh")
    assert found["character"]["map"]["left_hand"] == "left_hand" and source["map"]["left_hand"] == "LeftHand"
    assert source["map"]["left_toes"] == "" and source["unmapped"] == []


def test_joints_without_a_partner_are_listed(walk: Path) -> None:
    ran = retarget(walk, "--table", "--map", "head=")
    lines = ran.out.splitlines()
    assert mentions(next(line for line in lines if line.startswith("head ")), "- head")
    assert mentions([line for line in lines if line.startswith("walk.bvh: ")], "Head")
    assert "head = \"\"" in lines


def test_the_printed_keys_give_the_same_result(walk: Path) -> None:
    assert retarget(walk, "-o", "found.glb", "--quiet").status == 0
    printed = retarget(walk, "--table").out
    table, = tomllib.loads(printed[printed.index("[[retarget]]"):])["retarget"]
    assert table["inputs"] == ["walk.bvh"]
    options = [text for option, key in (("--map", "map"), ("--character-map", "character_map"))
               for part, joint in table[key].items() for text in (option, f"{part}={joint}")]
    assert retarget(walk, "-o", "stated.glb", "--quiet", *options) == Ran(0, "", "")
    assert Path("stated.glb").read_bytes() == Path("found.glb").read_bytes()


def test_sources_of_one_skeleton_have_one_table(walk: Path) -> None:
    write_capture(Path("run.bvh"), "Run")
    ran = retarget(walk, "run.bvh", "--table", "-o", "both.glb")
    assert ran.out.count("[[retarget]]") == 1 and mentions(ran.out.splitlines(), "both.glb")


def test_an_output_is_never_an_input(walk: Path) -> None:
    content = write_capture(Path("out/walk.glb")).read_bytes()
    assert mentions(retarget("out/walk.glb", "-o", "out").line, "out/walk.glb")
    assert mentions(retarget(walk, "-o", HERO).line, HERO)
    assert mentions(retarget(walk, "--rest", "out/walk.glb@0", "-o", "out").line, "out/walk.glb")
    assert Path("out/walk.glb").read_bytes() == content


@pytest.mark.parametrize("rest", ["rest.bvh@1", "rest.glb@bind"])
def test_a_rest_pose_determines_all_rotations(walk: Path, rest: str) -> None:
    """The capture has the demo character's motion, and stands like it in these files."""
    write_capture(Path("rest.bvh"), BIND)
    Path("rest.glb").write_bytes(bind_of_capture())
    assert retarget(walk, "-o", "walk.glb", "--rest", rest, "--free-feet", "--quiet").status == 0
    clip, = read_clips([Path("walk.glb")]).clips
    original = next(clip for clip in hero().clips if clip.name == "Walk")
    likeness = np.abs((np.array(clip.frames) * np.array(original.frames))[..., ROTATION].sum(axis=-1))
    assert likeness.min() > np.cos(np.radians(ROTATION_DEGREES) / 2.0)


def test_a_new_folder_with_a_dot_in_its_name(walk: Path) -> None:
    """A file of an unknown type has the same form of name."""
    ran = retarget(walk, "-o", "v1.2/")
    assert ran.status == 1 and mentions([ran.err], "v1.2 .glb folder")
    Path("v1.2").mkdir()
    assert retarget(walk, "-o", "v1.2/", "--quiet") == Ran(0, "", "") and Path("v1.2/walk.glb").is_file()


@pytest.mark.parametrize(("arguments", "facts"), [
    ("--map left_foot=", "--map left_foot"),
    ("--map hips=", "--map hips"),
    ("--map left_hand=LeftUpLeg", "--map left_hand=LeftHand LeftUpLeg"),
    ("--character-map left_hand=left_foot", "hero.glb --character-map left_hand=left_hand left_foot"),
])
def test_remedies_are_options_that_would_be_right(walk: Path, arguments: str, facts: str) -> None:
    assert mentions(retarget(walk, "-o", "out.glb", *arguments.split()).line, facts)


def test_the_table_names_the_file_as_given(walk: Path) -> None:
    """So that it can be pasted."""
    write_capture(Path("mocap/run.bvh"), "Run")
    assert 'inputs = ["mocap/run.bvh"]' in retarget("mocap/run.bvh", "--table").out.splitlines()


def test_a_rest_pose_that_does_not_fit_is_a_warning(walk: Path) -> None:
    write_capture(Path("run.bvh"), "Run")
    ran = retarget(walk, "-o", "walk.glb", "--rest", "run.bvh@5", "--quiet")
    assert ran.status == 0 and mentions(ran.err.splitlines(), "walk.bvh walk rest")


@pytest.mark.parametrize("part", ["upper_arm", "lower_arm", "hand"])
@pytest.mark.parametrize("key", ["--map", "--character-map"])
def test_a_body_may_lack_a_part_of_an_arm(walk: Path, key: str, part: str) -> None:
    ran = retarget(walk, "-o", "out.glb", key, f"left_{part}=", key, f"right_{part}=")
    assert ran.status == 0 and Path("out.glb").is_file()
