"""Costs of operations on poses: `scons bench`.

Characters are generated in the layout of each target, and every operation of toolbox_table.py is done once with each of
them; with all but the first, those operations whose cost depends on the character. Prints, and writes to toolbox.csv:
instructions (cycles on targets that count those) with the call, and the bytes of flash that a program pays that calls
nothing else. The table of the character that moves as the Knight shows the instructions of ozz-animation, too."""
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

import peers  # noqa: E402
from bench_output import write_csv  # noqa: E402
from ossicle import machines  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.reporting import console as report  # noqa: E402
from ossicle.reporting.tables import Table, console  # noqa: E402
from ossicle.machines import Target, TargetError  # noqa: E402
from ossicle.machines.symbols import global_functions  # noqa: E402
from toolbox import Done, build, play, write_sources  # noqa: E402
from toolbox_character import CAPTURE, FACE, HIPS, KNIGHT, SCALING, Character  # noqa: E402
from toolbox_table import ANY_SKELETON, BESIDE_PEERS, OPERATIONS, Operation  # noqa: E402

# A Cortex-M4 and a Cortex-M0; this computer with vectors; and AArch64, where only QEMU's whole machine
# counts. What is compiled for it is what linux_aarch64 runs.
CHOSEN = ("mps2_an386", "microbit", "host_sse41", "host_avx2", "virt_aarch64")

# The operations of each character.
MEASURED = {HIPS: OPERATIONS, KNIGHT: BESIDE_PEERS, CAPTURE: ANY_SKELETON, SCALING: ANY_SKELETON, FACE: ANY_SKELETON}
# RAM of a machine that measures all characters; others measure the first two.
ALL_RAM_BYTES = 1 << 18


@dataclass(frozen=True)
class Row:
    """An operation on a target. joints, translations: how many the character has, and how many of them move.
    instructions: those of one call with its arguments. bytes: what a program links for it, code and constants."""

    operation: str
    target: str
    platform: str
    character: str
    joints: int
    translations: int
    instructions: int | None
    bytes: int


def measured_on(machine: Target) -> dict[Character, tuple[Operation, ...]]:
    """The characters that a target measures, with their operations."""
    roomy = machine.memory is None or machine.memory.ram_bytes >= ALL_RAM_BYTES
    return {character: operations for character, operations in MEASURED.items()
            if roomy or character in (HIPS, KNIGHT)}


def measure(target: str, character: Character, folder: Path) -> tuple[list[Row], list[Done]]:
    """The rows of a target and a character, and the results of its operations."""
    machine, operations = machines.load_target(target), MEASURED[character]
    write_sources(operations, folder / "generated", machine.unroll, character)
    program = build(target, folder / "generated", folder)
    done = play(program, operations)
    known = global_functions(machine.tools, program.objects)
    rows = []
    for operation, result in zip(operations, done, strict=True):
        if missing := [function for function in operation.functions if function not in known]:
            raise TargetError(f"{operation.name}: there is no function {missing[0]}; name others in toolbox_table.py")
        linked = machines.linked_bytes(machine, program.objects, operation.functions, folder / "linked.elf")
        rows.append(Row(operation.name, target, machine.platform, character.name, len(character.joints),
                        len(character.moved), result.cost, sum(linked.values())))
    return rows, done


def check_hashes(done: dict[str, list[Done]], operations: Sequence[Operation] = OPERATIONS) -> None:
    """Raises TargetError for an operation that gives other poses on one target than on another."""
    for name in list(done)[1:]:
        first = next(iter(done))
        for operation, ours, theirs in zip(operations, done[name], done[first], strict=True):
            if ours.hash != theirs.hash:
                raise TargetError(f"target {name}: {operation.name} gives other poses than on {first}")


def peer_columns(character: Character, names: Sequence[str]) -> dict[str, dict[str, dict[str, int]]]:
    """The instructions of other libraries with the same character: by target, library and operation."""
    return {name: peers.costs("operations", name) if character is KNIGHT else {} for name in names}


def print_table(rows: Sequence[Row]) -> None:
    """For each character, an operation a line: for each target instructions, those of other libraries, and bytes."""
    for character, operations in MEASURED.items():
        by_place = {(row.operation, row.target): row for row in rows if row.character == character.name}
        names = list(dict.fromkeys(target for _, target in by_place))
        others = peer_columns(character, names)
        table = Table([("operation", "left"), *((f"{name} {what}", "right") for name in names
                                                for what in ("instructions", *others[name], "bytes"))])
        for operation in operations if names else ():
            cells = []
            for name in names:
                row = by_place[operation.name, name]
                cells += [f"{row.instructions:,}", *(f"{costs[operation.name]:,}" if operation.name in costs else ""
                                                     for costs in others[name].values()), f"{row.bytes:,}"]
            table.add_row(operation.name, *cells)
        if names:
            console().print(table)
            print(f"{character.text}; bytes: what a program links that calls nothing else"
                  + "".join(f"; {library}: {peers.versions()[library]}, with the Knight itself"
                            for library in dict.fromkeys(library for name in names for library in others[name])))


def bench(output: Path, names: Sequence[str]) -> None:
    """Measures, prints and writes toolbox.csv to the folder `output`."""
    rows: list[Row] = []
    jobs = [(character, name) for character in MEASURED for name in names
            if character in measured_on(machines.load_target(name))]
    done: dict[Character, dict[str, list[Done]]] = {character: {} for character in MEASURED}
    with tempfile.TemporaryDirectory() as folder, report.progress_bar("measuring operations") as progress:
        for number, (character, name) in enumerate(jobs):
            measured, done[character][name] = measure(name, character, Path(folder) / f"{number}")
            rows += measured
            progress(number + 1, len(jobs), f"{character.name} on {name}")
    for character, operations in MEASURED.items():
        check_hashes(done[character], operations)
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
