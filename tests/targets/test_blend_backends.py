"""Every backend blends with the integers of SPEC.md, and fills rows as the definition does, for any
words."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from chord_limit import CHORD_LIMIT_Q20, CHORD_LIMIT_STEPS
from random_words import Hash, random_words, value
from target_support import CORTEX_M, SUPPORTED, one_of_a_platform, run_program
from thinned import thinned

import fixed
from ossicle import targets
from ossicle.targets.tools import checked_tool
from ossicle.targets.variants import COMPILERS, Variant

# Programs that print a hash of what a codec does with any words.
COMPARED = ("rows_check", "curve_check")
LIKE_M4 = "mps2_an505"  # runs the same assembler
SLOW = "pico"  # interpreted by node
ROOT_EDGES = 8192  # see ../support/root_edges.h
# Those whose platform has assembler.
WITH_ASSEMBLER = [name for name in CORTEX_M
                  if any(targets.load_target(name).platform_folder.glob("*.S"))]
VECTORS = [name for name in SUPPORTED if "OSC_PORT_VECTORS" in (
    targets.load_target(name).platform_folder / "osc_port_config.h").read_text(encoding="utf-8")]
LEFT_W = 945225  # of a unit quaternion whose x y z are -2^18
CASES = 64
EVERY = 8

# The backends that this machine can run: (platform, flags). Without instructions of its own dsp is C.
HERE = [("dsp", ()), *((machine.platform, tuple(flag for flag in machine.flags if flag.startswith("-m")))
                       for machine in map(targets.load_target, SUPPORTED) if machine.emulator is None)]


@cache
def expected() -> list[str]:
    """What blend_check.c prints behind the backend's name."""
    random = random_words()
    lines = []
    for kind in range(3):
        rotations, vectors = Hash(), Hash()
        for case in range(CASES):
            fractions = range(first := next(random) >> 21, first + 1)
            pairs = [(value(next(random), kind), value(next(random), kind)) for _ in range(16)]
            left, right = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
            for a in range(2048) if case % EVERY == 0 else fractions:
                for first in (0, 4, 8, 12, 4):
                    rotations.add(fixed.blend_rotation(left[first:first + 4],
                                                       right[first:first + 4], a))
                lerped = [fixed.lerp(one, other, a) for one, other in pairs]
                vectors.add(lerped[:12] + lerped[13:])
        lines += [f"rotations {rotations.value}", f"vectors {vectors.value}"]
    for beyond, step in CHORD_LIMIT_STEPS.items():
        limit = Hash()
        begin = [-(1 << 18)] * 3 + [LEFT_W]
        lanes = [([*begin[i:], *begin[:i]], [*step[i:], *step[:i]]) for i in range(4)]
        for a in range(2048):
            for here, way in [*lanes, lanes[1]]:
                there = [one + more for one, more in zip(here, way, strict=True)]
                limit.add(fixed.blend_rotation(here, there, a))
        lines += [f"chord {CHORD_LIMIT_Q20 + beyond}", f"limit {limit.value}"]
    return lines


def here(platform: str, *flags: str) -> targets.Target:
    return dataclasses.replace(targets.load_target("host"), platform=platform, flags=flags)


@pytest.mark.parametrize("target", one_of_a_platform(SUPPORTED))
def test_targets_blend_exactly(target: str, tmp_path: Path) -> None:
    code, output = run_program(target, "blend_check", tmp_path)
    assert code == 0, output
    assert output.splitlines() == [targets.load_target(target).platform, *expected()]


@pytest.mark.parametrize(("backend", "level"), [
    pytest.param(backend, level, marks=() if level == "-O2" else pytest.mark.exhaustive)
    for backend in HERE for level in ("-O0", "-O2", "-O3")])
def test_backends_blend_exactly(backend: tuple[str, tuple[str, ...]], level: str, tmp_path: Path) -> None:
    platform, flags = backend
    code, output = run_program(here(platform, level, *flags), "blend_check", tmp_path)
    assert code == 0, output
    assert output.splitlines() == [platform, *expected()]


