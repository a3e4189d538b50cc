"""Paths as callers give them."""
from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

PathName = str | PathLike[str]


def paths(names: Iterable[PathName]) -> tuple[Path, ...]:
    return tuple(Path(name) for name in names)
