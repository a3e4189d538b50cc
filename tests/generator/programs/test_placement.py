"""Code in fast memory: as printed, generated, compiled and listed."""
from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from c_programs import ROOT
from ossicle.base.codec import CODECS
from ossicle.base.problem import SettingProblem
from ossicle.cli.main import main
from ossicle.encoding.encoder import encode
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.generate.placement import POSE, cold_codecs, place
from ossicle.machines import build, footprint, load_target, run
from mentions import mentioning

HERO = ROOT / "codegen/demo/hero.glb"
MOST_BEYOND = 0.06  # the part of the stated bytes that may be unused

needs_gba = pytest.mark.skipif(not load_target("gba").runs_here, reason="needs libmgba-dev")


def taken(joints: int, *codecs: str) -> int:
    hot = load_target("gba").hot
    return hot.pose + joints * hot.joint + sum(hot.codecs[codec] for codec in codecs)


def test_parts_that_most_clips_need_come_first() -> None:
    gba = load_target("gba")
    parts = place(gba, ["curve", "delta", "curve"], 18, taken(18, "curve"))
    assert [(part.name, part.fast) for part in parts] == [(POSE, True), ("curve", True), ("delta", False)]
    assert cold_codecs(parts) == ("delta",)
    assert sum(part.size_bytes for part in parts if part.fast) == taken(18, "curve")


def test_smaller_files_may_still_fit() -> None:
    parts = place(load_target("gba"), ["curve", "curve", "delta"], 18, taken(18, "curve") - 1)
    assert cold_codecs(parts) == ("curve",)


@pytest.mark.parametrize("codec", CODECS)
def test_one_codec_at_its_limit(codec: str) -> None:
    gba, joints = load_target("gba"), 41
    assert cold_codecs(place(gba, [codec], joints, taken(joints, codec))) == ()
    assert cold_codecs(place(gba, [codec], joints, taken(joints, codec) - 1)) == (codec,)
    assert cold_codecs(place(gba, [], joints, taken(joints))) == ()


def test_a_codec_that_was_not_measured_stays_with_other_code() -> None:
    gba = load_target("gba")
    hot = replace(gba.hot, codecs={codec: size for codec, size in gba.hot.codecs.items() if codec != "delta"})
    parts = place(replace(gba, hot=hot), ["delta", "curve"], 18, taken(18, "delta", "curve"))
    assert [(part.name, part.fast) for part in parts] == [(POSE, True), ("curve", True), ("delta", False)]


def test_limits_that_cannot_be() -> None:
    with pytest.raises(SettingProblem, match=mentioning(f"--hot-bytes 4096 {taken(18)}")):
        place(load_target("gba"), ["delta"], 18, 4096)
    for name in ("microbit", None):
        machine = load_target(name) if name else None
        assert place(machine, ["delta"], 18) == []
        with pytest.raises(SettingProblem, match=mentioning("--hot-bytes 4096")):
            place(machine, ["delta"], 18, 4096)


@pytest.mark.exhaustive
@needs_gba
@pytest.mark.parametrize(("hot_bytes", "cold"), [(taken(18, "delta"), "transform"),
                                                 (taken(18, "delta", "transform"), None)])
def test_poses_are_the_same_wherever_code_lies(hot_bytes: int, cold: str | None, tmp_path: Path,
                                               built_encoder: None, capsys: pytest.CaptureFixture[str]) -> None:
    bank, code = tmp_path / "hero.ossb", tmp_path / "made"
    settings = Settings(codec="delta", effort="fast", skinning=True, clips=(ClipRule("Walk", codec="transform"),))
    bank.write_bytes(encode([HERO], settings).bank)
    assert main(["generate", str(bank), "-o", str(code), "--embed", "--name", "character", "--target", "gba",
                 "--matrices", "q14", "--hot-bytes", str(hot_bytes)]) == 0
    out = capsys.readouterr().out
    assert bool(re.search(r"transform +[\d,]+ +\w+ \w+", out)) == (cold is not None)
    assert ("-DOSC_COLD_TRANSFORM=1" in out) == (cold is not None)
    built = {name: build(name, code, tmp_path / name) for name in ("gba", "host")}
    assert run(built["gba"]).hashes == run(built["host"], count=False).hashes
    used = footprint(built["gba"]).fast_bytes
    assert used <= hot_bytes and hot_bytes - used < MOST_BEYOND * hot_bytes


def test_a_build_lists_the_definitions(tmp_path: Path, built_encoder: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is encoded: of the codecs that clips may have."""
    config = tmp_path / "hero.toml"
    config.write_text(f'inputs = ["{HERO}"]\noutput = "hero.ossb"\ngenerate = "."\ntarget = "gba"\nclips = ["Wave"]\n',
                      encoding="utf-8")
    assert main(["build", str(config), "--list"]) == 0
    assert "define=OSC_COLD_CURVE=1\n" in capsys.readouterr().out
    assert not (tmp_path / "hero.h").exists()
    assert main(["build", str(config), "--quiet"]) == 0
    assert "#define HERO_COLD_CURVE 1\n" in (tmp_path / "hero.h").read_text(encoding="utf-8")
    assert main(["build", str(config), "--list"]) == 0
    assert "define=OSC_COLD_CURVE=1\n" in capsys.readouterr().out
    config.write_text(config.read_text(encoding="utf-8") + "hot_bytes = 32000\n", encoding="utf-8")
    assert main(["build", str(config), "--list"]) == 0
    assert "OSC_COLD" not in capsys.readouterr().out
