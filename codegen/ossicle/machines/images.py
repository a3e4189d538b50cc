"""Writes the files to flash from a linked program, by suffix."""
from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from .nds_file import nds_file
from .tools import TargetError, checked_tool
from .uf2 import uf2_of

LOGO_BYTES = 156
# The offset of the maker's logo, which consoles check. It is copyrighted, so the user supplies it.
LOGO_PLACES = {".gba": 4, ".nds": 0xC0}
ELF = ".elf"  # of every program, for debuggers and openocd
# Parameters: the prefix of the machine's tools, the program as an ELF file, the file to write, and the logo.
Writer = Callable[[str, Path, Path, bytes], None]


def _copy(_tools: str, program: Path, image: Path, _logo: bytes) -> None:
    shutil.copyfile(program, image)


def _objcopy(form: str) -> Writer:
    def write(tools: str, program: Path, image: Path, _logo: bytes) -> None:
        checked_tool([f"{tools}objcopy", "-O", form, str(program), str(image)], f"{image} cannot be written")
    return write


def _gba(tools: str, program: Path, image: Path, logo: bytes) -> None:
    WRITERS[".bin"](tools, program, image, b"")
    with image.open("r+b") as file:
        file.seek(LOGO_PLACES[".gba"])
        file.write(logo)


def _nds(_tools: str, program: Path, image: Path, logo: bytes) -> None:
    image.write_bytes(nds_file(program.read_bytes(), logo))


def _uf2(_tools: str, program: Path, image: Path, _logo: bytes) -> None:
    try:
        image.write_bytes(uf2_of(program))
    except ValueError as error:
        raise TargetError(str(error)) from error


# A target's `rom` names the suffixes. .bin and .gba are memory images of the program.
WRITERS: dict[str, Writer] = {
    ELF: _copy,
    ".bin": _objcopy("binary"),
    ".gba": _gba,
    ".hex": _objcopy("ihex"),
    ".nds": _nds,
    ".uf2": _uf2,
}


def write_images(tools: str, suffixes: Sequence[str], program: Path, stem: Path, logo: bytes = b"") -> list[Path]:
    """Writes STEM with each of the suffixes, and as an ELF file, which comes last. Returns the files. logo: the result
    of read_logo, or empty, which emulators accept."""
    images = [stem.with_name(stem.name + suffix) for suffix in (*suffixes, ELF)]
    stem.parent.mkdir(parents=True, exist_ok=True)
    for image in images:
        WRITERS[image.suffix](tools, program, image, logo)
    return images


def read_logo(suffixes: Sequence[str], path: Path) -> bytes:
    """Reads the logo for files with these suffixes: the first bytes of a file. Raises TargetError if they have no logo,
    or the file is too short."""
    if not LOGO_PLACES.keys() & set(suffixes):
        raise TargetError(f"LOGO={path}: only {' and '.join(LOGO_PLACES)} files have a logo")
    try:
        logo = path.read_bytes()[:LOGO_BYTES]
    except OSError as error:
        raise TargetError(f"LOGO={path}: cannot be read ({error.strerror})") from error
    if len(logo) < LOGO_BYTES:
        raise TargetError(f"LOGO={path}: has {len(logo)} bytes; a logo has {LOGO_BYTES}")
    return logo
