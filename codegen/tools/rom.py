"""Makes a program with a character for a machine: `python3 -m tools.rom FILE`, called by `scons rom`.

Encodes a file for a machine, generates its code and its mesh, builds the program that shows it, plays every clip in the
machine's emulator, and stores the pictures. For a machine without a display it builds the player program, which prints
hashes of all poses.
"""
from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ossicle.base import signals

if __name__ == "__main__":
    signals.exit_on_signal()  # packages are imported below

from ossicle.bank.file import read_bank
from ossicle.base.files.output import write_all
from ossicle.base.problem import SettingProblem, setting_problems_of
from ossicle.encoding.encoder import encode
from ossicle.encoding.results import BankResult
from ossicle.encoding.settings import Settings
from ossicle.export.played import played_positions, skeleton_of
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.generate.layouts import layout_for, wants_fast_rows
from ossicle.generate.placement import cold_codecs, place
from ossicle.generate.mesh_code import mesh_files
from ossicle.importers.importer import read_mesh
from ossicle.model.mesh.mesh import framed
from ossicle.reporting import console as report
from ossicle.reporting.tables import Table, console
from . import film
from ossicle.machines import Footprint, RunResult, Target, TargetError, build, footprint, list_targets, load_target, run
from ossicle.machines.images import read_logo, write_images
from .show import Tour, build_crowd, build_show, take_tour
from ossicle.cli.main import guarded
from ossicle.config.project import read_project
from ossicle.reporting.messages import warn, warn_once

AUTO = "auto"
NAME = "character"  # prefix of all generated names, regardless of the file's name
CLOCK_HZ = {"gba": 16_777_216, "nds": 67_027_964, "pico": 125_000_000}  # of machines whose costs are in cycles


@dataclass(frozen=True)
class Rom:
    """A program that shows the character. images: the file for the machine first, the ELF file last; sheet, film: its
    pictures; crowd: a program with many characters, for machines with 3D hardware, or None; no_crowd: the reason."""

    images: list[Path]
    sheet: Path
    film: Path
    clips: list[str]
    tour: Tour
    crowd: Path | None = None
    no_crowd: str = ""

    @property
    def program(self) -> Path:
        return self.images[0]


@dataclass(frozen=True)
class PlayerRom:
    """A program that prints hashes of poses. images: as in Rom; played: its output in the machine's emulator, or None
    if that is not installed."""

    images: list[Path]
    sizes: Footprint
    played: RunResult | None


Progress = Callable[[int, int, str], None]


def make(source: Path, target: Target, out: Path, settings: Settings, progress: Progress,
         logo: Path | None = None) -> Rom | PlayerRom:
    """Makes a program that the target can run. logo: a file with the logo of the console's maker. Raises TargetError if
    the target cannot be flashed or has no logo, and the problems of encoding, generating and building."""
    read = read_logo(target.rom, logo) if logo else b""
    if target.screen:
        return make_rom(source, target.name, out, settings, progress, read)
    if not target.rom:
        able = [name for name in list_targets() if load_target(name).rom]
        raise TargetError(f"target {target.name}: has no display and cannot be flashed; choose one of: "
                          f"{', '.join(able)}")
    return make_player(source, target, out, settings, progress)


def make_player(source: Path, target: Target, out: Path, settings: Settings, progress: Progress) -> PlayerRom:
    """Writes the images to out/TARGET, named after the source, and plays them in the emulator if it is installed."""
    folder, goal = out / target.name, settings.optimise
    generated = folder / "player" / "generated"
    bank, _ = _encode(source, folder, replace(settings, target=target.name), progress)
    generate(bank, generated, Code(
        NAME, embed=True, unroll=layout_for(target, goal, ()), fast_rows=wants_fast_rows(target, goal)))
    progress(0, 1, "program")
    firmware = build(target.name, generated, folder / "player", NAME)
    images = write_images(target.tools, target.rom, firmware.image, folder / source.stem)
    played = run(firmware) if target.runs_here else None
    progress(1, 1, "")
    return PlayerRom(images, footprint(firmware), played)


def _encode(source: Path, folder: Path, settings: Settings, progress: Progress) -> tuple[Path, BankResult]:
    result = encode([source], settings, progress=progress)
    for warning in result.warnings:
        warn_once(warning)  # `scons demo` has encoded the file before
    bank = folder / f"{NAME}.ossb"
    write_all({bank: result.bank})
    return bank, result


