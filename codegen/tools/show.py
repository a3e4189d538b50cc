"""Builds and runs the programs that show a character on a display: targets/show_main.c, and those of targets with 3D
hardware."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from ossicle.base.places import TARGETS
from ossicle.machines.firmware import as_requested, compile_object, link, runtime_sources
from ossicle.machines.runner import command_for
from ossicle.machines.settings import Target, list_targets, load_target
from ossicle.machines.tools import TargetError, run_tool

STAGE = TARGETS / "stage"
_PICTURES = 420  # of a tour, divided equally among clips
_LEAST_PICTURES = 4
_HANGS_AFTER_S = 300.0
_LINE = re.compile(r"(\w+) (\d+)")


@dataclass(frozen=True)
class ClipTour:
    """The average cost of a picture of a clip, by parts, and that of its most expensive picture."""

    pictures: int
    parts: dict[str, int]
    worst: int

    @property
    def whole(self) -> int:
        return sum(self.parts.values())


@dataclass(frozen=True)
class Tour:
    """A tour of all clips. unit: of the costs; clips: in the order of the bank."""

    unit: str
    clips: list[ClipTour]


def targets_with_screen() -> list[str]:
    """Returns the names of the targets on which a character can be shown."""
    return [name for name in list_targets() if load_target(name).screen]


def build_show(target: Target, generated: Path, out: Path, tour_of: int = 0) -> Path:
    """Compiles and links the program, and returns the image in `out`. generated: the folder with the code, the bank and
    the mesh of a character, named `character`, with skinning matrices in Q14; tour_of: the number of clips to play once
    before it ends, or 0 to play forever. Raises TargetError and DoesNotFit."""
    if not target.screen:
        raise TargetError(f"target {target.name}: has no display; choose {' or '.join(targets_with_screen())}")
    settings = target if tour_of == 0 else _with_flags(
        target, "-DSHOW_TOUR", f"-DTOUR_PICTURES={max(_LEAST_PICTURES, _PICTURES // tour_of)}u")
    return build_program(settings, [TARGETS / "show_main.c", *target.screen], generated,
                         out / ("tour.elf" if tour_of else "show.elf"))


def build_crowd(target: Target, generated: Path, out: Path, measured: int = 0) -> Path:
    """Compiles and links the program that draws many characters with the machine's 3D hardware, and returns the image
    in `out`. generated: as for build_show; measured: the number of characters to play before it stores a picture and
    ends, or 0 to play forever. Raises TargetError, also for a character that is too large for the hardware."""
    settings = target if measured == 0 else _with_flags(target, f"-DHEROES_MEASURED={measured}u")
    return build_program(settings, target.crowd, generated, out / "crowd.elf")


def measure_crowd(target: Target, image: Path, pictures: Path) -> dict[str, int]:
    """Runs a program of build_crowd that ends, and returns its measurements. Stores its picture in the folder
    `pictures`. Raises TargetError if the program fails or prints unexpected output."""
    lines = run_program(target, image, pictures)
    return {match.group(1): int(match.group(2)) for match in _matches(lines, target.name)}


def _with_flags(target: Target, *flags: str) -> Target:
    return replace(target, flags=(*target.flags, *flags))


def build_program(target: Target, sources: Sequence[Path], generated: Path, image: Path,
                  name: str = "character") -> Path:
    """Links these sources with the stage, a character, the target and the runtime. generated: the folder with the code
    of the character; name: its prefix."""
    target = as_requested(target, generated / f"{name}.h")
    image.parent.mkdir(parents=True, exist_ok=True)
    everything = [*sources, *sorted(STAGE.glob("*.c")), *sorted(generated.glob(f"{name}*.c")), *target.sources,
                  TARGETS / "print.c", *runtime_sources(target)]
    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(lambda source: compile_object(target, source, image.parent, [generated, STAGE]),
                                everything))
    link(target, objects, image)
    return image


def take_tour(target: Target, image: Path, pictures: Path) -> Tour:
    """Runs a tour. Stores pictures in the folder `pictures` as CLIP-PICTURE.png. Raises TargetError if the program
    fails or prints unexpected output."""
    lines = run_program(target, image, pictures)
    if not lines[0].startswith("unit "):
        raise TargetError(f"target {target.name}: unexpected output: {lines[0]!r}")
    return Tour(lines[0].removeprefix("unit "), _clips_of(lines[1:], target.name))


def run_program(target: Target, image: Path, pictures: Path) -> list[str]:
    """Runs a program and returns the lines that it prints. Its pictures go to this folder."""
    pictures.mkdir(parents=True, exist_ok=True)
    ran = run_tool(command_for(target, image, str(pictures)), timeout_s=_HANGS_AFTER_S)
    lines = ran.stdout.splitlines()
    if ran.returncode != 0 or not lines:
        raise TargetError(f"target {target.name}: {image.stem} ended with {ran.returncode}: "
                          f"{lines[-1] if lines else 'no output'}")
    return lines


def _matches(lines: Iterable[str], name: str) -> Iterator[re.Match[str]]:
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is None:
            raise TargetError(f"target {name}: unexpected output: {line!r}")
        yield match


def _clips_of(lines: list[str], name: str) -> list[ClipTour]:
    clips: list[dict[str, int]] = []
    for match in _matches(lines, name):
        if match.group(1) == "clip":
            clips.append({})
        clips[-1][match.group(1)] = int(match.group(2))
    return [ClipTour(clip["pictures"], {part: cost for part, cost in clip.items()
                                        if part not in ("clip", "pictures", "worst")}, clip["worst"]) for clip in clips]
