"""The media on the machines that they are for, with the mock of a serial flash that has no C library."""
from __future__ import annotations

from pathlib import Path

import pytest
from ossicle import machines
from ossicle.machines.firmware import compile_object, link
from ossicle.machines.runner import command_for
from ossicle.machines.symbols import check_objects
from ossicle.machines.tools import run_tool

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/media"
MEDIA = ROOT / "targets/media"
FREESTANDING = [MEDIA / f"osc_{name}.c" for name in ("spi_nor", "block_medium", "memory_medium")]
SUPPORT = [ROOT / "targets/hal_flash.c", ROOT / "targets/print.c"]
TESTING = ROOT / "targets/testing"
MOCKS = [TESTING / f"mock_{name}.c" for name in ("spi_nor", "clock", "random")]
INCLUDE = [MEDIA, TESTING]
HANGS_AFTER_S = 120.0
FAULTS = "3741551800"  # by seed 1, on every machine
STEP_US = 50  # of the program, which sees the end of a read so much later at most


@pytest.mark.parametrize("name", machines.list_supported_targets())
def test_media_need_no_more_than_the_runtime(name: str, tmp_path: Path) -> None:
    """No memory of their own, no allocator, no floating point, no library but block moves."""
    machine = machines.load_target(name)
    objects = [compile_object(machine, source, tmp_path, INCLUDE) for source in FREESTANDING]
    assert check_objects(machine.tools, objects) == []


def test_every_medium_but_files_is_freestanding() -> None:
    assert set(MEDIA.glob("*.c")) - set(FREESTANDING) == {MEDIA / "osc_file_medium.c"}


@pytest.mark.parametrize("name", ["host", "microbit", "gba", "mips_be"])
def test_boards_read_a_serial_flash(name: str, tmp_path: Path) -> None:
    machine = machines.load_target(name)
    sources = [HERE / "board_reads.c", *MOCKS, MEDIA / "osc_spi_nor.c", *SUPPORT, *machine.sources]
    image = tmp_path / "program.elf"
    link(machine, [compile_object(machine, source, tmp_path, INCLUDE) for source in sources], image)
    ran = run_tool(command_for(machine, image), timeout_s=HANGS_AFTER_S)
    assert ran.returncode == 0, ran.stdout
    values = dict(line.rsplit(" ", 1) for line in ran.stdout.splitlines())
    carried = 2 * (2 + 4) + 2048  # two reads: status, command and address; all words
    least_us = carried * 8 // 25
    assert (values["failed"], values["differ"], values["violations"]) == ("0", "0", "0")
    assert int(values["bytes"]) == carried
    assert values["faults"] == FAULTS
    assert least_us <= int(values["microseconds"]) <= least_us + 2 * STEP_US
