"""Compiles the player program: runtime, generated character and target in an image."""
from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ..base.places import RUNTIME, TARGETS
from .assembler import write_call_graph
from .object_store import compile_file
from .settings import Target, load_target
from .symbols import check_objects
from .tools import DoesNotFit, TargetError, first_error, run_tool

COMMON_FLAGS = (
    "-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-ffreestanding",
    "-ffunction-sections", "-fdata-sections",
)
_FAST_ROWS = re.compile(r"^#define \w+_FAST_ROWS 1$", re.MULTILINE)
_COLD = re.compile(r"^#define \w+_COLD_(\w+) 1$", re.MULTILINE)
_NAMES = ("open", "player_init", "evaluate", "compose", "skin_pose", "pose_view", "player", "pose", "model",
          "skinning", "bank", "embedded", "codecs", "checks")
_MACRO = re.compile(r"^#define (\w+)_(MATRIX_COUNT|SKIN_\w+) ", re.MULTILINE)
_COMPILERS = 2  # that run at the same time


@dataclass(frozen=True)
class Firmware:
    """A linked player program and its objects."""

    target: Target
    name: str  # the name of the character
    image: Path
    runtime_objects: tuple[Path, ...]
    generated_objects: tuple[Path, ...]  # code and constant tables
    bank_object: Path
    program_object: Path  # object of player_main.c


def build(
    target: str, generated_dir: Path, out_dir: Path, name: str = "character", *,
    tested: Target | None = None, runtime: Sequence[Path] | None = None,
) -> Firmware:
    """Compiles and links the player program for a target.

    target: one of `list_targets()`. generated_dir: the folder with NAME.h, NAME_*.c and NAME_bank.c, written by
    `ossicle generate --name NAME --embed`. The runtime's assembler for key rows is compiled if the header requests it.
    out_dir: created if it is missing; receives the objects, their call graphs (.ci) and player.elf. tested: the
    settings for runtime, generated code and player program, if they differ from the target's (see variants.py).
    runtime: objects of compile_runtime, compiled with the same settings.

    Raises DoesNotFit if the character is too large for the target's memory. Raises TargetError if a
    file or tool is missing, if there is a warning or error, or if the runtime or the generated code
    fails the object proof (see symbols.py).
    """
    machine = load_target(target)
    if machine.only_compiled:
        raise TargetError(machine.unsupported)
    tested = tested or machine
    header, bank = generated_dir / f"{name}.h", generated_dir / f"{name}_bank.c"
    for needed in (header, bank):
        if not needed.is_file():
            raise TargetError(
                f"{needed}: not found; ossicle generate --name {name} --embed writes it"
            )
    tested = as_requested(tested, header)
    out_dir.mkdir(parents=True, exist_ok=True)
    include = [generated_dir, *_alias_header(name, header, out_dir)]
    generated = sorted(set(generated_dir.glob(f"{name}_*.c")) - {bank})
    program, support = TARGETS / "player_main.c", [TARGETS / "hal_flash.c", TARGETS / "print.c"]

    with ThreadPoolExecutor(_COMPILERS) as pool:
        def start(settings: Target, sources: Sequence[Path], include: Sequence[Path] = ()) -> list[Future[Path]]:
            return [pool.submit(compile_object, settings, source, out_dir, include)
                    for source in sources]

        started = [start(tested, [] if runtime else runtime_sources(tested)),
                   *(start(tested, group, include) for group in (generated, [bank], [program])),
                   start(machine, [*support, *machine.sources])]
        compiled, generated_objects, banks, programs, others = (
            tuple(job.result() for job in group) for group in started
        )
    runtime = tuple(runtime) if runtime else compiled
    offences = check_objects(machine.tools, [*runtime, *generated_objects, *banks], machine.float_instructions)
    if offences:
        raise TargetError(f"target {target}: {offences[0]}")
    image = out_dir / "player.elf"
    objects = [*programs, *others, *generated_objects, *banks, *runtime]
    link(machine, objects, image)
    return Firmware(machine, name, image, runtime, generated_objects, banks[0], programs[0])


def as_requested(machine: Target, header: Path) -> Target:
    """Returns the target with the flags for the runtime that a generated header requests."""
    text = header.read_text(encoding="utf-8")
    return machine.requested(_FAST_ROWS.search(text) is not None, _COLD.findall(text))


