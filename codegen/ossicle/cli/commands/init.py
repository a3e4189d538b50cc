"""`ossicle init`: writes a small game, which Make builds for a target."""
from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2

from ...base.files.output import check_outputs, write_all
from ...base.places import DEMO, TARGETS, TEMPLATES
from ...base.problem import SettingProblem
from ...machines import Target, list_targets, load_target, uf2
from ...machines.runner import command_for
from ...machines.tools import DEBIAN_PACKAGES

_GAME = TEMPLATES / "game"
_CHARACTER = DEMO / "hero.glb"
_SHARED = ("hal.h", "print.c", "print.h")  # files in targets/ that every game needs
_PROGRAM = "game"
_FILM = "game_film"  # the game of a machine with a display, played from a script of inputs
_SAMPLE = TARGETS / "sample"
# Files of the sample for a machine with a display, by their names in the game.
_SAMPLE_FILES = {"main.c": "game_main.c", **{name: name for name in (
    "sample.c", "sample.h", "game_scene.c", "game_scene.h", "game_input.h", "game_pad.c", "game_film.c")}}
# What the character of the sample needs in addition: to be drawn quickly.
_SAMPLE_SETTINGS = {
    'inputs = ["../../codegen/demo/hero.glb"]': 'inputs = ["hero.glb"]',
    'generate = "generated"': 'generate = "."\ntarget = "{}"\noptimise = "cycles"\nskinning = true\nmatrices = "q14"',
}
# The commands that write images from the program `game`. UF2 has a program of its own, copied to the board.
_UF2 = "board/uf2.py"
_IMAGES = {".gba": "{tools}objcopy -O binary", ".bin": "{tools}objcopy -O binary", ".hex": "{tools}objcopy -O ihex",
           ".uf2": f"python3 {_UF2}"}


@dataclass(frozen=True)
class Runner:
    """An emulator without a package, which a target's `program` names. files: its sources, in targets/; makes, command:
    the file to build from these, and the command that builds it; play: the command that runs a program; packages:
    needed for both."""

    files: tuple[str, ...]
    makes: str
    command: str
    play: tuple[str, ...]
    packages: str


_RUNNERS = {
    "gba_run": Runner(("gba/run_rom.c",), "gba_run", "cc -O2 -include mgba/flags.h board/gba/run_rom.c -lmgba -o $@",
                      ("./gba_run",), "gcc libc6-dev libmgba-dev"),
    "pico_run": Runner(tuple(f"pico/{name}" for name in ("run.mjs", "load.mjs", "display.mjs", "package.json",
                                                         "package-lock.json")),
                       "build/pico/node_modules",
                       "mkdir -p build/pico && cp board/pico/package*.json build/pico && npm ci --silent --prefix "
                       "build/pico",
                       ("node", "board/pico/run.mjs"), "nodejs npm"),
}


def init(arguments: argparse.Namespace) -> None:
    """Writes the game to a folder. Raises SettingProblem if one of its files exists or if the target has no game, and
    TargetError for an unknown target."""
    name, folder = arguments.machine, arguments.output or Path()
    machine = load_target(name)
    if not has_game(machine):
        raise SettingProblem(f"target {name}: no game is available; choose one of: {', '.join(targets_with_game())}")
    files = {folder / path: content for path, content in _files(machine).items()}
    for path in files:
        if os.path.lexists(path):
            raise SettingProblem(f"{path}: already exists; choose an empty folder with --output")
    check_outputs({}, files)
    write_all(files)
    for path in files:
        print(f"wrote {path}")
    print(_next(machine, folder))


def has_game(machine: Target) -> bool:
    """Returns whether the target has start-up code and its emulator needs no script."""
    return not machine.only_compiled and not (machine.emulator and machine.emulator.script)


def targets_with_game() -> list[str]:
    """Returns the targets for which `ossicle init` can write a game."""
    return [name for name in list_targets() if has_game(load_target(name))]


def _runner(machine: Target) -> Runner | None:
    return _RUNNERS.get(machine.emulator.program) if machine.emulator else None


