"""Every backend composes with the integers of SPEC.md, for any words: the products are made again
with Python's own, which have no width."""
from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path

import pytest
from random_words import random_words, value
from target_support import SUPPORTED, run_program

import fixed
from ossicle import targets

CASES = 64
BITS = range(8, 19)  # of fraction, in the translations of small matrices

# Backends that must not depend on the optimiser, on machines that can run them; dsp on the host is
# long products in C.
LEVELS = [("host", "dsp"), ("gba", "armv4"), ("mps2_an386", "dsp"), *(
    (machine.name, machine.platform) for machine in map(targets.load_target, SUPPORTED)
    if machine.memory is None)]


@cache
def expected() -> list[str]:
    """What compose_check.c prints behind the backend's name."""
    random = random_words()
    lines = []
    for kind in range(3):
        names = ("turned", "scaled", "product", "in place", "child", "scaled child", "skin")
        words: dict[str, list[int]] = {name: [] for name in names}
        for case in range(CASES):
            q, t, k, parent = ([value(next(random), kind) for _ in range(n)] for n in (4, 3, 3, 12))
            words["turned"] += fixed.local_matrix(q, t, None)
            words["scaled"] += fixed.local_matrix(q, t, k)
            other = [value(next(random), kind) for _ in range(12)]
            product = fixed.matrix_multiply(parent, other)
            words["product"] += product
            words["in place"] += product
            bits = BITS[case % len(BITS)]
            for name, scale in (("child", None), ("scaled child", k)):
                words[name] += fixed.matrix_multiply_q14(
                    parent, fixed.local_matrix_q14(q, t, scale, bits))
            words["skin"] += fixed.skin_matrix_q14(parent, other, bits)
        lines += [f"{name} {fixed.fnv1a(map(fixed.uwrap, result))}" for name, result in words.items()]
    return lines


@pytest.mark.parametrize("target", SUPPORTED)
def test_targets_compose_exactly(target: str, tmp_path: Path) -> None:
    code, output = run_program(target, "compose_check", tmp_path)
    assert code == 0, output
    assert output.splitlines() == [targets.load_target(target).platform, *expected()]


def test_small_matrices_without_assembler(tmp_path: Path) -> None:
    machine = targets.load_target("gba").with_fast_rows(False)
    code, output = run_program(machine, "compose_check", tmp_path)
    assert (code, output.splitlines()) == (0, ["armv4", *expected()])


@pytest.mark.parametrize("level", ["-O0", pytest.param("-O3", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(("target", "platform"), LEVELS)
def test_levels_compose_exactly(target: str, platform: str, level: str, tmp_path: Path) -> None:
    machine = targets.load_target(target)
    flags = tuple(level if flag.startswith("-O") else flag for flag in machine.flags)
    assert level in flags
    machine = dataclasses.replace(machine, platform=platform, flags=flags)
    code, output = run_program(machine, "compose_check", tmp_path)
    assert code == 0, output
    assert output.splitlines() == [platform, *expected()]
