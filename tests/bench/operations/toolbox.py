"""The programs that do every operation of toolbox_table.py once, and seek positions at random: generated, compiled and
run."""
from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from ossicle.base.places import TARGETS
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.settings import Settings
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.model.masks import Mask
from ossicle.model.sides import Mirror
from ossicle.machines import Target, TargetError, load_target
from ossicle.machines.callgrind import CallCost, average_instructions, read_call_costs
from ossicle.machines.firmware import compile_object, compile_runtime, link
from ossicle.machines.runner import command_for
from ossicle.machines.symbols import check_objects
from ossicle.machines.tools import run_tool
from toolbox_character import HIPS, Character, imported
from toolbox_table import Operation

HERE = Path(__file__).resolve().parent
NAME = "character"
RUN_SECONDS = 120.0
_LINE = re.compile(r"operation (\d+)(?: (?:instructions|cycles) (\d+))? hash ([0-9a-f]{8})")
_SEEKS = re.compile(r"forward(?: (?:instructions|cycles) (?P<forward>\d+))?\n"
                    r"seek(?: (?:instructions|cycles) (?P<seek>\d+))?\n"
                    r"hash (?P<hash>[0-9a-f]{8})\nplayer (?P<player>\d+)")


@dataclass(frozen=True)
class Program:
    """The program of a target. objects: those of the runtime and the generated code, which operations link."""

    machine: Target
    image: Path
    objects: tuple[Path, ...]


@dataclass(frozen=True)
class Done:
    """The result of an operation. hash: of the pose and the model that it wrote. cost: the instructions, or
    cycles, of one call with its arguments; None where they were not counted."""

    hash: int
    cost: int | None


@dataclass(frozen=True)
class Seeks:
    """The result of a program of seeks_main.c: the average cost of a tick forward at 60 Hz, and of a seek to a random
    position, both with the local pose there; the hash of all poses; the bytes of the player."""

    forward: int
    seek: int
    hash: int
    player_bytes: int


def write_sources(operations: Sequence[Operation], folder: Path, unroll: Sequence[str],
                  character: Character = HIPS) -> None:
    """Writes the generated character, its bank in it, and the C of the operations to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    bank = folder / "bank.ossb"
    bank.write_bytes(encode_clips(imported(character), Settings(codec="delta", skinning=True)).bank)
    generate(bank, folder, Code(NAME, embed=True, unroll=unroll, sets={"upper": character.upper},
                                masks={"upper": Mask("upper", character.feather)}, mirror=Mirror("x", ())))
    (folder / "toolbox_operations.c").write_text(_text(operations), encoding="utf-8")


def _text(operations: Sequence[Operation]) -> str:
    """A function to prepare each operation, and one to measure."""
    includes = dict.fromkeys(header for operation in operations for header in operation.include)
    lines = ['#include "toolbox.h"', *(f'#include "{header}"' for header in includes), ""]
    for number, operation in enumerate(operations):
        lines += [f"/* {operation.name} */", *([operation.declare] if operation.declare else []),
                  f"static void prepare_{number}(void)\n{{\n    {operation.prepare}\n}}", "",
                  f"void toolbox_{number}(void);", f"void toolbox_{number}(void)\n{{\n    {operation.call}\n}}", ""]
    pairs = ", ".join(f"{{prepare_{number}, toolbox_{number}}}" for number in range(len(operations)))
    lines += [f"const toolbox_operation toolbox_operations[] = {{{pairs}}};",
              f"const uint32_t toolbox_operation_count = {len(operations)};", ""]
    return "\n".join(lines)


def build(target: str, sources: Path, folder: Path, tested: Target | None = None,
          runtime: Sequence[Path] | None = None, jobs: int = 2, main: str = "toolbox_main.c") -> Program:
    """Compiles a generated character, such as that of write_sources, with a main program of this folder. tested,
    runtime: as for targets.build. Raises TargetError for what does not compile or fit, and for 64-bit helpers and
    floating point."""
    machine = load_target(target)
    if machine.emulator is None:  # callgrind would count how the loader finds a function at its first call
        machine = replace(machine, link_flags=(*machine.link_flags, "-Wl,-z,now"))
    tested = tested or machine
    folder.mkdir(parents=True, exist_ok=True)
    runtime = tuple(runtime or compile_runtime(tested, folder / "runtime", jobs))
    include = [sources, HERE]
    with ThreadPoolExecutor(jobs) as pool:
        def compiled(target: Target, files: Sequence[Path]) -> tuple[Path, ...]:
            return tuple(pool.map(lambda file: compile_object(target, file, folder, include), files))

        poses = compiled(tested, sorted(sources.glob(f"{NAME}_*.c")))
        own = compiled(tested, [*sources.glob("toolbox_operations.c"), HERE / main])
        support = compiled(machine, [TARGETS / "print.c", *machine.sources])
    objects = (*runtime, *poses)
    offences = check_objects(machine.tools, list(objects), machine.float_instructions)
    if offences:
        raise TargetError(f"target {target}: {offences[0]}")
    image = folder / "toolbox.elf"
    link(machine, [*own, *support, *objects], image)
    return Program(machine, image, objects)


def play(program: Program, operations: Sequence[Operation], count: bool = True,
         timeout_s: float = RUN_SECONDS) -> list[Done]:
    """Runs a program, on this computer under valgrind if it has to count. Raises TargetError if it fails,
    or if nothing counts although it has to."""
    place = f"target {program.machine.name}"
    returncode, output, calls = _run(program, count, timeout_s)
    found = _LINE.findall(output)
    if returncode != 0 or [int(number) for number, _, _ in found] != list(range(len(operations))):
        raise TargetError(f"{place}: the toolbox ended with {returncode}: {output.strip()[-200:]}")
    costs = [int(cost) if cost else None for _, cost, _ in found]
    if calls:
        costs = [average_instructions(calls, f"toolbox_{number}") for number in range(len(operations))]
    if count and None in costs:
        raise TargetError(f"{place}: {operations[costs.index(None)].name} was not counted")
    return [Done(int(digest, 16), cost) for (_, _, digest), cost in zip(found, costs)]


def play_seeks(program: Program, timeout_s: float = RUN_SECONDS) -> Seeks:
    """Runs a program of seeks_main.c. Raises TargetError if it fails or nothing counts."""
    returncode, output, calls = _run(program, True, timeout_s)
    found = _SEEKS.search(output)
    forward, seek = ([average_instructions(calls, name) for name in ("forward", "seek")] if calls else
                     [found and found[name] for name in ("forward", "seek")])
    if returncode != 0 or found is None or forward is None or seek is None:
        raise TargetError(f"target {program.machine.name}: seeks ended with {returncode}: {output.strip()[-200:]}")
    return Seeks(int(forward), int(seek), int(found["hash"], 16), int(found["player"]))


def _run(program: Program, count: bool, timeout_s: float) -> tuple[int, str, dict[tuple[str, str], CallCost]]:
    """Returns exit status, output and, on this computer, the costs of calls."""
    machine = program.machine
    command = command_for(machine, program.image)
    if not count or machine.emulator is not None:
        ran = run_tool(command, timeout_s=timeout_s)
        return ran.returncode, ran.stdout, {}
    if shutil.which("valgrind") is None:
        raise TargetError(f"target {machine.name}: instructions are not counted; install valgrind")
    report = program.image.with_name("callgrind.out")
    ran = run_tool(["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={report}", *command],
                   timeout_s=timeout_s)
    return ran.returncode, ran.stdout, read_call_costs(report.read_text(encoding="utf-8"))
