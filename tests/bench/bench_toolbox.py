"""What operations on poses cost: `scons bench`.

A character of 41 joints is generated in the layout of each target, and every operation of
toolbox_table.py is done once. Prints, and writes to toolbox.csv: instructions (cycles on targets that
count those) with the call, and the bytes of flash that a program pays that calls nothing else.
"""
from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "codegen"))

from bench_output import write_csv  # noqa: E402
from ossicle import targets  # noqa: E402
from ossicle.base.places import TARGETS  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.encode.encoder import encode_clips  # noqa: E402
from ossicle.encode.settings import Settings  # noqa: E402
from ossicle.generate.emit import generate  # noqa: E402
from ossicle.generate.masks import Mask  # noqa: E402
from ossicle.report import console as report  # noqa: E402
from ossicle.targets import Target, TargetError  # noqa: E402
from ossicle.targets.callgrind import average_instructions, read_call_costs  # noqa: E402
from ossicle.targets.firmware import compile_object, compile_runtime, link  # noqa: E402
from ossicle.targets.runner import command_for  # noqa: E402
from ossicle.targets.symbols import check_objects, global_functions  # noqa: E402
from ossicle.targets.tools import checked_tool, run_tool  # noqa: E402
from toolbox_character import character  # noqa: E402
from toolbox_table import OPERATIONS, Operation  # noqa: E402

NAME = "character"
# A Cortex-M4 and a Cortex-M0; this computer with vectors; AArch64, whose instructions only a whole
# machine in QEMU counts, compiled as for linux_aarch64.
CHOSEN = ("mps2_an386", "microbit", "host_sse41", "virt_aarch64")
RUN_SECONDS = 120.0
_LINE = re.compile(r"operation (\d+)(?: (?:instructions|cycles) (\d+))? hash ([0-9a-f]{8})")


@dataclass(frozen=True)
class Row:
    """An operation on a target. instructions: those of one call with its arguments. bytes: what a program
    links for it, code and constants."""

    operation: str
    target: str
    platform: str
    joints: int
    instructions: int
    bytes: int


@dataclass(frozen=True)
class Program:
    """The measuring program of a target. objects: those of the runtime and the generated code, which
    operations link."""

    machine: Target
    image: Path
    objects: tuple[Path, ...]


def write_operations(operations: Sequence[Operation], path: Path) -> None:
    """The C of all operations: a function to prepare each, and one to measure."""
    includes = dict.fromkeys(header for one in operations for header in one.include)
    lines = ['#include "toolbox.h"', *(f'#include "{header}"' for header in includes), ""]
    for number, one in enumerate(operations):
        lines += [f"/* {one.name} */", *([one.declare] if one.declare else []),
                  f"static void prepare_{number}(void)\n{{\n    {one.prepare}\n}}", "",
                  f"void toolbox_{number}(void);",
                  f"void toolbox_{number}(void)\n{{\n    {one.call}\n}}", ""]
    pairs = ", ".join(f"{{prepare_{number}, toolbox_{number}}}" for number in range(len(operations)))
    lines += [f"const toolbox_operation toolbox_operations[] = {{{pairs}}};",
              f"const uint32_t toolbox_operation_count = {len(operations)};", ""]
    path.write_text("\n".join(lines), encoding="utf-8")


def build(target: str, bank: Path, operations: Sequence[Operation], folder: Path) -> Program:
    """Generates the character for a target and compiles the measuring program. TargetError for what does
    not compile or fit, or for 64-bit helpers and floating point."""
    machine = targets.load_target(target)
    if machine.emulator is None:  # callgrind would count how the loader finds a function at its first call
        machine = replace(machine, link_flags=(*machine.link_flags, "-Wl,-z,now"))
    folder.mkdir(parents=True, exist_ok=True)
    generate(bank, folder, NAME, embed=True, unroll=machine.unroll, sets={"upper": ("spine*", "chest", "*arm*")},
             masks={"upper": Mask("upper", 3)})
    write_operations(operations, folder / "toolbox_operations.c")
    include = [folder, HERE]
    objects = (*compile_runtime(machine, folder / "runtime"),
               *(compile_object(machine, source, folder, include) for source in sorted(folder.glob(f"{NAME}_*.c"))))
    offences = check_objects(machine.tools, list(objects), machine.float_instructions)
    if offences:
        raise TargetError(f"target {target}: {offences[0]}")
    own = [compile_object(machine, source, folder, include) for source in (
        folder / "toolbox_operations.c", HERE / "toolbox_main.c", TARGETS / "print.c", *machine.sources)]
    image = folder / "toolbox.elf"
    link(machine, [*own, *objects], image)
    return Program(machine, image, objects)


