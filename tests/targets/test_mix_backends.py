"""Every backend mixes with the integers of SPEC.md 16, for any words; and mixing costs what is stated."""
from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path

import pytest
from random_words import Hash, random_words, value
from target_support import SUPPORTED, one_of_a_platform, run_program

import mix_reference as mix
from ossicle import targets

CASES = 400  # of mix_check.c
KINDS = 4
# The most instructions with 41 joints, of which one has a translation (mix_costs.c).
COSTS = {
    "mps2_an386": {"toward": 1900, "finish": 2300, "blend": 4150, "add": 4700},
    "microbit": {"toward": 2900, "finish": 4900, "blend": 6200, "add": 8500},
    "virt_aarch64": {"toward": 920, "finish": 1050, "blend": 1800, "add": 1750},
}
HERE = [("scalar", ()), ("dsp", ()),
        *((machine.platform, tuple(flag for flag in machine.flags if flag.startswith("-m")))
          for machine in map(targets.load_target, SUPPORTED) if machine.emulator is None)]


@cache
def expected() -> list[str]:
    """What mix_check.c prints behind the backend's name."""
    random = random_words()

    def component(kind: int) -> int:
        if kind < 3:
            return value(next(random), kind)
        first = value(next(random), 1)
        return first >> (1 + (next(random) >> 31))

    def rotations(kind: int) -> list[list[int]]:
        filled = [[component(kind) for _ in range(4)] for _ in range(4)]
        return [mix.unit(q) for q in filled] if kind == 3 else filled

    lines = []
    for kind in range(KINDS):
        hashes = {name: Hash() for name in ("mixed", "unit", "both", "added", "vectors")}
        for case in range(CASES):
            w = 1 << 15 if case == 0 else next(random) >> 17
            a, b = rotations(kind), rotations(kind)
            for i in (0, 1, 2, 3, 1):
                hashes["mixed"].add(mix.toward(a[i], b[i], w))
            for i in (0, 1, 2, 3, 2):
                hashes["unit"].add(mix.unit(a[i]))
            for i in (0, 1, 2, 3, 3):
                hashes["both"].add(mix.blend(a[i], b[i], w))
            for i in (0, 1, 2, 3, 1):
                hashes["added"].add(mix.add(a[i], b[i], w))
            for v, t in zip(a[0][:3], b[0][:3], strict=True):
                v = mix.wrap(v + mix.weighted(mix.wrap(t - v), w))
                v = mix.wrap(v + mix.weighted(t, w))
                hashes["vectors"].add([mix.add_scale(v, t, w)])
        lines += [f"{name} {found.value}" for name, found in hashes.items()]
    return lines


@pytest.mark.parametrize("target", one_of_a_platform(SUPPORTED))
def test_targets_mix_exactly(target: str, tmp_path: Path) -> None:
    code, output = run_program(target, "mix_check", tmp_path, True)
    assert code == 0, output
    assert output.splitlines() == [targets.load_target(target).platform, *expected()]


@pytest.mark.parametrize(("backend", "level"), [
    pytest.param(backend, level, marks=() if level == "-O2" else pytest.mark.exhaustive)
    for backend in HERE for level in ("-O0", "-O2", "-O3")])
def test_backends_mix_exactly(backend: tuple[str, tuple[str, ...]], level: str, tmp_path: Path) -> None:
    platform, flags = backend
    machine = dataclasses.replace(targets.load_target("host"), platform=platform, flags=(level, *flags))
    code, output = run_program(machine, "mix_check", tmp_path, True)
    assert code == 0, output
    assert output.splitlines() == [platform, *expected()]


@pytest.mark.parametrize("target", COSTS)
def test_mixing_costs_no_more(target: str, tmp_path: Path) -> None:
    code, output = run_program(target, "mix_costs", tmp_path, True)
    assert code == 0, output
    cost = {name: int(count) for name, count in (line.split() for line in output.splitlines())}
    assert {name: cost[name] for name in COSTS[target] if cost[name] > COSTS[target][name]} == {}
