"""The machines themselves: start-up, exact counters, stack watermark, flash, faults."""
from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from ossicle.machines import load_target
from target_support import BOARDS, CORTEX_M, SUPPORTED, run_program

UNKNOWN = 0xFFFFFFFF
# Machines that count cycles: those of an instruction, and of a turn of a loop with two. The cartridge
# of the Game Boy Advance gives half of an instruction in 2 cycles, and after a jump the first in 4. The
# timers of the Nintendo DS tick every 2 cycles. The Cortex-M0+ takes a cycle more for a jump.
CYCLES = {"gba": (4, 18), "nds": (1, 4), "pico": (1, 3)}
CYCLES_A_TICK = {"nds": 2}


@pytest.mark.parametrize("target", BOARDS)
def test_hal_measures_exactly(target: str, tmp_path: Path) -> None:
    code, output = run_program(target, "hal_check", tmp_path)
    assert code == 7, output
    lines = [(line.rpartition(" ")[0], int(line.rpartition(" ")[2]))
             for line in output.splitlines()]
    assert lines[:2] == [("initialised", 0x12345678), ("zeroed", 0)]
    (nop, turn), tick = CYCLES.get(target, (1, 2)), CYCLES_A_TICK.get(target, 1)
    assert [value for name, value in lines if name == "instructions"] == [
        -(-nop * count // tick) * tick for count in (0, 1, 17, 400, 400)]
    [many] = [value for name, value in lines if name == "too many"]
    assert many == UNKNOWN if target in CORTEX_M else 0 <= many - 6_000_000 * turn < 4
    stack = dict(lines)
    assert 0 <= stack["stack before"] < 64
    assert 1000 <= stack["stack after"] < 1100
    flash = [value for name, value in lines if name == "flash"]
    assert flash == [2, 13_014_000, 0, 0]


@pytest.mark.parametrize(("target", "program"), [
    *((target, "fault_undefined") for target in BOARDS),
    *((target, "fault_unaligned") for target in CORTEX_M)])
def test_faults_are_seen(target: str, program: str, tmp_path: Path) -> None:
    code, output = run_program(target, program, tmp_path)
    assert code == 99
    assert output.startswith("fault: exception 0")


@pytest.mark.parametrize("target", BOARDS)
def test_a_stack_that_reaches_the_data_is_a_failure(target: str, tmp_path: Path) -> None:
    code, output = run_program(target, "overflows_stack", tmp_path)
    assert (code, output) == (98, "error: the stack has grown into the data\n")


@pytest.mark.parametrize("target", SUPPORTED)
def test_exit_code_reaches_the_shell(target: str, tmp_path: Path) -> None:
    assert run_program(target, "returns_three", tmp_path) == (3, "")


# Those without a C library.
FREESTANDING = [name for name in SUPPORTED if any(path.name == "memory.c" for path in load_target(name).sources)]


@pytest.mark.parametrize("target", FREESTANDING)
def test_memory_is_loaded_and_copied_exactly(target: str, tmp_path: Path) -> None:
    code, output = run_program(target, "memory_check", tmp_path)
    assert (code, output.splitlines()) == (0, ["loaded 1", "loaded 22", "loaded 333", "loaded 4444", "bytes 48"])


@pytest.mark.parametrize("program", ["port", "memory_check"])  # more than a buffer holds, and less
def test_output_that_is_lost_is_a_failure(program: str, tmp_path: Path) -> None:
    assert run_program("host", program, tmp_path, program == "port")[0] == 0
    with open("/dev/full", "wb") as full:
        assert subprocess.run([tmp_path / "program.elf"], check=False, stdout=full).returncode == 1
