"""Presets: published schemes by name, and their banks."""
from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import made_clips
import pytest
from running import ROOT, run_inside, write_bvh

from ossicle.encoding import presets
from ossicle.encoding import scheme
from ossicle.model.lengths import Tolerance
from ossicle.base.codec import AUTO_CODECS
from ossicle.encoding.presets import PRESETS, scheme_preset
from ossicle.encoding.scheme import Scheme
from ossicle.encoding.settings import ClipRule, Settings
from mentions import mentions

MOST_CAPTURE_BYTES = 8_310  # at 1 mm


def report_of(tmp_path: Path, *arguments: object) -> dict:
    """The report of an encode that succeeds."""
    report = tmp_path / "report.json"
    ran = run_inside("encode", *arguments, "-o", tmp_path / "out.ossb", "--json", report)
    assert ran.status == 0, ran.err
    return json.loads(report.read_text(encoding="utf-8"))


def tolerance_for(name: str) -> str:
    """None for a preset that fits nothing: it may be off by more than any."""
    return "none" if PRESETS[name].fixed else "1mm"


def test_the_list_names_every_preset_and_its_codec() -> None:
    ran = run_inside("presets")
    lines = ran.out.splitlines()
    assert ran.status == 0 and lines[0].split()[:2] == ["preset", "codec"]
    text = (ROOT / "codegen/PRESETS.md").read_text(encoding="utf-8")
    for preset in PRESETS.values():
        named = [line for line in lines[1:] if line.split()[0] == preset.name]
        assert len(named) == 1 and named[0].split()[1] == "+".join(preset.codecs)
        assert named[0].rstrip().endswith(preset.source)
        assert f"\n## {preset.name}\n" in text


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_on_the_command_line_and_in_the_file(tmp_path: Path, name: str) -> None:
    source, tolerance = write_bvh(tmp_path / "walk.bvh", frames=60), tolerance_for(name)
    report = report_of(tmp_path, source, "--preset", name, "--tolerance", tolerance)
    assert {clip["codec"] for clip in report["clips"]} <= set(PRESETS[name].codecs)
    bank, in_1mm = (tmp_path / "out.ossb").read_bytes(), ("--tolerance", "1mm")
    config = tmp_path / "hero.toml"
    config.write_text(f'preset = "{name}"\ntolerance = "{tolerance}"\n', encoding="utf-8")
    assert report_of(tmp_path, source, "--config", config) == report
    assert (tmp_path / "out.ossb").read_bytes() == bank
    if PRESETS[name].codec:
        other = report_of(tmp_path, source, "--codec", PRESETS[name].codec)
        assert other["clips"][0]["bytes"] < report["clips"][0]["bytes"]
    assert report_of(tmp_path, source, "--config", config, "--preset", "none", *in_1mm) == report_of(tmp_path, source)
    assert report_of(tmp_path, source, "--config", config, "--codec", "delta", *in_1mm)["clips"][0]["codec"] == "delta"


def test_clips_may_have_presets_of_their_own(tmp_path: Path) -> None:
    files = [write_bvh(tmp_path / f"{name}.bvh", frames=40) for name in ("walk", "wave", "wait")]
    config = tmp_path / "hero.toml"
    config.write_text('codec = "delta"\n[clips."w*"]\npreset = "goodhue-2017"\n'
                      '[clips.wave]\ncodec = "curve"\n[clips.wait]\npreset = "none"\n', encoding="utf-8")
    clips = {clip["name"]: clip for clip in report_of(tmp_path, *files, "--config", config)["clips"]}
    assert {name: clip["codec"] for name, clip in clips.items() if name != "wait"} == {
        "walk": "velocity", "wave": "curve"}
    assert clips["wait"]["codec"] in AUTO_CODECS
    alone = report_of(tmp_path, files[0], "--preset", "goodhue-2017")["clips"][0]
    assert clips["walk"]["bytes"] == alone["bytes"]


def test_errors_without_tiers_are_reported_for_clips_that_have_them(tmp_path: Path) -> None:
    for name, speed in (("calm", 3.0), ("wild", 30.0)):
        write_bvh(tmp_path / f"{name}.bvh", frames=120, speed=speed)
    config = tmp_path / "game.toml"
    config.write_text('[clips.calm]\npreset = "acl-2.1-tiers"\n'
                      '[clips.wild]\npreset = "unreal4-identity"\ntolerance = "none"\n', encoding="utf-8")
    ran = run_inside("encode", tmp_path / "calm.bvh", tmp_path / "wild.bvh", "--config", config,
                     "-o", tmp_path / "out.ossb", "--json", tmp_path / "report.json")
    assert ran.status == 0, ran.err
    calm, wild = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["clips"]
    rows = [line.split() for line in ran.out.splitlines() if re.match(r"(base|1|2) ", line)]
    assert [row[0] for row in rows] == ["base", "1", "2"] and [int(row[4]) for row in rows] == [2, 1, 1]
    for row, error_mm in zip(rows, [*calm["tier_errors_mm"], calm["error_mm"]], strict=True):
        assert float(row[5]) == pytest.approx(max(error_mm, wild["error_mm"]), abs=1e-3)
    assert wild["tier_errors_mm"] == [] and wild["tier_bytes"][1:] == [0, 0]


