"""The object proof finds forbidden symbols of the runtime, and no others."""
from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from ossicle.machines import TargetError, load_target
from ossicle.machines.firmware import compile_object
from ossicle.machines.symbols import check_objects, is_floating
from target_support import CORTEX_M, ROOT, SUPPORTED
from thinned import thinned
from mentions import mention_each, mentions

CLEAN = """
#include <stddef.h>
#include <stdint.h>
void *memcpy(void *to, const void *from, size_t count);
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
    "mutable memory": ("static int count; int bad(void); int bad(void) { return ++count; }", "4B"),
    "initialised memory": ("int bad = 5;", "4B"),
    "allocator": ("#include <stddef.h>\nvoid *malloc(size_t size_bytes);void *bad(void);"
                  "void *bad(void) { return malloc(9); }",
                  "malloc"),
    "stranger": ("int far(void); int bad(void); int bad(void) { return far() + 1; }",
                 "far"),
}
FLOATING = "float bad(float a, float b); float bad(float a, float b) { return a * b; }"
LONG = ("#include <stdint.h>\nint64_t bad(int64_t a, int64_t b);"
        "int64_t bad(int64_t a, int64_t b) { return a / b; }")


def proof_of(target: str, text: str, folder: Path) -> list[str]:
    source = folder / "piece.c"
    source.write_text(text + "\n", encoding="utf-8")
    machine = load_target(target)
    return check_objects(machine.tools, [compile_object(machine, source, folder)])


@pytest.mark.parametrize("target", SUPPORTED)
def test_clean_code_passes(target: str, tmp_path: Path) -> None:
    assert proof_of(target, CLEAN, tmp_path) == []


@pytest.mark.parametrize(("target", "offender"), thinned(SUPPORTED, OFFENDERS))
def test_offender_is_found(target: str, offender: str, tmp_path: Path) -> None:
    text, message = OFFENDERS[offender]
    [offence] = proof_of(target, text, tmp_path)
    assert offence.startswith("piece.o: ") and mentions(offence, message)


FOUND = {
    "host": "mulss", "host_sse2": "mulss", "host_sse41": "mulss", "host_avx2": "vmulss",
    "linux_aarch64": "fmul", "virt_aarch64": "fmul", "wasm": "f32.mul", "mips_be": "mul.s",
    "mips32el": "mul.s", "riscv64": "fmul.s",
}


@pytest.mark.parametrize("target", SUPPORTED)
def test_floating_point_is_found(target: str, tmp_path: Path) -> None:
    expected = f"piece.o: bad uses {FOUND.get(target, 'vmul.f32')} (floating point)"
    machine = load_target(target)
    if target == "armv6" or (machine.tools == "arm-none-eabi-" and "-mfloat-abi=hard" not in machine.flags):
        expected = "piece.o: needs __aeabi_fmul (floating point)"
    if target == "riscv32":
        expected = "piece.o: needs __mulsf3 (floating point)"
    assert proof_of(target, FLOATING, tmp_path) == [expected]


BODIES = ("a + b", "a - b", "a / b", "-a", "a < b ? 1.0 : b", "(double)(long)a",
          "__builtin_sqrt(a)", "(double)(float)a")


@pytest.mark.parametrize(("target", "body"), [
    (target, body) for target in ("host_sse2", "host_avx2", "linux_armv7", "linux_aarch64",
                                  "mps3_an547", "wasm") if target in SUPPORTED
    # the negative is an exclusive or on an x86, which nothing tells from that of integers
    for body in BODIES if not (body == "-a" and target.startswith("host"))])
def test_all_kinds_of_it(target: str, body: str, tmp_path: Path) -> None:
    text = "double bad(double a, double b);\n"
    text += f"double bad(double a, double b) {{ (void)b; return {body}; }}"
    [offence, *_] = proof_of(target, text, tmp_path)
    assert "(floating point)" in offence


MOVES = """
#include <stdint.h>
typedef int32_t v4 __attribute__((vector_size(16)));
void moves(v4 *out, const v4 *a, const v4 *b, int64_t *wide, int n);
void moves(v4 *out, const v4 *a, const v4 *b, int64_t *wide, int n)
{
    v4 x = *a, y = *b;
    out[0] = (x + y) * (x - y) >> 3;
    out[1] = (v4){x[0], y[1], x[2], y[3]};
    out[2] = (v4){x[2], x[3], y[0], y[1]};
    out[3] = (x & (x > y)) | (y & ~(x > y));
    out[4] = (v4){n, n, n, n} ^ (v4){x[1], x[1], x[1], x[1]};
    wide[0] = wide[1] + n;
    wide[2] = ((int64_t)x[0] << 32) | (uint32_t)y[3];
}
"""


@pytest.mark.parametrize(("target", "level"), thinned(SUPPORTED, ("-O0", "-O2", "-O3")))
def test_vectors_of_integers_pass(target: str, level: str, tmp_path: Path) -> None:
    machine = load_target(target)
    machine = replace(machine, flags=(*machine.flags, level))
    (tmp_path / "moves.c").write_text(MOVES, encoding="utf-8")
    path = compile_object(machine, tmp_path / "moves.c", tmp_path)
    assert check_objects(machine.tools, [path]) == []


@pytest.mark.parametrize(("floating", "mnemonics"), [
    (True, "addps vaddpd mulss sqrtpd vsqrtsd cvtdq2pd vcvttpd2dq ucomisd cmpltps vcmpeqpd minps "
           "roundsd haddps addsubpd dpps rcpps vrsqrtps vfmadd231ps vfnmsub132sd fld fmulp fildl "
           "fadd.s fmadd.d fcvt.w.s fsqrt.d feq.s fadd fmadd fcvtzs fsqrt scvtf ucvtf fcmp fneg frintm "
           "vmul.f32 vcvt.s32.f32 vcvt.f64.u32 vmla.f16 vaddt.f32 vsqrt.f64 vrecpe.f32 "
           "f32.add f64x2.sqrt f32x4.convert_i32x4_s i32.trunc_f64_s i32x4.trunc_sat_f32x4_u "
           "i32x4.trunc_sat_zero_f64x2_s f32.demote_f64 f64.lt"),
    (False, "movaps movups vmovapd movss movsd movsldup shufps vshufpd unpcklps andps xorpd orps "
            "blendvps vblendps insertps extractps vpermilps vbroadcastss movmskps movhlps paddd "
            "pmulld pmuludq vpsrad cmp cmpsb cmpl subl adds subs muls vmov vmov.f32 vmov.f64 "
            "vmoveq.f32 vadd.i32 vmul.i32 vqrdmulh.s32 vrshr.s32 vmlal.s16 vld1.32 vldr add sub "
            "fmv.x.w fmov ssra sshr mul smull sqrdmulh i32.add i32x4.mul i64x2.extmul_low_i32x4_s "
            "f32.select f64.load f64.store f64.const i32.reinterpret_f32 v128.load set bfi bfc "
            "bfxil bfm"),
])
def test_instructions_are_told_apart(floating: bool, mnemonics: str) -> None:
    for mnemonic in mnemonics.split():
        assert is_floating(mnemonic) == floating, mnemonic


def test_listed_instructions_are_allowed(tmp_path: Path) -> None:
    machine = load_target("host")
    (tmp_path / "piece.c").write_text(FLOATING, encoding="utf-8")
    path = compile_object(machine, tmp_path / "piece.c", tmp_path)
    assert check_objects(machine.tools, [path], ["mulss"]) == []
    assert check_objects(machine.tools, [path], ["mulsd"]) == ["piece.o: bad uses mulss (floating point)"]


@pytest.mark.parametrize("target", CORTEX_M)
def test_64_bit_division_is_found(target: str, tmp_path: Path) -> None:
    assert proof_of(target, LONG, tmp_path) == ["piece.o: needs __aeabi_ldivmod (64-bit arithmetic)"]


def test_64_bit_product_is_found_on_the_smallest_core(tmp_path: Path) -> None:
    assert proof_of("microbit", LONG.replace("/", "*"), tmp_path) == ["piece.o: needs __aeabi_lmul (64-bit arithmetic)"]


def test_objects_may_call_each_other(tmp_path: Path) -> None:
    machine = load_target("host")
    (tmp_path / "a.c").write_text("int b(void); int a(void); int a(void) { return b() + 1; }\n")
    (tmp_path / "b.c").write_text("int b(void); int b(void) { return 1; }\n")
    objects = [compile_object(machine, tmp_path / name, tmp_path) for name in ("a.c", "b.c")]
    assert check_objects("", objects) == []
    assert mention_each(check_objects("", objects[:1]), ["a.o b"])


@pytest.mark.parametrize("target", ["host", "linux_aarch64", "microbit", "wasm"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_offender_among_several_is_named(target: str, place: int, tmp_path: Path) -> None:
    machine, objects = load_target(target), []
    for i, name in enumerate("abc"):
        text = (FLOATING + " int bad_number = 5; int far(void); int bad_call(void);"
                "int bad_call(void) { return far(); }") if i == place else CLEAN
        (tmp_path / f"{name}.c").write_text(text.replace("clean", f"clean_{name}"), encoding="utf-8")
        objects.append(compile_object(machine, tmp_path / f"{name}.c", tmp_path))
    offences = check_objects(machine.tools, objects)
    assert len(offences) == 3 and all(text.startswith(f"{'abc'[place]}.o: ") for text in offences)


def test_nothing_to_check_is_an_error() -> None:
    with pytest.raises(TargetError):
        check_objects("", [])


def test_the_build_step_fails_on_an_offender(tmp_path: Path) -> None:
    (tmp_path / "piece.c").write_text("int bad = 5;\n", encoding="utf-8")
    step = subprocess.run(
        [sys.executable, "-m", "tools.object_proof", "host", str(tmp_path / "out"),
         str(tmp_path / "piece.c")], cwd=ROOT / "codegen", capture_output=True, text=True, check=False)
    assert step.returncode == 1
    assert mentions(step.stderr, "piece.o 4B .data.bad")
