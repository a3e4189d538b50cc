"""Tables [[retarget]] of a configuration file."""
from __future__ import annotations

import json
from pathlib import Path

import pytest
from captures import HERO, write_capture
from mentions import mentions
from ossicle.bank.file import read_bank
from ossicle.building.job import files_read
from ossicle.building.manifest import read_manifest, requests_of
from running import Ran, run_inside

OWN = f"inputs = [{str(HERO)!r}]\neffort = \"fast\"\n[import]\nclips = [\"Idle\", \"Walk\", \"walk*\"]\n"
TABLE = '[[retarget]]\ninputs = ["mocap/*.bvh"]\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built_encoder: None) -> Path:
    """The current folder, with a capture and hero.toml."""
    monkeypatch.chdir(tmp_path)
    write_capture(Path("mocap/walk.bvh"))
    write(TABLE)
    return tmp_path


def write(table: str, own: str = OWN) -> None:
    Path("hero.toml").write_text(own + table, encoding="utf-8")


def built(*arguments: object) -> dict[str, dict[str, object]]:
    """Builds hero.toml and returns the report's clips by name."""
    ran = run_inside("build", "hero.toml", "--quiet", "--json", "hero.json", *arguments)
    assert ran.status == 0, ran
    return {clip["name"]: clip for clip in json.loads(Path("hero.json").read_text(encoding="utf-8"))["clips"]}


def refused() -> str:
    ran = run_inside("build", "hero.toml")
    assert ran.status == 1
    return ran.line


def test_clips_follow_those_of_the_character() -> None:
    clips = built()
    assert list(clips) == ["Idle", "Walk", "walk"] == [clip.name for clip in read_bank(Path("hero.ossb")).clips]
    assert clips["Walk"]["measure"] is None and clips["walk"]["source"] == "walk.bvh"
    measure = clips["walk"]["measure"]
    assert isinstance(measure, dict) and measure["largest_angle_degrees"] < 5.0
    Path("hero.ossb").unlink()
    ran = run_inside("build", "hero.toml")
    assert ran.status == 0 and any(line.startswith("walk ") and line.count("°") == 2 for line in ran.out.splitlines())


def test_settings_of_clips_apply() -> None:
    write_capture(Path("mocap/walk_fast.bvh"), "Run", step_m=0.08)
    write('[clips."walk_fast"]\nroot_motion = "xz"\ncontacts = true\nspeed = 2.0\n'
          '[clips."Swapped"]\nmirror_of = "walk"\n' + TABLE)
    clips = built()
    assert list(clips) == ["Idle", "Walk", "walk", "Swapped", "walk_fast"]
    assert clips["Swapped"]["mirror_of"] == "walk" and clips["Swapped"]["measure"] is None
    assert clips["walk_fast"]["contacts"] and clips["walk_fast"]["rate"] == 60.0
    assert list(read_bank(Path("hero.ossb")).trajectories) == [4]


def test_clips_are_chosen_and_renamed_like_all_others() -> None:
    own = f"inputs = [{str(HERO)!r}]\neffort = \"fast\"\n"
    write('clips = ["Stroll"]\n[rename]\n"walk.bvh:walk" = "Stroll"\n' + TABLE, own)
    assert list(built()) == ["Stroll"]
    write('exclude = ["walk"]\nclips = ["Idle", "w*"]\n' + TABLE, own)
    assert list(built()) == ["Idle"]
    write('[rename]\n"Walk" = "walk"\n' + TABLE, own)
    assert mentions(refused(), "walk.bvh walk hero.glb")


def test_encode_reads_the_tables() -> None:
    built()
    ran = run_inside("encode", HERO, "--config", "hero.toml", "-o", "other.ossb", "--quiet")
    assert ran.status == 0 and ran.err.count("\n") == 1 and mentions(ran.err, "hero.toml inputs")
    assert Path("other.ossb").read_bytes() == Path("hero.ossb").read_bytes()


def test_the_bank_is_compared_with_its_sources() -> None:
    built()
    ran = run_inside("report", "hero.toml", "--json", "figures.json", "--quiet")
    assert ran.status == 0, ran
    assert mentions(Path("figures.json").read_text(encoding="utf-8"), "walk.bvh")


def test_unchanged_files_are_not_read_again() -> None:
    write(TABLE + 'rest = "poses/tpose.bvh@0"\n')
    write_capture(Path("poses/tpose.bvh"))
    built()
    again = ("build", "hero.toml", "--json", "hero.json")
    assert run_inside(*again) == Ran(0, "hero.toml is unchanged\n", "")
    for path in ("mocap/walk.bvh", "poses/tpose.bvh"):
        Path(path).write_text(Path(path).read_text(encoding="ascii") + "\n", encoding="ascii")
        assert "is unchanged" not in run_inside(*again).out
        assert run_inside(*again) == Ran(0, "hero.toml is unchanged\n", "")
    write_capture(Path("mocap/walk_fast.bvh"), "Run")
    assert "walk_fast" in built()
    Path("mocap/walk_fast.bvh").unlink()
    assert "walk_fast" not in built()