@pytest.mark.parametrize(("text", "arguments", "message"), [
    ("clips.walk.preset = 'goodhue'", (), "[clips.'walk'] preset goodhue"),
    ("[clips.walk]\npreset = 'goodhue-2017'\ncodec = 'delta'", (),
     "[clips.'walk']"),
    ("", ("--preset", "goodhue"), "--preset goodhue goodhue-2017"),
    ("", ("--preset", "goodhue-2017", "--codec", "curve"),
     "--preset --codec"),
    ('preset = "goodhue-2016"', (),
     "preset goodhue-2016 goodhue-2017"),
    ('preset = "goodhue-2017"\ncodec = "delta"', (), "preset codec"),
    ("random_access = true", ("--preset", "goodhue-2017"),
     "velocity"),
    ("", ("--preset", "goodhue-2017", "--tolerance", "none"),
     "walk goodhue-2017"),
    ("", ("--tolerance", "none"), "walk"),
    ('tolerance = "none"', (), "walk"),
    ("clips.walk.tolerance = 'none'", (), "walk"),
    ("", ("--joint-tolerance", "hips=none"), "--joint-tolerance hips none"),
])
def test_presets_that_cannot_be(tmp_path: Path, text: str, arguments: tuple[str, ...], message: str) -> None:
    source, config = write_bvh(tmp_path / "walk.bvh"), tmp_path / "hero.toml"
    config.write_text(text + "\n", encoding="utf-8")
    ran = run_inside("encode", source, "-o", tmp_path / "out.ossb", "--config", config, *arguments)
    assert ran.status == 1 and mentions(ran.line, message)


