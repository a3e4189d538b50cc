"""The table of OSC_FAST_ROWS in platforms/README.md matches measurements, and the loop is worth its flash."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from demo_table import compiler_version
from fast_rows import PAGE, made_table
from figures import table as shown_table

LEAST_SHARE = 10  # per cent of a 60 Hz pose


@pytest.mark.exhaustive
def test_the_table_matches_measurements(tmp_path: Path) -> None:
    table, compiler = shown_table(PAGE, "fast_rows"), compiler_version()
    if f"arm-none-eabi-gcc {compiler}," not in table:
        pytest.skip(f"the table is of another compiler than arm-none-eabi-gcc {compiler}")
    assert made_table(tmp_path) == table, "run tests/readme/update_figures.py fast_rows"


def test_assembler_saves_a_tenth_of_a_pose() -> None:
    rows = re.findall(r"^\| (\w+) \| ([\d,]+) \| ([\d,]+) \|.*\| -?(\d+)(?: %)? \|$",
                      shown_table(PAGE, "fast_rows"), re.M)
    assert len(rows) >= 3
    for codec, plain, fast, share in rows:
        assert (plain == fast) == (share == "0"), codec
        assert share == "0" or int(share) >= LEAST_SHARE, codec
