"""Derives the call graph of an assembled file from its unwind directives, because assemblers write none."""
from __future__ import annotations

import re
from pathlib import Path

from .callgraph import INDIRECT
from .tools import TargetError, checked_tool

_FRAME = re.compile(r"FDE .*pc=([0-9a-f]+)\.\.")
_ROW = re.compile(r"[0-9a-f]+ +\w+\+(\d+) ")
_FUNCTION = re.compile(r"([0-9a-f]+) <([^>]+)>:")
_CALL = re.compile(r"\t(?:blx?|b|b\.[nw])\t[0-9a-f]+ <([^>+]+)>|R_ARM_\w*(?:CALL|JUMP24)\t(\w+)")
_CALL_BY_REGISTER = re.compile(r"\tblx\t[a-z]\w")


def write_call_graph(tools: str, path: Path) -> None:
    """Writes the call graph of an assembled object, as `-fcallgraph-info=su` does for a compiled
    one, to PATH with the suffix .ci.

    tools: prefix of readelf and objdump. Every function needs .cfi directives, which state its frame. Raises
    TargetError for a function without them.
    """
    listing = checked_tool([f"{tools}objdump", "-dr", str(path)], path.name)
    unwinding = checked_tool([f"{tools}readelf", "--debug-dump=frames-interp", str(path)], path.name)
    names = {int(address, 16): name for address, name in _FUNCTION.findall(listing)}
    frames, calls = _frames(unwinding), _calls(listing)
    lines = [f'graph: {{ title: "{path.stem}"']
    for address, name in names.items():
        if address not in frames:
            raise TargetError(f"{path.name}: {name} has no .cfi directives, which state its stack")
        lines.append(f'node: {{ title: "{name}" label: "{name}\\n{frames[address]} bytes (static)" }}')
        lines += [f'edge: {{ sourcename: "{name}" targetname: "{callee}" }}'
                  for callee in sorted(calls[name] - {name})]
    path.with_suffix(".ci").write_text("\n".join([*lines, "}"]) + "\n", encoding="utf-8")


def _frames(unwinding: str) -> dict[int, int]:
    """Returns the largest frame of each function, by address."""
    frames: dict[int, int] = {}
    address: int | None = None
    for line in unwinding.splitlines():
        if match := _FRAME.search(line):
            address = int(match.group(1), 16)
            frames[address] = 0
        elif address is not None and (match := _ROW.match(line)):
            frames[address] = max(frames[address], int(match.group(1)))
    return frames


def _calls(listing: str) -> dict[str, set[str]]:
    """Returns the functions that each function calls or jumps to by name."""
    calls: dict[str, set[str]] = {}
    for line in listing.splitlines():
        if match := _FUNCTION.match(line):
            here = calls.setdefault(match.group(2), set())
        elif _CALL_BY_REGISTER.search(line):
            here.add(INDIRECT)
        elif match := _CALL.search(line):
            here.add(match.group(1) or match.group(2))
    return calls
