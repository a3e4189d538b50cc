"""Stores compiled objects: the build, the tests and the benches compile the runtime again and
again, for every target. OSSICLE_OBJECTS names the folder of the store; without it nothing is
stored.

The key of an object consists of the compiler, its flags, and the preprocessed source. A changed
header or definition therefore gives another object, and a file that does not use a definition is
compiled once for all its values. Which files were read and which key they gave is stored as well, so
that the source is not preprocessed again while these files are the same.
"""
from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..base.places import ROOT
from ..base.private_folder import make_private_folder
from .tools import checked_tool, find_tool

try:
    import fcntl
except ImportError:  # Windows: two processes may compile the same file, with the same result
    fcntl = None  # type: ignore[assignment]

VARIABLE = "OSSICLE_OBJECTS"
_UNUSED_S = 2 * 24 * 3600  # unused files are removed after this time
_CALL_GRAPH = "-fcallgraph-info"
_READ = re.compile(r'^# \d+ "([^"<]*[^"</])"', re.MULTILINE)  # file names in preprocessed text; no folders
# The requests of this process: for each, the files that were read, with their digests, and the key.
_keys: dict[str, tuple[dict[str, str], str]] = {}


def compile_file(command: Sequence[str], source: Path, result: Path, purpose: str) -> None:
    """Compiles one C file, or copies the object from an earlier compilation of the same file.

    command: the compiler and its flags, without -c and -o. result: the object; a call graph, if the
    flags ask for one, is written beside it. Raises TargetError with `purpose` and the compiler's
    first error.
    """
    folder = os.environ.get(VARIABLE)
    if not folder or not source.is_relative_to(ROOT):  # generated code differs every time
        _compile(command, source, result, purpose)
        return
    suffixes = [".o"] + [".ci"] * any(flag.startswith(_CALL_GRAPH) for flag in command)
    kept = Path(folder) / _key(command, source, purpose)
    make_private_folder(kept.parent)
    with kept.with_suffix(".lock").open("w") as lock:  # a second process waits for the first
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not all(kept.with_suffix(suffix).is_file() for suffix in suffixes):
            _keep(command, source, kept, suffixes, purpose)
        for suffix in suffixes:
            os.utime(kept.with_suffix(suffix))
            shutil.copyfile(kept.with_suffix(suffix), result.with_suffix(suffix))


def forget_unused() -> None:
    """Removes the files that have not been used for days."""
    folder = os.environ.get(VARIABLE)
    for path in Path(folder).glob("*.*") if folder else ():
        if path.stat().st_mtime < time.time() - _UNUSED_S:
            path.unlink()


def _compile(command: Sequence[str], source: Path, result: Path, purpose: str) -> None:
    checked_tool([*command, "-c", str(source), "-o", str(result)], purpose)


def _keep(command: Sequence[str], source: Path, kept: Path, suffixes: list[str],
          purpose: str) -> None:
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:  # only complete files are stored
        made = Path(folder) / f"{source.stem}.o"
        _compile(command, source, made, purpose)
        for suffix in suffixes:
            made.with_suffix(suffix).replace(kept.with_suffix(suffix))


def _key(command: Sequence[str], source: Path, purpose: str) -> str:
    """Returns the key of the file's object."""
    compiler = Path(find_tool(command[0])).resolve()
    status = compiler.stat()
    asked = (str(compiler), str(status.st_mtime_ns), str(status.st_size), *command[1:], str(source))
    folders = [part[2:] for part in asked if part.startswith("-I")]
    # Those of generated code differ with every request, but what is compiled here seldom reads them.
    elsewhere = [folder for folder in folders if not Path(folder).is_relative_to(ROOT)]
    request = _hash(part for part in asked if part not in {f"-I{folder}" for folder in elsewhere})
    for name in (request, _hash(asked)):
        read, key = _stored(name)
        if key and all(_digest(path) == digest for path, digest in read.items()) and not _hidden(read, folders):
            return key
    text = checked_tool([*command, "-E", str(source)], purpose)
    # The preprocessed text already depends on the include folders and definitions.
    key = _hash([*(part for part in asked if not part.startswith(("-I", "-D"))), text])
    read = {path: _digest(path) for path in set(_READ.findall(text))}
    _store(_hash(asked) if any(Path(path).is_relative_to(folder) for path in read for folder in elsewhere)
           else request, read, key)
    return key


def _hidden(read: Iterable[str], folders: Sequence[str]) -> bool:
    """Whether an include folder has another file by the name of one that was read, which the compiler may find
    first."""
    for path in read:
        parts = path.split("/")
        for depth in (1, 2, 3):
            name = "/".join(parts[-depth:])
            if any((place := f"{folder}/{name}") != path and os.path.exists(place) for folder in folders):
                return True
    return False


def _stored(request: str) -> tuple[dict[str, str], str]:
    """Returns the files that were read for a request, with their digests, and the key; empty if there was none."""
    if request not in _keys:
        try:
            read, key = json.loads(_place(request).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}, ""
        _keys[request] = read, key
    return _keys[request]


def _store(request: str, read: dict[str, str], key: str) -> None:
    _keys[request] = read, key
    place = _place(request)
    make_private_folder(place.parent)
    with tempfile.NamedTemporaryFile("w", dir=place.parent, delete=False, encoding="utf-8") as file:
        json.dump(_keys[request], file)
    Path(file.name).replace(place)


def _place(request: str) -> Path:
    return Path(os.environ[VARIABLE]) / f"{request}.read"


def _hash(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""
