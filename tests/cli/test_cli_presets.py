"""Presets: published schemes by name, and what they write."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from running import ROOT, run_inside, write_bvh

from ossicle import presets
from ossicle.presets import PRESETS, Preset

ROTOR_SHARE = 0.40  # of what the rotor takes with 32-bit velocities alone
CORPUS = ROOT.parent / "shared/corpus/bandai"
MOST_BANDAI_BYTES = 145_000  # at 1 mm


@pytest.fixture(scope="module")
def rotor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The authored rotor."""
    path = tmp_path_factory.mktemp("rotor") / "rotor.bvh"
    subprocess.run([sys.executable, ROOT / "codegen/demo/author_rotor.py", "-o", path], check=True,
                   capture_output=True)
    return path


def report_of(tmp_path: Path, *arguments: object) -> dict:
    """The report of an encode that succeeds."""
    report = tmp_path / "report.json"
    ran = run_inside("encode", *arguments, "-o", tmp_path / "out.ossb", "--json", report)
    assert ran.status == 0, ran.err
    return json.loads(report.read_text(encoding="utf-8"))


def test_the_list_names_every_preset_and_its_codec() -> None:
    ran = run_inside("presets")
    lines = ran.out.splitlines()
    assert ran.status == 0 and lines[0].split()[:2] == ["preset", "codec"]
    text = (ROOT / "codegen/PRESETS.md").read_text(encoding="utf-8")
    for preset in PRESETS.values():
        assert any(line.split()[:2] == [preset.name, preset.codec] for line in lines[1:])
        assert f"\n## {preset.name}\n" in text


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_on_the_command_line_and_in_the_file(tmp_path: Path, name: str) -> None:
    source = write_bvh(tmp_path / "walk.bvh", frames=60)
    said = report_of(tmp_path, source, "--preset", name)
    assert {clip["codec"] for clip in said["clips"]} == {PRESETS[name].codec}
    bank = (tmp_path / "out.ossb").read_bytes()
    config = tmp_path / "hero.toml"
    config.write_text(f'preset = "{name}"\n', encoding="utf-8")
    assert report_of(tmp_path, source, "--config", config) == said
    assert (tmp_path / "out.ossb").read_bytes() == bank
    other = report_of(tmp_path, source, "--codec", PRESETS[name].codec)
    assert other["clips"][0]["bytes"] < said["clips"][0]["bytes"]
    assert report_of(tmp_path, source, "--config", config, "--preset", "none") == report_of(
        tmp_path, source)
    assert report_of(tmp_path, source, "--config", config, "--codec", "delta")["clips"][0][
        "codec"] == "delta"


@pytest.mark.parametrize(("text", "arguments", "message"), [
    ("", ("--preset", "goodhue"), "--preset 'goodhue' is unknown; did you mean 'goodhue-2017'?"),
    ("", ("--preset", "goodhue-2017", "--codec", "curve"),
     "--preset chooses the codec; leave out --codec"),
    ('preset = "goodhue-2016"', (),
     "preset 'goodhue-2016' is unknown; did you mean 'goodhue-2017'?"),
    ('preset = "goodhue-2017"\ncodec = "delta"', (), "preset chooses the codec; leave out codec"),
    ("", ("--preset", "goodhue-2017", "--random-access"),
     "codec 'velocity' is sequential, which contradicts random_access"),
])
def test_presets_that_cannot_be(tmp_path: Path, text: str, arguments: tuple[str, ...],
                                message: str) -> None:
    source, config = write_bvh(tmp_path / "walk.bvh"), tmp_path / "hero.toml"
    config.write_text(text + "\n", encoding="utf-8")
    ran = run_inside("encode", source, "-o", tmp_path / "out.ossb", "--config", config, *arguments)
    assert ran.status == 1 and message in ran.line


@pytest.mark.parametrize("tolerance", ["1mm", "0.1mm"])
def test_a_rotor_needs_no_axes(tmp_path: Path, rotor: Path, tolerance: str,
                               monkeypatch: pytest.MonkeyPatch) -> None:
    full = Preset("full", "velocity", "full", "32-bit velocities alone")
    monkeypatch.setitem(presets.PRESETS, full.name, full)
    sizes = {name: report_of(tmp_path, rotor, "--preset", name, "--tolerance", tolerance)["clips"][0][
        "bytes"] for name in ("goodhue-2017", "full")}
    assert sizes["goodhue-2017"] <= ROTOR_SHARE * sizes["full"]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no ../shared/corpus/bandai beside the checkout")
def test_motion_capture_stays_below_its_limit(tmp_path: Path) -> None:
    report_of(tmp_path, *sorted(CORPUS.glob("*.bvh")), "--preset", "goodhue-2017")
    assert (tmp_path / "out.ossb").stat().st_size <= MOST_BANDAI_BYTES
