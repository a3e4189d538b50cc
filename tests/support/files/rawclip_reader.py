"""A reader of .rawclip files, from the layout that codegen/ossicle/importers/rawclip.py describes."""
from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HEADER = struct.Struct("<4sIIIfI")


@dataclass(frozen=True, eq=False)
class RawClip:
    """bind [J, 10], frames [F, J, 10]."""

    names: list[str]
    parents: list[int]
    rate: float
    bind: np.ndarray
    frames: np.ndarray


def read(path: Path) -> RawClip:
    """AssertionError if the file does not match its description."""
    data = path.read_bytes()
    magic, version, joints, frames, rate, reserved = HEADER.unpack_from(data)
    assert (magic, version, reserved) == (b"RCLP", 1, 0)
    parents = struct.unpack_from(f"<{joints}h", data, HEADER.size)
    at = HEADER.size + (2 * joints + 3) // 4 * 4
    bind = np.frombuffer(data, "<f4", joints * 10, at).reshape(joints, 10)
    at += bind.nbytes
    rows = np.frombuffer(data, "<f4", frames * joints * 10, at).reshape(frames, joints, 10)
    at += rows.nbytes
    size, = struct.unpack_from("<I", data, at)
    assert len(data) == at + 4 + size
    return RawClip(data[at + 4:].decode().split("\n"), list(parents), rate, bind, rows)
