"""Runs compilers and emulators: finds them by name, limits their time, and names packages to install."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from ..base.places import ROOT
from ..base.problem import Problem

DEBIAN_PACKAGES = {
    "gcc": "gcc",
    "g++": "g++",
    "clang++": "clang",
    "scons": "scons",
    "nm": "binutils",
    "objdump": "binutils",
    "size": "binutils",
    "arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi",
    "arm-none-eabi-nm": "binutils-arm-none-eabi",
    "arm-none-eabi-objdump": "binutils-arm-none-eabi",
    "arm-none-eabi-size": "binutils-arm-none-eabi",
    "arm-linux-gnueabihf-gcc": "gcc-arm-linux-gnueabihf libc6-dev-armhf-cross",
    "arm-linux-gnueabihf-nm": "binutils-arm-linux-gnueabihf",
    "arm-linux-gnueabihf-objdump": "binutils-arm-linux-gnueabihf",
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    "aarch64-linux-gnu-nm": "binutils-aarch64-linux-gnu",
    "aarch64-linux-gnu-objdump": "binutils-aarch64-linux-gnu",
    "riscv64-unknown-elf-gcc": "gcc-riscv64-unknown-elf",
    "riscv64-unknown-elf-nm": "binutils-riscv64-unknown-elf",
    "riscv64-unknown-elf-objdump": "binutils-riscv64-unknown-elf",
    "mips-linux-gnu-gcc": "gcc-mips-linux-gnu libc6-dev-mips-cross",
    "mips-linux-gnu-nm": "binutils-mips-linux-gnu",
    "mips-linux-gnu-objdump": "binutils-mips-linux-gnu",
    "arm-linux-gnueabi-gcc": "gcc-arm-linux-gnueabi libc6-dev-armel-cross",
    "arm-linux-gnueabi-nm": "binutils-arm-linux-gnueabi",
    "arm-linux-gnueabi-objdump": "binutils-arm-linux-gnueabi",
    "mipsel-linux-gnu-gcc": "gcc-mipsel-linux-gnu libc6-dev-mipsel-cross",
    "mipsel-linux-gnu-nm": "binutils-mipsel-linux-gnu",
    "mipsel-linux-gnu-objdump": "binutils-mipsel-linux-gnu",
    "riscv64-linux-gnu-gcc": "gcc-riscv64-linux-gnu libc6-dev-riscv64-cross",
    "riscv64-linux-gnu-nm": "binutils-riscv64-linux-gnu",
    "riscv64-linux-gnu-objdump": "binutils-riscv64-linux-gnu",
    "xtensa-lx106-elf-gcc": "gcc-xtensa-lx106",
    "xtensa-lx106-elf-nm": "binutils-xtensa-lx106",
    "xtensa-lx106-elf-objdump": "binutils-xtensa-lx106",
    "x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64-win32",
    "clang": "clang lld",
    "llvm-nm": "llvm",
    "llvm-objdump": "llvm",
    "llvm-readobj": "llvm",
    "qemu-system-arm": "qemu-system-arm",
    "qemu-system-aarch64": "qemu-system-arm",
    "qemu-system-riscv32": "qemu-system-misc",
    "qemu-arm": "qemu-user",
    "qemu-mips": "qemu-user",
    "qemu-mipsel": "qemu-user",
    "qemu-riscv64": "qemu-user",
    "qemu-aarch64": "qemu-user",
    "node": "nodejs",
    "gba_run": "libmgba-dev, then build it: scons",
    "desmume-cli": "desmume",
    "pico_run": "nodejs with npm, then install rp2040js and build it: ./bootstrap test",
    "valgrind": "valgrind",
    "arm-none-eabi-objcopy": "binutils-arm-none-eabi",
    "gdb-multiarch": "gdb-multiarch",
    "openocd": "openocd",
    "st-flash": "stlink-tools",
    "dfu-util": "dfu-util",
}


BUILT = ROOT / "build/host"  # the folder of scons for programs that run others
GAMES = "/usr/games"  # Debian's folder of console emulators, which is not in root's PATH


class TargetError(Problem):
    """A target cannot be built or run; the text is the whole message for the user."""


class DoesNotFit(TargetError):
    """A character is too large for the target's flash or RAM."""


def which(name: str) -> str | None:
    """Returns the path of a program, or None if it is not installed. Looks for the project's programs first, and for
    emulators of consoles last."""
    return shutil.which(name, path=os.pathsep.join([str(BUILT), os.environ.get("PATH", os.defpath), GAMES]))


def find_tool(name: str) -> str:
    """Returns the path of a program. Raises TargetError, with the Debian package, if it is not installed."""
    path = which(name)
    if path is None:
        package = DEBIAN_PACKAGES.get(name)
        remedy = f"install it, on Debian: apt install {package}" if package else "install it"
        raise TargetError(f"{name} is not installed; {remedy}")
    return path


def run_tool(
    command: list[str], *, timeout_s: float = 120.0, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command found by `find_tool`; standard error is merged into its output. Raises TargetError at the timeout.
    The caller must check the exit code."""
    arguments = [find_tool(command[0]), *command[1:]]
    try:
        return subprocess.run(
            arguments, cwd=cwd, timeout=timeout_s, check=False, text=True, errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
    except subprocess.TimeoutExpired as expired:
        raise TargetError(f"{command[0]} took longer than {timeout_s:.0f} s") from expired


def checked_tool(command: list[str], purpose: str, *, timeout_s: float = 120.0) -> str:
    """Runs a command that must succeed, and returns its output. Raises TargetError with `purpose` and the first line of
    output that names an error."""
    result = run_tool(command, timeout_s=timeout_s)
    if result.returncode != 0:
        raise TargetError(f"{purpose}: {first_error(result)}")
    return result.stdout


def first_error(result: subprocess.CompletedProcess[str]) -> str:
    """Returns the line of a failed tool's output that states the reason."""
    lines = [line.strip() for line in result.stdout.splitlines() if line.strip()]
    telling = [line for line in lines if re.search("[Ee]rror:|undefined reference", line)]
    return (telling or lines or [f"exit code {result.returncode}"])[0]
