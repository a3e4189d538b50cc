"""Curves of files and settings."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from curve_files import FPS, add_mesh, nod, wave, weighted, weights
from gltf_builder import GltfBuilder

from ossicle.bank.file import Bank, describe, parse_bank
from ossicle.base.curve_names import curves_in, joint_name, curve_components, real_count
from ossicle.base.problem import SettingProblem
from ossicle.config.project import read_project
from ossicle.encoding.curves.rules import parse_curve_rules, parse_curves
from ossicle.encoding.curves.reading import keys_of
from ossicle.encoding.encoder import encode
from ossicle.encoding.problems import EncodeProblem
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.export.played import play
from ossicle.importers.importer import read_clips
from ossicle.model.clip import ImportProblem
from ossicle.model.curves.keys import MOST_KEYS
from ossicle.model.curves.rule import CurveRule
from mentions import mentioning, mentions

FRAMES = 31


def pointed(g: GltfBuilder, animation: int, pointer: str, times: Any, values: Any) -> None:
    g.channel(animation, 0, "pointer", g.accessor(times), g.accessor(values), "LINEAR")
    g.document["animations"][animation]["channels"][-1]["target"] = {
        "path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}


def bank_of(path: Path, settings: Settings = Settings()) -> Bank:
    return parse_bank(encode([path], settings).bank)


def names_of(bank: Bank) -> list[str]:
    return [place.name for place in curve_components([joint.name for joint in bank.joints])]


def test_names_of_joints_list_any_names_of_curves() -> None:
    names = ["a,b", "100%", "%2C"]
    assert curves_in(joint_name(names)) == tuple(names)
    assert curves_in("Hips") == () and real_count(["Hips", joint_name(names)]) == 1


def test_equal_shape_keys_of_several_meshes_are_one_curve(tmp_path: Path) -> None:
    g, face = weighted(["smile", "blink"])
    teeth = add_mesh(g, ["smile", "blink"], node="Teeth")
    values = np.stack([wave(FRAMES, 0), wave(FRAMES, 1)], axis=1)
    g.animation("Walk", nod(FRAMES), weights(face, values), weights(teeth, values * [1.0, 0.5]))
    (clip,) = read_clips([g.write_glb(tmp_path)]).clips
    assert list(clip.curves) == ["smile", "Face.blink", "Teeth.blink"]


def test_weights_without_names_are_numbered(tmp_path: Path) -> None:
    g, face = weighted(["", ""])
    g.animation("Walk", nod(FRAMES), weights(face, np.stack([wave(FRAMES, 0)] * 2, axis=1)))
    (clip,) = read_clips([g.write_glb(tmp_path)]).clips
    assert list(clip.curves) == ["Face.0", "Face.1"]


def test_weights_of_one_name_are_numbered_apart_from_others(tmp_path: Path) -> None:
    g, face = weighted(["s", "s", "s.0"])
    g.animation("Walk", nod(FRAMES), weights(face, np.stack([wave(FRAMES, phase) for phase in range(3)], axis=1)))
    (clip,) = read_clips([g.write_glb(tmp_path)]).clips
    assert list(clip.curves) == ["s.0.0", "s.1", "s.0"]


def test_pointers_have_ascii_numbers(tmp_path: Path) -> None:
    g, face = weighted(["smile"])
    assert face == 2
    g.animation("Walk", nod(FRAMES))
    pointed(g, 0, "/nodes/\u0662/weights", [0, 1], [0, 1])
    pointed(g, 0, "/nodes/\u0662/extras/glow", [0, 1], [0, 1])
    imported = read_clips([g.write_glb(tmp_path)])
    assert not imported.clips[0].curves
    assert any(mentions(warning, "/nodes/\u0662/weights") for warning in imported.warnings)


def test_pointers_to_weights_and_extras_are_curves_and_others_are_named(tmp_path: Path) -> None:
    g, face = weighted(["smile", "blink"], [0.25, 0.0])
    g.document["nodes"][1]["extras"] = {"glow": 2.0}
    g.animation("Walk", nod(FRAMES))
    pointed(g, 0, f"/nodes/{face}/weights/0", [0, 1], [0, 1])
    pointed(g, 0, "/meshes/0/weights", [0, 1], [0, 0, 1, 1])
    pointed(g, 0, "/nodes/1/extras/glow", [0, 1], [0, 5])
    pointed(g, 0, "/materials/0/alphaCutoff", [0, 1], [0, 1])
    imported = read_clips([g.write_glb(tmp_path)])
    assert set(imported.clips[0].curves) == {"smile", "blink", "glow"}
    assert imported.curves["smile"] == 0.25 and imported.curves["glow"] == 2.0
    assert any(mentions(warning, "/materials/0/alphaCutoff") for warning in imported.warnings)


def test_a_file_of_weights_alone_has_the_joint_of_its_mesh(tmp_path: Path) -> None:
    g = GltfBuilder()
    cube = add_mesh(g, ["thin", "angle"], node="Cube")
    g.animation("Squeeze", weights(cube, np.stack([wave(FRAMES, 0), wave(FRAMES, 2)], axis=1)))
    bank = bank_of(g.write_glb(tmp_path))
    assert [joint.name for joint in bank.joints] == ["Cube", "curve:thin,angle"]
    assert bank.clips[0].frame_count == FRAMES


def test_a_clip_lasts_until_the_last_key_of_a_curve(tmp_path: Path) -> None:
    g, face = weighted(["smile"])
    g.animation("Walk", nod(11), weights(face, wave(FRAMES, 0)[:, None]))
    (clip,) = read_clips([g.write_glb(tmp_path)]).clips
    assert len(clip.frames) == FRAMES


def test_curves_that_stay_at_rest_are_left_out(tmp_path: Path) -> None:
    g, face = weighted(["smile", "idle"], [0.0, 0.5])
    g.animation("Walk", nod(FRAMES), weights(face, np.stack([wave(FRAMES, 0), np.full(FRAMES, 0.5)], axis=1)))
    result = encode([g.write_glb(tmp_path)], Settings())
    assert names_of(parse_bank(result.bank)) == ["smile"]
    assert mentions(result.warnings, "idle")


def test_curves_may_be_left_out(tmp_path: Path) -> None:
    g, face = weighted(["smile", "blink"])
    g.animation("Walk", nod(FRAMES), weights(face, np.stack([wave(FRAMES, 0)] * 2, axis=1)))
    path = g.write_glb(tmp_path)
    assert names_of(bank_of(path, Settings(curve_rules=(CurveRule("smile", None),)))) == ["blink"]
    bank = bank_of(path, Settings(curve_rules=(CurveRule("*", None),)))
    assert names_of(bank) == [] and len(bank.joints) == 2
    with pytest.raises(SettingProblem, match=mentioning("[curves] smlie smile")):
        encode([path], Settings(curve_rules=(CurveRule("smlie", 0.1),)))


def test_cuts_and_speeds_hold_for_curves_of_files_and_not_for_stated_ones(tmp_path: Path) -> None:
    g, face = weighted(["smile"])
    g.animation("Walk", nod(FRAMES), weights(face, np.linspace(0.0, 1.0, FRAMES)[:, None]))
    rule = ClipRule("Walk", start_s=0.5, reverse=True,
                    curves=parse_curves({"glow": [[0.0, 1.0], [0.5, 0.0]]}, "curves"))
    bank = bank_of(g.write_glb(tmp_path), Settings(clips=(rule,)))
    (clip,) = play(bank, [0], "bank")
    smile, glow = (clip.frames[:, place.joint, 4 + place.axis]
                   for place in curve_components([j.name for j in bank.joints]))
    np.testing.assert_allclose(smile, np.linspace(1.0, 0.5, 16), atol=1 / 256)
    np.testing.assert_allclose(glow, np.linspace(1.0, 0.0, 16), atol=1 / 256)


def test_a_preset_that_fits_nothing_needs_no_tolerance_of_curves(tmp_path: Path) -> None:
    from ossicle.encoding.presets import PRESETS
    from ossicle.model.lengths import Tolerance
    g, face = weighted(["smile"])
    g.animation("Walk", nod(FRAMES), weights(face, wave(FRAMES, 0)[:, None]))
    fixed = next(preset.name for preset in PRESETS.values() if preset.fixed)
    settings = Settings(tolerance=Tolerance(metres=float("inf"))).with_preset(fixed, "preset")
    result = encode([g.write_glb(tmp_path)], settings)
    assert result.clips[0].curves[0].tolerance is None


def test_root_motion_leaves_curves_in_place(tmp_path: Path) -> None:
    g, face = weighted(["smile"])
    path = [[0.1 * frame, 0.0, 0.0] for frame in range(FRAMES)]
    values = 0.5 + 0.4 * wave(FRAMES, 0)
    g.animation("Walk", (0, "translation", (np.arange(FRAMES) / FPS).tolist(), path, "LINEAR"),
                weights(face, values[:, None]))
    bank = bank_of(g.write_glb(tmp_path), Settings(root_motion=("x", "z")))
    (clip,) = play(bank, [0], "bank")
    np.testing.assert_allclose(clip.frames[:, 2, 4], values, atol=1 / 256)
    assert 0 in bank.trajectories


def test_real_joints_may_not_have_names_of_curves(tmp_path: Path) -> None:
    g, _ = weighted(["smile"])
    g.document["nodes"][1]["name"] = "curve:x"
    g.animation("Walk", nod(FRAMES))
    with pytest.raises(ImportProblem, match=mentioning("curve:x")):
        encode([g.write_glb(tmp_path)], Settings())


def test_a_tolerance_that_cannot_be_held_names_the_curve(tmp_path: Path) -> None:
    g, face = weighted(["smile"])
    g.animation("Walk", nod(FRAMES), weights(face, wave(FRAMES, 0)[:, None]))
    with pytest.raises(EncodeProblem, match=mentioning("Walk smile 1e-09 [curves]")):
        encode([g.write_glb(tmp_path)], Settings(curve_rules=(CurveRule("smile", 1e-9),)))


def test_values_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    g, face = weighted(["smile"])
    g.animation("Walk", nod(FRAMES), weights(face, 4000.0 * wave(FRAMES, 0)[:, None]))
    with pytest.raises(ImportProblem, match=mentioning("hero.glb Walk smile 2047")):
        encode([g.write_glb(tmp_path)], Settings())


@pytest.mark.parametrize(("value", "message"), [
    ({}, "curves {} [[0.0 CSV"),
    (3, "curves 3 [[0.0 CSV"),
    ({"a": []}, "curves a [] [[0.0"),
    ({"a": [[0.0]]}, "curves a [[0.0]]"),
    ({"a": [["x", 0.0]]}, "a x"),
    ({"a": [[0.0, "x"]]}, "x"),
    ({"a": [[0.0, 5000.0]]}, "5000.0"),
    ({" ": [[0.0, 0.0]]}, "curves"),
    ({"a": [[1.0, 0.0], [0.5, 0.0]]}, "1 0.5s 0"),
    ({"a": [[0.0, 0.0], [1.0, 0.0], [0.5, 0.0], [2.0, 0.0]]}, "2 0.5s 1"),
    ({"a": [[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.5, 2.0]]}, "3 0.5s 2"),
    ({"a": [[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.4, 2.0]]}, "3 0.4s 2"),
    ({"a": [[0.0, 0.0], [0.0, 1.0]]}, "0s"),
])
def test_tables_that_are_refused(value: Any, message: str) -> None:
    with pytest.raises(SettingProblem, match=mentioning(message)):
        keys_of(parse_curves(value, "curves"))


@pytest.mark.parametrize(("text", "message"), [
    ("", "time"),
    ("glow\n1\n", "glow"),
    ("time\n1\n", "time"),
    ("time,a,a\n0,1,2\n", "a"),
    ("time,a\n", "curves"),
    ("time,a\n0,1\n1\n", "3 1 2"),
    ("time,a\n0,x\n", "2 x"),
    ("time,a\n-1,0\n", "2 -1"),
    ("time,a\n0,1_0\n", "2 1_0"),
    ("time,a\n0,inf\n", "2 inf"),
    ("time,a,\n0,1,\n", "curves"),
    ("time,a\n0,1,\n", "2 3"),
    ("time,a\n\n1,0\n\n0,0\n", "5 0s 3"),
    ("time,a\n0,0\n0.5,0\n0.5,1\n0.5,0\n", "5 0.5s 4"),
    ("time,a\n\n0,0\n0,1\n", "3 4 0s"),
])
def test_csv_files_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "walk.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingProblem, match=mentioning(f"walk.csv {message}")):
        keys_of(parse_curves(str(path), "curves"))


def test_a_curve_of_a_csv_file_may_be_called_time(tmp_path: Path) -> None:
    path = tmp_path / "walk.csv"
    path.write_text("time,time\n0,1\n0.5,-3e-1\n", encoding="utf-8")
    (keys,) = keys_of(parse_curves(str(path), "curves")).values()
    assert keys.times.tolist() == [0.0, 0.5] and keys.values.tolist() == [1.0, -0.3]


@pytest.mark.exhaustive
def test_more_keys_than_can_be_measured_are_refused(tmp_path: Path) -> None:
    path, facts = tmp_path / "walk.csv", "524,289 524,288"
    path.write_text("time,lamp\n" + "".join(f"{key},0\n" for key in range(MOST_KEYS + 1)), encoding="utf-8")
    with pytest.raises(SettingProblem, match=mentioning(f"walk.csv {facts}")):
        keys_of(parse_curves(str(path), "curves"))
    with pytest.raises(ImportProblem, match=mentioning(f"hero.glb Walk smile {facts}")):
        encode([dense_curves(tmp_path, MOST_KEYS + 1, 2)], Settings())


@pytest.mark.exhaustive
def test_more_keys_of_several_curves_than_can_be_measured_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EncodeProblem, match=mentioning("Walk 524,288")):
        encode([dense_curves(tmp_path, MOST_KEYS - 9, MOST_KEYS - 8)], Settings())


def dense_curves(folder: Path, *counts: int) -> Path:
    """Two curves with so many keys in a second."""
    g, face = weighted(["smile"])
    lamp = add_mesh(g, ["lamp"], node="Lamp")
    g.animation("Walk", nod(FRAMES),
                *(weights(node, np.linspace(0.0, 1.0, count)[:, None], np.linspace(0.0, 1.0, count))
                  for node, count in zip((face, lamp), counts)))
    return g.write_glb(folder)


def test_a_missing_csv_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingProblem, match=mentioning("none.csv")):
        keys_of(parse_curves(str(tmp_path / "none.csv"), "curves"))


@pytest.mark.parametrize("value", [0.0, -1.0, True, "x", float("inf")])
def test_tolerances_that_are_refused(value: Any) -> None:
    with pytest.raises(SettingProblem, match=mentioning("smile")):
        parse_curve_rules({"smile": value}, "curves")


def test_a_configuration_file_states_curves_and_tolerances(tmp_path: Path) -> None:
    g, face = weighted(["smile"])
    g.animation("Walk", nod(FRAMES), weights(face, wave(FRAMES, 0)[:, None]))
    g.animation("Idle", nod(11))
    g.write_glb(tmp_path)
    (tmp_path / "idle.csv").write_text("time,smile,lamp\n0,0,0\n0.1,0.5,2\n0.33333,1,3\n", encoding="utf-8")
    config = tmp_path / "hero.toml"
    config.write_text('inputs = ["hero.glb"]\n[curves]\nsmile = 0.01\n"la*" = 0.02\n[clips."Idle"]\ncurves = '
                      '"idle.csv"\n[clips."Walk".curves]\nglow = [[0.0, 0.0], ["0.5s", 1.0]]\n', encoding="utf-8")
    project = read_project(config)
    assert project.settings.curve_files == [tmp_path / "idle.csv"]
    result = encode(project.inputs, project.settings)
    assert [(curve.name, curve.tolerance) for curve in result.clips[1].curves] == [
        ("smile", 0.01), ("glow", 1 / 256), ("lamp", 0.02)]
    assert json.dumps(describe(parse_bank(result.bank))["curves"])
    (clip,) = play(parse_bank(result.bank), [1], "bank")
    places = {place.name: place for place in curve_components([joint.name for joint in parse_bank(result.bank).joints])}
    lamp = clip.frames[:, places["lamp"].joint, 4 + places["lamp"].axis]
    np.testing.assert_allclose(lamp[[0, 3, 10]], [0.0, 2.0, 3.0], atol=0.02)


def test_keys_behind_the_end_of_a_clip_are_refused(tmp_path: Path) -> None:
    g, _ = weighted(["smile"])
    g.animation("Walk", nod(FRAMES))
    rule = ClipRule("Walk", curves=parse_curves({"glow": [[0.0, 0.0], [2.0, 1.0]]}, "[clips.'Walk'] curves"))
    with pytest.raises(EncodeProblem, match=mentioning("hero.glb Walk 2s 1s")):
        encode([g.write_glb(tmp_path)], Settings(clips=(rule,)))


def test_keys_between_frames_are_named(tmp_path: Path) -> None:
    g, _ = weighted(["smile"])
    g.animation("Walk", nod(FRAMES))
    rule = ClipRule("Walk", curves=parse_curves({"glow": [[0.0, 0.0], [0.37, 1.0]]}, "curves"))
    result = encode([g.write_glb(tmp_path)], Settings(clips=(rule,)))
    assert any(mentions(warning, "0.37s") for warning in result.warnings)


def test_a_curve_too_fast_for_any_rate_jumps_with_a_warning(tmp_path: Path) -> None:
    g, face = weighted(["smile", "wide"])
    values = np.stack([wave(FRAMES, 0), 100.0 * (np.arange(FRAMES) > 9)], axis=1)
    g.animation("Walk", nod(FRAMES), weights(face, values))
    result = encode([g.write_glb(tmp_path)], Settings())
    assert any(mentions(warning, "100 9 10") for warning in result.warnings)
    assert [joint.name for joint in parse_bank(result.bank).joints][2:] == ["curve:smile", "curve:wide"]
