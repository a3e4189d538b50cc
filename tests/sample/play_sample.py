"""The sample of targets/sample on other machines: `scons sample`.

Plays its script on each target and compares what the programs print, line by line, with what the host's prints."""
from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "codegen")]

from ossicle.base.places import TARGETS  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.config.project import read_project  # noqa: E402
from ossicle.encoding.encoder import encode  # noqa: E402
from ossicle.generate.code import Code
from ossicle.generate.emit import generate  # noqa: E402
from ossicle.machines import Target, TargetError, load_target  # noqa: E402
from ossicle.machines.firmware import compile_object, link, runtime_sources  # noqa: E402
from ossicle.machines.runner import command_for  # noqa: E402
from ossicle.machines.symbols import check_objects  # noqa: E402
from ossicle.machines.tools import run_tool  # noqa: E402

SAMPLE = TARGETS / "sample"
NAME = "hero"
SESSION_TICKS = 10_000
MACHINES = ("host", "gba", "microbit", "mps2_an386")
RUN_SECONDS = 600.0


def write_character(folder: Path) -> None:
    """Encodes the character of sample.toml, and generates its C into this folder."""
    project = read_project(SAMPLE / "sample.toml")
    folder.mkdir(parents=True, exist_ok=True)
    bank = folder / f"{NAME}.ossb"
    bank.write_bytes(encode(list(project.inputs), project.settings).bank)
    generate(bank, folder, Code(NAME, embed=True, unroll=["loop"], sets=project.sets, masks=project.masks))


def build(machine: Target, character: Path, folder: Path, ticks: int, *, tested: Target | None = None,
          runtime: Sequence[Path] = ()) -> Path:
    """Compiles and links the program that plays so many ticks. tested, runtime: as for targets.build. Raises
    TargetError and DoesNotFit, also for floating point, 64-bit helpers and mutable memory in the sample."""
    folder.mkdir(parents=True, exist_ok=True)
    tested = tested or machine
    told = replace(tested, flags=(*tested.flags, f"-DSAMPLE_TICKS={ticks}u"))
    include = [character, SAMPLE]
    program = compile_object(told, SAMPLE / "sample_main.c", folder, include)
    own = [compile_object(tested, source, folder, include)
           for source in [*sorted(SAMPLE.glob("sample*.c")), *sorted(character.glob(f"{NAME}_*.c"))]
           if source.stem != program.stem]
    library = runtime or [compile_object(tested, source, folder) for source in runtime_sources(tested)]
    support = [compile_object(machine, source, folder) for source in [TARGETS / "print.c", *machine.sources]]
    offences = check_objects(machine.tools, [*library, *own], machine.float_instructions)
    if offences:
        raise TargetError(f"target {machine.name}: {offences[0]}")
    image = folder / "sample.elf"
    link(machine, [program, *own, *support, *library], image)
    return image


@dataclass(frozen=True)
class Session:
    """printed: what a program prints of its session, by the first word of the lines. costs: of a tick, such as "cycles
    average"; empty where the machine does not count."""

    printed: dict[str, str]
    costs: dict[str, int]


def play(machine: Target, image: Path) -> Session:
    """Runs a program. Raises TargetError if it fails."""
    ran = run_tool(command_for(machine, image), timeout_s=RUN_SECONDS)
    lines = ran.stdout.splitlines()
    if ran.returncode != 0 or not lines or not lines[-1].startswith("hash "):
        raise TargetError(f"target {machine.name}: the sample ended with {ran.returncode}: "
                          f"{lines[-1] if lines else 'no output'}")
    costs = [line.rsplit(" ", 1) for line in lines if line.count(" ") == 2]
    pairs = [line.split(" ") for line in lines if line.count(" ") == 1]
    return Session(dict(pairs), {what: int(cost) for what, cost in costs})


def main(argv: list[str] | None = None) -> int:
    """The command line; 0, or 1 where a target prints something else than the first."""
    parser = argparse.ArgumentParser(prog="play_sample.py", description=__doc__.splitlines()[0])
    parser.add_argument("--targets", default=",".join(MACHINES), metavar="NAME,...")
    parser.add_argument("--ticks", type=int, default=SESSION_TICKS)
    arguments = parser.parse_args(argv)
    expected: dict[str, str] = {}
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_character(folder / "generated")
            for target in arguments.targets.split(","):
                machine = load_target(target)
                image = build(machine, folder / "generated", folder / machine.name, arguments.ticks)
                session = play(machine, image)
                lines = {**session.printed, **session.costs}
                print(f"{machine.name}: " + ", ".join(f"{key} {value}" for key, value in lines.items()), flush=True)
                expected = expected or session.printed
                if session.printed != expected:
                    print(f"play_sample.py: {machine.name}: another session than the first", file=sys.stderr)
                    return 1
    except (*PROBLEMS, OSError) as problem:
        print(f"play_sample.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
