"""A reader of glTF 2.0 to judge with: written from the specification, shares no code with the project's. It takes what
the specification allows for skeletons; damaged files are not its business."""
from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

import numpy as np

DTYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
JSON_CHUNK, BINARY_CHUNK = b"JSON", b"BIN\0"
TIME_SLACK_S = 1e-6  # key times are float32: a frame may seem to come just before its key
ANGLE_OF_LERP = 1e-4  # below, slerp and lerp differ by less than 1e-9


class Gltf:
    """One .glb or .gltf file. Times are seconds [T]; rotations x y z w."""

    def __init__(self, path: Path) -> None:
        self._folder, data = path.parent, path.read_bytes()
        self.chunks = glb_chunks(data) if data[:4] == b"glTF" else [(JSON_CHUNK, data)]
        self.document = json.loads(self.chunks[0][1])
        self.nodes = self.document.get("nodes", [])
        self.parents = {child: number for number, node in enumerate(self.nodes) for child in node.get("children", [])}

    @cached_property
    def _buffers(self) -> list[bytes]:
        return [self._buffer(buffer.get("uri")) for buffer in self.document.get("buffers", [])]

    def _buffer(self, uri: str | None) -> bytes:
        if uri is None:
            return dict(self.chunks)[BINARY_CHUNK]
        if uri.startswith("data:"):
            return base64.b64decode(uri.partition(",")[2])
        return (self._folder / unquote(uri)).read_bytes()

    def _elements(self, part: dict, dtype: np.dtype, count: int, width: int) -> np.ndarray:
        view = self.document["bufferViews"][part["bufferView"]]
        start = view.get("byteOffset", 0) + part.get("byteOffset", 0)
        stride = view.get("byteStride", dtype.itemsize * width)
        return np.ndarray((count, width), dtype, self._buffers[view["buffer"]], start, (stride, dtype.itemsize))

    def array(self, accessor: int) -> np.ndarray:
        """An accessor's elements, (count, width), in their stored type."""
        entry = self.document["accessors"][accessor]
        dtype, width = np.dtype(DTYPES[entry["componentType"]]), WIDTHS[entry["type"]]
        count = entry["count"]
        elements = (self._elements(entry, dtype, count, width) if "bufferView" in entry
                    else np.zeros((count, width), dtype))
        if "sparse" in entry:
            sparse = entry["sparse"]
            at = np.dtype(DTYPES[sparse["indices"]["componentType"]])
            indices = self._elements(sparse["indices"], at, sparse["count"], 1)[:, 0]
            elements = elements.copy()
            elements[indices] = self._elements(sparse["values"], dtype, sparse["count"], width)
        return elements

    def values(self, accessor: int) -> np.ndarray:
        """The same as doubles, normalised integers as the fractions that they stand for."""
        stored = self.array(accessor)
        if not self.document["accessors"][accessor].get("normalized"):
            return stored.astype(float)
        return np.maximum(stored.astype(float) / np.iinfo(stored.dtype).max, -1.0)

    @property
    def animations(self) -> list[dict]:
        return self.document.get("animations", [])

    def samplers(self, animation: dict) -> Iterator[tuple[int, str, str, np.ndarray, np.ndarray]]:
        """Node, path, interpolation, key times and key rows of each channel that moves a node."""
        for channel in animation["channels"]:
            sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
            if "node" in target and target["path"] != "weights":
                yield (target["node"], target["path"], sampler.get("interpolation", "LINEAR"),
                       self.values(sampler["input"])[:, 0], self.values(sampler["output"]))

    def duration_s(self, animation: dict) -> float:
        """The time of the last key."""
        return max(times[-1] for _, _, _, times, _ in self.samplers(animation))

    def locals(self, animation: dict | None, times: np.ndarray) -> list[dict[str, np.ndarray]]:
        """The rotation, translation, scale and matrix of every node that has them: [T, n]."""
        found = []
        for node in self.nodes:
            rest = {"matrix": node["matrix"]} if "matrix" in node else {
                "rotation": node.get("rotation", (0, 0, 0, 1)),
                "translation": node.get("translation", (0, 0, 0)),
                "scale": node.get("scale", (1, 1, 1))}
            found.append({path: np.repeat(np.array([value], float), len(times), 0) for path, value in rest.items()})
        for node, path, mode, keys, rows in self.samplers(animation) if animation else ():
            found[node][path] = sample(path, mode, keys, rows, times)
        return found

    def models(self, animation: dict | None, times: np.ndarray) -> list[np.ndarray]:
        """The model matrices [T, 4, 4] of every node."""
        locals_ = [local_matrices(parts) for parts in self.locals(animation, times)]
        models: dict[int, np.ndarray] = {}

        def model(node: int) -> np.ndarray:
            if node not in models:
                parent = self.parents.get(node)
                models[node] = locals_[node] if parent is None else model(parent) @ locals_[node]
            return models[node]

        return [model(node) for node in range(len(self.nodes))]


