"""Helpers of the target tests: small programs and generated characters, built per test."""
from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from ossicle.generate.code import Code
from ossicle.generate import emit
from ossicle import machines
from ossicle.machines.firmware import compile_object, link
from ossicle.machines.runner import command_for
from ossicle.machines.tools import run_tool

from needed import with_runtime

ROOT = Path(__file__).resolve().parents[2]
HANGS_AFTER_S = 120.0  # the longest takes five seconds on an idle core
PROGRAMS = Path(__file__).resolve().parent / "programs"
SUPPORTED = machines.list_supported_targets()
TYPICAL = ("microbit", "mps2_an386", "linux_aarch64")  # of their platforms: Cortex-M0, M4 and A53
BOARDS = [name for name in SUPPORTED if machines.load_target(name).memory is not None]
CORTEX_M = [name for name in BOARDS
            if any(path.parent.name == "cortex_m" for path in machines.load_target(name).sources)]


sys.path.insert(0, str(ROOT / "tests" / "golden"))
from samples import sample_banks  # noqa: E402  (the reference writer's banks: no encoder needed)


def one_of_a_platform(names: Iterable[str]) -> list[object]:
    """Values for pytest.mark.parametrize: these targets, of which the tests take one of each platform, TYPICAL if they
    can, and `scons roots` all."""
    seen: set[str] = set()
    values = []
    for name in sorted(names, key=lambda name: (name not in TYPICAL, name)):
        platform = machines.load_target(name).platform
        values.append(pytest.param(name, marks=pytest.mark.exhaustive if platform in seen else ()))
        seen.add(platform)
    return values


def run_program(target: str | machines.Target, program: str, folder: Path, runtime: bool = False,
                tested: machines.Target | None = None, generated: Path | None = None) -> tuple[int, str]:
    """Builds programs/PROGRAM.c, or all C files of the folder programs/PROGRAM, for the target, with what it
    needs of the runtime if asked, and runs it: exit code and output. tested: how program and runtime are compiled where
    that is not the target's way. generated: a folder with the code of a character."""
    machine = machines.load_target(target) if isinstance(target, str) else target
    tested = tested or machine
    support = [ROOT / "targets/hal_flash.c", ROOT / "targets/print.c", *machine.sources]
    own = sorted((PROGRAMS / program).glob("*.c")) or [PROGRAMS / f"{program}.c"]
    sources = [*own, *sorted(tested.platform_folder.glob("*.S"))]
    if generated is not None:
        tested = replace(tested, flags=(*tested.flags, f"-I{generated}"))
        sources += generated.glob("*.c")
    image = folder / "program.elf"
    objects = [*(compile_object(tested, source, folder) for source in sources),
               *(compile_object(machine, source, folder) for source in support)]
    if runtime:
        objects = with_runtime(f"{tested.tools}nm", objects, lambda source: compile_object(tested, source, folder))
    link(machine, objects, image)
    result = run_tool(command_for(machine, image), timeout_s=HANGS_AFTER_S)
    return result.returncode, result.stdout


def generate_sample(sample: str, folder: Path, name: str = "character") -> Path:
    """Generated C of one of the golden banks; returns its folder."""
    [bank] = [entry.bank for entry in sample_banks.samples() if entry.name == sample]
    folder.mkdir(exist_ok=True)
    (folder / "sample.ossb").write_bytes(bank)
    emit.generate(folder / "sample.ossb", folder, Code(name, embed=True))
    return folder
