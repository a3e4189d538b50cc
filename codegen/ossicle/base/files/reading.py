"""Reads source files. Folders, pipes and devices are refused, because reading them fails, blocks or never ends."""
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
    """Returns the bytes of a file, at most the first most_bytes. Raises OSError, with a strerror for the user, if the
    file cannot be read, is not a regular file, or has more than limit_bytes, and SettingProblem if check_name refuses
    the path."""
    check_name(path)
    status = os.stat(path)
    if limit_bytes is not None and status.st_size > limit_bytes:
        raise OSError(errno.EFBIG, f"it has {status.st_size:,} bytes, more than the maximum of "
                                   f"{limit_bytes:,}", str(path))
    for is_kind, message in _OTHER_KINDS:
        if is_kind(status.st_mode):
            raise OSError(errno.EINVAL, message, str(path))
    with path.open("rb") as file:
        return file.read(min(most_bytes, status.st_size))
