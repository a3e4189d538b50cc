"""The files that the names in `inputs` stand for, which may be patterns."""
from __future__ import annotations

import glob
from itertools import takewhile
from pathlib import Path

from ..base.problem import SettingProblem


def is_pattern(folder: Path, name: str) -> bool:
    """Whether a name stands for all files like it: it has *, ? or [ and is no file's own name."""
    return glob.has_magic(name) and not (folder / name).exists()


def folder_of(folder: Path, name: str) -> Path:
    """The folder that holds what a name stands for, relative to the folder that the name is relative to. A pattern ends
    before its first part with *, ? or [, whatever files there are."""
    if not is_pattern(folder, name):
        return Path(name).parent
    return Path(*takewhile(lambda part: not glob.has_magic(part), Path(name).parts))


def matching(folder: Path, pattern: str) -> list[str]:
    """The files that match, in the order of their names, relative to the folder. ** matches any number of folders."""
    found = glob.glob(pattern, root_dir=folder, recursive=True)
    return sorted(Path(name).as_posix() for name in found if (folder / name).is_file())


def checked_matching(folder: Path, pattern: str) -> list[str]:
    """The files that match. Raises SettingProblem if there are none."""
    found = matching(folder, pattern)
    if not found:
        raise SettingProblem(f"inputs: no file matches {pattern!r}; check the pattern, which is relative to the folder "
                             "of this file")
    return found
