"""All poses cost the same, and a set of joints costs less than all of them."""
from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from tools import demo
from ossicle.generate.code import Code
from ossicle.generate import emit
from ossicle.encoding import encoder as encode
from ossicle import machines
from ossicle.encoding.settings import Settings
from ossicle.machines.callgrind import read_call_costs
from ossicle.machines.firmware import compile_object, link
from ossicle.machines.runner import command_for
from ossicle.machines.tools import run_tool
from needed import with_runtime
from target_support import PROGRAMS, ROOT
from thinned import thinned

POSES = 100  # of pose_costs.c
FUNCTIONS = ("evaluate", "compose", "evaluate_part", "compose_part")
PART = ("*_leg", "*_foot")
EMULATED = ("microbit", "mps2_an386", "virt_armv7", "virt_aarch64")
HOSTS = tuple(name for name in machines.list_supported_targets() if machines.load_target(name).emulator is None)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo character's bank of seven clips."""
    path = tmp_path_factory.mktemp("bank") / "character.ossb"
    path.write_bytes(encode.encode([demo.HERO], Settings(effort="fast"), 1).bank)
    return path


def build(bank: Path, target: str, unroll: str, folder: Path) -> Path:
    """The program pose_costs for a target."""
    machine = machines.load_target(target)
    generated = emit.generate(bank, folder, Code(embed=True, unroll=[unroll], sets={"part": PART}))
    sources = [PROGRAMS / "pose_costs.c", ROOT / "targets/print.c", ROOT / "targets/hal_flash.c",
               *machine.sources, *(path for path in generated if path.suffix == ".c")]
    objects = with_runtime(f"{machine.tools}nm",
                           [compile_object(machine, source, folder, [folder]) for source in sources],
                           lambda source: compile_object(machine, source, folder))
    link(machine, objects, folder / "program.elf")
    return folder / "program.elf"


def counted_by_machine(image: Path, target: str) -> dict[str, list[int]]:
    """Readings of the machine's own counter, in the order of the calls."""
    ran = run_tool(command_for(machines.load_target(target), image), timeout_s=60.0)
    assert ran.returncode == 0, ran.stdout
    costs = defaultdict(list)
    for line in ran.stdout.splitlines():
        name, _, number = line.partition(" ")
        if name in FUNCTIONS:
            costs[name].append(int(number))
    return costs


def counted_by_valgrind(image: Path) -> dict[str, list[int]]:
    """Counts of callgrind, which writes a file after every call of the functions."""
    ran = run_tool(
        ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={image.parent}/calls",
         *(f"--dump-after=character_{name}" for name in FUNCTIONS), str(image)], timeout_s=120.0)
    assert ran.returncode == 0, ran.stdout
    costs = defaultdict(list)
    for number in range(1, len(FUNCTIONS) * POSES + 1):
        calls = read_call_costs((image.parent / f"calls.{number}").read_text(encoding="utf-8"))
        [(name, cost)] = [(called.removeprefix("character_"), cost)
                          for (_, called), cost in calls.items()
                          if called.removeprefix("character_") in FUNCTIONS]
        assert cost.calls == 1
        costs[name].append(cost.instructions)
    return costs


@pytest.mark.parametrize(("target", "unroll"), thinned([*EMULATED, *HOSTS], ["full", "loop"]))
def test_every_pose_costs_the_same(bank: Path, target: str, unroll: str, tmp_path: Path) -> None:
    image = build(bank, target, unroll, tmp_path)
    costs = counted_by_valgrind(image) if target in HOSTS else counted_by_machine(image, target)
    assert set(costs) == set(FUNCTIONS)
    for name, counts in costs.items():
        assert len(counts) == POSES
        first = 1 if target in HOSTS else 0  # the dynamic linker finds what the first call needs
        assert len(set(counts[first:])) == 1, f"{name}: {sorted(set(counts))}"
    joints, part = 18, 6
    for name in ("evaluate", "compose"):
        whole, smaller = costs[name][-1], costs[f"{name}_part"][-1]
        assert 0 < smaller < whole * (part + 4) / joints
