"""Converts .fbx and .dae files to binary glTF, with Assimp in a separate process (convert.py)."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from ...model.clip import ImportProblem, problems_of
from .convert import CPU_SECONDS, MEMORY_BYTES, MISSING, NAMED
from .document import in_metres
from .skins import with_bind_pose
from .weights import with_weights

# Text near the start of each format. Assimp would read a file of another format, whatever its suffix.
_MARKS = {".fbx": b"fbx", ".dae": b"<collada"}
_START_BYTES = 4096
_LIMIT_S = 2.0 * CPU_SECONDS
_REMEDY = "export it as .glb"


def as_glb(data: bytes, suffix: str) -> bytes:
    """Returns the bytes of a binary glTF file in metres, Y up. suffix: .fbx or .dae. Raises ImportProblem."""
    if _MARKS[suffix] not in data[:_START_BYTES].replace(b"\0", b"").lower():  # also in UTF-16
        raise ImportProblem(f"is not a {suffix} file; export it again")
    head, _, glb = _answer(data, suffix).partition(b"\n")
    try:
        answer = json.loads(head)
    except ValueError as error:
        raise ImportProblem(f"Assimp crashed, or needs over {CPU_SECONDS} s or {MEMORY_BYTES >> 30} GB for this file; "
                            f"{_REMEDY}") from error
    if "error" in answer:
        raise ImportProblem(_missing(suffix) if answer["error"] == MISSING else
                            f"Assimp cannot read it ({answer['error'] or 'it states no reason'}); {_REMEDY}")
    with problems_of("as converted by Assimp"):
        merged = with_weights(in_metres(glb, answer["metadata"]), answer["shapes"], answer["weights"])
        # a .dae file has further matrices, which Assimp does not write
        return with_bind_pose(merged) if suffix == ".fbx" else merged


def _missing(suffix: str) -> str:
    """Returns the message if there is no library."""
    if named := os.environ.get(NAMED):
        return f"{NAMED} names {named}, which is not the library Assimp; name its file, or unset {NAMED}"
    return (f"reading {suffix} needs the library Assimp; install it (on Debian: apt install libassimp5; elsewhere: "
            f"pip install ossicle[fbx]), or {_REMEDY}")


def _answer(data: bytes, suffix: str) -> bytes:
    """Returns what the program writes, which is incomplete if it crashes."""
    command = [sys.executable, "-I", str(Path(__file__).with_name("convert.py")), suffix[1:]]
    try:
        return subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=_LIMIT_S,
                              check=False).stdout
    except subprocess.TimeoutExpired:
        return b""
