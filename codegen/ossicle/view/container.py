"""The data of a page: JSON and arrays in one compressed text, which codegen/viewer/src/data.js reads.

Before compression these are the length of the JSON as 32 bits, the JSON (UTF-8), zeros up to a multiple of 8,
and the arrays, little endian, each at a multiple of 8. The JSON names an array by its place and size in bytes.
"""
from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any

import numpy as np

_ALIGNMENT = 8


class Container:
    """Collects the arrays that the JSON names."""

    def __init__(self) -> None:
        self._arrays: list[bytes] = []
        self._size = 0

    def add(self, array: np.ndarray | bytes) -> dict[str, int]:
        """Adds an array and returns what names it in the JSON."""
        data = array if isinstance(array, bytes) else array.astype(array.dtype.newbyteorder("<")).tobytes()
        place = {"at": self._size, "bytes": len(data)}
        data += bytes(-len(data) % _ALIGNMENT)
        self._arrays.append(data)
        self._size += len(data)
        return place

    def text(self, said: dict[str, Any]) -> str:
        """Returns all of it, compressed, in base64."""
        head = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        start = struct.pack("<I", len(head)) + head
        start += bytes(-len(start) % _ALIGNMENT)
        return base64.b64encode(zlib.compress(start + b"".join(self._arrays), 9)).decode("ascii")


def differences(frames: np.ndarray) -> np.ndarray:
    """Returns integers [F, N] as bytes that compress well: for each of the N numbers the first value and the
    differences from frame to frame, 32 bits each; then all of their lowest bytes, all second bytes, and so on."""
    series = np.ascontiguousarray(frames.T.astype(np.int32))
    series[:, 1:] = series[:, 1:] - series[:, :-1].copy()
    return np.ascontiguousarray(series.reshape(-1, 1).astype("<i4").view(np.uint8).T)
