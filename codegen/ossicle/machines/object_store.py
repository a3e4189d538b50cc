"""Stores compiled objects, because the build, the tests and the benches compile the runtime repeatedly for every
target. OSSICLE_OBJECTS names the folder of the store; without it nothing is stored.

The key of an object consists of the compiler, its flags, and the preprocessed source. A changed header or definition
therefore gives another object, and a file that does not use a definition is compiled once for all its values. The files
that were read, and the resulting key, are also stored, so that the source is not preprocessed again while these files
do not change.
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
from ..base.files.private_folder import make_private_folder
from .tools import checked_tool, find_tool

try:
    import fcntl
except ImportError:  # Windows: two processes may compile the same file, with the same result
    fcntl = None  # type: ignore[assignment]

VARIABLE = "OSSICLE_OBJECTS"
_UNUSED_S = 2 * 24 * 3600  # unused files are removed after this time
_CALL_GRAPH = "-fcallgraph-info"
_READ = re.compile(r'^# \d+ "([^"<]*[^"</])"', re.MULTILINE)  # file names in preprocessed text, without folders
# The requests of this process: the files that were read, with their digests, and the key.
_keys: dict[str, tuple[dict[str, str], str]] = {}


def compile_file(command: Sequence[str], source: Path, result: Path, purpose: str) -> None:
    """Compiles a C file, or copies the object of an earlier compilation. command: the compiler and its flags, without
    -c and -o; result: the object; a call graph, if flags request it, is written next to it. Raises TargetError with
    `purpose` and the compiler's first error."""
    folder = os.environ.get(VARIABLE)
    if not folder or not source.is_relative_to(ROOT):  # generated code differs every time
        _compile(command, source, result, purpose)
        return
    suffixes = [".o"] + [".ci"] * any(flag.startswith(_CALL_GRAPH) for flag in command)
    stored = Path(folder) / _key(command, source, purpose)
    make_private_folder(stored.parent)
    with stored.with_suffix(".lock").open("w") as lock:  # a second process waits for the first
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not all(stored.with_suffix(suffix).is_file() for suffix in suffixes):
            _keep(command, source, stored, suffixes, purpose)
        for suffix in suffixes:
            os.utime(stored.with_suffix(suffix))
            shutil.copyfile(stored.with_suffix(suffix), result.with_suffix(suffix))


def forget_unused() -> None:
    """Removes files that were not used for days."""
    folder = os.environ.get(VARIABLE)
    for path in Path(folder).glob("*.*") if folder else ():
        if path.stat().st_mtime < time.time() - _UNUSED_S:
            path.unlink()


def _compile(command: Sequence[str], source: Path, result: Path, purpose: str) -> None:
    checked_tool([*command, "-c", str(source), "-o", str(result)], purpose)


def _keep(command: Sequence[str], source: Path, stored: Path, suffixes: list[str],
          purpose: str) -> None:
    with tempfile.TemporaryDirectory(dir=stored.parent) as folder:  # only complete files are stored
        compiled = Path(folder) / f"{source.stem}.o"
        _compile(command, source, compiled, purpose)
        for suffix in suffixes:
            compiled.with_suffix(suffix).replace(stored.with_suffix(suffix))


def _key(command: Sequence[str], source: Path, purpose: str) -> str:
    """Returns the key of the file's object."""
    compiler = Path(find_tool(command[0])).resolve()
    status = compiler.stat()
    request_parts = (str(compiler), str(status.st_mtime_ns), str(status.st_size), *command[1:], str(source))
    folders = [part[2:] for part in request_parts if part.startswith("-I")]
    # Folders of generated code differ with every request, but files that are compiled here seldom read them.
    elsewhere = [folder for folder in folders if not Path(folder).is_relative_to(ROOT)]
    request = _hash(part for part in request_parts if part not in {f"-I{folder}" for folder in elsewhere})
    for name in (request, _hash(request_parts)):
        read, key = _stored(name)
        if key and all(_digest(path) == digest for path, digest in read.items()) and not _hidden(read, folders):
            return key
    text = checked_tool([*command, "-E", str(source)], purpose)
    # The preprocessed text depends on the include folders and definitions.
    key = _hash([*(part for part in request_parts if not part.startswith(("-I", "-D"))), text])
    read = {path: _digest(path) for path in set(_READ.findall(text))}
    _store(_hash(request_parts) if any(Path(path).is_relative_to(folder) for path in read for folder in elsewhere)
           else request, read, key)
    return key


def _hidden(read: Iterable[str], folders: Sequence[str]) -> bool:
    """Returns whether an include folder has another file with the name of one that was read, which the compiler may
    find first."""
    for path in read:
        parts = path.split("/")
        for depth in (1, 2, 3):
            name = "/".join(parts[-depth:])
            if any((candidate := f"{folder}/{name}") != path and os.path.exists(candidate) for folder in folders):
                return True
    return False


def _stored(request: str) -> tuple[dict[str, str], str]:
    """Returns the files that were read for a request, with their digests, and the key; empty for a new request."""
    if request not in _keys:
        try:
            read, key = json.loads(_request_path(request).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}, ""
        _keys[request] = read, key
    return _keys[request]


def _store(request: str, read: dict[str, str], key: str) -> None:
    _keys[request] = read, key
    path = _request_path(request)
    make_private_folder(path.parent)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        json.dump(_keys[request], file)
    Path(file.name).replace(path)


def _request_path(request: str) -> Path:
    return Path(os.environ[VARIABLE]) / f"{request}.read"


def _hash(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""
