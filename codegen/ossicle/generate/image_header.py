"""Renders the C header with the addresses of tiers in an image."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..bank.image import Image
from ..base.problem import SettingProblem
from ..base.version import versions
from .emit import environment
from .identifiers import c_name_problem, name_of_stem


def c_names_of(banks: Mapping[Path, str | None] | Sequence[Path]) -> list[str]:
    """Returns the names of banks in C, by default those of `ossicle generate`. Raises SettingProblem for a file with an
    invalid name, and for two files with the same one."""
    names: dict[str, Path] = {}
    for path in banks:
        name = (banks[path] if isinstance(banks, Mapping) else None) or name_of_stem(path.stem)
        if problem := c_name_problem(name):
            raise SettingProblem(f"{path}: its name in C, {name!r}, {problem}; rename the file")
        if name in names:
            raise SettingProblem(f"{path}: has the name {name} in C, like {names[name]}; rename one of the files")
        names[name] = path
    return list(names)


def image_header(image: Image, path: Path) -> bytes:
    """Returns the header of an image. path: of the image, whose stem begins the names of its macros."""
    text = environment().get_template("image.h.j2").render(
        image=image, prefix=name_of_stem(path.stem).upper(), library=versions().library)
    return text.encode("utf-8")
