"""The flash that generated code takes on a machine, straight-line and as loops."""
from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..bank.file import Bank
from ..base import signals
from ..base.unrolling import PARTS, UNROLLING
from ..targets import Target, compile_object, section_bytes
from .code import Code
from .joint_sets import JointSets


@dataclass(frozen=True)
class PartSize:
    """One generated function: its code with the functions that it calls in its own file, and the
    constant tables that these read, in bytes. unroll: the layout."""

    part: str
    end: str  # for a set, the suffix of the function's name
    unroll: str
    code_bytes: int
    table_bytes: int


def layout_for(machine: Target | None, goal: str | None, unroll: Sequence[str]) -> tuple[str, ...]:
    """The layout for a goal (codec_sets.GOALS), overridden by `unroll`: loops take least flash; what is
    fastest depends on the machine."""
    fastest = machine.unroll if machine else ()
    return (*(fastest if goal == "cycles" else ("loop",)), *unroll)


def wants_fast_rows(machine: Target | None, goal: str | None) -> bool:
    """Whether the platform's assembler is compiled, and the header asks for it if its bank has clips that
    need it: for cycles, and where the machine's flags say so."""
    if machine is None:
        return goal == "cycles"
    return machine.says_rows or (goal == "cycles" and any(machine.platform_folder.glob("*.S")))


def layout_sizes(bank: Bank, name: str, machine: Target, sets: JointSets) -> list[PartSize]:
    """Compiles every part in every layout with the machine's flags and returns the sizes.

    name: the prefix of the generated names; sets: the sets of joints with functions of their own.
    Raises TargetError if the machine's compiler is not installed or fails.
    """
    with signals.held():
        from .emit import code_files  # not above: encoding needs only the choice of a layout, and no templates
    sizes = []
    for unroll in UNROLLING:
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder)
            for file, content in code_files(bank, Code(name, unroll=[unroll], sets=sets)).items():
                (here / file).write_bytes(content)
            made = compile_object(machine, here / f"{name}_pose.c", here, [here])
            sizes += [PartSize(part, end, unroll,
                               *section_bytes(machine, made, f"{name}_{part}{end}"))
                      for end in ("", *(f"_{set_name}" for set_name in sets)) for part in PARTS]
    return sizes