def make_rom(source: Path, target: str, out: Path, settings: Settings,
             progress: Progress, logo: bytes = b"") -> Rom:
    """Writes the program and its pictures to `out`, named after the source, and intermediate files to out/TARGET.
    Raises the problems of encoding, generating and building."""
    machine = load_target(target)
    generated, stem = out / target / "generated", source.stem
    goal = "cycles"
    settings = replace(settings, target=machine.name, optimise=goal, skinning=True)
    if settings.codec == AUTO:  # one codec, whose rows are cheap: more do not fit fast memory
        settings = replace(settings, codec="delta")
    bank, result = _encode(source, out / target, settings, progress)
    opened = read_bank(bank)
    parts = place(machine, (clip.codec for clip in opened.clips), len(opened.joints))
    generate(bank, generated, Code(
        NAME, embed=True, unroll=layout_for(machine, goal, ()), matrices="q14",
        fast_rows=wants_fast_rows(machine, goal), cold=cold_codecs(parts)))
    read, warnings = read_mesh(source, skeleton_of(opened), settings.importing)
    warn([f"{source}: {warning}" for warning in warnings])
    read = framed(read, played_positions(opened))
    with setting_problems_of(source):
        write_all({generated / name: content for name, content in mesh_files(read, NAME, source.name).items()})
    steps = ("program", "tour")
    progress(0, len(steps), steps[0])
    image = build_show(machine, generated, out / target / "show")
    progress(1, len(steps), steps[1])
    pictures = out / target / "pictures"
    tour = take_tour(machine, build_show(machine, generated, out / target / "tour", len(result.clips)), pictures)
    progress(len(steps), len(steps), "")
    rom = Rom(write_images(machine.tools, machine.rom, image, out / stem, logo), out / f"{stem}.png",
              out / f"{stem}.gif", [clip.name for clip in result.clips], tour)
    counts = [clip.pictures for clip in tour.clips]
    write_all({rom.sheet: film.contact_sheet(pictures, counts), rom.film: film.film(pictures, counts)})
    return with_crowd(rom, machine, generated, out / machine.name / "crowd", logo) if machine.crowd else rom


def with_crowd(rom: Rom, machine: Target, generated: Path, folder: Path, logo: bytes = b"") -> Rom:
    """Also writes the program with many characters. folder: for its objects. Returns the Rom with this program, or with
    the reason if the character is too large for the hardware."""
    stem = rom.program.with_name(f"{rom.program.stem}_crowd")
    try:
        image = build_crowd(machine, generated, folder)
    except TargetError as problem:
        return replace(rom, no_crowd=str(problem))
    return replace(rom, crowd=write_images(machine.tools, machine.rom, image, stem, logo)[0])


def print_rom(rom: Rom, target: str) -> None:
    """Prints the costs of the clips, and the paths of the files."""
    screen = console()
    parts = list(rom.tour.clips[0].parts)
    clock = CLOCK_HZ.get(target)
    rows = Table([("clip", "left"), *((part, "right") for part in parts), ("whole", "right"),
                  ("worst", "right"), *([("pictures a second", "right")] if clock else [])])
    for name, clip in zip(rom.clips, rom.tour.clips, strict=True):
        rows.add_row(name, *(f"{clip.parts[part]:,}" for part in parts), f"{clip.whole:,}", f"{clip.worst:,}",
                     *([f"{clock / clip.whole:.1f}"] if clock else []))
    screen.print(rows)
    screen.print(f"{rom.tour.unit} a picture on {target}: the next row, local pose, skinning matrices, vertices, "
                 "triangles")
    print_written([*rom.images, *([rom.crowd] if rom.crowd else []), rom.sheet, rom.film])
    if rom.no_crowd:
        print(f"no program with many characters was built: {rom.no_crowd}")


def print_player(rom: PlayerRom, target: Target) -> None:
    """Prints the costs of the program, the expected output of the board, and the paths of the files."""
    sizes = rom.sizes
    print(f"Player program for {target.name}: {sizes.flash_code_bytes:,} B of code, {sizes.bank_bytes:,} B of bank, "
          f"{sizes.ram_bytes:,} B of RAM and {sizes.stack_bytes_worst:,} B of stack.")
    if rom.played is None:
        print(f"It was not run: {target.running}.")
    else:
        print(f"It played {rom.played.poses:,} poses in {target.running}; the board prints the same: "
              f"total hash {rom.played.total_hash:08x}")
    print_written(rom.images)


def print_written(paths: list[Path]) -> None:
    """Prints the paths of the files."""
    for path in paths:
        print(f"wrote {path}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of make_and_print."""
    parser.add_argument("file", type=Path, help="a source file, or a .toml with settings")
    parser.add_argument("--target", default="gba")
    parser.add_argument("--output", type=Path, default=Path("build/rom"))
    parser.add_argument("--logo", type=Path, help="a file with the logo of the console's maker, 156 bytes")


def make_and_print(arguments: argparse.Namespace) -> list[Path]:
    """Makes the program of a source file or of the TOML file of a project, and returns its images. Raises the problems
    of `make`, and SettingProblem for a project with several inputs."""
    target = load_target(arguments.target)
    source, settings = arguments.file, Settings()
    if source.suffix == ".toml":
        project = read_project(source)
        if len(project.inputs) != 1:
            raise SettingProblem(f"{source}: has {len(project.inputs)} inputs, but a program shows only one character; "
                                 "give a file with one input")
        source, settings = project.inputs[0], project.settings
    with report.progress_bar("making") as progress:
        rom = make(source, target, arguments.output, settings, progress, arguments.logo)
    if isinstance(rom, Rom):
        print_rom(rom, target.name)
    else:
        print_player(rom, target)
    sys.stdout.flush()
    return rom.images


def main(argv: list[str] | None = None) -> int:
    """Runs the command line. Returns 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(
        prog=f"python3 -m {__spec__.name}", description="Makes a program that shows a character on a machine.")
    add_arguments(parser)
    arguments = parser.parse_args(argv)

    def run() -> int:
        make_and_print(arguments)
        return 0

    return guarded(run, argv is None)


if __name__ == "__main__":
    sys.exit(main())
