"""Errors that the documentation states, and their costs."""
from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from c_programs import RUNTIME, build_program
from figures import figure
from tools.demo import HERO
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.encoding.encoder import EncodeProblem, encode
from ossicle.model.lengths import Tolerance
from ossicle.model.import_options import ImportOptions
from ossicle.encoding.settings import Settings
from preset_tables import FIGURES, read_figures
from pages import ROOT

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
    assert ROUNDING_AT_LEAST_UM < float(finished.stdout) < 1e3 * figure("accuracy.composition_mm")


def test_the_finest_tolerance_is_as_stated() -> None:
    tolerance_mm = figure("accuracy.finest_tolerance_mm")
    with pytest.raises(EncodeProblem, match=r"clip \w+: joint \w+: frame .* raise the tolerance"):
        encode([HERO], Settings(tolerance=Tolerance(tolerance_mm * 1e-3), importing=ImportOptions(fps=30.0)))


@pytest.mark.parametrize(("metres", "name"), [(1e-3, "1mm"), (1e-4, "100um")])
def test_points_have_the_stated_cost(metres: float, name: str) -> None:
    """Axes let other points of the shell be off by about twice the tolerance."""
    settings = Settings(tolerance=Tolerance(metres))
    result = encode([HERO], settings)
    assert len(result.bank) == figure(f"accuracy.hero_{name}_axes_bytes")
    sphere_mm = round(max(clip.sphere_error_mm for clip in result.clips), 2)
    assert sphere_mm == figure(f"accuracy.hero_{name}_on_sphere_mm") == pytest.approx(2e3 * metres, rel=0.1)
    assert len(encode([HERO], replace(settings, points="sphere")).bank) == figure(f"accuracy.hero_{name}_sphere_bytes")


@pytest.mark.parametrize("corpus", ["Knight", "bandai"])
def test_other_characters_are_those_of_the_presets(corpus: str) -> None:
    found = {row["tolerance_mm"]: row for row in read_figures(FIGURES.read_text(encoding="utf-8"))
             if (row["corpus"], row["scheme"]) == (corpus, "auto")}
    stated = [figure(f"accuracy.{corpus.lower()}_{name}") for name in ("clips", "1mm_axes_bytes", "100um_axes_bytes")]
    assert stated == [int(found["1"]["clips"]), int(found["1"]["bytes"]), int(found["0.1"]["bytes"])]
