"""Copies of the project in which pages and lists of steps are followed."""
from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from pages import ROOT

_NOT_SOURCES = shutil.ignore_patterns(".git", "__pycache__", "*.pyc", ".hypothesis", ".pytest_cache", "*.ossb")
_CACHE = "build/cache"  # of scons: the copy takes from it what it need not build
_INSTALLED = "build/viewer/node_modules"  # by bootstrap


def not_sources(root: Path) -> Callable[[str, list[str]], set[str]]:
    """Returns the filter with which shutil.copytree leaves out caches and build output. Only the `build` at the root
    of a checkout is output; the package has a folder of that name."""
    return lambda folder, names: _NOT_SOURCES(folder, names) | ({"build"} if folder == str(root) else set())


def copy_project(folder: Path) -> Path:
    """Copies the project into a folder, with everything that is built already."""
    shutil.copytree(ROOT, folder, ignore=not_sources(ROOT), dirs_exist_ok=True)
    shutil.copytree(ROOT / _CACHE, folder / _CACHE)
    (folder / _INSTALLED).parent.mkdir(parents=True, exist_ok=True)
    (folder / _INSTALLED).symlink_to(ROOT / _INSTALLED)
    return folder
