"""Reads and writes .rawclip, an uncompressed clip with its skeleton, for exchange and comparison.

Little endian: "RCLP", u32 version = 1, u32 J, u32 F, f32 frames per second, u32 0;
i16 parents [J], padded to four bytes; f32 bind [J][10]; f32 frames [F][J][10];
u32 byte count, UTF-8 joint names joined by line feeds. Transforms are those of model/clip.py.
"""
from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from ..base.arrays import Array
from ..base.files.reading import read_file
from ..model.clip import Clip, ImportProblem, Skeleton, problems_of
from ..model.samples import TRANSFORM_WIDTH

_MAGIC = b"RCLP"
_VERSION = 1
_HEADER = struct.Struct("<4sIIIfI")
_COUNT = struct.Struct("<I")
MAX_JOINTS = 32767


def write(path: Path, skeleton: Skeleton, frames: Array, rate: float) -> None:
    """Writes frames [F, J, 10] at `rate` frames per second. Raises ValueError like pack, or OSError."""
    path.write_bytes(pack(skeleton, frames, rate))


def pack(skeleton: Skeleton, frames: Array, rate: float) -> bytes:
    """Returns the bytes of a file with frames [F, J, 10] at `rate` frames per second.

    Raises ValueError if the shapes disagree, J exceeds MAX_JOINTS or a name contains a line feed.
    """
    joints = len(skeleton.names)
    if frames.ndim != 3 or frames.shape[1:] != (joints, TRANSFORM_WIDTH):
        raise ValueError(f"frames are {frames.shape}, expected (F, {joints}, {TRANSFORM_WIDTH})")
    if joints > MAX_JOINTS:
        raise ValueError(f"{joints} joints, but a .rawclip can hold at most {MAX_JOINTS}")
    if any("\n" in name for name in skeleton.names):
        raise ValueError("a joint name contains a line feed, which separates names in a .rawclip")
    parents = np.asarray(skeleton.parents, "<i2").tobytes()
    names = "\n".join(skeleton.names).encode("utf-8")
    return (
        _HEADER.pack(_MAGIC, _VERSION, joints, len(frames), rate, 0)
        + parents
        + bytes(-len(parents) % 4)
        + np.asarray(skeleton.bind, "<f4").tobytes()
        + np.asarray(frames, "<f4").tobytes()
        + _COUNT.pack(len(names))
        + names
    )


def read(path: Path) -> tuple[Skeleton, Clip]:
    """Returns the skeleton and the clip of a file. Values have float32 precision; the clip has the name of the file
    stem and no steps. Raises ImportProblem if the file cannot be read or is damaged."""
    with problems_of(path.name):
        try:
            data = read_file(path)
        except OSError as error:
            raise ImportProblem(f"cannot be read ({error.strerror}); check the path") from error
        return _parse(data, path)


def _parse(data: bytes, path: Path) -> tuple[Skeleton, Clip]:
    if len(data) < _HEADER.size or data[:4] != _MAGIC:
        raise ImportProblem("is not a .rawclip (the magic RCLP is missing); check the path")
    _, version, joints, frame_total, rate, _ = _HEADER.unpack_from(data)
    if version != _VERSION:
        raise ImportProblem(f"has format version {version}, expected {_VERSION}; write it again")
    parents_bytes = (2 * joints + 3) // 4 * 4
    names_at = _HEADER.size + parents_bytes + 4 * TRANSFORM_WIDTH * joints * (1 + frame_total)
    if names_at + _COUNT.size > len(data):
        raise ImportProblem(
            f"ends early: {joints} joints and {frame_total} frames need over {names_at} bytes, "
            f"it has {len(data)}; write it again"
        )
    (names_bytes,) = _COUNT.unpack_from(data, names_at)
    encoded = data[names_at + _COUNT.size:]
    if names_bytes != len(encoded):
        raise ImportProblem(
            f"states {names_bytes} bytes of names, but has {len(encoded)}; write it again"
        )
    try:
        names = tuple(encoded.decode("utf-8").split("\n"))
    except UnicodeDecodeError as error:
        raise ImportProblem("joint names are not UTF-8; write it again") from error
    parents = np.frombuffer(data, "<i2", joints, _HEADER.size).astype(np.int32)
    numbers = np.frombuffer(
        data, "<f4", TRANSFORM_WIDTH * joints * (1 + frame_total), _HEADER.size + parents_bytes
    ).astype(np.float64)
    transforms = numbers.reshape(1 + frame_total, joints, TRANSFORM_WIDTH)
    _check(names, parents, transforms, rate)
    steps = np.zeros((frame_total, joints, 3), bool)
    skeleton = Skeleton(names, parents, transforms[0])
    return skeleton, Clip(path.stem, rate, transforms[1:], steps, path.name)


def _check(names: tuple[str, ...], parents: Array, values: Array, rate: float) -> None:
    joints = len(parents)
    if joints == 0 or len(values) < 2:
        raise ImportProblem("contains no joints or no frames; write it again")
    if len(names) != joints or len(set(names)) != joints:
        raise ImportProblem(f"names {len(set(names))} different joints of {joints}; write it again")
    if np.any(parents < -1) or np.any(parents >= np.arange(joints)):
        raise ImportProblem("a joint precedes its parent; write it again")
    if not np.isfinite(values).all() or not np.isfinite(rate) or rate <= 0.0:
        raise ImportProblem("contains numbers that are not finite, or no frame rate; write it again")
