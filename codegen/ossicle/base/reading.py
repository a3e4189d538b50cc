"""Reads source files. Folders, pipes and devices are refused, because they have no bytes, or may
block or never end."""
from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from .path_names import check_name

_OTHER_KINDS = ((stat.S_ISDIR, "it is a folder"), (stat.S_ISFIFO, "it is a pipe"),
                (stat.S_ISSOCK, "it is a socket"), (stat.S_ISCHR, "it is a device"),
                (stat.S_ISBLK, "it is a device"))


def read_file(path: Path, most_bytes: int = -1, limit_bytes: int | None = None) -> bytes:
    """Returns the bytes of a file, or its first most_bytes. Raises OSError, with a strerror for the
    user, if the file cannot be read, is not a regular file, or has more than limit_bytes, and
    SettingProblem for a path that check_name refuses."""
    check_name(path)
    there = os.stat(path)
    if limit_bytes is not None and there.st_size > limit_bytes:
        raise OSError(errno.EFBIG, f"it has {there.st_size:,} bytes, {limit_bytes:,} are the most", str(path))
    for is_kind, said in _OTHER_KINDS:
        if is_kind(there.st_mode):
            raise OSError(errno.EINVAL, said, str(path))
    with path.open("rb") as file:
        return file.read(min(most_bytes, there.st_size))