def test_all_files_are_dependencies() -> None:
    write(TABLE + 'rest = "poses/tpose.bvh@0"\n')
    write_capture(Path("poses/tpose.bvh"))
    built("--depfile", "hero.d")
    manifest = read_manifest(Path("hero.manifest.json"))
    assert manifest is not None
    assert {Path("mocap/walk.bvh"), Path("poses/tpose.bvh")} <= set(manifest.inputs)
    assert dict(manifest.patterns) == {"mocap/*.bvh": ["mocap/walk.bvh"]}
    assert mentions(Path("hero.d").read_text(encoding="utf-8"), "mocap/walk.bvh poses/tpose.bvh")
    assert {Path("mocap/walk.bvh"), Path("poses/tpose.bvh")} <= set(files_read(requests_of([Path("hero.toml")])))
    write(TABLE + 'rest = "hero.ossb@0"\n')
    assert mentions(refused(), "hero.ossb")


def test_workers_build_the_same_bank() -> None:
    built()
    bank = Path("hero.ossb").read_bytes()
    Path("hero.ossb").unlink()
    assert run_inside("build", "hero.toml", "--quiet", "--workers", "1") == Ran(0, "", "")
    assert Path("hero.ossb").read_bytes() == bank


@pytest.mark.parametrize(("table", "facts"), [
    ("[retarget]\ninputs = []\n", "retarget [[retarget]]"),
    ("[[retarget]]\n", "[[retarget]] inputs"),
    ("[[retarget]]\ninputs = []\n", "[[retarget]] inputs"),
    ("[[retarget]]\ninput = []\n", "[[retarget]] input inputs"),
    (TABLE + "feet = true\n", "[[retarget]] feet free_feet"),
    (TABLE + "fps = 30\n", "[[retarget]] fps [import]"),
    (TABLE + "scale = 0\n", "[[retarget]] scale 0"),
    (TABLE + "map = \"LeftHand\"\n", "[[retarget]] map LeftHand"),
    (TABLE + "map = { left_hand = 3 }\n", "[[retarget]] left_hand 3"),
    (TABLE + "map = { left_wing = \"LeftHand\" }\n", "walk.bvh left_wing"),
    (TABLE + "map = { left_hand = \"LeftPaw\" }\n", "walk.bvh LeftPaw LeftHand"),
    (TABLE + "character_map = { left_hand = \"left_paw\" }\n", "hero.glb character_map left_paw left_hand"),
    (TABLE + "rest = 0\n", "[[retarget]] rest 0"),
    (TABLE + "rest = \"mocap/walk.bvh\"\n", "[[retarget]] rest mocap/walk.bvh"),
    (TABLE + "rest = \"mocap/walk.bvh@99\"\n", "mocap/walk.bvh 99 0 30"),
    (TABLE + "rest = \"mocap/missing.bvh@0\"\n", "missing.bvh"),
    ("[[retarget]]\ninputs = [\"mocap/*.fbx\"]\n", "[[retarget]] mocap/*.fbx"),
    ("[[retarget]]\ninputs = [\"mocap/run.bvh\"]\n", "run.bvh"),
    (TABLE + "[[retarget]]\ninputs = [\"*.glb\"]\n", "[[retarget]] 2 *.glb"),
    (TABLE + "[[retarget]]\ninputs = [\"mocap/walk.bvh\"]\n", "walk.bvh walk"),
    ("map = { left_hand = \"LeftHand\" }\n", "map [[retarget]]"),
])
def test_errors_name_the_key(table: str, facts: str) -> None:
    write(table)
    line = refused()
    assert mentions(line, "hero.toml") and mentions(line, facts), line


def test_characters_and_folders_have_their_own_tables() -> None:
    Path("heroes").mkdir()
    Path("heroes/hero.glb").write_bytes(HERO.read_bytes())
    Path("hero.toml").write_text(
        'effort = "fast"\nclips = ["Idle", "walk"]\n[[folder."heroes".retarget]]\ninputs = ["mocap/walk.bvh"]\n'
        '[character.first]\ninputs = ["heroes/hero.glb"]\n'
        '[character.second]\ninputs = ["heroes/hero.glb"]\n[[character.second.retarget]]\n'
        'inputs = ["mocap/walk.bvh"]\nfree_feet = true\n', encoding="utf-8")
    assert run_inside("build", "hero.toml", "--quiet") == Ran(0, "", "")
    for name in ("first", "second"):
        assert [clip.name for clip in read_bank(Path(f"{name}.ossb")).clips] == ["Idle", "walk"]
    Path("hero.toml").write_text(Path("hero.toml").read_text(encoding="utf-8").replace(
        '[[folder."heroes".retarget]]\n', '[[folder."heroes".retarget]]\nspeed = 2\n'), encoding="utf-8")
    lines = run_inside("build", "hero.toml").err.splitlines()
    assert len(lines) == 2 and all(mentions(line, "hero.toml heroes [[retarget]] speed") for line in lines)
