"""The object proof: checks the machine requirements of the compiled runtime and generated code.

Objects may call each other and a short list of library functions, and may contain code and constants. They may not use
floating point, 64-bit helpers or an allocator, or have mutable memory. Vector registers are allowed: the check
distinguishes instructions that compilers use for integers (moves, shuffles and masks, regardless of the type in their
names) from those that compute with floating-point numbers. The build runs it as `python3 -m tools.object_proof TARGET
FOLDER SOURCE...`.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from .tools import TargetError, checked_tool

# Functions that compilers call implicitly: block moves, 32-bit division, switch tables.
_ALLOWED = re.compile(
    r"mem(cpy|move|set|cmp)|__aeabi_mem(cpy|move|set|clr)[48]?|__aeabi_u?idiv(mod)?|__u?(div|mod)si3|"
    r"__gnu_thumb1_case_\w+|_GLOBAL_OFFSET_TABLE_|"
    r"__(stack_pointer|linear_memory|indirect_function_table)"  # symbols of WebAssembly itself
)
_REASONS = (
    (r"__aeabi_(f|d|h)\w+|__aeabi_u?[il]2[fd]|__\w+[sdhtx]f\w?[23]?|"
     r"__(float|fix)\w+", "floating point"),
    (r"__aeabi_u?l\w+|__\w+di[23]", "64-bit arithmetic"),
    (r"(m|c|re)alloc|free|aligned_alloc|sbrk|_sbrk", "the allocator"),
)
# A core with an FPU needs no helper functions for floating point, so the instructions are checked.
_FLOATING_INSTRUCTION = re.compile(
    # Arm; compilers also move integers with vmov.f32 and vmov.f64
    r"v(?!mov)\w+(\.\w+)*\.b?f(16|32|64)(\.\w+)*|"
    # AArch64 and x87; fmov moves between register files
    r"f(?!mov)\w+|[su]cvtf\w*|bf(dot|mmla|mlal[bt]|cvt\w*)|"
    # SSE and AVX; moves, shuffles, blends, masks and inserts named ps, pd, ss and sd are bitwise
    r"v?(add|sub|mul|div|r?sqrt|rcp|max|min|round|h(add|sub)|addsub|dp|u?comi|cmp\w*)[sp][sd]|"
    r"v?cvt\w+|vfn?m(add|sub)\w+|"
    # MIPS
    r"(add|sub|mul|div|r?sqrt|recip|abs|neg|n?m(add|sub)|round|trunc|ceil|floor|cvt|c)(\.\w+)?\.(s|d|ps)|"
    # RISC-V, where fmv moves between register files
    r"f(n?m(add|sub)|add|sub|mul|div|sqrt|min|max|abs|neg|cvt|eq|lt|le|class)(\.\w+)+|"
    # WebAssembly; `select` is listed as f32.select for all types
    r"f(32|64)(x\d)?\.(?!load|store|const|select|reinterpret|splat|extract_lane|replace_lane)\w+|"
    r"i(32|64)(x\d)?\.trunc_(sat_)?(zero_)?f\w+"
)
_SEGMENT = re.compile(r"Segment \{\s+Name: (\S+)\s+Size: (\d+)")
_STORAGE = re.compile(r"\.(s?data|s?bss|tdata|tbss)(\.(?!rel\.ro)|$)|COMMON")


def is_floating(mnemonic: str) -> bool:
    """Returns whether an instruction, in objdump's spelling, computes with floating-point numbers."""
    return _FLOATING_INSTRUCTION.fullmatch(mnemonic) is not None


