"""The allowance for library functions in the worst-case stack, checked on their machine code."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from ossicle.machines import load_target
from ossicle.machines.callgraph import LIBRARY_STACK_BYTES
from ossicle.machines.firmware import compile_object, link
from ossicle.machines.tools import checked_tool
from target_support import CORTEX_M, PROGRAMS, ROOT

BLOCKS = {"memcpy", "memmove", "memset", "memcmp"}
DIVISIONS = {"__aeabi_idiv", "__aeabi_idivmod", "__aeabi_uidiv", "__aeabi_uidivmod"}
REGISTERS = {f"r{i}": i for i in range(13)} | {"fp": 11, "ip": 12, "sp": 13, "lr": 14}


def registers_in(text: str) -> int:
    """The number of registers in a list such as `r4-r7, lr`."""
    count = 0
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        count += REGISTERS[last] - REGISTERS[first] + 1 if last else 1
    return count


def read_functions(listing: str) -> dict[str, tuple[int, set[str]]]:
    """Bytes that each function pushes or reserves anywhere, and the functions it goes to."""
    functions: dict[str, tuple[int, set[str]]] = {}
    for block in re.split(r"\n(?=[0-9a-f]+ <[^>]+>:)", listing):
        heading = re.match(r"[0-9a-f]+ <([^>]+)>:", block)
        if heading is None:
            continue
        pushed = re.findall(r"(?:push|stmdb\s+sp!,)\s*\{([^}]*)\}", block)
        single = len(re.findall(r"str(?:\.w)?\s+\w+, \[sp, #-4\]!", block))
        reserved = re.findall(r"sub(?:\.w)?\s+sp, (?:sp, )?#(\d+)", block)
        size = 4 * (sum(map(registers_in, pushed)) + single) + sum(map(int, reserved))
        jumps = re.findall(r"\tb\w*(?:\.[nw])?\s+[0-9a-f]+ <([^+>]+)", block)
        functions[heading.group(1)] = (size, set(jumps) - {heading.group(1)})
    return functions


def worst(functions: dict[str, tuple[int, set[str]]], name: str, path: tuple[str, ...]) -> int:
    assert name not in path, f"{name} is recursive"
    size, jumps = functions[name]
    return size + max((worst(functions, jump, (*path, name)) for jump in jumps), default=0)


@pytest.mark.parametrize("target", CORTEX_M)
def test_no_library_function_takes_more_than_the_allowance(target: str, tmp_path: Path) -> None:
    machine = load_target(target)
    sources = [PROGRAMS / "library_calls.c", ROOT / "targets/hal_flash.c", ROOT / "targets/print.c", *machine.sources]
    image = tmp_path / "program.elf"
    link(machine, [compile_object(machine, source, tmp_path) for source in sources], image)
    functions = read_functions(
        checked_tool(["arm-none-eabi-objdump", "-d", "--no-show-raw-insn", str(image)], "objdump"))
    expected = BLOCKS | (DIVISIONS if target == "microbit" else set())  # the others divide themselves
    called = expected & set(functions)
    assert BLOCKS <= called and (called & DIVISIONS or target != "microbit")
    sizes = {name: worst(functions, name, ()) for name in called}
    assert 0 < max(sizes.values()) <= LIBRARY_STACK_BYTES, sizes
    if target == "microbit":
        assert sizes["memcpy"] >= 20, "it pushes five registers"
