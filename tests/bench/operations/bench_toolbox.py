"""Costs of operations on poses: `scons bench`.

A character of 41 joints is generated in the layout of each target, and every operation of toolbox_table.py is done
once; then, with a character that moves 23 joints, those whose cost depends on that. Prints, and writes to toolbox.csv:
instructions (cycles on targets that count those) with the call, and the bytes of flash that a program pays that calls
nothing else."""
from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/bench")]

from bench_output import write_csv  # noqa: E402
from ossicle import machines  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.report import console as report  # noqa: E402
from ossicle.machines import TargetError  # noqa: E402
from ossicle.machines.symbols import global_functions  # noqa: E402
from toolbox import Done, build, play, write_sources  # noqa: E402
from toolbox_character import MOVED, TURNED, joints  # noqa: E402
from toolbox_table import MOVING, OPERATIONS, Operation  # noqa: E402

# A Cortex-M4 and a Cortex-M0; this computer with vectors; and AArch64, where only QEMU's whole machine
# counts. What is compiled for it is what linux_aarch64 runs.
CHOSEN = ("mps2_an386", "microbit", "host_sse41", "host_avx2", "virt_aarch64")

# The operations of each character, by its moving translations.
MEASURED = {1: OPERATIONS, len(MOVED): MOVING}


@dataclass(frozen=True)
class Row:
    """An operation on a target. translations: how many joints move. instructions: those of one call with its
    arguments. bytes: what a program links for it, code and constants."""

    operation: str
    target: str
    platform: str
    joints: int
    translations: int
    instructions: int | None
    bytes: int


def measure(target: str, translations: int, folder: Path) -> tuple[list[Row], list[Done]]:
    """The rows of a target and a character, and the results of its operations."""
    machine, operations = machines.load_target(target), MEASURED[translations]
    write_sources(operations, folder / "generated", machine.unroll, translations > 1)
    program = build(target, folder / "generated", folder)
    done = play(program, operations)
    known = global_functions(machine.tools, program.objects)
    rows = []
    for operation, result in zip(operations, done, strict=True):
        if missing := [function for function in operation.functions if function not in known]:
            raise TargetError(f"{operation.name}: there is no function {missing[0]}; name others in toolbox_table.py")
        linked = machines.linked_bytes(machine, program.objects, operation.functions, folder / "linked.elf")
        rows.append(Row(operation.name, target, machine.platform, len(joints()), translations, result.cost,
                        sum(linked.values())))
    return rows, done


def check_hashes(done: dict[str, list[Done]], operations: Sequence[Operation] = OPERATIONS) -> None:
    """Raises TargetError for an operation that gives other poses on one target than on another."""
    first, *others = done
    for name in others:
        for operation, ours, theirs in zip(operations, done[name], done[first], strict=True):
            if ours.hash != theirs.hash:
                raise TargetError(f"target {name}: {operation.name} gives other poses than on {first}")


def print_table(rows: Sequence[Row]) -> None:
    """For each character, an operation a line, instructions and bytes for each target."""
    names = list(dict.fromkeys(row.target for row in rows))
    for translations, operations in MEASURED.items():
        table = report.table([("operation", "left"), *((f"{name} {what}", "right") for name in names
                                                       for what in ("instructions", "bytes"))])
        by_place = {(row.operation, row.target): row for row in rows if row.translations == translations}
        for operation in operations:
            of_targets = [by_place[operation.name, name] for name in names]
            table.add_row(operation.name, *(f"{value:,}" for row in of_targets
                                            for value in (row.instructions, row.bytes)))
        report.console().print(table)
        print(f"{len(joints())} joints, of which {len(TURNED) if translations > 1 else 'all'} turn and {translations} "
              f"move{'' if translations > 1 else 's'}; bytes: what a program links that calls nothing else")


def bench(output: Path, names: Sequence[str]) -> None:
    """Measures, prints and writes toolbox.csv to the folder `output`."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, report.progress_bar("measuring operations") as progress:
        for translations, operations in MEASURED.items():
            done: dict[str, list[Done]] = {}
            for name in names:
                measured, done[name] = measure(name, translations, Path(folder) / f"{name}_{translations}")
                rows += measured
                progress(len({(row.target, row.translations) for row in rows}), len(names) * len(MEASURED), name)
            check_hashes(done, operations)
    print_table(rows)
    write_csv([asdict(row) for row in rows], output / "toolbox.csv")
    print(f"wrote {output / 'toolbox.csv'}")


def main(argv: list[str] | None = None) -> int:
    """The command line; 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(prog="bench_toolbox.py", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/bench"), metavar="DIR")
    parser.add_argument("--target", action="append", default=[], metavar="T",
                        help=f"a target to measure, repeatable ({', '.join(CHOSEN)})")
    arguments = parser.parse_args(argv)
    supported = machines.list_supported_targets()
    try:
        bench(arguments.output, arguments.target or [name for name in CHOSEN if name in supported])
    except (*PROBLEMS, OSError) as problem:
        print(f"bench_toolbox.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
