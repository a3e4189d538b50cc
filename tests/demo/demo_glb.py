"""A reader of .glb files for the demo tests: written from the specification, shares no code."""
from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

COMPONENTS = {5121: "<u1", 5123: "<u2", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


@dataclass
class Glb:
    """The JSON document and the binary chunk of one file."""

    document: dict
    binary: bytes

    @property
    def names(self) -> list[str]:
        return [self.document["nodes"][n]["name"] for n in self.document["skins"][0]["joints"]]

    @property
    def parents(self) -> dict[int, int]:
        return {child: number for number, node in enumerate(self.document["nodes"])
                for child in node.get("children", [])}

    def array(self, accessor: int) -> np.ndarray:
        """Return an accessor's elements, (count, width), in their stored type."""
        entry = self.document["accessors"][accessor]
        view = self.document["bufferViews"][entry["bufferView"]]
        dtype, width = np.dtype(COMPONENTS[entry["componentType"]]), WIDTHS[entry["type"]]
        need = entry["count"] * width * dtype.itemsize
        assert need == view["byteLength"]
        start = view["byteOffset"]
        assert start % 4 == 0 and start + need <= len(self.binary)
        return np.frombuffer(self.binary, dtype, entry["count"] * width, start).reshape(-1, width)

    def clip(self, name: str) -> dict:
        """Return the animation of that name."""
        return next(a for a in self.document["animations"] if a["name"] == name)

    def channels(self, clip: dict):
        """Yield (joint name, path, interpolation, times, rows) for each channel of a clip."""
        for channel in clip["channels"]:
            sampler = clip["samplers"][channel["sampler"]]
            node = self.document["nodes"][channel["target"]["node"]]
            yield (node["name"], channel["target"]["path"], sampler["interpolation"],
                   self.array(sampler["input"])[:, 0].astype(float),
                   self.array(sampler["output"]).astype(float))

    def pose(self, clip: dict, time: float) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return {joint: (rotation, translation)}, local, at a time in seconds."""
        local = {}
        for number in self.document["skins"][0]["joints"]:
            node = self.document["nodes"][number]
            local[node["name"]] = [np.array(node["rotation"]), np.array(node["translation"])]
        for joint, path, mode, times, rows in self.channels(clip):
            local[joint][path == "translation"] = sample(path, mode, times, rows, time)
        return {joint: tuple(pair) for joint, pair in local.items()}

    def model(self, clip: dict | None, time: float = 0.0) -> dict[str, np.ndarray]:
        """Return {joint: 4x4 model matrix} at a time, or of the bind pose when clip is None."""
        empty = {"channels": [], "samplers": []}
        local, out = self.pose(clip or empty, time), {}
        for number in self.document["skins"][0]["joints"]:
            name = self.document["nodes"][number]["name"]
            matrix = np.eye(4)
            matrix[:3, :3], matrix[:3, 3] = rotation_matrix(local[name][0]), local[name][1]
            parent = self.parents.get(number)
            out[name] = matrix if parent is None else (
                out[self.document["nodes"][parent]["name"]] @ matrix)
        return out


def sample(path: str, mode: str, times: np.ndarray, rows: np.ndarray, time: float) -> np.ndarray:
    """Return a glTF sampler's value at a time in seconds."""
    values = rows[1::3] if mode == "CUBICSPLINE" else rows
    k = int(np.searchsorted(times, time + 1e-6, side="right")) - 1
    if k < 0 or k == len(times) - 1 or mode == "STEP":
        return values[max(k, 0)]
    span = times[k + 1] - times[k]
    u = min(max((time - times[k]) / span, 0.0), 1.0)
    if mode == "CUBICSPLINE":
        out = ((2 * u**3 - 3 * u**2 + 1) * values[k]
               + span * (u**3 - 2 * u**2 + u) * rows[3 * k + 2]
               + (3 * u**2 - 2 * u**3) * values[k + 1]
               + span * (u**3 - u**2) * rows[3 * k + 3])
    elif path == "rotation":
        near, far = values[k], values[k + 1]
        far = far if near @ far >= 0 else -far
        angle = np.arccos(min(near @ far, 1.0))
        weights = (1 - u, u) if angle < 1e-4 else (
            np.sin((1 - u) * angle) / np.sin(angle), np.sin(u * angle) / np.sin(angle))
        out = near * weights[0] + far * weights[1]
    else:
        out = (1 - u) * values[k] + u * values[k + 1]
    return out / np.linalg.norm(out) if path == "rotation" else out


def rotation_matrix(q: np.ndarray) -> np.ndarray:
    """Return the 3x3 matrix of a unit quaternion x, y, z, w."""
    x, y, z, w = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def read(path: Path) -> Glb:
    """Return the parsed file; asserts what the container format promises."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    chunks, offset = [], 12
    while offset < length:
        size, kind = struct.unpack_from("<I4s", data, offset)
        assert size % 4 == 0
        chunks.append((kind, data[offset + 8:offset + 8 + size]))
        offset += 8 + size
    assert [kind for kind, _ in chunks] == [b"JSON", b"BIN\0"]
    document = json.loads(chunks[0][1])
    assert document["buffers"] == [{"byteLength": len(chunks[1][1])}]
    return Glb(document, chunks[1][1])
