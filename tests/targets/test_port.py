"""Every operation of the port contract gives the bits of the definition, on every target and with any words: short,
long and zero rotations, weights beyond one, extremes, all lanes, groups that are not full. The definition gives the
integers of SPEC.md."""
from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from target_support import PROGRAMS, ROOT, SUPPORTED, one_of_a_platform, run_program

import port_reference
from ossicle import machines

PROGRAM = "port"
# Backends of this computer, where dsp has long products in C. Then backends with code of their own that depends on
# the optimiser, on machines that run them.
HERE = [("host", "scalar"), ("host", "dsp"), *((name, machines.load_target(name).platform) for name in SUPPORTED
                                               if name.startswith("host_"))]
ELSEWHERE = [(name, machines.load_target(name).platform) for name in (
    "gba", "mps2_an385", "mps2_an386", "mps3_an547", "linux_aarch64", "linux_armv7", "armv6", "wasm")
    if name in SUPPORTED]
WITH_ASSEMBLER = [name for name in SUPPORTED if any(machines.load_target(name).platform_folder.glob("*.S"))]
# Operations that tests/targets/test_row_backends.py calls, in whole clips.
IN_CLIPS = {"osc_curve_fill", "osc_curve_ready", "osc_curve_keep_k", "osc_curve_kept_k"}
CONTRACT = ("port/osc_port.h", "arithmetic/osc_mix_arithmetic.h", "codecs/osc_port_rows.h", "mix/osc_port_mirror.h",
            "mix/osc_port_offsets.h")


@pytest.fixture(scope="module")
def defined(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The output of the definition behind the platform's name."""
    code, output = run_program("host", PROGRAM, tmp_path_factory.mktemp("defined"), True)
    assert code == 0, output
    name, *lines = output.splitlines()
    assert name == "scalar"
    return lines


def compare(machine: machines.Target, tested: machines.Target, defined: list[str], folder: Path) -> None:
    code, output = run_program(machine, PROGRAM, folder, True, tested)
    assert code == 0, output
    name, *lines = output.splitlines()
    assert name == tested.platform
    assert [line for line in lines if line not in defined] == []
    assert lines == defined


@pytest.mark.parametrize("target", one_of_a_platform(SUPPORTED))
def test_targets_do_as_defined(target: str, defined: list[str], tmp_path: Path) -> None:
    machine = machines.load_target(target)
    compare(machine, machine, defined, tmp_path)


@pytest.mark.parametrize("target", one_of_a_platform(WITH_ASSEMBLER))
def test_assembler_makes_no_difference(target: str, defined: list[str], tmp_path: Path) -> None:
    """Compiler flags that differ from those of the target."""
    machine = machines.load_target(target)
    other = machine.with_fast_rows("-DOSC_FAST_ROWS=1" not in machine.flags)
    compare(machine, other, defined, tmp_path)


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", ["-O0", "-O3"])
@pytest.mark.parametrize(("target", "platform"), [*HERE, *ELSEWHERE])
def test_levels_do_as_defined(target: str, platform: str, level: str, defined: list[str], tmp_path: Path) -> None:
    machine = machines.load_target(target)
    flags = tuple(level if flag.startswith("-O") else flag for flag in machine.flags)
    assert level in flags
    compare(machine, dataclasses.replace(machine, platform=platform, flags=flags), defined, tmp_path)


def test_the_definition_is_as_specified(defined: list[str]) -> None:
    expected = port_reference.expected()
    operations = {line.partition(",")[0] for line in expected}
    assert [line for line in defined if line.partition(",")[0] in operations] == expected


def groups_of_the_contract() -> dict[str, set[str]]:
    """The operations of each OSC_PORT_ macro, from the table of platforms/README.md."""
    table = (ROOT / "platforms/README.md").read_text(encoding="utf-8")
    return {macro: set(re.findall(r"`(osc_\w+)`", operations))
            for macro, operations in re.findall(r"^\| `(OSC_PORT_\w+)` \| (.*) \|$", table, re.MULTILINE)}


def test_every_operation_is_called() -> None:
    """A group that a platform may replace is in the table, and its operations are in the program."""
    replaceable = {macro for header in CONTRACT for macro in re.findall(
        r"^#include (OSC_PORT_\w+)$", (ROOT / "runtime" / header).read_text(encoding="utf-8"), re.MULTILINE)}
    groups = groups_of_the_contract()
    assert set(groups) == replaceable
    replaced = {macro for path in (ROOT / "platforms").glob("*/osc_port_config.h") for macro in re.findall(
        r"#define (OSC_PORT_\w+)", path.read_text(encoding="utf-8"))} - {"OSC_PORT_NAME", "OSC_PORT_VECTORS",
                                                                         "OSC_PORT_CONFIG_H"}
    assert replaced <= replaceable
    program = "\n".join(path.read_text(encoding="utf-8") for path in (PROGRAMS / PROGRAM).glob("*.c"))
    called = set(re.findall(r"\b(osc_\w+)\(", program)) | {
        "osc_blend", "osc_sqrt_q20", "osc_fill_row_track",  # a type, and what others of these call
        "osc_begin_4_rotations", "osc_begin_vector"}  # by osc_transition_begin
    assert {name for operations in groups.values() for name in operations} - called - IN_CLIPS == set()
