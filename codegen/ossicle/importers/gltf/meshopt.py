"""Decodes buffer views of EXT_meshopt_compression, which gltfpack and others write.

meshoptimizer's own decoder, in WebAssembly, runs in a separate Node.js process, which receives only these views. The
process starts with the first one.
"""
from __future__ import annotations

import json
import shutil
import struct
import subprocess
import threading
import weakref
from typing import Any

from ...base.places import IS_INSTALLED, MESHOPT_DECODER, MESHOPT_SCRIPT
from ...model.clip import ImportProblem
from . import json_values as gltf_json
from .json_values import REEXPORT

EXTENSIONS = ("EXT_meshopt_compression", "KHR_meshopt_compression")
_MOST_BYTES = 1 << 28  # of a view, decoded
_MOST_IN_ALL = 1 << 30  # of the views of a file
_LIMIT_S = 60.0  # for a view; the decoder needs a thousandth of it
_SIZE, _ANSWER = struct.Struct("<I"), struct.Struct("<II")
_REMEDY = "or export without it (gltfpack: without -c)"
# The elements of a mode, and those of a filter, have these strides.
_STRIDES = {"ATTRIBUTES": range(4, 257, 4), "TRIANGLES": (2, 4), "INDICES": (2, 4)}
_FILTERED = {"NONE": range(1, 257), "OCTAHEDRAL": (4, 8), "QUATERNION": (8,), "EXPONENTIAL": range(4, 257, 4),
             "COLOR": (4, 8)}


class MeshoptDecoder:
    """The decoder of a file."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._decoded = 0

    def decode(self, packed: dict[str, Any], source: bytes, location: str) -> bytes:
        """Decodes a buffer view. packed: its extension; source: the bytes to which this refers; location: the view, for
        messages. Raises ImportProblem."""
        request = _request(packed, len(source), location)
        self._decoded += request["count"] * request["stride"]
        if self._decoded > _MOST_IN_ALL:
            raise ImportProblem(f"{location}: the views up to this one have over {_MOST_IN_ALL:,} bytes; export fewer "
                                "animations in one file")
        if self._process is None:
            self._process = _started(location)
            weakref.finalize(self, _ended, self._process)
        text = json.dumps(request).encode()
        over = threading.Timer(_LIMIT_S, self._process.kill)
        over.start()
        try:
            return _answered(self._process, _SIZE.pack(len(text)) + text, source, location)
        finally:
            over.cancel()


def _request(packed: dict[str, Any], size: int, location: str) -> dict[str, Any]:
    mode = gltf_json.text(packed, "mode", location)
    kind = gltf_json.text(packed, "filter", location, "NONE")
    if mode not in _STRIDES or kind not in _FILTERED or (kind != "NONE" and mode != "ATTRIBUTES"):
        raise ImportProblem(f"{location}: mode {mode} with filter {kind} is unknown; {REEXPORT}")
    count = gltf_json.integer(packed, "count", location, _MOST_BYTES, 1)
    stride = gltf_json.integer(packed, "byteStride", location, 257, 1)
    if stride not in _STRIDES[mode] or stride not in _FILTERED[kind] or (mode == "TRIANGLES" and count % 3):
        raise ImportProblem(f"{location}: {count} elements of {stride} bytes do not fit mode {mode}, filter {kind}; "
                            f"{REEXPORT}")
    if count * stride > _MOST_BYTES:
        raise ImportProblem(f"{location}: has {count * stride:,} bytes, over {_MOST_BYTES:,}; export less in one file")
    return {"count": count, "stride": stride, "mode": mode, "filter": kind, "size": size}


def _started(location: str) -> subprocess.Popen[bytes]:
    node = shutil.which("node")
    if node is None:
        raise ImportProblem(f"{location}: is compressed, and decoding it needs Node.js; install it (on Debian: "
                            f"apt install nodejs), {_REMEDY}")
    if not MESHOPT_DECODER.is_file():
        remedy = "install Ossicle from a wheel that has it" if IS_INSTALLED else "build it with ./bootstrap viewer"
        raise ImportProblem(f"{location}: is compressed, and meshoptimizer's decoder is missing; {remedy}, {_REMEDY}")
    return subprocess.Popen([node, str(MESHOPT_SCRIPT), str(MESHOPT_DECODER)], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def _answered(process: subprocess.Popen[bytes], head: bytes, source: bytes, location: str) -> bytes:
    assert process.stdin is not None and process.stdout is not None
    try:
        for part in (head, source):
            process.stdin.write(part)
        process.stdin.flush()
        good, size = _ANSWER.unpack(process.stdout.read(_ANSWER.size))
        answer = process.stdout.read(size)
    except (OSError, struct.error) as error:
        raise ImportProblem(f"{location}: meshoptimizer's decoder crashed, or took over {_LIMIT_S:g} s; "
                            f"{REEXPORT}") from error
    if not good:
        raise ImportProblem(f"{location}: the compressed data is damaged ({answer.decode(errors='replace')}); "
                            f"{REEXPORT}")
    return answer


def _ended(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None and process.stdout is not None
    process.kill()
    process.stdout.close()
    try:
        process.stdin.close()
    except OSError:  # a request was not sent completely
        pass
    process.wait()
