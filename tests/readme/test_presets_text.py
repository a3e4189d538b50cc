"""What the text of codegen/PRESETS.md says about sizes and errors."""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from ossicle.encode import presets
from ossicle.base.codec import AUTO_CODECS
from tools.demo import HERO
from ossicle.bank.file import parse_bank
from ossicle.bank.strip import without_tiers
from ossicle.encode.encoder import encode
from ossicle.model.lengths import Tolerance
from ossicle.encode.presets import Preset
from ossicle.encode.settings import Settings
from preset_tables import FIGURES, ROOT, blocks, read_figures
from stated import stated

PAGE = "codegen/PRESETS.md"
HARDLY = 0.002
TIERS = r"\| {} mm \| ([\d,]+) B \| ([\d.]+) mm \| ([\d,]+) B \| ([\d.]+) mm \| ([\d,]+) B \| ([\d.]+) mm \|"
ROTOR = r"\| {} mm \| ([\d,]+) B \| ([\d,]+) B \| (\d+) % \|"

Sizes = dict[str, int]


@pytest.fixture(scope="module")
def sizes() -> dict[tuple[str, str], Sizes]:
    """Bytes by corpus and tolerance, and by scheme."""
    figures = blocks(read_figures(FIGURES.read_text(encoding="utf-8")))
    return {key: {row["scheme"]: int(row["bytes"]) for row in rows} for key, rows in figures.items()}


@pytest.mark.parametrize(("scheme", "of", "pattern"), [
    ("transform", "acl-2017", r"`transform` has random access, too, in (\d+) to (\d+) % of the bytes"),
    ("curve", "unity5-keyframe", r"`curve` has the same sections, and breaks, in (\d+) to (\d+) % of the"),
])
def test_shares(scheme: str, of: str, pattern: str, sizes: dict[tuple[str, str], Sizes]) -> None:
    shares = [round(100 * one[scheme] / one[of]) for one in sizes.values()]
    assert stated(pattern, PAGE) == [min(shares), max(shares)]


def test_every_second_key_saves_half(sizes: dict[tuple[str, str], Sizes]) -> None:
    knight, bandai = stated(r"It saves (\d+) % of Knight's bank .* and (\d+) % of bandai's", PAGE)
    for corpus, said in (("Knight", knight), ("bandai", bandai)):
        one = sizes[corpus, "1"]
        assert round(100 * (1 - one["unreal4-every-second"] / one["unreal4-float96"])) == said


def test_orders_of_schemes(sizes: dict[tuple[str, str], Sizes]) -> None:
    stated("it is the smallest of them on all clips that were measured", PAGE)
    stated("Choose it to see that the order hardly matters", PAGE)
    stated(r"choose `velocity`, which takes as little memory and fewer bytes", PAGE)
    for one in sizes.values():
        assert one["riot-2015-timed"] < min(one[f"riot-2015{knots}"]
                                            for knots in ("", "-chordal", "-centripetal"))
        assert one["acl-2017-root-first"] == pytest.approx(one["acl-2017"], rel=HARDLY)
        assert one["velocity"] < one["goodhue-2017"]


def test_curve_is_the_smallest_but_for_captures(sizes: dict[tuple[str, str], Sizes]) -> None:
    stated(r"`curve` \(sparse keys, the smallest for clips that artists key\)", "CHANGELOG.md")
    stated("clips that artists key, where it is the smallest; of motion capture at 1 mm, `transform` is")
    smallest = {key: min(AUTO_CODECS, key=one.__getitem__) for key, one in sizes.items()}
    assert {key for key, codec in smallest.items() if codec != "curve"} == {("bandai", "1")}
    assert smallest["bandai", "1"] == "transform"


@pytest.mark.parametrize("millimetres", ["1", "0.1"])
def test_what_tiers_leave(millimetres: str) -> None:
    settings = Settings(tolerance=Tolerance(float(millimetres) * 1e-3))
    result = encode([HERO], settings.with_preset("acl-2.1-tiers", "preset"))
    bank = parse_bank(result.bank)
    sizes = [len(without_tiers(bank, kept)[0]) for kept in (1, 0)]
    errors = [max(clip.tier_errors_mm[kept] for clip in result.clips if clip.tier_errors_mm) for kept in (1, 0)]
    measured = [len(result.bank), max(clip.error_mm for clip in result.clips), sizes[0], errors[0], sizes[1], errors[1]]
    assert stated(TIERS.format(re.escape(millimetres)), PAGE) == pytest.approx(measured, rel=5e-4)


@pytest.fixture(scope="module")
def rotor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The authored rotor."""
    path = tmp_path_factory.mktemp("rotor") / "rotor.bvh"
    subprocess.run([sys.executable, ROOT / "codegen/demo/author_rotor.py", "-o", path], check=True,
                   capture_output=True)
    return path


@pytest.mark.parametrize("millimetres", ["1", "0.1"])
def test_what_the_rotor_takes(millimetres: str, rotor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = Preset("full", "32-bit velocities alone", "nowhere", codec="velocity", keys="full")
    monkeypatch.setitem(presets.PRESETS, full.name, full)
    settings = Settings(tolerance=Tolerance(float(millimetres) * 1e-3))
    wide, short = (encode([rotor], settings.with_preset(name, "preset")).clips[0].bytes
                   for name in (full.name, "goodhue-2017"))
    said = stated(ROTOR.format(re.escape(millimetres)), PAGE)
    assert said == [wide, short, round(100 * short / wide)]