def play(program: Program, operations: Sequence[Operation]) -> tuple[list[int], list[str]]:
    """Runs a program; returns the instructions of each operation, and the hashes of the results."""
    machine = program.machine
    command = command_for(machine, program.image)
    counted: list[int] = []
    if machine.emulator is None:
        if shutil.which("valgrind") is None:
            raise TargetError(f"target {machine.name}: instructions are not counted; install valgrind")
        out = program.image.with_name("callgrind.out")
        command = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}", *command]
    ran = run_tool(command, timeout_s=RUN_SECONDS)
    found = _LINE.findall(ran.stdout)
    if ran.returncode != 0 or [int(number) for number, _, _ in found] != list(range(len(operations))):
        raise TargetError(f"target {machine.name}: the toolbox ended with {ran.returncode}: {ran.stdout[-200:]}")
    if machine.emulator is None:
        costs = read_call_costs(out.read_text(encoding="utf-8"))
        counted = [average_instructions(costs, f"toolbox_{number}") or 0 for number in range(len(operations))]
    else:
        counted = [int(cost or 0) for _, cost, _ in found]
    if 0 in counted:
        raise TargetError(f"target {machine.name}: {operations[counted.index(0)].name} was not counted")
    return counted, [digest for _, _, digest in found]


def measure(target: str, bank: Path, operations: Sequence[Operation], folder: Path) -> tuple[list[Row], list[str]]:
    """The rows of a target, and the hashes of the results."""
    program = build(target, bank, operations, folder)
    counted, hashes = play(program, operations)
    known = global_functions(program.machine.tools, program.objects)
    rows = []
    for number, (one, instructions) in enumerate(zip(operations, counted)):
        roots = [function for function in one.functions if function in known]
        linked = targets.linked_bytes(program.machine, program.objects, roots, folder / f"toolbox_{number}.elf")
        rows.append(Row(one.name, target, program.machine.platform, len(character().skeleton.names),
                        instructions, sum(linked.values())))
    return rows, hashes


def print_table(rows: Sequence[Row]) -> None:
    """An operation a line, instructions and bytes for each target."""
    names = list(dict.fromkeys(row.target for row in rows))
    table = report.table([("operation", "left"), *((f"{name} {what}", "right") for name in names
                                                   for what in ("instructions", "bytes"))])
    by_place = {(row.operation, row.target): row for row in rows}
    for operation in dict.fromkeys(row.operation for row in rows):
        of_targets = [by_place[operation, name] for name in names]
        table.add_row(operation, *(f"{value:,}" for row in of_targets for value in (row.instructions, row.bytes)))
    report.console().print(table)
    print("41 joints, of which all turn and one moves; bytes: what a program links that calls nothing else")


def bench(output: Path, names: Sequence[str]) -> None:
    """Measures, prints and writes toolbox.csv to the folder `output`."""
    rows: list[Row] = []
    hashes: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder, report.progress_bar("measuring operations") as progress:
        bank = Path(folder) / "bank.ossb"
        bank.write_bytes(encode_clips(character(), Settings(codec="delta")).bank)
        for done, name in enumerate(names, 1):
            made, hashes[name] = measure(name, bank, OPERATIONS, Path(folder) / name)
            rows += made
            progress(done, len(names), name)
    for name in names:
        for one, ours, first in zip(OPERATIONS, hashes[name], hashes[names[0]]):
            if ours != first:
                raise TargetError(f"target {name}: {one.name} gives other poses than on {names[0]}")
    print_table(rows)
    write_csv([asdict(row) for row in rows], output / "toolbox.csv")
    print(f"wrote {output / 'toolbox.csv'}")


def main(argv: list[str] | None = None) -> int:
    """The command line; 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(prog="bench_toolbox.py", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/bench"), metavar="DIR")
    parser.add_argument("--target", action="append", default=[], metavar="T",
                        help="a target to measure, repeatable (a few)")
    arguments = parser.parse_args(argv)
    supported = targets.list_supported_targets()
    try:
        bench(arguments.output, arguments.target or [name for name in CHOSEN if name in supported])
    except (*PROBLEMS, OSError) as problem:
        print(f"bench_toolbox.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
