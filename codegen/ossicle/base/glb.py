"""The container of binary glTF files: a JSON document and the binary data that it refers to."""
from __future__ import annotations

import base64
import json
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from .arrays import Array

_FLOAT = 5126
_TYPES = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4", (16,): "MAT4"}


class GlbFile:
    """A document to which objects and binary data can be added. Data are added to the binary chunk or, if all buffers
    of the document are elsewhere, in a buffer inside the JSON."""

    def __init__(self, document: dict[str, Any], binary: bytes | None = None) -> None:
        """binary: the binary chunk of the document, which its first buffer describes."""
        self._document = document
        buffers = document.setdefault("buffers", [])
        self._in_chunk = not buffers or binary is not None and "uri" not in buffers[0]
        self._data = bytearray(binary or b"" if self._in_chunk else b"")
        self._buffer = 0 if buffers and self._in_chunk else self.add("buffers", {})

    def add(self, kind: str, value: dict[str, Any]) -> int:
        """Adds an object to a list of the document, such as nodes, and returns its index."""
        values = self._document.setdefault(kind, [])
        values.append(value)
        return len(values) - 1

    def add_arrays(self, arrays: Sequence[Array], bounds: Sequence[int] = ()) -> list[int]:
        """Adds arrays [K] or [K, width] as float32 in a new buffer view, and returns their accessors. bounds: the
        indices of arrays that state their minimum and maximum."""
        self._data += bytes(-len(self._data) % 4)
        start = len(self._data)
        view = {"buffer": self._buffer, "byteOffset": start, "byteLength": 4 * sum(a.size for a in arrays)}
        view_index = self.add("bufferViews", view)
        accessors = []
        for number, array in enumerate(arrays):
            array = np.ascontiguousarray(array, "<f4")
            stated = {"min": [float(array.min())], "max": [float(array.max())]} if number in bounds else {}
            accessors.append(self.add("accessors", {
                "bufferView": view_index, "byteOffset": len(self._data) - start, "componentType": _FLOAT,
                "count": len(array), "type": _TYPES[array.shape[1:]], **stated}))
            self._data += array.tobytes()
        return accessors

    def to_bytes(self) -> bytes:
        """Returns the bytes of the file. Raises ValueError for a document that JSON cannot represent."""
        buffer = self._document["buffers"][self._buffer]
        buffer["byteLength"] = len(self._data)
        if not self._in_chunk:
            buffer["uri"] = data_address(bytes(self._data))
        text = json.dumps(self._document, separators=(",", ":"), allow_nan=False).encode()
        chunks = _chunk(b"JSON", text, b" ")
        if self._in_chunk:
            chunks += _chunk(b"BIN\0", bytes(self._data), b"\0")
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def data_address(data: bytes, media_type: str = "application/octet-stream") -> str:
    """Returns a data: address that contains the data."""
    return f"data:{media_type};base64,{base64.b64encode(data).decode('ascii')}"


def _chunk(kind: bytes, data: bytes, filler: bytes) -> bytes:
    data += filler * (-len(data) % 4)
    return struct.pack("<I4s", len(data), kind) + data
