"""Builds the game of targets/sample for a machine with a display: `python3 -m tools.game`, called by `scons game`.

Also builds the program that plays the same game from a script of inputs, runs it in the machine's emulator, and writes
its pictures as a film.
"""
from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from ossicle.base import signals

if __name__ == "__main__":
    signals.exit_on_signal()  # packages are imported below

from ossicle.bank.file import read_bank
from ossicle.base.files.output import write_all
from ossicle.base.places import TARGETS
from ossicle.config.project import Project, read_project
from ossicle.encoding.encoder import encode
from ossicle.export.played import played_positions, skeleton_of
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.generate.layouts import layout_for, wants_fast_rows
from ossicle.generate.mesh_code import mesh_files
from ossicle.generate.placement import cold_codecs, place
from ossicle.importers.importer import read_mesh
from ossicle.machines import Target, TargetError, load_target
from ossicle.machines.images import write_images
from ossicle.model.mesh.mesh import framed
from . import film
from .show import build_program, run_program, targets_with_screen
from ossicle.cli.main import guarded

SAMPLE = TARGETS / "sample"
NAME = "hero"
GOAL = "cycles"
FILM_STEP = 3  # ten pictures a second: small enough for a page


@dataclass(frozen=True)
class Game:
    """images: the file for the machine first, the ELF file last; film: of the script; states: in the order in which it
    enters them; measured: pictures, their time in ms with the wait for the display, and their cost; hash: of all
    poses."""

    images: list[Path]
    film: Path
    states: list[str]
    measured: dict[str, int]
    hash: str

    @property
    def pictures_hz(self) -> float:
        return self.measured["pictures"] * 1000 / self.measured["ms"]


def make_game(target: str, out: Path) -> Game:
    """Writes the game and its film to `out`, and intermediate files to out/TARGET. Raises the problems of encoding,
    generating and building."""
    machine = load_target(target)
    if not machine.screen:
        raise TargetError(f"target {target}: has no display; choose {' or '.join(targets_with_screen())}")
    folder = out / machine.name
    write_character(read_project(SAMPLE / "sample.toml"), machine, folder)
    image = _build(machine, folder, "pad")
    pictures = folder / "pictures"
    lines = run_program(machine, _build(machine, folder, "film"), pictures)
    words = [line.rsplit(" ", 1) for line in lines]
    measured = {name: int(value) for name, value in words if name not in ("state", "hash")}
    images = write_images(machine.tools, machine.rom, image, out / "game", b"")
    made = Game(images, out / "game.gif", [value for name, value in words if name == "state"], measured, words[-1][1])
    write_all({made.film: film.film(pictures, [measured["pictures"]], FILM_STEP)})
    return made


def write_character(project: Project, machine: Target, folder: Path) -> None:
    """Encodes the sample's character for a machine, and writes its C and its mesh to folder/generated."""
    settings = replace(project.settings, target=machine.name, optimise=GOAL, skinning=True)
    bank = folder / f"{NAME}.ossb"
    write_all({bank: encode(list(project.inputs), settings).bank})
    opened, generated = read_bank(bank), folder / "generated"
    parts = place(machine, (clip.codec for clip in opened.clips), len(opened.joints))
    generate(bank, generated, Code(
        NAME, embed=True, unroll=layout_for(machine, GOAL, ()), matrices="q14", sets=project.sets, masks=project.masks,
        fast_rows=wants_fast_rows(machine, GOAL), cold=cold_codecs(parts)))
    [source] = project.inputs
    mesh, _ = read_mesh(source, skeleton_of(opened), settings.importing)
    mesh = framed(mesh, played_positions(opened))
    write_all({generated / name: content for name, content in mesh_files(mesh, NAME, source.name).items()})


def _build(machine: Target, folder: Path, inputs: str) -> Path:
    """Builds the game with game_pad.c or game_film.c."""
    sources = [SAMPLE / name for name in ("game_main.c", "game_scene.c", "sample.c", f"game_{inputs}.c")]
    return build_program(machine, [*sources, *machine.screen], folder / "generated", folder / inputs / "game.elf", NAME)


def main(argv: list[str] | None = None) -> int:
    """Runs the command line. Returns 0, or 1 after one line on stderr."""
    parser = argparse.ArgumentParser(prog=f"python3 -m {__spec__.name}", description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="gba")
    parser.add_argument("--output", type=Path, default=Path("build/sample"))
    arguments = parser.parse_args(argv)

    def run() -> int:
        game = make_game(arguments.target, arguments.output)
        print(f"states of the film: {', '.join(game.states)}; hash {game.hash}")
        print(f"{game.pictures_hz:.1f} pictures a second, " + ", ".join(
            f"{name} {value:,}" for name, value in game.measured.items()))
        for path in [*game.images, game.film]:
            print(f"wrote {path}")
        return 0

    return guarded(run, argv is None)


if __name__ == "__main__":
    sys.exit(main())
