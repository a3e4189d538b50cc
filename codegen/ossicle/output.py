"""Writing result files: whole or not at all, and never over what was read."""
from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from .problem import SettingProblem


def shown(path: Path) -> Path:
    """The same file as messages should name it: from the current directory, and without `..`, where
    it lies below that; else as it was given."""
    whole, here = _resolved(path.parent) / path.name, Path.cwd()
    return whole.relative_to(here) if whole.is_relative_to(here) else path


def check_outputs(inputs: Iterable[Path], outputs: Iterable[Path]) -> None:
    """SettingProblem where an output is one of the input files, or two outputs are the same."""
    taken = {_resolved(path): "is an input" for path in inputs}
    for path in outputs:
        if _resolved(path) in taken:
            raise SettingProblem(f"{path}: {taken[_resolved(path)]}; choose another output")
        taken[_resolved(path)] = "is written twice"


def check_place(path: Path) -> None:
    """SettingProblem where a new file cannot be written, before the long work that it is the result
    of; makes nothing."""
    folder = path.parent
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    reason = 0
    if not folder.is_dir():
        reason = errno.ENOTDIR
    elif not os.access(folder, os.W_OK | os.X_OK):
        reason = errno.EACCES
    if reason:
        raise SettingProblem(f"{path}: cannot be written ({os.strerror(reason)}); choose another "
                             "path")


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        raise SettingProblem(f"{path}: cannot be followed ({error}); choose another path") \
            from error


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Writes whole files; where one of them cannot be written, a SettingProblem names it and what
    was there stays. Devices and pipes are written to, not replaced."""
    staged: list[tuple[Path, Path, bytes]] = []
    path = Path()
    try:
        for path, content in contents.items():
            staged.append((_stage(path, content), path, content))
        for scratch, path, content in staged:
            if scratch == path:
                path.write_bytes(content)
            else:
                os.replace(scratch, path)
    except OSError as error:
        raise SettingProblem(f"{path}: cannot be written ({error.strerror}); choose another path") \
            from error
    finally:
        for scratch, path, _ in staged:
            if scratch != path:
                scratch.unlink(missing_ok=True)


def write_atomically(path: Path, content: bytes) -> None:
    """Writes a whole file or leaves what was there; SettingProblem where it cannot be written."""
    write_all({path: content})


def _stage(path: Path, content: bytes) -> Path:
    """The content in a new file beside `path`, or `path` itself where that is a device or pipe."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if path.exists() and not path.is_file():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".ossicle-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    return Path(name)
