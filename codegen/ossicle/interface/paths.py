"""Paths as callers give them."""
from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from ..base.files.path_names import check_name

PathName = str | PathLike[str]


def path_of(name: PathName) -> Path:
    """Raises SettingProblem for a path with a control character."""
    check_name(name)
    return Path(name)


def paths(names: Iterable[PathName]) -> tuple[Path, ...]:
    """Raises SettingProblem as path_of does."""
    return tuple(map(path_of, names))
