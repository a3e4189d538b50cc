"""Builds tiny glTF files for the tests; `document` may be tampered with before writing."""
from __future__ import annotations

import base64
import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

FLOAT, I8, U8, I16, U16, U32 = 5126, 5120, 5121, 5122, 5123, 5125
_DTYPES = {FLOAT: "<f4", I8: "i1", U8: "u1", I16: "<i2", U16: "<u2", U32: "<u4"}
_KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}

# (node, path, key times, key values, interpolation)
Channel = tuple[int, str, Sequence[float], Sequence[Any], str]


class GltfBuilder:
    def __init__(self) -> None:
        self.document: dict[str, Any] = {"asset": {"version": "2.0"}}
        self.binary = bytearray()

    def _add(self, key: str, value: dict[str, Any]) -> int:
        self.document.setdefault(key, []).append(value)
        return len(self.document[key]) - 1

    def node(self, name: str | None = None, **properties: Any) -> int:
        return self._add("nodes", ({"name": name} if name is not None else {}) | properties)

    def view(self, data: bytes, **properties: Any) -> int:
        self.binary += bytes(-len(self.binary) % 4)
        offset = len(self.binary)
        self.binary += data
        return self._add("bufferViews", {"buffer": 0, "byteOffset": offset, "byteLength": len(data)} | properties)

    def accessor(self, values: Any, component: int = FLOAT, normalized: bool = False, **properties: Any) -> int:
        array = np.atleast_1d(np.asarray(values))
        array = array.reshape(len(array), -1)
        entry: dict[str, Any] = {
            "bufferView": self.view(array.astype(_DTYPES[component]).tobytes()),
            "componentType": component,
            "type": _KINDS[array.shape[1]],
            "count": len(array),
        }
        if normalized:
            entry["normalized"] = True
        return self._add("accessors", entry | properties)

    def raw_accessor(self, **properties: Any) -> int:
        return self._add("accessors", properties)

    def skin(self, joints: list[int], inverse_bind: Any = None, name: str | None = None) -> int:
        skin: dict[str, Any] = {"joints": joints}
        if inverse_bind is not None:
            columns = np.asarray(inverse_bind, float).transpose(0, 2, 1).reshape(-1, 16)
            skin["inverseBindMatrices"] = self.accessor(columns)
        if name is not None:
            skin["name"] = name
        return self._add("skins", skin)

    def animation(self, name: str | None, *channels: Channel) -> int:
        entry: dict[str, Any] = {"samplers": [], "channels": []}
        if name is not None:
            entry["name"] = name
        index = self._add("animations", entry)
        for node, path, times, values, interpolation in channels:
            flat = np.asarray(values, float)
            if interpolation == "CUBICSPLINE":
                flat = flat.reshape(-1, flat.shape[-1])
            keys = self.accessor(times)
            self.channel(index, node, path, keys, self.accessor(flat), interpolation)
        return index

    def channel(self, animation: int, node: int, path: str, keys: int, values: int, interpolation: str) -> None:
        """A channel on accessors that exist already."""
        entry = self.document["animations"][animation]
        entry["samplers"].append({"input": keys, "output": values, "interpolation": interpolation})
        entry["channels"].append({"sampler": len(entry["samplers"]) - 1, "target": {"node": node, "path": path}})

    def json_bytes(self, **buffer: Any) -> bytes:
        document = dict(self.document)
        document.setdefault("buffers", [{"byteLength": len(self.binary)} | buffer])
        return json.dumps(document).encode()

    def glb_bytes(self) -> bytes:
        text = self.json_bytes()
        text += b" " * (-len(text) % 4)
        binary = bytes(self.binary) + bytes(-len(self.binary) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        chunks += struct.pack("<II", len(binary), 0x004E4942) + binary
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def write_glb(self, folder: Path, name: str = "hero.glb") -> Path:
        path = folder / name
        path.write_bytes(self.glb_bytes())
        return path

    def write_embedded(self, folder: Path, name: str = "hero.gltf") -> Path:
        payload = base64.b64encode(bytes(self.binary)).decode()
        path = folder / name
        path.write_bytes(self.json_bytes(uri="data:application/octet-stream;base64," + payload))
        return path

    def write_external(self, folder: Path, file: str, uri: str, name: str = "hero.gltf") -> Path:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(bytes(self.binary))
        path = folder / name
        path.write_bytes(self.json_bytes(uri=uri))
        return path


def turn(axis: str, degrees: float) -> list[float]:
    """Quaternion x y z w."""
    q = [0.0, 0.0, 0.0, float(np.cos(np.radians(degrees) / 2))]
    q["xyz".index(axis)] = float(np.sin(np.radians(degrees) / 2))
    return q


def simple() -> GltfBuilder:
    """A skinned chain Hips - Leg; the clip Walk turns Leg about Z by 90 degrees in one second."""
    g = GltfBuilder()
    g.node("Hips", translation=[0, 1, 0], children=[1])
    g.node("Leg", translation=[0, -0.5, 0])
    g.skin([0, 1])
    g.animation("Walk", (1, "rotation", [0, 1], [turn("z", 0), turn("z", 90)], "LINEAR"))
    return g


def two_arms(right_m: float = 0.4) -> GltfBuilder:
    """A skinned body with the joints arm_l, at 0.4 m, and arm_r, without clips."""
    g = GltfBuilder()
    g.node("Body", children=[1, 2])
    g.node("arm_l", translation=[0.4, 0, 0])
    g.node("arm_r", translation=[-right_m, 0, 0])
    g.skin([0, 1, 2])
    return g
