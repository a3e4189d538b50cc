"""Writes skeleton, skin and clips as one glTF 2.0 binary file (.glb)."""
from __future__ import annotations

import json
import struct
from collections.abc import Sequence

import numpy as np

from . import quat, skeleton
from .clip import Clip
from .mesh import MATERIALS, Skin
from .tracks import RATE_HZ, Track

UNSIGNED_BYTE, UNSIGNED_SHORT, FLOAT = 5121, 5123, 5126
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963
MAGIC, VERSION, JSON_CHUNK, BIN_CHUNK = 0x46546C67, 2, 0x4E4F534A, 0x004E4942
# The last bits of a sine differ between C libraries. Rounding to a tenth of a micrometre, and adding zero, which
# removes negative zeros, makes the file equal on all machines.
DECIMALS = 7


def _rounded(values: np.ndarray) -> np.ndarray:
    return np.round(np.asarray(values, float), DECIMALS) + 0.0


class _Buffer:
    """The binary chunk, with the accessors and views that describe it."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict] = []
        self.accessors: list[dict] = []
        self._known: dict[tuple, int] = {}

    def add(self, values: np.ndarray, component: int, kind: str, *, target: int | None = None,
            bounds: bool = False, normalized: bool = False) -> int:
        """Stores an array of elements and returns its accessor. Equal arrays are stored once."""
        dtype = {UNSIGNED_BYTE: "<u1", UNSIGNED_SHORT: "<u2", FLOAT: "<f4"}[component]
        array = (_rounded(values) if component == FLOAT else values).astype(dtype)
        key = (array.tobytes(), component, kind, target)
        if key in self._known:
            return self._known[key]
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes}
        if target is not None:
            view["target"] = target
        self.data += array.tobytes() + bytes(-array.nbytes % 4)
        accessor: dict = {"bufferView": len(self.views), "componentType": component,
                          "count": len(array), "type": kind}
        if normalized:
            accessor["normalized"] = True
        if bounds:
            flat = array.reshape(len(array), -1)
            accessor["min"] = [float(v) for v in flat.min(axis=0)]
            accessor["max"] = [float(v) for v in flat.max(axis=0)]
        self.views.append(view)
        self.accessors.append(accessor)
        self._known[key] = len(self.accessors) - 1
        return self._known[key]


def _nodes() -> list[dict]:
    nodes = []
    for number, joint in enumerate(skeleton.JOINTS):
        node: dict = {
            "name": joint.name,
            "translation": _rounded(skeleton.bind_translation(joint)).tolist(),
            "rotation": _rounded(skeleton.bind_rotation(joint)).tolist(),
        }
        children = [k for k, other in enumerate(skeleton.JOINTS) if other.parent == number]
        if children:
            node["children"] = children
        nodes.append(node)
    nodes.append({"name": "hero", "mesh": 0, "skin": 0})
    return nodes


def _inverse_bind_matrices() -> np.ndarray:
    """Returns (J, 16) column-major matrices from model space to the bind frame of each joint."""
    matrices = []
    for joint in skeleton.JOINTS:
        inverse = np.eye(4)
        rotation = quat.matrix(joint.bind).T
        inverse[:3, :3] = rotation
        inverse[:3, 3] = -(rotation * joint.head).sum(axis=1)
        matrices.append(inverse.T.reshape(16))
    return np.array(matrices)


def _mesh(buffer: _Buffer, skin: Skin) -> dict:
    attributes = {
        "POSITION": buffer.add(skin.positions, FLOAT, "VEC3", target=ARRAY_BUFFER, bounds=True),
        "NORMAL": buffer.add(skin.normals, FLOAT, "VEC3", target=ARRAY_BUFFER),
        "JOINTS_0": buffer.add(skin.joints, UNSIGNED_BYTE, "VEC4", target=ARRAY_BUFFER),
        "WEIGHTS_0": buffer.add(skin.weights, UNSIGNED_BYTE, "VEC4", target=ARRAY_BUFFER,
                                normalized=True),
    }
    primitives = [{"attributes": attributes, "material": material,
                   "indices": buffer.add(np.array(indices), UNSIGNED_SHORT, "SCALAR",
                                         target=ELEMENT_ARRAY_BUFFER)}
                  for material, indices in enumerate(skin.triangles)]
    return {"name": "hero", "primitives": primitives}


def _outputs(track: Track) -> np.ndarray:
    """Returns the sampler output rows; CUBICSPLINE stores in-tangent, value and out-tangent per key."""
    if track.tangents is None:
        return track.values
    return np.stack([track.tangents, track.values, track.tangents], axis=1).reshape(
        -1, track.values.shape[1])


def _animation(buffer: _Buffer, clip: Clip) -> dict:
    samplers, channels = [], []
    for track in clip.tracks:
        times = np.array(track.frames, float) / RATE_HZ
        kind = "VEC4" if track.path == "rotation" else "VEC3"
        channels.append({"sampler": len(samplers),
                         "target": {"node": skeleton.INDEX[track.joint], "path": track.path}})
        samplers.append({"input": buffer.add(times, FLOAT, "SCALAR", bounds=True),
                         "interpolation": track.interpolation,
                         "output": buffer.add(_outputs(track), FLOAT, kind)})
    return {"name": clip.name, "channels": channels, "samplers": samplers}


def to_glb(skin: Skin, clips: Sequence[Clip]) -> bytes:
    """Returns the bytes of a .glb with the demo skeleton, its skin and the clips, equal on every machine."""
    buffer = _Buffer()
    mesh = _mesh(buffer, skin)
    matrices = buffer.add(_inverse_bind_matrices(), FLOAT, "MAT4")
    animations = [_animation(buffer, clip) for clip in clips]
    nodes = _nodes()
    document = {
        "asset": {"version": "2.0", "generator": "Ossicle demo character"},
        "scene": 0,
        "scenes": [{"name": "hero", "nodes": [0, len(nodes) - 1]}],
        "nodes": nodes,
        "meshes": [mesh],
        "skins": [{"name": "hero", "skeleton": 0, "inverseBindMatrices": matrices,
                   "joints": list(range(len(skeleton.JOINTS)))}],
        "materials": [{"name": name, "pbrMetallicRoughness": {
            "baseColorFactor": list(colour), "metallicFactor": 0.0, "roughnessFactor": roughness}}
            for name, colour, roughness in MATERIALS],
        "animations": animations,
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.data)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode("ascii")
    text += b" " * (-len(text) % 4)
    chunks = (struct.pack("<II", len(text), JSON_CHUNK) + text
              + struct.pack("<II", len(buffer.data), BIN_CHUNK) + bytes(buffer.data))
    return struct.pack("<III", MAGIC, VERSION, 12 + len(chunks)) + chunks
