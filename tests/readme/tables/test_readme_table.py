"""The numbers in README.md are those of the demo."""
from __future__ import annotations

from pathlib import Path

import pytest
from demo_table import clip_table, compiler_version, run_quietly, target_table
from figures import table
from pages import README

REMEDY = "run tests/readme/update_figures.py demo"


def test_the_demo_table_has_the_demo_s_measurements(tmp_path: Path) -> None:
    shown = table(README, "demo")
    result, played = run_quietly(tmp_path)
    assert clip_table(result) in shown, REMEDY
    compiler = compiler_version()
    if f"arm-none-eabi-gcc {compiler}," not in shown:
        pytest.skip(f"the table is of another compiler than arm-none-eabi-gcc {compiler}")
    assert target_table(played, compiler) in shown, REMEDY
