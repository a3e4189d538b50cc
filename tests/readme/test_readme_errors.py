"""What README.md says about errors that the tolerance does not cover."""
from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from c_programs import RUNTIME, build_program
from ossicle.demo import HERO
from ossicle.emit import generate
from ossicle.encode import EncodeProblem, encode
from ossicle.lengths import Tolerance, parse_length
from ossicle.settings import Settings
from readme_blocks import README, ROOT

SECTION = README.read_text(encoding="utf-8").partition("## How errors are measured")[2].partition(
    "\n## ")[0].replace("\n", " ")
ROUNDING_AT_LEAST_UM = 1.0  # less would mean that nothing was compared


def shown(pattern: str) -> str:
    match = re.search(pattern + r" ([\d.]+) mm", SECTION)
    assert match, pattern
    return match.group(1)


def test_the_composition_rounds_as_little_as_stated(tmp_path: Path) -> None:
    (tmp_path / "hero.ossb").write_bytes(encode([HERO], Settings()).bank)
    generate(tmp_path / "hero.ossb", tmp_path, embed=True)
    program = build_program(
        "gcc", ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'runtime'}",
                f"-I{ROOT / 'platforms/scalar'}", f"-I{tmp_path}"],
        [Path(__file__).with_name("composition_rounding.c"), *sorted(tmp_path.glob("hero_*.c")),
         *RUNTIME], tmp_path / "rounding", ["-lm"])
    finished = subprocess.run([program], check=True, text=True, stdout=subprocess.PIPE)
    assert ROUNDING_AT_LEAST_UM < float(finished.stdout) < 1e3 * float(shown("under"))


def test_the_finest_tolerance_is_as_stated() -> None:
    tolerance_m = parse_length(f"{shown('happens at')}mm", "tolerance")
    with pytest.raises(EncodeProblem, match=r"clip \w+: joint \w+: frame .* raise the tolerance"):
        encode([HERO], Settings(tolerance=Tolerance(tolerance_m)))
