"""Resolves the names in `inputs`, which may be patterns."""
from __future__ import annotations

import glob
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path

from ..base.files.output import shown
from ..base.problem import SettingProblem


def is_pattern(folder: Path, name: str) -> bool:
    """Returns whether a name is a pattern: it contains *, ? or [ and is not the name of a file."""
    return glob.has_magic(name) and not (folder / name).exists()


def folder_of(folder: Path, name: str) -> Path:
    """Returns the folder of a name, relative to `folder`. The folder of a pattern ends before its first part with *, ?
    or [, regardless of the existing files."""
    if not is_pattern(folder, name):
        return Path(name).parent
    return Path(*takewhile(lambda part: not glob.has_magic(part), Path(name).parts))


def searched(folder: Path, pattern: str) -> list[Path]:
    """Returns the folders in which a pattern looks for names, or will, once a missing folder above them exists."""
    parts = Path(pattern).parts
    fixed = len(folder_of(folder, pattern).parts)
    above = folder / Path(*parts[:fixed])
    if not above.is_dir():
        return [next((parent for parent in above.parents if parent.is_dir()), folder)]
    looks = [str(Path(*parts[:count])) for count in range(fixed, len(parts))]
    found = {folder / name for look in looks for name in glob.glob(look, root_dir=folder, recursive=True)}
    return sorted(path for path in found if path.is_dir())


def matching(folder: Path, pattern: str) -> list[str]:
    """Returns the matching files, sorted by name, relative to the folder. ** matches any number of folders."""
    found = glob.glob(pattern, root_dir=folder, recursive=True)
    return sorted(Path(name).as_posix() for name in found if (folder / name).is_file())


def expanded(folder: Path, names: Iterable[str]) -> tuple[tuple[Path, ...], dict[str, Sequence[str]]]:
    """Returns the files that the names mean, each once, in the form of messages, and the matching files of each
    pattern. Raises SettingProblem for a pattern without a match."""
    names = list(names)
    patterns: dict[str, Sequence[str]] = {
        name: checked_matching(folder, name) for name in names if is_pattern(folder, name)}
    files = (shown(folder / file) for name in names for file in patterns.get(name, [name]))
    return tuple(dict.fromkeys(files) if patterns else files), patterns


def checked_matching(folder: Path, pattern: str) -> list[str]:
    """Returns the matching files. Raises SettingProblem if there are none."""
    found = matching(folder, pattern)
    if not found:
        raise SettingProblem(f"inputs: no file matches {pattern!r}; check the pattern, which is relative to the folder "
                             "of the file")
    return found
