"""The numbers in README.md are those of the demo."""
from __future__ import annotations

from pathlib import Path

import pytest
from demo_table import clip_table, compiler_version, run_quietly, target_table
from pages import README, table_of

REMEDY = "run tests/readme/update_table.py"


def test_the_demo_table_is_what_the_demo_measures(tmp_path: Path) -> None:
    table = table_of(README.read_text(encoding="utf-8"))
    result, played = run_quietly(tmp_path)
    assert clip_table(result) in table, REMEDY
    compiler = compiler_version()
    if f"arm-none-eabi-gcc {compiler}," not in table:
        pytest.skip(f"the table is of another compiler than arm-none-eabi-gcc {compiler}")
    assert target_table(played, compiler) in table, REMEDY
