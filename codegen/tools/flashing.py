"""Brings a program to the machine: runs a command of its target.toml, or copies a file to its drive."""
from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from ossicle.base.problem import nearest
from ossicle.targets.flash_ways import ORIGIN, FlashWay
from ossicle.targets.settings import Target, list_targets, load_target
from ossicle.targets.tools import TargetError, find_tool

# Where desktops mount drives, by their labels.
DRIVE_PLACES = ("/media/*/{}", "/media/{}", "/run/media/*/{}", "/Volumes/{}")


@dataclass(frozen=True)
class Flasher:
    """A way that was found to work on this computer. folder: of the drive, for a copy."""

    target: Target
    way: FlashWay
    folder: Path | None = None

    def line(self, images: Sequence[Path]) -> str:
        """The command as a shell takes it."""
        if self.way.copy is None:
            return shlex.join(_command(self.target, self.way, images))
        return shlex.join(["cp", str(_image(images, self.way.copy)), f"{self.folder or self.way.drive or 'DRIVE'}/"])

    def run(self, images: Sequence[Path]) -> None:
        """Runs it; what the tool prints is not held back. Raises TargetError if it fails."""
        if self.way.copy is not None:
            self._copy(_image(images, self.way.copy))
            return
        program, *arguments = _command(self.target, self.way, images)
        code = subprocess.run([find_tool(program), *arguments], check=False).returncode
        if code != 0:
            raise TargetError(f"target {self.target.name}: {program} ended with {code}; is the board connected? "
                              f"The command was: {self.line(images)}")

    def _copy(self, image: Path) -> None:
        assert self.folder is not None
        try:
            shutil.copyfile(image, self.folder / image.name)
            os.sync()  # who unplugs the board now has the whole file on it
        except OSError as error:
            raise TargetError(f"{self.folder}: cannot be written ({error.strerror})") from error


def flasher(target: Target, name: str, drive: Path | None, dry: bool) -> Flasher:
    """Chooses a way and looks for what it needs, before anything is built.

    name: of the way; empty: the first. drive: the folder to copy to; None: the drive is looked for by
    its label. dry: the command is only printed, so nothing is needed. Raises TargetError.
    """
    way = _chosen(target, name)
    if drive is not None and way.copy is None:
        raise TargetError(f"DRIVE={drive}: target {target.name} is flashed with {way.name}, which copies nothing to a "
                          "drive; leave DRIVE out, or choose another FLASH_WITH")
    if dry:
        return Flasher(target, way, drive)
    if way.copy is None:
        find_tool(way.command[0])
        return Flasher(target, way)
    return Flasher(target, way, _folder(target, way, drive))


def _chosen(target: Target, name: str) -> FlashWay:
    if not target.flash:
        able = [other for other in list_targets() if load_target(other).flash]
        raise TargetError(f"target {target.name}: its target.toml has no [flash]; choose {' or '.join(able)}")
    ways = {way.name: way for way in target.flash}
    if name and name not in ways:
        raise TargetError(f"target {target.name}: FLASH_WITH={name}: not known{nearest(name, ways)}")
    return ways[name] if name else target.flash[0]


def _folder(target: Target, way: FlashWay, drive: Path | None) -> Path:
    if drive is not None:
        if not drive.is_dir():
            raise TargetError(f"DRIVE={drive}: no such folder")
        return drive
    if way.drive is None:
        raise TargetError(f"target {target.name}: give the folder of its card, such as DRIVE=/media/me/CARD")
    found = [path for place in DRIVE_PLACES for path in sorted(Path("/").glob(place.format(way.drive)[1:]))]
    if not found:
        raise TargetError(f"target {target.name}: no drive {way.drive} is mounted; connect the board, or give the "
                          f"folder of the drive, such as DRIVE=/media/me/{way.drive}")
    if len(found) > 1:
        raise TargetError(f"target {target.name}: there are {len(found)} drives {way.drive}; choose one: "
                          f"DRIVE={' or DRIVE='.join(map(str, found))}")
    return found[0]


def _image(images: Sequence[Path], suffix: str) -> Path:
    return next(image for image in images if image.suffix == suffix)


def _command(target: Target, way: FlashWay, images: Sequence[Path]) -> list[str]:
    values = {image.suffix[1:]: str(image) for image in images}
    if target.memory is not None:
        values[ORIGIN] = f"{target.memory.rom_origin:#010x}"
    return [Template(word).substitute(values) for word in way.command]
