"""The files that are flashed: for each suffix, what writes it from a linked program."""
from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from .tools import checked_tool

ELF = ".elf"  # of every program; debuggers and openocd take it

# Takes the prefix of the machine's tools, the program as an ELF file, and the file to write.
Writer = Callable[[str, Path, Path], None]


def _copy(_tools: str, program: Path, image: Path) -> None:
    shutil.copyfile(program, image)


def _objcopy(form: str) -> Writer:
    def write(tools: str, program: Path, image: Path) -> None:
        checked_tool([f"{tools}objcopy", "-O", form, str(program), str(image)], f"{image} cannot be written")
    return write


# A target's `rom` names the suffixes. .bin and .gba are the program as it lies in the machine's memory.
WRITERS: dict[str, Writer] = {
    ELF: _copy,
    ".bin": _objcopy("binary"),
    ".gba": _objcopy("binary"),
    ".hex": _objcopy("ihex"),
}


def write_images(tools: str, suffixes: Sequence[str], program: Path, stem: Path) -> list[Path]:
    """Writes STEM with each of the suffixes, and as an ELF file, which comes last. Returns the files."""
    images = [stem.with_name(stem.name + suffix) for suffix in (*suffixes, ELF)]
    stem.parent.mkdir(parents=True, exist_ok=True)
    for image in images:
        WRITERS[image.suffix](tools, program, image)
    return images
