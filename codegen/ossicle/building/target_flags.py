"""The flags with which build rules compile the runtime and generated code.

They are the flags of the target. If the compiler builds for this computer and refuses them, as in unit tests of a
handheld game, the code is compiled as without a target. The poses are the same.
"""
from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..base.places import PLATFORMS

_PLAIN = PLATFORMS / "scalar"


@dataclass(frozen=True)
class Compiling:
    """platform: the folder of osc_port_config.h; assembler: whether its .S files are also compiled."""

    platform: Path
    flags: tuple[str, ...]
    assembler: bool


def compiling_for(target: str, fast_rows: bool, cold: Iterable[str], compiler: str | None = None) -> Compiling:
    """Returns how a program is compiled for a target; an empty target means any machine. fast_rows, cold: as in the
    manifests of its characters. compiler: the shell command that compiles C, or None for a compiler of the target.
    Prints a line to the standard error if it omits the target's flags."""
    if not target:
        return Compiling(_PLAIN, ("-DOSC_FAST_ROWS=1",) * fast_rows, fast_rows)
    from ..machines.settings import load_target  # imported here: an up-to-date build needs no targets
    machine = load_target(target).requested(fast_rows, cold)
    from .compilers import is_for
    if compiler is not None and not is_for(compiler, machine.flags):
        print(f"ossicle: {compiler} compiles for this computer; the flags of target {target} are left out",
              file=sys.stderr, flush=True)
        return Compiling(_PLAIN, (), False)
    return Compiling(machine.platform_folder, machine.flags, fast_rows or machine.says_rows)
