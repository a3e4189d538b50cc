"""`ossicle init`: a small game to begin with, which Make builds for one target."""
from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import jinja2

from ..base.output import check_outputs, write_all
from ..base.places import ROOT, TARGETS, TEMPLATES
from ..base.problem import SettingProblem
from ..targets import Target, load_target
from ..targets.runner import command_for

_GAME = TEMPLATES / "game"
_CHARACTER = ROOT / "codegen/demo/hero.glb"
_EVERYWHERE = ("hal.h", "print.c", "print.h")  # of targets/


def init(name: str, folder: Path) -> list[Path]:
    """Writes the game to a folder and returns its files. Raises SettingProblem if one of them exists,
    and TargetError for an unknown target."""
    machine = load_target(name)
    if machine.emulator and machine.emulator.script:
        raise SettingProblem(f"target {name}: there is no game for it, as it runs inside a script; choose "
                             "host, or a board")
    files = {folder / path: content for path, content in _files(machine).items()}
    for path in files:
        if os.path.lexists(path):
            raise SettingProblem(f"{path}: is there already; choose an empty folder with --output")
    check_outputs({}, files)
    write_all(files)
    return list(files)


def _files(machine: Target) -> dict[str, bytes]:
    script = machine.linker_script and Path(os.path.normpath(machine.linker_script))
    board = {f"board/{path.relative_to(TARGETS).as_posix()}": path for path in _board(machine)}
    link_flags = list(machine.link_flags)
    if machine.memory and script:
        link_flags += [f"-Wl,-T,board/{script.relative_to(TARGETS).as_posix()}",
                       *machine.memory.linker_flags]
    settings = {"machine": machine, "link_flags": link_flags,
                "objects": [f"{path[:-2]}.o" for path in board if path.endswith(".c")],
                "play": command_for(machine, Path("game")) if machine.emulator else ["./game"]}
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(_GAME), undefined=jinja2.StrictUndefined,
                                     keep_trailing_newline=True, autoescape=False)
    made = {name: environment.get_template(f"{name}.j2").render(settings).encode()
            for name in ("Makefile", "hero.toml")}
    return made | {"main.c": (_GAME / "main.c").read_bytes(), "hero.glb": _CHARACTER.read_bytes()} \
        | {name: path.read_bytes() for name, path in board.items()}


def _board(machine: Target) -> Iterable[Path]:
    """The start-up code, console and linker script of a target, with the headers beside them."""
    sources = {Path(os.path.normpath(path)) for path in (*machine.sources, *(
        [machine.linker_script] if machine.linker_script else []))}
    headers = {header for source in sources for header in source.parent.glob("*.h")}
    return sorted(sources | headers | {TARGETS / name for name in _EVERYWHERE})
