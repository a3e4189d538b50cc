"""Folders for what can be found again, which are marked so that no other folder is ever taken for one."""
from __future__ import annotations

from pathlib import Path

from .problem import SettingProblem

MARK, DIGESTS = "ossicle-cache", "digests.db"


def is_cache_folder(folder: Path) -> bool:
    """Whether the folder is there and marked."""
    return (folder / MARK).exists()


def make_cache_folder(folder: Path) -> None:
    """Makes the folder, if it is not there. Raises SettingProblem if it holds other files, and OSError."""
    if folder.is_dir() and any(folder.iterdir()) and not is_cache_folder(folder):
        raise SettingProblem(f"{folder}: holds other files; choose another folder for the cache")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
