"""Scale in a rig: the same motion in other units gives the same errors, gaps and bytes. An independent reader of the
file and of the decoded clip judges the errors."""
from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import model_space
import numpy as np
import pytest
import rawclip_reader
from gltf_builder import GltfBuilder, turn
from gltf_reader import Gltf
from rescaled import rescale
from running import run_inside

TOLERANCE_MM = 1.0
SAME_MM = 2e-3  # of float32 in files, and of the coding that it changes
ROUNDING_MM = 1e-3  # of single precision in decoded clips: 2^-24 of some metres
SAME_BYTES = 0.02
HIDDEN_BYTES = 4  # of a key that is not the rest pose
KEYS = 31
RIGS = {
    "root 0.01": {"at": {"root": 0.01}}, "root 100": {"at": {"root": 100.0}}, "root 0.0254": {"at": {"root": 0.0254}},
    "middle 0.01": {"at": {"fore": 0.01}}, "middle 100": {"at": {"fore": 100.0}},
    "mixed": {"at": {"root": 0.01, "fore": 100.0}}, "mixed, larger": {"at": {"root": 100.0, "arm": 0.01}},
    "above": {"above": {"root": 0.01}}, "above 100": {"above": {"root": 100.0}},
    "between": {"above": {"fore": 100.0}}, "everywhere": {"above": {"root": 0.01}, "at": {"arm": 100.0, "hand": 10.0}}}


def character() -> GltfBuilder:
    """An arm that swings and walks five centimetres a frame, with a hand that twists by 80 degrees to either side."""
    g, times = GltfBuilder(), np.arange(KEYS) / 30.0
    swing = np.sin(2 * np.pi * times)
    g.node("root", children=[1])
    g.node("arm", translation=[0.0, 0.25, 0.0], children=[2])
    g.node("fore", translation=[0.0, 0.25, 0.0], children=[3])
    g.node("hand", translation=[0.0, 0.25, 0.0])
    inverse = np.tile(np.eye(4), (4, 1, 1))
    inverse[:, 1, 3] = [0.0, -0.25, -0.5, -0.75]
    g.skin([0, 1, 2, 3], inverse)
    g.document["scenes"] = [{"nodes": [0]}]
    g.animation(
        "Wave", (1, "translation", times, [[0.05 * frame, 0.25, 0.0] for frame in range(KEYS)], "LINEAR"),
        (1, "rotation", times, [turn("z", 30 * angle) for angle in swing], "LINEAR"),
        (2, "rotation", times, [turn("x", 20 * angle) for angle in swing ** 2], "LINEAR"),
        (3, "rotation", times, [turn("y", 80 * angle) for angle in swing], "LINEAR"))
    return g


@dataclass(frozen=True)
class Found:
    """Measures all clips of a file."""

    bytes: int
    judged_mm: dict[str, float]
    stated_mm: dict[str, float]
    gap_mm: dict[str, float]
    breaks: int


def measured(source: Path, folder: Path, *options: str, points: str = "axes") -> Found:
    bank, report, decoded, config = (folder / f"x.{suffix}" for suffix in ("ossb", "json", "rawclip", "toml"))
    config.write_text(f'points = "{points}"\neffort = "fast"\n', encoding="utf-8")
    ran = run_inside("encode", source, "-o", bank, "--json", report, "--quiet", "--config", config, *options)
    assert ran.status == 0, ran.err
    clips, judged = json.loads(report.read_text())["clips"], {}
    for clip in clips:
        assert run_inside("decode", bank, "--clip", clip["name"], "--midpoints", "-o", decoded).status == 0
        judged[clip["name"]] = 1e3 * float(
            model_space.errors_m(source, clip["name"], rawclip_reader.read(decoded)).max())
    gaps = json.loads(run_inside("clips", source, "--json").out)["clips"]
    return Found(bank.stat().st_size, judged, {clip["name"]: clip["error_mm"] for clip in clips},
                 {clip["name"]: clip["gap_mm"] for clip in gaps}, sum(len(clip["breaks"]) for clip in clips))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Found]:
    folder = tmp_path_factory.mktemp("plain")
    source = character().write_embedded(folder)
    return source, measured(source, folder)


def check_same(first: Found, other: Found) -> None:
    assert abs(first.bytes - other.bytes) <= SAME_BYTES * other.bytes
    assert first.breaks == other.breaks
    for name in other.judged_mm:
        assert first.judged_mm[name] == pytest.approx(other.judged_mm[name], abs=SAME_MM)
        assert first.stated_mm[name] == pytest.approx(other.stated_mm[name], abs=SAME_MM)
        assert first.gap_mm[name] == pytest.approx(other.gap_mm[name], abs=SAME_MM)


def test_the_judge_agrees_with_the_report(plain: tuple[Path, Found]) -> None:
    _, found = plain
    assert 0.5 < found.stated_mm["Wave"] <= TOLERANCE_MM
    assert found.judged_mm["Wave"] == pytest.approx(found.stated_mm["Wave"], abs=ROUNDING_MM)
    assert found.gap_mm["Wave"] == pytest.approx(1500.0, abs=1.0) and found.breaks == 0


