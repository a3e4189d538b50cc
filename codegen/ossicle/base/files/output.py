"""Writes output files completely or not at all, and never over input files."""
from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from .. import signals
from .path_names import check_name
from ..problem import SettingProblem

_SCRATCH = ".ossicle-"
_LONGEST_NAME = 255  # the limit of NTFS, for systems that do not report one


def shown(path: Path) -> Path:
    """Returns the path for messages: relative to the current directory if it is below it, otherwise as given."""
    whole, here = _resolved(path.parent) / path.name, Path.cwd()
    return whole.relative_to(here) if whole.is_relative_to(here) else path


def check_outputs(read: Mapping[Path, Path], written: Iterable[Path]) -> None:
    """Raises SettingProblem if an output is also an input, by any name or link, if two outputs are the same file or
    one is below another, if an output cannot be written, or if check_name refuses a path. Call it before long work;
    it creates nothing. read: maps each file that is read to the input that it belongs to."""
    written = list(written)
    for path in (*read, *written):
        check_name(path)
    inputs = {_identity(path): (path, owner) for path, owner in read.items()}
    outputs: dict[object, Path] = {}
    for path in written:
        identity = _identity(path)
        if identity in inputs:
            file, owner = inputs[identity]
            reason = "is an input" if file == owner else f"belongs to the input {owner}"
            raise SettingProblem(f"{path}: {reason}; choose another output")
        if identity in outputs:
            raise SettingProblem(f"{path}: is an output twice; choose another output")
        outputs[identity] = path
    for path in outputs.values():
        check_writable(path)
        for folder in path.parents:
            if _identity(folder) in outputs:
                raise SettingProblem(f"{path}: is below {folder}, which is also an output; choose another output")


def check_writable(path: Path) -> None:
    """Raises SettingProblem if a file cannot be written. Call it before long work; it creates nothing."""
    if reason := _obstacle(path):
        raise _unwritable(path, os.strerror(reason))


def _unwritable(path: Path, reason: str | None) -> SettingProblem:
    return SettingProblem(f"{path}: cannot be written ({reason}); choose another path")


def _obstacle(path: Path) -> int:
    """Returns the error number with which writing the file would fail, or 0."""
    mode, path = None, _resolved(path)
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:  # the usual case, or a link without a target
        pass
    except OSError as error:
        return error.errno
    if mode is not None and stat.S_ISDIR(mode):
        return errno.EISDIR
    if mode is not None and not os.access(path, os.W_OK):
        return _denied(path)
    if mode is not None and not stat.S_ISREG(mode):
        return 0
    folder, names = path.parent, [path.name]
    while not os.path.lexists(folder) and folder != folder.parent:
        names.append(folder.name)
        folder = folder.parent
    if not folder.is_dir():
        return errno.ENOTDIR
    if not os.access(folder, os.W_OK | os.X_OK):
        return _denied(folder)
    longest = os.pathconf(folder, "PC_NAME_MAX") if hasattr(os, "pathconf") else _LONGEST_NAME
    return errno.ENAMETOOLONG if any(len(os.fsencode(name)) > longest for name in names) else 0


def _denied(path: Path) -> int:
    if hasattr(os, "statvfs") and os.statvfs(path).f_flag & os.ST_RDONLY:
        return errno.EROFS
    return errno.EACCES


def _identity(path: Path) -> object:
    """Returns the same value for all names of a file: its device and inode, or its path if it does not exist yet."""
    try:
        status = os.stat(path)
    except OSError:
        return _resolved(path)
    return status.st_dev, status.st_ino


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # RuntimeError: circular links
        raise SettingProblem(f"{path}: cannot be resolved ({error}); choose another path") \
            from error


@dataclass(frozen=True)
class _Staged:
    """A new file that is ready to replace the old one. before: a second name of the old file, or None if there is no
    old file."""

    target: Path
    content: Path
    before: Path | None


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Writes all of these files or none. If a file cannot be written, restores everything and raises a SettingProblem
    that names it. Devices and pipes are written to, not replaced; links stay and lead to the new files."""
    path = Path()
    with ExitStack() as folders, ExitStack() as scratch:
        try:
            staged: dict[Path, _Staged] = {}
            streams: list[Path] = []
            for path, content in contents.items():
                if path.exists() and not path.is_file():
                    streams.append(path)
                    continue
                target = _resolved(path)
                _make_folder(target.parent, folders)
                staged[path] = _stage(target, content, scratch)
            for path in streams:
                path.write_bytes(contents[path])
            with signals.deferred(), ExitStack() as undo:
                for path, file in staged.items():
                    _put_in_place(file, undo)
                undo.pop_all()
                folders.pop_all()
        except OSError as error:
            raise _unwritable(path, error.strerror) from error


def write_atomically(path: Path, content: bytes) -> None:
    """Writes a file completely, or keeps the old one and raises SettingProblem."""
    write_all({path: content})


def _make_folder(folder: Path, undo: ExitStack) -> None:
    for missing in reversed([parent for parent in (folder, *folder.parents) if not parent.exists()]):
        with signals.deferred():
            missing.mkdir(exist_ok=True)
            undo.callback(_remove, os.rmdir, missing)


def _stage(target: Path, content: bytes, scratch: ExitStack) -> _Staged:
    """Writes the content to a new file beside the target, and gives the old file a second name."""
    import shutil  # imported here: an unchanged build writes no file
    name = target.parent / f"{_SCRATCH}{os.urandom(8).hex()}"
    with signals.deferred():
        file = open(name, "xb")  # with the access rights of new files, which tempfile restricts
        scratch.callback(_remove, os.unlink, name)
    with file:
        file.write(content)
    if not os.path.lexists(target):
        return _Staged(target, name, None)
    before = Path(f"{name}.old")
    scratch.callback(_remove, os.unlink, before)
    try:
        os.link(target, before, follow_symlinks=False)
    except (OSError, NotImplementedError):  # a file system or a system without such links
        shutil.copy2(target, before, follow_symlinks=False)
    return _Staged(target, name, before)


def _put_in_place(staged: _Staged, undo: ExitStack) -> None:
    os.replace(staged.content, staged.target)
    if staged.before is None:
        undo.callback(_remove, os.unlink, staged.target)
    else:
        undo.callback(os.replace, staged.before, staged.target)


def _remove(remove: Callable[[Path | str], None], path: Path | str) -> None:
    with suppress(OSError):
        remove(path)
