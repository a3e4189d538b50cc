"""Asks a compiler whether it builds for a target."""
from __future__ import annotations

import os
import platform
import shlex
import subprocess
from collections.abc import Sequence

_OTHER_NAMES = {"amd64": "x86_64", "arm64": "aarch64"}  # names of processors in other operating systems
_BARE = ("elf", "eabi", "eabihf")  # last part of the name of a machine without an operating system
_ANSWERS_WITHIN_S = 20.0


def is_for(compiler: str, flags: Sequence[str]) -> bool:
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
