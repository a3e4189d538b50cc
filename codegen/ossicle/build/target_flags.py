"""The flags with which build rules compile the runtime and generated code.

They are the flags of the target. If the compiler builds for this computer and refuses them, as in unit tests of a
handheld game, the code is compiled as without a target. The poses are the same.
"""
from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base.places import PLATFORMS

_PLAIN = PLATFORMS / "scalar"
_OTHER_NAMES = {"amd64": "x86_64", "arm64": "aarch64"}  # names of processors in other operating systems
_BARE = ("elf", "eabi", "eabihf")  # last part of the name of a machine without an operating system
_ANSWERS_WITHIN_S = 20.0


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
    from ..machines.settings import load_target  # imported here: an up-to-date build needs no targets
    if not target:
        return Compiling(_PLAIN, ("-DOSC_FAST_ROWS=1",) * fast_rows, fast_rows)
    machine = load_target(target).requested(fast_rows, cold)
    if compiler is not None and not _is_for(compiler, machine.flags):
        print(f"ossicle: {compiler} compiles for this computer; the flags of target {target} are left out",
              file=sys.stderr, flush=True)
        return Compiling(_PLAIN, (), False)
    return Compiling(machine.platform_folder, machine.flags, fast_rows or machine.says_rows)


def _is_for(compiler: str, flags: Sequence[str]) -> bool:
    """Returns False for a compiler that refuses the flags and builds for this computer."""
    try:
        command = shlex.split(compiler)
        if not command or _run([*command, *flags, "-x", "c", "-E", os.devnull]).returncode == 0:
            return True
        machine = _run([*command, "-dumpmachine"])
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return True  # the build then fails and names the compiler
    return machine.returncode == 0 and not _is_this_computer(machine.stdout.strip())


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          check=False, timeout=_ANSWERS_WITHIN_S)


def _is_this_computer(machine: str) -> bool:
    """Returns whether programs for a machine, such as x86_64-linux-gnu, run on this computer."""
    processor, *others = machine.split("-")
    here = platform.machine().lower()
    here = _OTHER_NAMES.get(here, here)
    alike = processor == here or _OTHER_NAMES.get(processor) == here or (processor[:3] == here[:3] == "arm")
    return alike and not (others and others[-1] in _BARE)
