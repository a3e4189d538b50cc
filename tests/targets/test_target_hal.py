"""The machines themselves: start-up, exact counters, stack watermark, flash, faults."""
from __future__ import annotations

from pathlib import Path

import pytest
from target_support import EMULATED, run_program

UNKNOWN = 0xFFFFFFFF


@pytest.mark.parametrize("target", EMULATED)
def test_hal_measures_exactly(target: str, tmp_path: Path) -> None:
    code, output = run_program(target, "hal_check", tmp_path)
    assert code == 7, output
    lines = [(line.rpartition(" ")[0], int(line.rpartition(" ")[2]))
             for line in output.splitlines()]
    assert lines[:2] == [("initialised", 0x12345678), ("zeroed", 0)]
    assert [value for name, value in lines if name == "instructions"] == [0, 1, 17, 400, 400]
    assert ("too many", UNKNOWN) in lines
    stack = dict(lines)
    assert 0 <= stack["stack before"] < 64
    assert 1000 <= stack["stack after"] < 1100
    flash = [value for name, value in lines if name == "flash"]
    assert flash == [2, 13_014_000, 0, 0]


@pytest.mark.parametrize("target", EMULATED)
@pytest.mark.parametrize("program", ["fault_undefined", "fault_unaligned"])
def test_faults_are_seen(target: str, program: str, tmp_path: Path) -> None:
    code, output = run_program(target, program, tmp_path)
    assert code == 99
    assert output.startswith("fault: exception 0")


@pytest.mark.parametrize("target", [*EMULATED, "host"])
def test_exit_code_reaches_the_shell(target: str, tmp_path: Path) -> None:
    assert run_program(target, "returns_three", tmp_path) == (3, "")
