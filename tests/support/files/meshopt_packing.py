"""Packs arrays for EXT_meshopt_compression, from the text of the extension and of its bitstreams: the least that a
decoder has to read, a whole byte for each difference."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gltf_builder import GltfBuilder

EXT = "EXT_meshopt_compression"
_GROUP = 16
_RAW = 3  # the mode of a group: a byte for each difference


def pack_attributes(values: np.ndarray) -> bytes:
    """ATTRIBUTES: the bytes of elements [N, stride], each as its difference from the element before."""
    elements = np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)
    count, stride = elements.shape
    block = min(8192 // stride & ~(_GROUP - 1), 256)
    stream, before = bytearray([0xA0]), elements[0]
    for start in range(0, count, block):
        part = elements[start:start + block]
        changes = np.diff(part, axis=0, prepend=before[None])
        zigzag = (changes << 1) ^ np.where(changes >= 128, 255, 0).astype(np.uint8)
        zigzag = np.concatenate([zigzag, np.zeros((-len(part) % _GROUP, stride), np.uint8)])
        groups = len(zigzag) // _GROUP
        modes = sum(_RAW << 2 * group for group in range(groups)).to_bytes((groups + 3) // 4, "little")
        for column in zigzag.T:
            stream += modes + column.tobytes()
        before = part[-1]
    return bytes(stream) + bytes(max(32 - stride, 0)) + elements[0].tobytes()


def quaternions(rotations: Sequence[Sequence[float]], bits: int = 16) -> np.ndarray:
    """QUATERNION: all but the largest component, in this many bits; int16 [N, 4]."""
    limit, packed = (1 << bits - 1) - 1, []
    for rotation in np.asarray(rotations, float):
        largest = int(np.argmax(np.abs(rotation)))
        others = np.roll(rotation, -largest - 1)[:3] * np.sign(rotation[largest]) * np.sqrt(2.0)
        packed.append([*np.rint(others * limit).astype(int), limit & ~3 | largest])
    return np.array(packed, "<i2")


def exponentials(values: np.ndarray) -> np.ndarray:
    """EXPONENTIAL: a mantissa of 24 bits and an exponent of two for each number; uint32 of the same shape."""
    values = np.asarray(values, float)
    _, exponent = np.frexp(values)
    exponent -= 23
    mantissa = np.rint(np.ldexp(values, -exponent)).astype(np.int64)
    return ((exponent.astype(np.int64) & 0xFF) << 24 | (mantissa & 0xFFFFFF)).astype("<u4")


class Packed(GltfBuilder):
    """Builds glTF files whose views are compressed, and have no other data than that."""

    def packed(self, values: np.ndarray, stride: int, mode: str = "ATTRIBUTES", **more: Any) -> int:
        count = values.nbytes // stride
        fallback = {"buffer": 1, "byteOffset": 0, "byteLength": values.nbytes}
        index = self.view(pack_attributes(values.reshape(count, -1)))
        source = self.document["bufferViews"][index]
        self.document["bufferViews"][index] = fallback | {"extensions": {EXT: source | {
            "byteStride": stride, "count": count, "mode": mode} | more}}
        return index

    def json_bytes(self, **buffer: Any) -> bytes:
        self.document["extensionsRequired"] = self.document["extensionsUsed"] = [EXT]
        self.document["buffers"] = [{"byteLength": len(self.binary)},
                                    {"byteLength": 1 << 20, "extensions": {EXT: {"fallback": True}}}]
        return super().json_bytes()
