"""Private folders, in which only their user can create files."""
from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ..problem import SettingProblem

_PRIVATE = 0o700
_FOR_OTHERS = 0o077


def make_private_folder(folder: Path) -> None:
    """Creates the folder if it does not exist, and closes it to other users. Raises SettingProblem if it belongs to
    another user, and OSError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        folder.mkdir(_PRIVATE)
    if not belongs_to_user(folder):
        raise SettingProblem(f"{folder}: belongs to another user, who could change its content; choose another folder")
    if hasattr(os, "geteuid") and folder.stat().st_mode & _FOR_OTHERS:
        folder.chmod(_PRIVATE)


def belongs_to_user(folder: Path) -> bool:
    """Returns whether this user owns a folder, or the target of a link. Raises OSError."""
    return not hasattr(os, "geteuid") or folder.stat().st_uid == os.geteuid()  # Windows: the user's profile is private


def refuse_links(*paths: Path) -> None:
    """Raises SettingProblem if one of these paths is a link, which could lead to any file of the user."""
    for path in paths:
        if path.is_symlink():
            raise SettingProblem(f"{path}: is a link; remove it, or make the folder itself a link")
