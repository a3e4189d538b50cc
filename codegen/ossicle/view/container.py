"""Encodes the data of a page, JSON and arrays, as one compressed text, which codegen/viewer/src/data.js reads.

Before compression it consists of the length of the JSON in 32 bits, the JSON (UTF-8), zeros up to a multiple of 8, and
the arrays, little endian, each at a multiple of 8. The JSON refers to an array by its offset and size in bytes.
"""
from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any

import numpy as np

from ..base.arrays import Array

_ALIGNMENT = 8


class Container:
    """Collects the arrays of a page."""

    def __init__(self) -> None:
        self._arrays: list[bytes] = []
        self._size = 0

    def add(self, array: Array | bytes) -> dict[str, int]:
        """Adds an array and returns its reference for the JSON."""
        data = array if isinstance(array, bytes) else array.astype(array.dtype.newbyteorder("<")).tobytes()
        reference = {"at": self._size, "bytes": len(data)}
        data += bytes(-len(data) % _ALIGNMENT)
        self._arrays.append(data)
        self._size += len(data)
        return reference

    def text(self, document: dict[str, Any]) -> str:
        """Returns the JSON and the arrays, compressed, in base64."""
        head = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        start = struct.pack("<I", len(head)) + head
        start += bytes(-len(start) % _ALIGNMENT)
        return base64.b64encode(zlib.compress(start + b"".join(self._arrays), 9)).decode("ascii")


def differences(frames: Array) -> Array:
    """Rearranges integers [F, N] for compression: for each of the N numbers the first value and the differences between
    frames, 32 bits each; of the result all lowest bytes, then all second bytes, and so on."""
    series = np.ascontiguousarray(frames.T.astype(np.int32))
    series[:, 1:] = series[:, 1:] - series[:, :-1].copy()
    return np.ascontiguousarray(series.reshape(-1, 1).astype("<i4").view(np.uint8).T)