def glb_chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """Type and content of the chunks of a .glb file."""
    chunks, offset = [], 12
    while offset < len(data):
        size, kind = struct.unpack_from("<I4s", data, offset)
        chunks.append((kind, data[offset + 8:offset + 8 + size]))
        offset += 8 + size
    return chunks


def sample(path: str, mode: str, times: np.ndarray, rows: np.ndarray, at: np.ndarray) -> np.ndarray:
    """A sampler's values [T, n]; rotations are unit."""
    values = rows[1::3] if mode == "CUBICSPLINE" else rows
    slack = TIME_SLACK_S if mode == "STEP" else 0.0
    left = np.searchsorted(times, at + slack, side="right") - 1
    left = np.clip(left, 0, len(times) - 1)
    right = np.minimum(left + 1, len(times) - 1)
    if mode == "STEP":
        return values[left]
    span = np.where(right > left, times[right] - times[left], 1.0)
    u = np.clip((at - times[left]) / span, 0.0, 1.0)[:, None]
    if mode == "CUBICSPLINE":
        out = ((2 * u**3 - 3 * u**2 + 1) * values[left]
               + span[:, None] * (u**3 - 2 * u**2 + u) * rows[3 * left + 2]
               + (3 * u**2 - 2 * u**3) * values[right]
               + span[:, None] * (u**3 - u**2) * rows[3 * right])
    elif path == "rotation":
        out = slerp(unit(values[left]), unit(values[right]), u)
    else:
        out = (1 - u) * values[left] + u * values[right]
    return unit(out) if path == "rotation" else out


def unit(q: np.ndarray) -> np.ndarray:
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def slerp(near: np.ndarray, far: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Interpolates unit quaternions along the shorter arc."""
    cosine = np.sum(near * far, axis=-1, keepdims=True)
    far = np.where(cosine < 0, -far, far)
    angle = np.arccos(np.minimum(np.abs(cosine), 1.0))
    straight = angle < ANGLE_OF_LERP
    sine = np.where(straight, 1.0, np.sin(angle))
    return (near * np.where(straight, 1 - u, np.sin((1 - u) * angle) / sine)
            + far * np.where(straight, u, np.sin(u * angle) / sine))


def local_matrices(parts: dict[str, np.ndarray]) -> np.ndarray:
    """Matrices [T, 4, 4] for column vectors."""
    if "matrix" in parts:
        return parts["matrix"].reshape(-1, 4, 4).swapaxes(1, 2)
    matrices = np.zeros((len(parts["rotation"]), 4, 4))
    matrices[:, :3, :3] = rotation_matrices(parts["rotation"]) * parts["scale"][:, None, :]
    matrices[:, :3, 3] = parts["translation"]
    matrices[:, 3, 3] = 1.0
    return matrices


def rotation_matrices(q: np.ndarray) -> np.ndarray:
    """Matrices [..., 3, 3] of quaternions, which need not be unit."""
    x, y, z, w = np.moveaxis(unit(q), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))