def compile_runtime(machine: Target, out_dir: Path, jobs: int = 2) -> tuple[Path, ...]:
    """Compiles the runtime for several characters, and returns the objects in out_dir. Raises TargetError with the
    compiler's first error."""
    out_dir.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(jobs) as pool:
        return tuple(pool.map(lambda source: compile_object(machine, source, out_dir),
                              runtime_sources(machine)))


def runtime_sources(machine: Target) -> list[Path]:
    """Returns the sources of the runtime, and its platform's assembler, which is empty unless flags enable it."""
    return [*sorted(RUNTIME.rglob("*.c")), *sorted(machine.platform_folder.glob("*.S"))]


def compile_object(
    machine: Target, source: Path, out_dir: Path, include: Sequence[Path] = (),
) -> Path:
    """Compiles a file, C or assembler, with the target's flags. If the compiler is a gcc, also writes the call graph
    next to the object.

    Returns the object's path, out_dir/STEM.o. Raises TargetError with the compiler's first error.
    """
    result = out_dir / f"{source.stem}.o"
    folders = [RUNTIME, machine.platform_folder, TARGETS, *machine.include, *include]
    assembler = source.suffix == ".S"
    call_graph = ["-fcallgraph-info=su"] if machine.writes_call_graphs and not assembler else []
    compile_file(
        [machine.compiler, *machine.flags, *COMMON_FLAGS, *call_graph,
         *(f"-I{folder}" for folder in folders)], source, result,
        f"target {machine.name}: {source.name} does not compile",
    )
    if assembler and machine.writes_call_graphs:
        write_call_graph(machine.tools, result)
    return result


def link(machine: Target, objects: list[Path], image: Path) -> None:
    """Links objects into a program for the target.

    Raises DoesNotFit if flash or RAM is too small, and otherwise TargetError with the linker's first error.
    """
    flags = ["-Wl,--gc-sections"]
    if machine.memory is not None and machine.linker_script is not None:
        flags.append(f"-Wl,-T,{machine.linker_script}")
        flags += machine.memory.linker_flags
    command = [machine.compiler, *machine.flags, *map(str, objects), *machine.link_flags, *flags, "-o", str(image)]
    result = run_tool(command)
    if result.returncode != 0:
        overflow = _explain_overflow(machine, result.stdout)
        if overflow is not None:
            raise DoesNotFit(f"target {machine.name}: {overflow}")
        raise TargetError(f"target {machine.name}: linking failed: {first_error(result)}")


def _explain_overflow(machine: Target, output: str) -> str | None:
    """Translates the linker's message about full memory for the user. Returns None if linking failed for another
    reason."""
    memory = machine.memory
    flash = re.search(r"region `ROM' overflowed by (\d+) bytes", output)
    if flash and memory:
        return (f"bank and code are {flash.group(1)} B larger than the flash of "
                f"{memory.rom_bytes} B; encode fewer clips or allow a larger tolerance")
    if memory and re.search(r"region `RAM' overflowed|less than 1 KiB of RAM", output):
        return (f"player, pose and model (twice: one to compare with) and 1 KiB of stack are more "
                f"than the RAM of {memory.ram_bytes} B; use a skeleton with fewer joints")
    if memory and re.search(r"region `FAST(_DATA)?' overflowed|less than 1 KiB of fast memory", output):
        sizes = " and ".join(f"{size} B" for size in (memory.fast_bytes, memory.fast_data_bytes) if size)
        return (f"code and data marked OSC_HOT and OSC_HOT_DATA and 1 KiB of stack are more than the fast "
                f"memory of {sizes}; encode with fewer codecs, or use a skeleton with fewer joints")
    return None


def _alias_header(name: str, header: Path, out_dir: Path) -> list[Path]:
    """Writes a character.h for a character with another name. Returns the include folder of that header."""
    if name == "character":
        return []
    lines = [f'#include "{name}.h"']
    lines += [f"#define character_{part} {name}_{part}" for part in _NAMES]
    lines += [f"#define CHARACTER_{macro} {prefix}_{macro}" for prefix, macro in
              _MACRO.findall(header.read_text(encoding="utf-8"))]
    folder = out_dir / "alias"
    folder.mkdir(exist_ok=True)
    (folder / "character.h").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [folder]
