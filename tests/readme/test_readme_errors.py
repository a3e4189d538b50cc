"""What codegen/README.md says about errors that the tolerance does not cover."""
from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from c_programs import RUNTIME, build_program
from tools.demo import HERO
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.encode.encoder import EncodeProblem, encode
from ossicle.model.lengths import Tolerance
from ossicle.model.clip import ImportOptions
from ossicle.encode.settings import Settings
from preset_tables import FIGURES, read_figures
from pages import ROOT
from stated import stated

ROUNDING_AT_LEAST_UM = 1.0  # less would mean that nothing was compared


@pytest.mark.exhaustive
def test_the_composition_rounds_as_little_as_stated(tmp_path: Path) -> None:
    (tmp_path / "hero.ossb").write_bytes(encode([HERO], Settings()).bank)
    generate(tmp_path / "hero.ossb", tmp_path, Code(embed=True))
    program = build_program(
        "gcc", ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'runtime'}",
                f"-I{ROOT / 'platforms/scalar'}", f"-I{tmp_path}"],
        [Path(__file__).with_name("composition_rounding.c"), *sorted(tmp_path.glob("hero_*.c")),
         *RUNTIME], tmp_path / "rounding", ["-lm"])
    finished = subprocess.run([program], check=True, text=True, stdout=subprocess.PIPE)
    assert ROUNDING_AT_LEAST_UM < float(finished.stdout) < 1e3 * stated(r"under ([\d.]+) mm on the demo character")[0]


def test_the_finest_tolerance_is_as_stated() -> None:
    tolerance_mm, = stated(r"on the demo character that happens at ([\d.]+) mm")
    with pytest.raises(EncodeProblem, match=r"clip \w+: joint \w+: frame .* raise the tolerance"):
        encode([HERO], Settings(tolerance=Tolerance(tolerance_mm * 1e-3), importing=ImportOptions(fps=30.0)))


@pytest.mark.parametrize("millimetres", ["1", "0.1"])
def test_points_cost_what_the_table_says(millimetres: str) -> None:
    axes, sphere_mm, sphere = stated(rf"\| demo character, {re.escape(millimetres)} mm \| ([\d,]+) "
                                     r"\(([\d.]+) mm\) \| ([\d,]+) \|")
    settings = Settings(tolerance=Tolerance(float(millimetres) * 1e-3))
    result = encode([HERO], settings)
    assert len(result.bank) == axes
    assert round(max(clip.sphere_error_mm for clip in result.clips), 2) == sphere_mm
    stated("about twice as much on the demo character")
    assert sphere_mm == pytest.approx(2 * float(millimetres), rel=0.1)
    assert len(encode([HERO], replace(settings, points="sphere")).bank) == sphere


@pytest.mark.parametrize(("name", "corpus"), [("game character", "Knight"), ("motion capture", "bandai")])
def test_other_characters_are_those_of_the_presets_page(name: str, corpus: str) -> None:
    found = {row["tolerance_mm"]: row for row in read_figures(FIGURES.read_text(encoding="utf-8"))
             if (row["corpus"], row["scheme"]) == (corpus, "auto")}
    clips, axes = stated(rf"\| {name}, \d+ joints, (\d+) clips, 1 mm \| ([\d,]+) \(")
    assert (clips, axes) == (int(found["1"]["clips"]), int(found["1"]["bytes"]))
    axes, = stated(rf"\| {name}, 0\.1 mm \| ([\d,]+) \(")
    assert axes == int(found["0.1"]["bytes"])
