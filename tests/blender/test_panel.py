"""The panel of the Blender add-on: figures, colours, markers, settings and problems; and what is left afterwards."""
import json
import subprocess
import sys
import tomllib

import pytest

from ossicle.base.places import BLENDER_ADDON
from mentions import mentions

MAX_LINES = 800


def test_lines():
    assert sum(len(path.read_text().splitlines()) for path in BLENDER_ADDON.glob("*.py")) <= MAX_LINES


def test_figures_are_those_of_the_command(artist):
    folder, results = artist
    shown = results["arbitrary"]
    report = json.loads((folder / "arbitrary/figures.json").read_text())
    encoded = json.loads((folder / "arbitrary/encoded.json").read_text())
    assert [clip["name"] for clip in report["clips"]] == list(shown["clips"])
    for clip in report["clips"]:
        assert shown["clips"][clip["name"]]["bytes"] == clip["bytes"]
        assert shown["clips"][clip["name"]]["error_mm"] == pytest.approx(clip["worst"]["error_mm"], rel=1e-6)
    bytes_of = {joint["name"]: round(joint["bytes"]) for joint in report["joints"]}
    assert dict(shown["joints"]) == bytes_of
    assert [size for _, size in shown["joints"]] == sorted(bytes_of.values(), reverse=True)
    code = next(choice["code_bytes"] for choice in encoded["codec_choices"]
                if choice["bank_bytes"] == encoded["bytes"])
    assert mentions(shown["flash"], f"{encoded['bytes'] + code:,} {encoded['bytes']:,} {code:,}")
    assert (shown["problem"], shown["ghost rendered"]) == ("", False)


def test_bones_have_the_colours_of_their_errors(artist):
    folder, results = artist
    report = json.loads((folder / "arbitrary/figures.json").read_text())
    for clip in report["clips"]:
        shown = results["arbitrary"]["clips"][clip["name"]]
        error = dict(zip((joint["name"] for joint in report["joints"]), clip["joint_errors_mm"]))
        assert shown["used"] == pytest.approx(error)  # the tolerance is 1 mm
        in_order = sorted(error, key=error.get)
        assert shown["groups"][in_order[0]] != shown["groups"][in_order[-1]]
        levels = {}
        for name in in_order:
            levels.setdefault(tuple(shown["groups"][name]), set()).add(int(error[name] / 0.25 - 1e-9))
        assert all(len(level) == 1 for level in levels.values())
        assert {name for name, group in shown["groups"].items() if group is None} == \
            shown["groups"].keys() - error.keys()


def test_worst_frames_are_marked(artist):
    folder, results = artist
    for clip in json.loads((folder / "arbitrary/figures.json").read_text())["clips"]:
        markers = results["arbitrary"]["clips"][clip["name"]]["markers"]
        assert 1 <= len(markers) <= 3
        assert abs(markers[0][0] - clip["worst"]["frame"]) <= 0.5
        assert mentions(markers[0][1], f"{clip['worst']['error_mm']:.3g}")


def test_the_panel_draws_settings_figures_and_problems(artist):
    drawn = artist[1]["drawn"]
    texts = drawn["texts"]
    assert {"tolerance 1mm", "ossicle.measure ", "ossicle.read ", "ossicle.watch "} <= set(texts)
    assert drawn["problem"] in " ".join(texts)
    assert drawn["problem"] not in texts
    for name, size in drawn["clips"].items():
        assert mentions(texts[texts.index(name) + 1], f"{size:,} B 1 mm")
    assert set(drawn["joints"]) <= set(texts)
    assert texts.count("drop False") == len(drawn["joints"])
    assert drawn["polls"] == [True, False, False]


def test_a_cancelled_measurement_leaves_nothing(artist):
    ended, clips, no_ghost, folders = artist[1]["cancelled"]
    assert (ended, clips, no_ghost, folders) == (True, 0, True, 0)


def test_removing_the_ghost_leaves_the_artists_blocks(artist):
    before, after = artist[1]["cleared"]
    assert before == after


