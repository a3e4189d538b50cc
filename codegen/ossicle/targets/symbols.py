"""The object proof: what the compiled runtime and generated code ask of the machine.

Objects may call each other and a short list of library functions, and may hold code and constants:
no floating point, no 64-bit helpers, no allocator, no memory of their own. The build runs it as
`python3 -m ossicle.targets PREFIX OBJECT...`.
"""
from __future__ import annotations

import re
from pathlib import Path

from .tools import TargetError, checked_tool

# What compilers call without being asked: block moves, 32-bit division, switch tables.
_ALLOWED = re.compile(
    r"mem(cpy|move|set|cmp)|__aeabi_mem(cpy|move|set|clr)[48]?|__aeabi_u?idiv(mod)?|"
    r"__gnu_thumb1_case_\w+|_GLOBAL_OFFSET_TABLE_"
)
_REASONS = (
    (r"__aeabi_(f|d|h)\w+|__aeabi_u?[il]2[fd]|__\w+[sdhtx]f\w?[23]?|"
     r"__(float|fix)\w+", "floating point"),
    (r"__aeabi_u?l\w+|__\w+di[23]", "64-bit arithmetic"),
    (r"(m|c|re)alloc|free|aligned_alloc|sbrk|_sbrk", "the allocator"),
)
# A core with an FPU needs no helper for floating point: there the instructions themselves tell.
_FLOATING_INSTRUCTION = re.compile(
    r"v\w+\.f(16|32|64)|"  # Arm
    r"v?(add|sub|mul|div|sqrt|max|min|u?comi)[sp][sd]|v?cvt\w+|f(i?ld|i?stp?|add|sub|mul|div)\w*"
)
_STORAGE = re.compile(r"\.(data|bss|tdata|tbss)(\.(?!rel\.ro)|$)|COMMON")


def check_objects(tools: str, objects: list[Path]) -> list[str]:
    """What is wrong with these objects, one line each; empty when nothing is.

    tools: prefix of nm and objdump ("" for the host's). Raises TargetError when a tool is missing
    or there is nothing to check.
    """
    if not objects:
        raise TargetError("the object proof needs objects")
    offences: list[str] = []
    defined: set[str] = set()
    wanted: list[tuple[str, Path]] = []
    for path in objects:
        for kind, symbol in _symbols(tools, path):
            if kind == "U" or kind == "w":
                wanted.append((symbol, path))
            elif kind == "C":
                offences.append(f"{path.name}: {symbol} is mutable memory")
            elif kind.isupper():
                defined.add(symbol)
        offences += _storage(tools, path)
        offences += _floating(tools, path)
    for symbol, path in wanted:
        if symbol not in defined and not _ALLOWED.fullmatch(symbol):
            offences.append(f"{path.name}: needs {symbol} ({_reason(symbol)})")
    return offences


def _reason(symbol: str) -> str:
    for pattern, reason in _REASONS:
        if re.fullmatch(pattern, symbol):
            return reason
    return "not part of the runtime"


def _symbols(tools: str, path: Path) -> list[tuple[str, str]]:
    """(kind, symbol) pairs as nm prints them: U undefined, capitals global."""
    output = checked_tool([f"{tools}nm", "-P", str(path)], f"{path.name}: cannot be read")
    pairs = []
    for line in output.splitlines():
        parts = line.split()
        if len(parts) >= 2 and len(parts[1]) == 1:
            pairs.append((parts[1], parts[0]))
    return pairs


def _storage(tools: str, path: Path) -> list[str]:
    """Sections of mutable memory that are not empty."""
    output = checked_tool([f"{tools}objdump", "-h", str(path)], f"{path.name}: cannot be read")
    found = []
    for line in output.splitlines():
        parts = line.split()
        if len(parts) == 7 and parts[0].isdigit() and _STORAGE.match(parts[1]):
            size_bytes = int(parts[2], 16)
            if size_bytes:
                found.append(f"{path.name}: {size_bytes} B of mutable memory in {parts[1]}")
    return found


def _floating(tools: str, path: Path) -> list[str]:
    """The first function with a floating-point instruction, when there is one."""
    output = checked_tool([f"{tools}objdump", "-d", "--no-show-raw-insn", str(path)],
                          f"{path.name}: cannot be read")
    function = "?"
    for line in output.splitlines():
        heading = re.fullmatch(r"[0-9a-f]+ <(.+)>:", line)
        if heading:
            function = heading.group(1)
        parts = line.split("\t")
        mnemonic = parts[1].split()[0] if len(parts) > 1 and parts[1].split() else ""
        if _FLOATING_INSTRUCTION.fullmatch(mnemonic):
            return [f"{path.name}: {function} uses {mnemonic} (floating point)"]
    return []
