"""Archives whose bytes depend only on the names, modes and contents of their files, and on a date."""
from __future__ import annotations

import gzip
import io
import os
import tarfile
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

PLAIN, PROGRAM = 0o644, 0o755


class Entry(NamedTuple):
    """A file of an archive. mode: PLAIN or PROGRAM."""

    content: bytes
    mode: int = PLAIN


Files = Mapping[str, Entry]


def files_of(folder: Path, prefix: str = "") -> dict[str, Entry]:
    """Returns the files below a folder by their paths in it, each with `prefix` before it."""
    return {f"{prefix}{path.relative_to(folder).as_posix()}": read_entry(path)
            for path in folder.rglob("*") if path.is_file()}


def read_entry(path: Path) -> Entry:
    """Returns a file with its mode."""
    return Entry(path.read_bytes(), PROGRAM if os.access(path, os.X_OK) else PLAIN)


def zip_of(files: Files, epoch: int) -> bytes:
    """Returns a .zip. epoch: the date of its files, in seconds since 1970, at least that of 1980."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, entry in sorted(files.items()):
            described = zipfile.ZipInfo(name, time.gmtime(epoch)[:6])
            described.create_system, described.external_attr = 3, entry.mode << 16
            described.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(described, entry.content)
    return content.getvalue()


def tar_of(files: Files, epoch: int) -> bytes:
    """Returns a .tar.gz. epoch: as for zip_of."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, entry in sorted(files.items()):
            described = tarfile.TarInfo(name)
            described.size, described.mode, described.mtime = len(entry.content), entry.mode, epoch
            archive.addfile(described, io.BytesIO(entry.content))
    return gzip.compress(content.getvalue(), mtime=epoch)


def read_tar(path: Path) -> dict[str, Entry]:
    """Returns the files of a .tar.gz."""
    with tarfile.open(path) as archive:
        return {member.name: Entry(archive.extractfile(member).read(),  # type: ignore[union-attr]
                                   PROGRAM if member.mode & 0o100 else PLAIN)
                for member in archive.getmembers() if member.isfile()}