def check_objects(
    tools: str, objects: list[Path], float_instructions: Sequence[str] = ()
) -> list[str]:
    """Returns the offences of these objects, one line each.

    tools: prefix of nm and objdump ("" for the host's). float_instructions: mnemonics of floating-point instructions
    that are allowed, for a backend that computes exact integers with them. Raises TargetError if a tool is missing or
    there is nothing to check.
    """
    if not objects:
        raise TargetError("the object proof needs objects")
    offences: list[str] = []
    defined: set[str] = set()
    undefined: list[tuple[str, Path]] = []
    symbols, sections = _symbols(tools, objects), _sections(tools, objects)
    code = _parts(tools, ["objdump", "-d", "--no-show-raw-insn"], objects)
    for path in objects:
        for kind, symbol in symbols[path]:
            if kind == "U" or kind == "w":
                undefined.append((symbol, path))
            elif kind == "C":
                offences.append(f"{path.name}: {symbol} is mutable memory")
            elif kind.isupper():
                defined.add(symbol)
        offences += [f"{path.name}: {size_bytes} B of mutable memory in {name}"
                     for name, size_bytes in sections[path] if size_bytes and _STORAGE.match(name)]
        offences += _floating(path, code[path], float_instructions)
    for symbol, path in undefined:
        if symbol not in defined and not _ALLOWED.fullmatch(symbol):
            offences.append(f"{path.name}: needs {symbol} ({_reason(symbol)})")
    return offences


def global_functions(tools: str, objects: Sequence[Path]) -> set[str]:
    """Returns the names of the global functions of objects. tools: as for check_objects."""
    return {symbol for symbols in _symbols(tools, list(objects)).values()
            for kind, symbol in symbols if kind == "T"}


def _reason(symbol: str) -> str:
    for pattern, reason in _REASONS:
        if re.fullmatch(pattern, symbol):
            return reason
    return "not part of the runtime"


def _parts(tools: str, command: list[str], objects: list[Path]) -> dict[Path, list[str]]:
    """Returns a tool's output for each object. Starts the tool only once for all objects, because that takes longer
    than its work."""
    output = checked_tool([f"{tools}{command[0]}", *command[1:], *map(str, objects)],
                          "the object proof cannot be made")
    parts: dict[Path, list[str]] = {path: [] for path in objects}
    headings = {heading: path for path in objects for heading in (f"{path}:", f"File: {path}")}
    current = objects[0]  # nm prints no heading for a single object
    for line in output.splitlines():
        heading = line.partition("file format")[0].rstrip()
        current = headings.get(heading, current)
        if heading not in headings:
            parts[current].append(line)
    return parts


def _symbols(tools: str, objects: list[Path]) -> dict[Path, list[tuple[str, str]]]:
    """Returns nm's (kind, symbol) pairs: U is undefined, capitals are global."""
    split = {path: [line.split() for line in lines]
             for path, lines in _parts(tools, ["nm", "-P"], objects).items()}
    return {path: [(words[1], words[0]) for words in lines if len(words) >= 2 and len(words[1]) == 1]
            for path, lines in split.items()}


def _sections(tools: str, objects: list[Path]) -> dict[Path, list[tuple[str, int]]]:
    """Returns the names and sizes of sections; for a WebAssembly object, those of its data segments."""
    if tools == "llvm-":
        parts = _parts(tools, ["readobj", "--sections"], objects)
        return {path: [(name, int(size)) for name, size in _SEGMENT.findall("\n".join(lines))]
                for path, lines in parts.items()}
    split = {path: [line.split() for line in lines]
             for path, lines in _parts(tools, ["objdump", "-h"], objects).items()}
    return {path: [(words[1], int(words[2], 16)) for words in lines
                   if len(words) == 7 and words[0].isdigit()] for path, lines in split.items()}


def _floating(path: Path, lines: list[str], allowed: Sequence[str]) -> list[str]:
    """Reports the first function with a floating-point instruction, if any."""
    function = "?"
    for line in lines:
        heading = re.fullmatch(r"[0-9a-f]+ <(.+)>:", line)
        if heading:
            function = heading.group(1)
        parts = line.split("\t")
        instruction = len(parts) > 1 and line[0] == " " and parts[1].split()
        mnemonic = instruction[0] if instruction else ""
        if is_floating(mnemonic) and mnemonic not in allowed:
            return [f"{path.name}: {function} uses {mnemonic} (floating point)"]
    return []