def in_header(pattern: str) -> str:
    """Matches of a pattern in encoder.h."""
    text = (ROOT / "codegen/encoder/encoder.h").read_text(encoding="utf-8")
    match = re.search(pattern, re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
    assert match, pattern
    return match.group(1)


@pytest.mark.parametrize(("prefix", "names", "text"), [
    ("ENC_FORMAT_", scheme.FORMATS, r"\{([^}]*)\} enc_format;"),
    ("ENC_REDUCE_", scheme.REDUCTIONS, r"\{([^}]*)\} enc_reduction;"),
    ("ENC_MARGIN_", scheme.MARGINS, r"\{([^}]*)\} enc_margin;"),
    ("", list(scheme.scheme_numbers(PRESETS["riot-2015"].schemes[0])), r"\{([^}]*)\} enc_scheme;"),
])
def test_names_are_those_of_the_encoder(prefix: str, names: tuple[str, ...], text: str) -> None:
    words = [word for word in re.findall(r"\w+", in_header(text)) if word not in ("uint32_t", "double", "ENC_TIERS")]
    assert words == [prefix + (name.upper() if prefix else name) for name in names]


def test_bases_are_those_of_the_format() -> None:
    text = (ROOT / "runtime/published/osc_published_format.h").read_text(encoding="utf-8")
    numbers = {name.lower(): int(number) for name, number in re.findall(
        r"#define OSC_SPARSE_(\w+) (\d+)u", text) if not name.endswith("BITS")}
    assert numbers == {name: number for number, name in enumerate(scheme.BASES)}


def test_a_preset_has_its_own_restart_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(presets.PRESETS, "plain", scheme_preset(
        "plain", "", "", Scheme("dense", "float128", "float96", fixed=True)))
    monkeypatch.setitem(presets.PRESETS, "segments", scheme_preset(
        "segments", "", "", Scheme("dense", "variable", "variable"), restart_log2=4))
    plain = Settings(tolerance=Tolerance(metres=math.inf)).with_preset("plain", "preset")
    options = plain.options_for("walk")
    assert options.restart_log2 == scheme.NO_RESTARTS_LOG2 and options.codecs == ("dense",)
    assert options.schemes == presets.PRESETS["plain"].schemes
    other = replace(plain, tolerance=Tolerance(metres=1e-3), clips=(ClipRule("walk", codec="delta"),))
    assert other.options_for("walk").restart_log2 == 6 and not other.options_for("walk").schemes
    segments = Settings().with_preset("segments", "preset")
    assert segments.options_for("walk").restart_log2 == 4
    assert replace(segments, restart_log2=5).options_for("walk").restart_log2 == 5


def test_the_smallest_bank_has_fewer_restart_points() -> None:
    smallest = Settings(optimise="bank")
    assert (Settings().options_for("walk").restart_log2, smallest.options_for("walk").restart_log2) == (6, 8)
    assert replace(smallest, restart_log2=5).options_for("walk").restart_log2 == 5
    assert smallest.with_preset("goodhue-2017", "preset").options_for("walk").restart_log2 == 6
    assert Settings().options_for("walk").restart_log2 == 6


def test_a_preset_that_fits_nothing_is_refused(tmp_path: Path) -> None:
    source, name = write_bvh(tmp_path / "walk.bvh", frames=60), "unreal4-fixed32"
    report = report_of(tmp_path, source, "--preset", name, "--tolerance", "none")["clips"][0]
    off = report["error_mm"]
    assert 1.0 < off < 10.0
    assert report["tolerance_mm"] is report["tightest_tolerance_mm"] is None
    assert (report["tightest_error_mm"], report["tightest_joint"]) == (off, report["error_joint"])
    bank = (tmp_path / "out.ossb").read_bytes()
    assert report_of(tmp_path, source, "--preset", name, "--tolerance", f"{2 * off}mm")["clips"][0]["error_mm"] == off
    assert (tmp_path / "out.ossb").read_bytes() == bank
    ran = run_inside("encode", source, "-o", tmp_path / "none.ossb", "--preset", name)
    assert ran.status == 1 and mentions(ran.line, f"preset {name} {off:.4g}mm 1mm")


def test_joints_keep_their_tolerance_where_clips_have_none(tmp_path: Path) -> None:
    source, name = write_bvh(tmp_path / "walk.bvh", frames=60), "unreal4-fixed32"
    how = ("--preset", name, "--tolerance", "none", "--joint-tolerance")
    report = report_of(tmp_path, source, *how, "hips=100mm")["clips"][0]
    assert report["tightest_joint"] == "hips" and report["tightest_tolerance_mm"] == 100.0
    ran = run_inside("encode", source, "-o", tmp_path / "none.ossb", *how, "hips=0.01mm")
    assert ran.status == 1 and mentions(ran.line, "hips")


def test_the_smallest_scheme_that_holds(tmp_path: Path) -> None:
    source = write_bvh(tmp_path / "walk.bvh", frames=60)
    sizes = {}
    for name in ("unreal4-none", "unreal4-float96", "unreal4-fixed48", "unreal4-fixed32",
                 "unreal4-interval32", "unreal4-float32"):
        clip = report_of(tmp_path, source, "--preset", name, "--tolerance", "none")["clips"][0]
        sizes[clip["bytes"], name] = clip["error_mm"]
    for tolerance_mm in (0.02, 0.5, 2.0, 100.0):
        chosen = report_of(tmp_path, source, "--preset", "unreal4-bitwise", "--tolerance",
                           f"{tolerance_mm}mm")["clips"][0]
        holding = min(key for key, error_mm in sizes.items() if error_mm <= tolerance_mm)
        assert (chosen["bytes"], chosen["error_mm"]) == (holding[0], sizes[holding])


def test_motion_capture_stays_below_its_limit(tmp_path: Path) -> None:
    capture = made_clips.write_capture(tmp_path / "capture.bvh")
    report_of(tmp_path, capture, "--preset", "goodhue-2017")
    assert (tmp_path / "out.ossb").stat().st_size <= MOST_CAPTURE_BYTES


@pytest.mark.parametrize(("arguments", "facts"), [
    (["--tiers", "0.5mm"], "0.5mm 1mm"),
    (["--preset", "acl-2.1-tiers", "--tiers", "8mm,1mm"], "1mm"),
    (["--tiers", "3mm,8mm"], "--tiers 8mm"),
    (["--preset", "acl-2.1-tiers", "--tiers", "8mm,x"], "--tiers x"),
    (["--preset", "acl-2.1-tiers", "--tiers", "1%"], "walk.bvh --tiers"),
    (["--preset", "acl-2.1-tiers", "--tiers", "9mm,8mm,7mm,6mm,5mm"], "1 4"),
])
def test_tiers_that_cannot_be(arguments: list[str], facts: str, tmp_path: Path) -> None:
    write_bvh(tmp_path / "walk.bvh")
    ended = run_inside("encode", tmp_path / "walk.bvh", "-o", tmp_path / "walk.ossb", *arguments)
    assert ended.status == 1 and mentions(ended.err, facts) and len(ended.err.splitlines()) == 1
    assert not (tmp_path / "walk.ossb").exists()


def test_tiers_in_a_file(tmp_path: Path) -> None:
    write_bvh(tmp_path / "walk.bvh")
    (tmp_path / "walk.toml").write_text('inputs = ["walk.bvh"]\npreset = "acl-2.1-tiers"\ntiers = ["20mm", "4mm"]\n')
    assert run_inside("build", tmp_path / "walk.toml", "--json", tmp_path / "report.json", "--quiet").status == 0
    [clip] = json.loads((tmp_path / "report.json").read_text())["clips"]
    assert clip["tier_errors_mm"][0] <= 20.0 and clip["tier_errors_mm"][1] <= 4.0