@pytest.mark.parametrize(("backend", "level"), [
    pytest.param(backend, level, marks=pytest.mark.exhaustive if level == "-O0" or number % 3 else ())
    for number, backend in enumerate(HERE) for level in ("-O2", "-O0")])
def test_backends_fill_rows_exactly(backend: tuple[str, tuple[str, ...]], level: str, tmp_path: Path) -> None:
    platform, flags = backend
    code, output = run_program(here(platform, level, *flags), "rows_check", tmp_path, True)
    assert code == 0, output
    assert output.startswith("rows ")


@pytest.fixture(scope="module")
def defined(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """What a program prints with the definition."""
    @cache
    def output_of(program: str) -> str:
        folder = tmp_path_factory.mktemp(program)
        code, output = run_program(here("scalar"), program, folder, True)
        assert code == 0, output
        return output
    return output_of


@pytest.mark.parametrize(("program", "target"), [
    *thinned(COMPARED, [name for name in CORTEX_M if name != SLOW]),
    *(pytest.param(program, SLOW, marks=pytest.mark.exhaustive) for program in COMPARED)])
def test_targets_do_as_defined(program: str, target: str, defined: Callable[[str], str],
                               tmp_path: Path) -> None:
    assert run_program(target, program, tmp_path, True) == (0, defined(program))


@pytest.mark.parametrize(("fast", "compiler", "target"), [
    *thinned((True,), COMPILERS, [name for name in WITH_ASSEMBLER if name != LIKE_M4]),
    *(pytest.param(True, compiler, LIKE_M4, marks=pytest.mark.exhaustive) for compiler in COMPILERS),
    *(pytest.param(False, *one, marks=pytest.mark.exhaustive) for one in product(COMPILERS, WITH_ASSEMBLER))])
def test_assembler_fills_rows_as_defined(fast: bool, compiler: str, target: str,
                                         defined: Callable[[str], str], tmp_path: Path) -> None:
    machine = Variant(target, compiler, "-O2").machine().with_fast_rows(fast)
    assert run_program(target, "curve_check", tmp_path, True, machine) == (
        0, defined("curve_check"))
    [assembler] = machine.platform_folder.glob("*.S")
    linked = checked_tool([f"{machine.tools}nm", str(tmp_path / f"{assembler.stem}.o")], "nm")
    assert (" T osc_curve_fill" in linked) == (fast and "an385" not in target)  # that has no FPU


@pytest.mark.parametrize("target", thinned(sorted({"linux_aarch64", "linux_armv7", "wasm"} & {*SUPPORTED})))
def test_vectors_fill_rows_as_defined(target: str, defined: Callable[[str], str],
                                      tmp_path: Path) -> None:
    """Not one of the processors above, and none that this computer has itself."""
    assert run_program(target, "rows_check", tmp_path, True) == (0, defined("rows_check"))


@pytest.mark.exhaustive
@pytest.mark.parametrize(("program", "level"), product(COMPARED, ("-O0", "-Os", "-O3")))
def test_targets_do_as_defined_at_any_level(program: str, level: str,
                                            defined: Callable[[str], str], tmp_path: Path) -> None:
    machine = targets.load_target("mps2_an386").with_fast_rows()
    machine = dataclasses.replace(machine, flags=[*machine.flags, level])
    assert run_program(machine, program, tmp_path, True) == (0, defined(program))


@pytest.mark.parametrize("target", one_of_a_platform(SUPPORTED))
def test_targets_round_roots_exactly(target: str, tmp_path: Path) -> None:
    assert run_program(target, "root_check", tmp_path, True) == (0, f"edges {ROOT_EDGES}\n")


@pytest.mark.parametrize("target", VECTORS)
def test_vectors_round_roots_exactly(target: str, tmp_path: Path) -> None:
    assert run_program(target, "vector_root_check", tmp_path, True) == (0, f"edges {ROOT_EDGES}\n")
