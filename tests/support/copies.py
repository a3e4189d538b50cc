"""Copies of the project in which pages and lists of steps are followed."""
from __future__ import annotations

import shutil
from pathlib import Path

from pages import ROOT

_NOT_COPIED = shutil.ignore_patterns("build", ".git", "__pycache__", ".hypothesis", ".pytest_cache", "*.ossb")
_CACHE = "build/cache"  # of scons: the copy takes from it what it need not build
_INSTALLED = "build/viewer/node_modules"  # by bootstrap


def copy_project(folder: Path) -> Path:
    """Copies the project into a folder, with everything that is built already."""
    shutil.copytree(ROOT, folder, ignore=_NOT_COPIED, dirs_exist_ok=True)
    shutil.copytree(ROOT / _CACHE, folder / _CACHE)
    (folder / _INSTALLED).parent.mkdir(parents=True, exist_ok=True)
    (folder / _INSTALLED).symlink_to(ROOT / _INSTALLED)
    return folder
