"""Rows of the curve codec are those of the definition on every target, and roots are rounded exactly."""
from __future__ import annotations

import dataclasses
from itertools import product
from pathlib import Path

import pytest
from target_support import SUPPORTED, run_program

from ossicle import machines
from ossicle.machines.tools import checked_tool
from tools.variants import COMPILERS, Variant

LIKE_M4 = ("mps2_an505", "stm32f4")  # run the same assembler
SLOW = ("pico", "nds")  # interpreted
LIKE_OTHERS = ("mips32el", "riscv64")  # run the C of mips_be and of the host
ROOT_EDGES = 8192  # see ../support/c/root_edges.h
# Those whose platform has assembler for these rows.
WITH_ASSEMBLER = [name for name in SUPPORTED if any(machines.load_target(name).platform_folder.glob("*curve*.S"))]
VECTORS = [name for name in SUPPORTED if "OSC_PORT_VECTORS" in (
    machines.load_target(name).platform_folder / "osc_port_config.h").read_text(encoding="utf-8")]
EVERYWHERE = [pytest.param(name, marks=pytest.mark.exhaustive if name in (*SLOW, *LIKE_OTHERS) else ())
              for name in SUPPORTED]


@pytest.fixture(scope="module")
def defined(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The output of curve_check with the definition."""
    code, output = run_program("host", "curve_check", tmp_path_factory.mktemp("defined"), True)
    assert code == 0, output
    return output


@pytest.mark.parametrize("target", EVERYWHERE)
def test_targets_fill_curve_rows_as_defined(target: str, defined: str, tmp_path: Path) -> None:
    assert run_program(target, "curve_check", tmp_path, True) == (0, defined)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("fast", "compiler", "target"), [
    *(pytest.param(True, compiler, name, marks=pytest.mark.exhaustive if compiler != "gcc" and name in LIKE_M4 else ())
      for compiler, name in product(COMPILERS, WITH_ASSEMBLER)),
    *(pytest.param(False, *pair, marks=pytest.mark.exhaustive) for pair in product(COMPILERS, WITH_ASSEMBLER))])
def test_assembler_fills_rows_as_defined(fast: bool, compiler: str, target: str, defined: str, tmp_path: Path) -> None:
    machine = Variant(target, compiler, "-O2").machine().with_fast_rows(fast)
    assert run_program(target, "curve_check", tmp_path, True, machine) == (0, defined)
    [assembler] = machine.platform_folder.glob("*.S")
    linked = checked_tool([f"{machine.tools}nm", str(tmp_path / f"{assembler.stem}.o")], "nm")
    assert (" T osc_curve_fill" in linked) == (fast and "an385" not in target)  # that has no FPU


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", ("-O0", "-Os", "-O3"))
def test_targets_fill_curve_rows_at_any_level(level: str, defined: str, tmp_path: Path) -> None:
    machine = machines.load_target("mps2_an386").with_fast_rows()
    machine = dataclasses.replace(machine, flags=[*machine.flags, level])
    assert run_program(machine, "curve_check", tmp_path, True) == (0, defined)


@pytest.mark.parametrize("target", EVERYWHERE)
def test_targets_round_roots_exactly(target: str, tmp_path: Path) -> None:
    assert run_program(target, "root_check", tmp_path, True) == (0, f"edges {ROOT_EDGES}\n")


@pytest.mark.parametrize("target", VECTORS)
def test_vectors_round_roots_exactly(target: str, tmp_path: Path) -> None:
    assert run_program(target, "vector_root_check", tmp_path, True) == (0, f"edges {ROOT_EDGES}\n")
