"""The object proof finds what must not be in the runtime, and nothing else."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from ossicle.targets import TargetError, list_targets, load_target
from ossicle.targets.firmware import compile_object
from ossicle.targets.symbols import check_objects
from target_support import CORTEX_M, ROOT

CLEAN = """
#include <stdint.h>
#include <string.h>
static const uint32_t table[4] = {1, 2, 3, 4};
const char *const names[2] = {"a", "b"};
int32_t clean(int32_t a, int32_t b, uint8_t *to, const uint8_t *from, size_t n);
int32_t clean(int32_t a, int32_t b, uint8_t *to, const uint8_t *from, size_t n)
{
    memcpy(to, from, n);
    return a / b + a % b + (int32_t)table[n & 3u];
}
"""
OFFENDERS = {
    "memory of its own": ("static int count; int bad(void); int bad(void) { return ++count; }",
                          "4 B of mutable memory in .bss"),
    "initialised memory": ("int bad = 5;", "4 B of mutable memory in .data"),
    "allocator": ("#include <stdlib.h>\nvoid *bad(void); void *bad(void) { return malloc(9); }",
                  "needs malloc (the allocator)"),
    "stranger": ("int far(void); int bad(void); int bad(void) { return far() + 1; }",
                 "needs far (not part of the runtime)"),
}
FLOATING = "float bad(float a, float b); float bad(float a, float b) { return a * b; }"
LONG = ("#include <stdint.h>\nint64_t bad(int64_t a, int64_t b);"
        "int64_t bad(int64_t a, int64_t b) { return a / b; }")


def proof_of(target: str, text: str, folder: Path) -> list[str]:
    source = folder / "piece.c"
    source.write_text(text + "\n", encoding="utf-8")
    machine = load_target(target)
    return check_objects(machine.tools, [compile_object(machine, source, folder)])


@pytest.mark.parametrize("target", list_targets())
def test_clean_code_passes(target: str, tmp_path: Path) -> None:
    assert proof_of(target, CLEAN, tmp_path) == []


@pytest.mark.parametrize("target", list_targets())
@pytest.mark.parametrize("offender", OFFENDERS)
def test_offender_is_found(target: str, offender: str, tmp_path: Path) -> None:
    text, message = OFFENDERS[offender]
    [offence] = proof_of(target, text, tmp_path)
    assert offence.startswith("piece.o: ") and message in offence


def test_floating_point_is_found(tmp_path: Path) -> None:
    assert proof_of("microbit", FLOATING, tmp_path) == [
        "piece.o: needs __aeabi_fmul (floating point)"]
    assert proof_of("mps2_an386", FLOATING, tmp_path) == [
        "piece.o: bad uses vmul.f32 (floating point)"]
    assert proof_of("host", FLOATING, tmp_path) == ["piece.o: bad uses mulss (floating point)"]


@pytest.mark.parametrize("target", CORTEX_M)
def test_64_bit_division_is_found(target: str, tmp_path: Path) -> None:
    assert proof_of(target, LONG, tmp_path) == [
        "piece.o: needs __aeabi_ldivmod (64-bit arithmetic)"]


def test_64_bit_product_is_found_on_the_smallest_core(tmp_path: Path) -> None:
    assert proof_of("microbit", LONG.replace("/", "*"), tmp_path) == [
        "piece.o: needs __aeabi_lmul (64-bit arithmetic)"]


def test_objects_may_call_each_other(tmp_path: Path) -> None:
    machine = load_target("host")
    (tmp_path / "a.c").write_text("int b(void); int a(void); int a(void) { return b() + 1; }\n")
    (tmp_path / "b.c").write_text("int b(void); int b(void) { return 1; }\n")
    objects = [compile_object(machine, tmp_path / name, tmp_path) for name in ("a.c", "b.c")]
    assert check_objects("", objects) == []
    assert check_objects("", objects[:1]) == ["a.o: needs b (not part of the runtime)"]


def test_nothing_to_check_is_an_error() -> None:
    with pytest.raises(TargetError):
        check_objects("", [])


def test_the_build_step_fails_on_an_offender(tmp_path: Path) -> None:
    (tmp_path / "piece.c").write_text("int bad = 5;\n", encoding="utf-8")
    path = compile_object(load_target("host"), tmp_path / "piece.c", tmp_path)
    step = subprocess.run(
        [sys.executable, "-m", "ossicle.targets", "", str(path)], cwd=ROOT / "codegen",
        capture_output=True, text=True, check=False)
    assert step.returncode == 1
    assert step.stderr == "object proof: piece.o: 4 B of mutable memory in .data.bad\n"
