"""Measures the flash of generated code on a machine, as straight-line code and as loops."""
from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..bank.file import Bank
from ..base import signals
from ..base.unrolling import PARTS, UNROLLING
from ..machines import Target, compile_object, section_bytes
from .code import Code
from ..model.joint_sets import JointSets


@dataclass(frozen=True)
class PartSize:
    """The bytes of a generated function, with the functions that it calls in its file, and of the constant tables that
    these read. unroll: the layout."""

    part: str
    end: str  # for a set, the suffix of the function's name
    unroll: str
    code_bytes: int
    table_bytes: int


def layout_for(machine: Target | None, goal: str | None, unroll: Sequence[str]) -> tuple[str, ...]:
    """Returns the layout for a goal (codec_sets.GOALS), overridden by `unroll`: loops take the least flash; the fastest
    layout depends on the machine."""
    fastest = machine.unroll if machine else ()
    return (*(fastest if goal == "cycles" else ("loop",)), *unroll)


def wants_fast_rows(machine: Target | None, goal: str | None) -> bool:
    """Returns whether to compile the platform's assembler, and to request it in the header if clips of the bank need
    it: for the goal cycles, or if the machine's flags define it."""
    if machine is None:
        return goal == "cycles"
    return machine.says_rows or (goal == "cycles" and any(machine.platform_folder.glob("*.S")))


def layout_sizes(bank: Bank, name: str, machine: Target, sets: JointSets) -> list[PartSize]:
    """Compiles every part in every layout with the machine's flags and returns the sizes.

    name: the prefix of the generated names; sets: the sets of joints with functions of their own.
    Raises TargetError if the machine's compiler is not installed or fails.
    """
    with signals.deferred():
        from .emit import code_files  # imported late, because encoding needs no templates
    sizes = []
    for unroll in UNROLLING:
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder)
            for file, content in code_files(bank, Code(name, unroll=[unroll], sets=sets)).items():
                (here / file).write_bytes(content)
            compiled = compile_object(machine, here / f"{name}_pose.c", here, [here])
            sizes += [PartSize(part, end, unroll,
                               *section_bytes(machine, compiled, f"{name}_{part}{end}"))
                      for end in ("", *(f"_{set_name}" for set_name in sets)) for part in PARTS]
    return sizes
