"""Flashes a program to a machine: runs a command of its target.toml, or copies a file to its drive."""
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
from ossicle.machines.flash_methods import ORIGIN, FlashMethod
from ossicle.machines.settings import Target, list_targets, load_target
from ossicle.machines.tools import TargetError, find_tool

# Mount points of drives by label.
DRIVE_PLACES = ("/media/*/{}", "/media/{}", "/run/media/*/{}", "/Volumes/{}")


@dataclass(frozen=True)
class Flasher:
    """A method of flashing that works on this computer. folder: of the drive, for a copy."""

    target: Target
    method: FlashMethod
    folder: Path | None = None

    def line(self, images: Sequence[Path]) -> str:
        """Returns the command in the syntax of a shell."""
        if self.method.copy is None:
            return shlex.join(_command(self.target, self.method, images))
        folder = self.folder or self.method.drive or "DRIVE"
        return shlex.join(["cp", str(_image(images, self.method.copy)), f"{folder}/"])

    def run(self, images: Sequence[Path]) -> None:
        """Runs the command, with its output unbuffered. Raises TargetError if it fails."""
        if self.method.copy is not None:
            self._copy(_image(images, self.method.copy))
            return
        program, *arguments = _command(self.target, self.method, images)
        code = subprocess.run([find_tool(program), *arguments], check=False).returncode
        if code != 0:
            raise TargetError(f"target {self.target.name}: {program} ended with {code}; is the board connected? "
                              f"The command was: {self.line(images)}")

    def _copy(self, image: Path) -> None:
        assert self.folder is not None
        try:
            shutil.copyfile(image, self.folder / image.name)
            os.sync()  # so that the board can be unplugged
        except OSError as error:
            raise TargetError(f"{self.folder}: cannot be written ({error.strerror})") from error


def flasher(target: Target, name: str, drive: Path | None, dry: bool) -> Flasher:
    """Selects a method of flashing and checks its requirements, before anything is built. name: of the method, or empty
    for the first; drive: the folder to copy to, or None to find the drive by its label; dry: whether the command is
    only printed, so that nothing is required. Raises TargetError."""
    method = _chosen(target, name)
    if drive is not None and method.copy is None:
        raise TargetError(f"DRIVE={drive}: target {target.name} is flashed with {method.name}, which does not use a "
                          "drive; leave out DRIVE, or choose another FLASH_WITH")
    if dry:
        return Flasher(target, method, drive)
    if method.copy is None:
        find_tool(method.command[0])
        return Flasher(target, method)
    return Flasher(target, method, _folder(target, method, drive))


def _chosen(target: Target, name: str) -> FlashMethod:
    if not target.flash:
        able = [other for other in list_targets() if load_target(other).flash]
        raise TargetError(f"target {target.name}: its target.toml has no [flash]; choose {' or '.join(able)}")
    methods = {method.name: method for method in target.flash}
    if name and name not in methods:
        raise TargetError(f"target {target.name}: FLASH_WITH={name} is unknown{nearest(name, methods)}")
    return methods[name] if name else target.flash[0]


def _folder(target: Target, method: FlashMethod, drive: Path | None) -> Path:
    if drive is not None:
        if not drive.is_dir():
            raise TargetError(f"DRIVE={drive}: no such folder")
        return drive
    if method.drive is None:
        raise TargetError(f"target {target.name}: give the folder of its card, such as DRIVE=/media/me/CARD")
    found = [path for place in DRIVE_PLACES for path in sorted(Path("/").glob(place.format(method.drive)[1:]))]
    if not found:
        raise TargetError(f"target {target.name}: no drive {method.drive} is mounted; connect the board, or give the "
                          f"folder of the drive, such as DRIVE=/media/me/{method.drive}")
    if len(found) > 1:
        raise TargetError(f"target {target.name}: there are {len(found)} drives {method.drive}; choose one: "
                          f"DRIVE={' or DRIVE='.join(map(str, found))}")
    return found[0]


def _image(images: Sequence[Path], suffix: str) -> Path:
    return next(image for image in images if image.suffix == suffix)


def _command(target: Target, method: FlashMethod, images: Sequence[Path]) -> list[str]:
    values = {image.suffix[1:]: str(image) for image in images}
    if target.memory is not None:
        values[ORIGIN] = f"{target.memory.rom_origin:#010x}"
    return [Template(word).substitute(values) for word in method.command]