@pytest.mark.parametrize("rig", RIGS)
def test_units_change_nothing(plain: tuple[Path, Found], rig: str, tmp_path: Path) -> None:
    source, found = plain
    scaled = measured(rescale(source, tmp_path / "scaled.gltf", **RIGS[rig]), tmp_path)
    check_same(scaled, found)
    assert scaled.judged_mm["Wave"] == pytest.approx(scaled.stated_mm["Wave"], abs=ROUNDING_MM)


@pytest.mark.parametrize("rig", ["root 0.01", "mixed, larger"])
@pytest.mark.parametrize("options", [("--layer", "*"), ("--pin", "hand"),
                                     ("--preset", "acl-2017"), ("--preset", "goodhue-2017"), ("--codec", "transform"),
                                     ("--tolerance", "0.1mm")])
def test_units_change_no_measurement(plain: tuple[Path, Found], rig: str, options: tuple[str, ...],
                                     tmp_path: Path) -> None:
    source, _ = plain
    check_same(measured(rescale(source, tmp_path / "scaled.gltf", **RIGS[rig]), tmp_path, *options),
               measured(source, tmp_path, *options))


def test_the_demo_character_in_centimetres(tmp_path: Path) -> None:
    hero = Path(__file__).resolve().parents[2] / "codegen/demo/hero.glb"
    chosen = ("--clips", "Walk", "--clips", "Wave")
    scaled = rescale(hero, tmp_path / "hero.gltf", {"hips": 0.01, "left_upper_arm": 100.0})
    first, other = measured(scaled, tmp_path, *chosen), measured(hero, tmp_path, *chosen)
    assert {*first.judged_mm} == {"Walk", "Wave"}
    check_same(first, other)


@pytest.mark.parametrize("rig", [{"root": 2.0}, {"fore": 0.25}, {"root": 0.5, "fore": 4.0}])
@pytest.mark.parametrize("points", ["axes", "sphere"])
def test_proportions_stay_and_are_measured_alike(plain: tuple[Path, Found], rig: dict[str, float], points: str,
                                                 tmp_path: Path) -> None:
    """Scales that are not units stay in the bank, whose bind pose is longer."""
    source, _ = plain
    found = measured(rescale(source, tmp_path / "scaled.gltf", rig), tmp_path, points=points)
    other = measured(source, tmp_path, points=points)
    assert found.judged_mm["Wave"] <= TOLERANCE_MM + ROUNDING_MM
    assert found.gap_mm["Wave"] == pytest.approx(other.gap_mm["Wave"], abs=SAME_MM)
    assert found.bytes - other.bytes <= 4 * 3 * 4 + SAME_BYTES * other.bytes
    if points == "axes":
        assert found.judged_mm["Wave"] == pytest.approx(found.stated_mm["Wave"], abs=ROUNDING_MM)


def test_other_scales_along_each_axis(tmp_path: Path) -> None:
    """A joint that the bind pose stretches, with a joint below that it shears."""
    g = character()
    g.document["nodes"][2]["scale"] = [1.0, 3.0, 0.4]
    source = g.write_embedded(tmp_path)
    found = measured(source, tmp_path)
    assert found.judged_mm["Wave"] == pytest.approx(found.stated_mm["Wave"], abs=ROUNDING_MM)
    assert 0.5 < found.judged_mm["Wave"] <= TOLERANCE_MM + ROUNDING_MM


@pytest.mark.parametrize("size", [0.0, 1e-4])
def test_a_joint_that_the_bind_pose_hides(size: float, tmp_path: Path) -> None:
    """The joint counts as unscaled: otherwise its points would be infinitely far away."""
    g = character()
    g.document["nodes"][3]["scale"] = [size, size, size]
    g.animation("Appear", (3, "scale", [0.0, 1.0], [[0.0] * 3, [1.0] * 3], "LINEAR"),
                (3, "rotation", [0.0, 0.5, 1.0], [turn("y", angle) for angle in (0, 80, 0)], "LINEAR"))
    source, bank, decoded = g.write_embedded(tmp_path), tmp_path / "x.ossb", tmp_path / "x.rawclip"
    assert run_inside("encode", source, "-o", bank, "--quiet", "--clips", "Appear").status == 0
    gap, = (clip["gap_mm"] for clip in json.loads(run_inside("clips", source, "--json").out)["clips"]
            if clip["name"] == "Appear")
    assert gap == pytest.approx(30.0 * (1.0 - size), abs=0.01)
    assert run_inside("decode", bank, "--midpoints", "-o", decoded).status == 0
    clip = rawclip_reader.read(decoded)
    shown = rawclip_reader.RawClip(clip.names, clip.parents, clip.rate, clip.bind.copy(), clip.frames)
    shown.bind[3, 7:10] = 1.0
    g.document["nodes"][3]["scale"] = [1.0, 1.0, 1.0]  # the clip says it all
    shows, other = g.write_embedded(tmp_path, "shown.gltf"), tmp_path / "y.ossb"
    assert run_inside("encode", shows, "-o", other, "--quiet", "--clips", "Appear").status == 0
    assert bank.stat().st_size - other.stat().st_size <= HIDDEN_BYTES
    off_m = model_space.errors_m(shows, "Appear", shown)
    assert off_m.max() <= TOLERANCE_MM * 1e-3 + ROUNDING_MM * 1e-3


