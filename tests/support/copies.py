"""Copies of the project in which pages and lists of steps are followed."""
from __future__ import annotations

import shutil
from pathlib import Path

from pages import ROOT

_NOT_COPIED = shutil.ignore_patterns(".git", "__pycache__", ".hypothesis", ".pytest_cache", "*.ossb")
_CACHE = "build/cache"  # of scons: the copy takes from it what it need not build
_INSTALLED = "build/viewer/node_modules"  # by bootstrap


def copy_project(folder: Path) -> Path:
    """Copies the project into a folder, with everything that is built already."""
    shutil.copytree(ROOT, folder, dirs_exist_ok=True, ignore=lambda at, names: (
        _NOT_COPIED(at, names) | ({"build"} if at == str(ROOT) else set())))
    shutil.copytree(ROOT / _CACHE, folder / _CACHE)
    (folder / _INSTALLED).parent.mkdir(parents=True, exist_ok=True)
    (folder / _INSTALLED).symlink_to(ROOT / _INSTALLED)
    return folder
