"""Makes a program that shows a character: `python3 -m ossicle.cli.rom [FILE]`, called by `scons rom`.

Encodes a file for one machine, generates its code and its mesh, builds the program, has it play every
clip in the machine's emulator, and keeps the pictures.
"""
from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ..base import signals

if __name__ == "__main__":
    signals.end_at_once()  # packages are imported below

from ..bank.file import read_bank
from ..base.output import write_all
from ..base.problem import SettingProblem, said_in
from ..encode.encoder import encode
from ..encode.settings import Settings
from ..generate.emit import generate
from ..generate.layouts import layout_for, wants_fast_rows
from ..generate.mesh_code import mesh_files
from ..importers.importer import read_mesh
from ..report import console as report
from ..report import film
from ..targets import Target, TargetError, load_target
from ..targets.show import Tour, build_crowd, build_show, take_tour, write_rom
from .main import guarded
from .mesh import inverse_bind_of
from .project import read_project

AUTO = "auto"
NAME = "character"  # prefix of all generated names, regardless of the file's name
CLOCK_HZ = {"gba": 16_777_216, "nds": 67_027_964}  # of machines whose costs are in cycles


@dataclass(frozen=True)
class Rom:
    """What was made. program: for the machine; sheet, film: its pictures. crowd: a program with many characters, for
    machines with 3D hardware; without one, no_crowd says why."""

    program: Path
    sheet: Path
    film: Path
    clips: list[str]
    tour: Tour
    crowd: Path | None = None
    no_crowd: str = ""


def make_rom(source: Path, target: str, out: Path, settings: Settings,
             progress: Callable[[int, int, str], None]) -> Rom:
    """Writes the program and its pictures to `out`, named after the source, and what they are made of to
    out/TARGET. Raises the problems of encoding, generating and building."""
    machine = load_target(target)
    generated, stem = out / target / "generated", source.stem
    goal = "cycles"
    settings = replace(settings, target=machine.name, optimise=goal, skinning=True)
    if settings.codec == AUTO:  # one codec, whose rows are cheap: more do not fit fast memory
        settings = replace(settings, codec="delta")
    result = encode([source], settings, progress=progress)
    bank = out / target / f"{NAME}.ossb"
    write_all({bank: result.bank})
    generate(bank, generated, NAME, embed=True, unroll=layout_for(machine, goal, ()), matrices="q14",
             fast_rows=wants_fast_rows(machine, goal))
    opened = read_bank(bank)
    read, _ = read_mesh(source, [joint.name for joint in opened.joints], inverse_bind_of(opened),
                        settings.importing.scale or 1.0)
    with said_in(source):
        write_all({generated / name: content for name, content in mesh_files(read, NAME, source.name).items()})
    steps = ("program", "tour")
    progress(0, len(steps), steps[0])
    image = build_show(machine, generated, out / target / "show")
    progress(1, len(steps), steps[1])
    pictures = out / target / "pictures"
    tour = take_tour(machine, build_show(machine, generated, out / target / "tour", len(result.clips)), pictures)
    progress(len(steps), len(steps), "")
    made = Rom(out / f"{stem}{machine.rom or '.elf'}", out / f"{stem}.png", out / f"{stem}.gif",
               [clip.name for clip in result.clips], tour)
    counts = [clip.pictures for clip in tour.clips]
    write_all({made.sheet: film.contact_sheet(pictures, counts), made.film: film.film(pictures, counts)})
    if machine.rom:
        write_rom(machine, image, made.program)
    else:
        write_all({made.program: image.read_bytes()})
    return with_crowd(made, machine, generated, out / machine.name / "crowd") if machine.crowd else made


def with_crowd(made: Rom, machine: Target, generated: Path, folder: Path) -> Rom:
    """Also writes the program with many characters; folder: for its objects. Returns what was made, with the reason if
    the hardware cannot hold the character."""
    path = made.program.with_stem(f"{made.program.stem}_crowd")
    try:
        write_rom(machine, build_crowd(machine, generated, folder), path)
    except TargetError as problem:
        return replace(made, no_crowd=str(problem))
    return replace(made, crowd=path)


def print_rom(made: Rom, target: str) -> None:
    """Prints what the clips cost, and where the files are."""
    screen = report.console()
    parts = list(made.tour.clips[0].parts)
    clock = CLOCK_HZ.get(target)
    rows = report.table([("clip", "left"), *((part, "right") for part in parts), ("whole", "right"),
                         ("worst", "right"), *([("pictures a second", "right")] if clock else [])])
    for name, clip in zip(made.clips, made.tour.clips, strict=True):
        rows.add_row(name, *(f"{clip.parts[part]:,}" for part in parts), f"{clip.whole:,}", f"{clip.worst:,}",
                     *([f"{clock / clip.whole:.1f}"] if clock else []))
    screen.print(rows)
    screen.print(f"{made.tour.unit} a picture on {target}: the next row, local pose, skinning matrices, vertices, "
                 "triangles", style="dim")
    for path in (made.program, *([made.crowd] if made.crowd else []), made.sheet, made.film):
        print(f"wrote {path}")
    if made.no_crowd:
        print(f"no program with many characters: {made.no_crowd}")


def main(argv: list[str] | None = None) -> int:
    """Runs the command line. Returns 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(prog="ossicle.rom", description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help=".glb or .gltf, with a mesh; or a .toml with settings")
    parser.add_argument("--target", default="gba")
    parser.add_argument("--output", type=Path, default=Path("build/rom"))
    arguments = parser.parse_args(argv)

    def run() -> int:
        source, settings = arguments.file, Settings()
        if source.suffix == ".toml":
            project = read_project(source)
            if len(project.inputs) != 1:
                raise SettingProblem(f"{source}: has {len(project.inputs)} inputs; a program shows the mesh of one")
            source, settings = project.inputs[0], project.settings
        with report.progress_bar("making") as progress:
            made = make_rom(source, arguments.target, arguments.output, settings, progress)
        print_rom(made, arguments.target)
        sys.stdout.flush()
        return 0

    return guarded(run, argv is None)


if __name__ == "__main__":
    sys.exit(main())
