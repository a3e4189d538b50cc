"""Cache folders, each with a mark file, so that no other folder is mistaken for a cache."""
from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from .private_folder import make_private_folder, refuse_links
from ..problem import SettingProblem

MARK, DIGESTS, CLIPS = "ossicle-cache", "digests.db", "ossicle-clips"
_CLEARED = "ossicle-cleared-"  # prefix of a store that is being removed
_JOURNAL = "-journal"  # suffix of SQLite's journal
_TRIES = 100  # attempts to mark a folder, which other processes may be clearing


def is_cache_folder(folder: Path) -> bool:
    """Returns whether the folder exists and is marked."""
    return os.path.lexists(folder / MARK)


def make_cache_folder(folder: Path) -> None:
    """Creates the folder if it does not exist, and closes it to other users. Raises SettingProblem if it contains other
    files, belongs to another user, or has links in place of its databases, and OSError."""
    names = _names(folder)
    if names and MARK not in names:
        raise SettingProblem(f"{folder}: contains other files; choose another folder for the cache")
    mark_cache_folder(folder)
    with suppress(FileNotFoundError):  # another process has just cleared it
        make_private_folder(folder)
    refuse_links(*(folder / name for name in (CLIPS, DIGESTS, DIGESTS + _JOURNAL)))


def mark_cache_folder(folder: Path) -> None:
    """Marks a folder as a cache and creates it if it does not exist. Raises OSError."""
    for tries_left in reversed(range(_TRIES)):
        if is_cache_folder(folder):
            return
        if folder.is_symlink() and not folder.exists():
            raise FileNotFoundError(errno.ENOENT, "it is a broken link")
        try:
            make_private_folder(folder)
            (folder / MARK).touch()
        except FileNotFoundError:  # another process has just cleared it, or it cannot be created, as in /proc
            if not tries_left:
                raise


def clear_cache_folder(folder: Path) -> None:
    """Removes the content of a cache, if there is one, and its folder unless it contains other files. The target of a
    link stays. Raises SettingProblem if the folder is not a cache."""
    try:
        names = _names(folder)
        if not names:
            return
        if MARK not in names:
            raise SettingProblem(f"{folder}: is not a cache of Ossicle, and nothing was removed; check the path")
        if (folder / CLIPS).is_symlink():
            raise SettingProblem(f"{folder / CLIPS}: is a link, and nothing was removed; remove the link and, if it "
                                 "has no other use, its target")
        _clear(folder)
    except OSError as error:
        raise SettingProblem(f"{folder}: the cache cannot be removed ({error.strerror or error}); check the path and "
                             "its permissions, and clear it again") from error


def _names(folder: Path) -> set[str]:
    """Lists the folder; empty if it does not exist. Listed only once, because other processes may fill or clear it."""
    try:
        return set(os.listdir(folder))
    except FileNotFoundError:
        return set()


def _clear(folder: Path) -> None:
    """Removes the mark last, so that an interrupted removal can be repeated."""
    import secrets  # imported here, because few commands clear a cache
    with suppress(FileNotFoundError):  # the store is empty, or another process also clears it
        # A store in use must not be removed file by file: SQLite would pair the remaining files with new ones.
        (folder / CLIPS).rename(folder / f"{_CLEARED}{secrets.token_hex(8)}")
    with suppress(FileNotFoundError):  # the folder itself
        for cleared in folder.glob(f"{_CLEARED}*"):
            _remove(cleared)
    for name in (DIGESTS, DIGESTS + _JOURNAL, MARK):
        (folder / name).unlink(missing_ok=True)
    with suppress(OSError):  # it is a link or contains other files
        folder.rmdir()
    if (folder / CLIPS).exists():  # another process has begun to fill it
        (folder / MARK).touch()


def _remove(path: Path) -> None:
    """Removes a file, link or folder, even if another process removes it at the same time."""
    import shutil
    while os.path.lexists(path):
        with suppress(FileNotFoundError):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