def _next(machine: Target, folder: Path) -> str:
    """Returns the line with the next command and the packages that it needs."""
    runner, emulator = _runner(machine), machine.emulator
    packages = ["make", DEBIAN_PACKAGES[machine.compiler], "libc6-dev" if machine.compiler == "gcc" else "",
                runner.packages if runner else DEBIAN_PACKAGES[emulator.program] if emulator else ""]
    names = dict.fromkeys(" ".join(packages).split())
    option = "" if folder == Path() else f" -C {shlex.quote(str(folder))}"
    return f"next: make{option} run (needs, on Debian: apt install {' '.join(names)})"


def _files(machine: Target) -> dict[str, bytes]:
    script = machine.linker_script and Path(os.path.normpath(machine.linker_script))
    board = {f"board/{path.relative_to(TARGETS).as_posix()}": path for path in _board(machine)}
    link_flags = list(machine.link_flags)
    if machine.memory and script:
        link_flags += [f"-Wl,-T,board/{script.relative_to(TARGETS).as_posix()}",
                       *machine.memory.linker_flags]
    runner = _runner(machine)
    sources = [Path(os.path.normpath(path)) for path in (*machine.sources, TARGETS / "print.c", *_display(machine))]
    image = next(iter(machine.rom), "")
    settings = {"machine": machine, "link_flags": link_flags, "runner": runner,
                "flags": [flag for flag in machine.flags if not flag.startswith("-D")],
                "objects": [f"board/{path.relative_to(TARGETS).with_suffix('.o').as_posix()}" for path in sources],
                "image": image and f"{_PROGRAM}{image}",
                "writer": image and _IMAGES[image].format(tools=machine.tools), "play": _play(machine, runner)}
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(_GAME), undefined=jinja2.StrictUndefined,
                                     keep_trailing_newline=True, autoescape=False)
    rendered = {name: environment.get_template(f"{name}.j2").render(settings).encode()
                for name in ("Makefile", "hero.toml")}
    return rendered | (_sample(machine) if machine.screen else {"main.c": (_GAME / "main.c").read_bytes()}) \
        | {"hero.glb": _CHARACTER.read_bytes()} | ({_UF2: Path(uf2.__file__).read_bytes()} if image == ".uf2" else {}) \
        | {name: path.read_bytes() for name, path in board.items()}


def _sample(machine: Target) -> dict[str, bytes]:
    """Returns the files of the sample, and its character, for a machine with a display."""
    text = (_SAMPLE / "sample.toml").read_text(encoding="utf-8").partition("\n")[2]
    for line, replacement in _SAMPLE_SETTINGS.items():
        assert line in text
        text = text.replace(line, replacement.format(machine.name))
    title = "# hero.toml: the character that `make` encodes; codegen/CONFIGURATION.md of Ossicle lists all keys\n"
    return {name: (_SAMPLE / source).read_bytes() for name, source in _SAMPLE_FILES.items()} \
        | {"hero.toml": (title + text).encode()}


def _play(machine: Target, runner: Runner | None) -> Sequence[str]:
    """Returns the command that runs the game, or plays its film to the folder film."""
    if runner:
        return [*runner.play, *([_FILM, "film"] if machine.screen else [_PROGRAM])]
    return command_for(machine, Path(_PROGRAM)) if machine.emulator else [f"./{_PROGRAM}"]


def _board(machine: Target) -> Iterable[Path]:
    """Returns the files of a target: start-up code, console, display, linker script, headers, and the sources of its
    emulator."""
    sources = {Path(os.path.normpath(path)) for path in (*machine.sources, *_display(machine), *(
        [machine.linker_script] if machine.linker_script else []))}
    headers = {header for source in sources for header in source.parent.glob("*.h")}
    if machine.screen:
        headers.add(TARGETS / "screen.h")
    runner = _runner(machine)
    return sorted(sources | headers | {TARGETS / name for name in (*_SHARED, *(runner.files if runner else ()))})


def _display(machine: Target) -> list[Path]:
    """Returns the sources for drawing, if the target has a display."""
    return [*machine.screen, *sorted((TARGETS / "stage").glob("*.c"))] if machine.screen else []
