"""Builds and runs the program that shows a character on a display: targets/show_main.c."""
from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from ..base.places import TARGETS
from .firmware import compile_object, link, runtime_sources
from .runner import command_for
from .settings import Target, list_targets, load_target
from .tools import TargetError, checked_tool, run_tool

STAGE = TARGETS / "stage"
_PICTURES = 420  # of a tour; each clip has as many
_LEAST_PICTURES = 4
_HANGS_AFTER_S = 300.0
_LINE = re.compile(r"(\w+) (\d+)")


@dataclass(frozen=True)
class ClipTour:
    """What showing a clip costs on average, by parts, and its most expensive picture."""

    pictures: int
    parts: dict[str, int]
    worst: int

    @property
    def whole(self) -> int:
        return sum(self.parts.values())


@dataclass(frozen=True)
class Tour:
    """unit: what the costs are in. clips: in the order of the bank."""

    unit: str
    clips: list[ClipTour]


def targets_with_screen() -> list[str]:
    """Returns the names of the targets on which a character can be shown."""
    return [name for name in list_targets() if load_target(name).screen]


def build_show(target: Target, generated: Path, out: Path, tour_of: int = 0) -> Path:
    """Compiles and links the program, and returns the image in `out`. generated: the folder with
    the code, the bank and the mesh of a character, named `character`, with skinning matrices in
    Q14. tour_of: how many clips it plays, each once, before it ends; 0: it plays on. Raises
    TargetError and DoesNotFit."""
    if not target.screen:
        raise TargetError(f"target {target.name}: has no display; choose {' or '.join(targets_with_screen())}")
    out.mkdir(parents=True, exist_ok=True)
    include = [generated, STAGE]
    sources = [TARGETS / "show_main.c", *sorted(STAGE.glob("*.c")), *sorted(generated.glob("character*.c")),
               *target.screen, *target.sources, TARGETS / "print.c", *runtime_sources(target)]
    way = target if tour_of == 0 else replace(target, flags=(
        *target.flags, "-DSHOW_TOUR", f"-DTOUR_PICTURES={max(_LEAST_PICTURES, _PICTURES // tour_of)}u"))
    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(lambda source: compile_object(way, source, out, include), sources))
    image = out / ("tour.elf" if tour_of else "show.elf")
    link(target, objects, image)
    return image


def write_rom(target: Target, image: Path, rom: Path) -> None:
    """Writes what goes to the machine: the image's bytes as they lie in its memory, or what the target's
    packer makes of it."""
    if target.packer is not None:
        checked_tool([sys.executable, "-B", str(target.packer), str(image), str(rom)],
                     f"{rom} cannot be written")
        return
    checked_tool([f"{target.tools}objcopy", "-O", "binary", str(image), str(rom)], f"{rom} cannot be written")


def take_tour(target: Target, image: Path, pictures: Path) -> Tour:
    """Runs a tour. Pictures go to this folder, as CLIP-PICTURE.png. Raises TargetError if the
    program fails, or prints something else."""
    pictures.mkdir(parents=True, exist_ok=True)
    ran = run_tool(command_for(target, image, str(pictures)), timeout_s=_HANGS_AFTER_S)
    lines = ran.stdout.splitlines()
    if ran.returncode != 0 or not lines or not lines[0].startswith("unit "):
        raise TargetError(f"target {target.name}: the tour ended with {ran.returncode}: "
                          f"{lines[-1] if lines else 'no output'}")
    return Tour(lines[0].removeprefix("unit "), _clips_of(lines[1:], target.name))


def _clips_of(lines: list[str], name: str) -> list[ClipTour]:
    clips: list[dict[str, int]] = []
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is None:
            raise TargetError(f"target {name}: unexpected output: {line!r}")
        if match.group(1) == "clip":
            clips.append({})
        clips[-1][match.group(1)] = int(match.group(2))
    return [ClipTour(clip["pictures"], {part: cost for part, cost in clip.items()
                                        if part not in ("clip", "pictures", "worst")}, clip["worst"]) for clip in clips]
