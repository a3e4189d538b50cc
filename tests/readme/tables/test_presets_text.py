"""Sizes and errors that codegen/PRESETS.md states."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from figures import figure
from ossicle.encoding import presets
from ossicle.base.codec import AUTO_CODECS
from tools.demo import HERO
from ossicle.bank.file import parse_bank
from ossicle.bank.strip import without_tiers
from ossicle.encoding.encoder import encode
from ossicle.model.lengths import Tolerance
from ossicle.encoding.presets import Preset
from ossicle.encoding.settings import Settings
from preset_tables import FIGURES, ROOT, blocks, read_figures

HARDLY = 0.002
NAMES = {1e-3: "1mm", 1e-4: "100um"}  # of tolerances

Sizes = dict[str, int]


@pytest.fixture(scope="module")
def sizes() -> dict[tuple[str, str], Sizes]:
    """Bytes by corpus and tolerance, and by scheme."""
    figures = blocks(read_figures(FIGURES.read_text(encoding="utf-8")))
    return {key: {row["scheme"]: int(row["bytes"]) for row in rows} for key, rows in figures.items()}


@pytest.mark.parametrize(("scheme", "of", "name"), [
    ("transform", "acl-2017", "transform_of_acl"), ("curve", "unity5-keyframe", "curve_of_unity")])
def test_shares(scheme: str, of: str, name: str, sizes: dict[tuple[str, str], Sizes]) -> None:
    shares = [round(100 * size[scheme] / size[of]) for size in sizes.values()]
    assert (min(shares), max(shares)) == tuple(figure(f"presets.{name}_{end}_percent") for end in ("least", "most"))


def test_every_second_key_saves_half(sizes: dict[tuple[str, str], Sizes]) -> None:
    for corpus in ("Knight", "bandai"):
        size, stated = sizes[corpus, "1"], figure(f"presets.{corpus.lower()}_every_second_saves_percent")
        assert round(100 * (1 - size["unreal4-every-second"] / size["unreal4-float96"])) == stated


def test_orders_of_schemes(sizes: dict[tuple[str, str], Sizes]) -> None:
    """Basis of the page's advice: the smallest preset of each kind, and the small differences between some."""
    for size in sizes.values():
        assert size["riot-2015-timed"] < min(size[f"riot-2015{knots}"] for knots in ("", "-chordal", "-centripetal"))
        assert size["acl-2017-root-first"] == pytest.approx(size["acl-2017"], rel=HARDLY)
        assert size["velocity"] < size["goodhue-2017"]


def test_curve_is_the_smallest_but_for_captures(sizes: dict[tuple[str, str], Sizes]) -> None:
    smallest = {key: min(AUTO_CODECS, key=size.__getitem__) for key, size in sizes.items()}
    assert {key for key, codec in smallest.items() if codec != "curve"} == {("bandai", "1")}
    assert smallest["bandai", "1"] == "transform"


@pytest.mark.parametrize("metres", NAMES)
def test_what_tiers_leave(metres: float) -> None:
    settings = Settings(tolerance=Tolerance(metres))
    result = encode([HERO], settings.with_preset("acl-2.1-tiers", "preset"))
    bank = parse_bank(result.bank)
    sizes = [len(without_tiers(bank, kept)[0]) for kept in (1, 0)]
    errors = [max(clip.tier_errors_mm[kept] for clip in result.clips if clip.tier_errors_mm) for kept in (1, 0)]
    measured = [len(result.bank), max(clip.error_mm for clip in result.clips), sizes[0], errors[0], sizes[1], errors[1]]
    assert [figure(f"tiers.hero_{NAMES[metres]}_{kept}_{unit}") for kept in ("whole", "coarser", "base")
            for unit in ("bytes", "mm")] == pytest.approx(measured, rel=5e-4)


@pytest.fixture(scope="module")
def rotor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The authored rotor."""
    path = tmp_path_factory.mktemp("rotor") / "rotor.bvh"
    subprocess.run([sys.executable, ROOT / "codegen/demo/author_rotor.py", "-o", path], check=True, capture_output=True)
    return path


@pytest.mark.parametrize("metres", NAMES)
def test_the_size_of_the_rotor(metres: float, rotor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = Preset("full", "32-bit velocities alone", "nowhere", codec="velocity", keys="full")
    monkeypatch.setitem(presets.PRESETS, full.name, full)
    settings = Settings(tolerance=Tolerance(metres))
    wide, short = (encode([rotor], settings.with_preset(name, "preset")).clips[0].bytes
                   for name in (full.name, "goodhue-2017"))
    assert [figure(f"presets.rotor_{NAMES[metres]}_{name}")
            for name in ("wide_bytes", "short_bytes", "share_percent")] == [wide, short, round(100 * short / wide)]