@pytest.mark.parametrize("rig", ["root 0.01", "mixed", "everywhere"])
def test_decoded_files_move_like_the_source(plain: tuple[Path, Found], rig: str, tmp_path: Path) -> None:
    """A .rawclip, a .glb and a clip beside the source have the source's scales."""
    source = rescale(plain[0], tmp_path / "scaled.gltf", **RIGS[rig])
    bank, raw, glb, beside = (tmp_path / name for name in ("x.ossb", "x.rawclip", "x.glb", "beside.glb"))
    assert run_inside("encode", source, "-o", bank, "--quiet", "--skin-matrices").status == 0
    assert run_inside("decode", bank, "-o", raw).status == run_inside("decode", bank, "-o", glb).status == 0
    ran = run_inside("decode", bank, "--source", source, "-o", beside)
    assert ran.status == 0, ran.err
    clip = rawclip_reader.read(raw)
    times, wanted = np.arange(len(clip.frames)) / clip.rate, model_space.points_of_decoded(clip)
    for path, name in ((glb, "Wave"), (beside, "Wave (decoded)")):
        gltf = Gltf(path)
        animation, = (item for item in gltf.animations if item["name"] == name)
        found = model_space.points_of_source(gltf, animation, clip.names, times)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=ROUNDING_MM * 1e-3)
    own = Gltf(source)
    scales = [node["scale"][0] for name in clip.names for node in own.nodes if node.get("name") == name]
    np.testing.assert_allclose(clip.bind[:, 7], scales, rtol=1e-6)
    if "above" in RIGS[rig]:  # a node that is no joint, and has become part of the root
        return
    skin, of_source = (file.values(file.document["skins"][0]["inverseBindMatrices"]) for file in (Gltf(glb), own))
    np.testing.assert_allclose(skin, of_source, rtol=1e-5, atol=1e-6 * np.abs(of_source).max())


def test_scales_that_move_are_those_of_the_source(tmp_path: Path) -> None:
    g = character()
    g.animation("Grow", (1, "scale", [0.0, 1.0], [[1.0] * 3, [1.5, 1.25, 1.5]], "LINEAR"))
    source = rescale(g.write_embedded(tmp_path), tmp_path / "scaled.gltf", {"root": 0.01, "arm": 100.0})
    bank, out = tmp_path / "x.ossb", tmp_path / "beside.glb"
    assert run_inside("encode", source, "-o", bank, "--quiet", "--clips", "Grow").status == 0
    assert run_inside("decode", bank, "--source", source, "-o", out).status == 0
    gltf = Gltf(out)
    animation, = (item for item in gltf.animations if item["name"] == "Grow (decoded)")
    arm = next(number for number, node in enumerate(gltf.nodes) if node["name"] == "arm")
    np.testing.assert_allclose(gltf.locals(animation, np.array([0.0, 1.0]))[arm]["scale"],
                               [[100.0] * 3, [150.0, 125.0, 150.0]], rtol=2e-3)


def test_scales_of_additive_clips_are_factors(plain: tuple[Path, Found], tmp_path: Path) -> None:
    config, bank, raw = tmp_path / "hero.toml", tmp_path / "x.ossb", tmp_path / "x.rawclip"
    source = rescale(plain[0], tmp_path / "scaled.gltf", {"root": 0.01})
    config.write_text('[clips."Wave"]\nadditive = "Wave@0"\n')
    assert run_inside("encode", source, "--config", config, "-o", bank, "--quiet").status == 0
    assert run_inside("decode", bank, "-o", raw).status == 0
    clip = rawclip_reader.read(raw)
    assert (clip.frames[..., 7:10] == 1.0).all() and clip.bind[0, 7] == np.float32(0.01)
    assert np.ptp(clip.frames[:, 1, 4]) == pytest.approx(150.0, abs=0.1)  # centimetres


def test_differences_of_banks_in_other_units(plain: tuple[Path, Found], tmp_path: Path) -> None:
    source, _ = plain
    banks = []
    for number, scaled in enumerate((source, rescale(source, tmp_path / "s.gltf", {"root": 2.0}))):
        banks.append(tmp_path / f"{number}.ossb")
        assert run_inside("encode", scaled, "-o", banks[-1], "--quiet").status == 0
    report = json.loads(run_inside("diff", *banks, "--json").out)
    assert report["clips"][0]["apart_mm"] <= 2 * TOLERANCE_MM
