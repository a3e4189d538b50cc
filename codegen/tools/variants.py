"""Variants of a program, by compiler and level of optimisation. The poses must not depend on them."""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ossicle.machines.settings import Target, load_target

COMPILERS = ("gcc", "clang")
LEVELS = ("-O0", "-O1", "-O2", "-O3")
FAST_LEVELS = ("-O1", "-O3")  # use the platforms' assembler for key rows


@dataclass(frozen=True)
class Variant:
    """The compiler settings of runtime, generated code and player program for a target."""

    target: str
    compiler: str  # one of COMPILERS
    level: str  # -O0 .. -O3

    def __str__(self) -> str:
        return f"{self.target} {self.compiler} {self.level}"

    def machine(self) -> Target:
        """Returns the target's settings with this compiler and level. clang compiles for the system in the names of the
        target's tools. Half of the levels have fast rows, so that each compiler builds both."""
        machine = load_target(self.target).with_fast_rows(self.level in FAST_LEVELS)
        flags = [self.level if re.fullmatch("-O.", flag) else flag for flag in machine.flags]
        if self.compiler == "clang" and machine.writes_call_graphs:
            system = machine.tools[:-1]
            if any(flag.startswith("-march=rv32") for flag in flags):  # gcc's riscv64 tools support both
                system = system.replace("riscv64", "riscv32")
            return replace(machine, compiler="clang", flags=(*([f"--target={system}"] if system else ()), *flags))
        return replace(machine, flags=tuple(flags))


def list_variants(targets: Sequence[str]) -> list[Variant]:
    """Returns every compiler at every level for these targets: clang for all, gcc if it is the target's own
    compiler."""
    return [Variant(target, compiler, level) for target in targets for compiler in COMPILERS
            if compiler == "clang" or load_target(target).writes_call_graphs for level in LEVELS]
