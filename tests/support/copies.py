"""Copies of the project in which pages and lists of steps are followed."""
from __future__ import annotations

import shutil
from pathlib import Path

from pages import ROOT

_NOT_COPIED = shutil.ignore_patterns("build", ".git", "__pycache__", ".hypothesis", ".pytest_cache", "*.ossb")
_BUILT = ("host", ".sconsign.dblite")  # scons in the copy finds that these are up to date


def copy_project(folder: Path) -> Path:
    """Copies the project into a folder, with the library and the encoder that are built."""
    shutil.copytree(ROOT, folder, ignore=_NOT_COPIED, dirs_exist_ok=True)
    (folder / "build").mkdir()
    for name in _BUILT:
        source = ROOT / "build" / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, folder / "build" / name)
    return folder