def test_no_traces(artist):
    """After the add-on was disabled in Blender, and `ossicle blender --uninstall` has removed its files."""
    folder, results = artist
    before, after = results["traces"]
    assert results["with add-on"]["classes"] and results["with add-on"]["of objects"]
    assert list((folder / "mods").iterdir()) == []
    assert results["with add-on"]["blocks"]["actions"] != before["blocks"]["actions"]
    assert before == after


def test_a_new_file_has_the_settings(artist):
    assert tomllib.loads(artist[1]["new toml"]) == {"inputs": ["artist.glb"], "tolerance": "0.7mm", "target": "m4"}


def test_settings_are_read(artist):
    assert artist[1]["read"] == ["2mm", "", ["bone.07"]]


def test_only_the_settings_of_the_panel_change(artist):
    text = artist[1]["changed toml"]
    assert tomllib.loads(text) == {
        "inputs": ["artist.glb"], "tolerance": "2mm", "output": "out/a.ossb", "target": "gba",
        "clips": {"Small": {"loop": False}}, "import": {"drop": ["*IK*", "bone.06"]},
        "joints": {"bone.*": {"tolerance": "1.5mm"}}}
    assert text.startswith("# the artist's\n")
    assert "# coarse" in text
    assert '# "bone.01"' in text


def test_the_command_builds_the_file(artist, tmp_path):
    """With the pattern that matches no joint, an error that names it; without it, a bank."""
    folder, results = artist
    file = folder / "built.toml"
    for patterns, status in ('"*IK*", ', 1), ("", 0):
        file.write_text(results["changed toml"].replace('"*IK*", ', patterns))
        run = subprocess.run([sys.executable, "-m", "ossicle", "build", file, "-o", tmp_path], capture_output=True,
                             text=True)
        assert run.returncode == status, run.stderr
        assert status == 0 or mentions(run.stderr, "*IK*")
    inspected = subprocess.run([sys.executable, "-m", "ossicle", "inspect", tmp_path / "a.ossb", "--json"],
                               capture_output=True, text=True, check=True)
    assert "bone.06" not in {joint["name"] for joint in json.loads(inspected.stdout)["joints"]}


def test_problems_are_shown_with_their_remedy(artist):
    problems = artist[1]["problems"]
    assert not any(finished for finished, _ in problems.values())
    assert mentions(problems["tolerance"][1], "tolerance lot 0.5mm")
    assert mentions(problems["no file"][1], "TOML file")
    assert mentions(problems["several"][1], "several.toml character")
    assert mentions(problems["changed"][1], "changed.toml Read")
    assert mentions(problems["command"][1], "nowhere Preferences")
    assert mentions(problems["relative"][1], "ossicle Preferences")


@pytest.mark.parametrize("name", ["../../.bashrc", "../a.glb", "walk.bvh", "*.glb"])
def test_export_writes_only_a_glb_file_below_the_settings(artist, name):
    folder, results = artist
    assert mentions(results["problems"][f"export {name}"][1], f"changed.toml {name} .glb")
    assert not (folder / name).exists()


def test_patterns_of_other_inputs_are_expanded(artist):
    assert artist[1]["sources"] == ["rig.glb", "several/clips/b.glb", "several/clips/a.bvh", "several/gone.glb"]


def test_a_measurement_ends_with_its_timer(artist):
    """If the commands end, on Esc, and if the armature is gone."""
    results = artist[1]["modal"]
    assert results["runs"] == ["RUNNING_MODAL", False, []]
    assert results["ends"] == ["FINISHED", True, ["timer"]]
    assert results["esc"] == ["CANCELLED", True, ["timer"]]
    result, ended, [text, timer] = results["gone"]
    assert (result, ended, timer) == ("CANCELLED", True, "timer")
    assert mentions(text, "armature")


def test_a_watch_leaves_nothing(artist):
    """If it cannot be started, and if it ignores SIGTERM."""
    results = artist[1]
    assert (results["no watch"], results["stubborn"], results["left by watches"]) == (None, -9, 0)


def test_disabling_the_add_on_ends_the_watch(artist):
    assert (artist[1]["watching"], artist[1]["watch ended"]) == (True, True)
