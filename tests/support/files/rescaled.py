"""The same motion with scale in the rig: characters whose joints are in other units than metres.

A unit of a node multiplies its scale. All lengths below are divided by the product of the units above
them, and inverse bind matrices undo it, so that every vertex of a skin moves as before:

    python3 tests/support/files/rescaled.py IN.glb OUT.gltf --at Hips=0.01 --above Spine=100

Also writes .bvh files as glTF, with a skin. Shares no code with the project's."""
from __future__ import annotations

import argparse
import base64
import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bvh_reader
import numpy as np
from gltf_builder import GltfBuilder
from gltf_reader import BINARY_CHUNK, Gltf

FLOAT = 5126
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class _Written:
    """A document with new data in a further buffer."""

    def __init__(self, gltf: Gltf) -> None:
        self.document: dict[str, Any] = copy.deepcopy(gltf.document)
        for buffer in self.document.get("buffers", []):
            if "uri" not in buffer:
                buffer["uri"] = _address(dict(gltf.chunks)[BINARY_CHUNK])
        self._data = b""

    def accessor(self, values: np.ndarray) -> int:
        views, accessors = self.document["bufferViews"], self.document["accessors"]
        data = np.ascontiguousarray(values, "<f4").tobytes()
        views.append({"buffer": len(self.document["buffers"]), "byteOffset": len(self._data), "byteLength": len(data)})
        accessors.append({"bufferView": len(views) - 1, "componentType": FLOAT, "count": len(values),
                          "type": TYPES[values.shape[1]]})
        self._data += data
        return len(accessors) - 1

    def write(self, path: Path) -> None:
        self.document["buffers"].append({"uri": _address(self._data), "byteLength": len(self._data)})
        path.write_text(json.dumps(self.document))


def _address(data: bytes) -> str:
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()


def rescale(source: Path, out: Path, at: Mapping[str, float] = {}, above: Mapping[str, float] = {}) -> Path:
    """Writes a .gltf whose nodes of these names have units, at the node itself or at a plain node that is put above
    it. Files that the source names stay where they are. Returns `out`."""
    gltf = Gltf(source)
    written = _Written(gltf)
    nodes, names = written.document["nodes"], [node.get("name", f"node{n}") for n, node in enumerate(gltf.nodes)]
    assert {*at, *above} <= {*names}
    whole: dict[int, float] = {}

    def units(node: int) -> tuple[float, float]:
        """Returns the product of the units above a node, and with its own."""
        parent = gltf.parents.get(node)
        outer = (1.0 if parent is None else whole[parent]) * above.get(names[node], 1.0)
        return outer, outer * at.get(names[node], 1.0)

    for node in _downwards(gltf):
        outer, whole[node] = units(node)
        own, entry = whole[node] / outer, nodes[node]
        if "matrix" in entry:
            matrix = np.array(entry["matrix"], float).reshape(4, 4)
            matrix[:3, :3] *= own
            matrix[3, :3] /= outer
            entry["matrix"] = matrix.ravel().tolist()
            continue
        entry["translation"] = [value / outer for value in entry.get("translation", (0.0, 0.0, 0.0))]
        entry["scale"] = [value * own for value in entry.get("scale", (1.0, 1.0, 1.0))]
    for animation in written.document.get("animations", []):
        for channel in animation["channels"]:
            node, path = channel["target"].get("node"), channel["target"]["path"]
            if node is not None and path in ("translation", "scale"):
                sampler = dict(animation["samplers"][channel["sampler"]])
                outer, inner = units(node)
                factor = 1.0 / outer if path == "translation" else inner / outer
                sampler["output"] = written.accessor(gltf.values(sampler["output"]) * factor)
                channel["sampler"] = len(animation["samplers"])
                animation["samplers"].append(sampler)
    for skin in written.document.get("skins", []):
        if "inverseBindMatrices" in skin:
            matrices = gltf.values(skin["inverseBindMatrices"]).reshape(-1, 4, 4)
            matrices[..., :3] /= np.array([whole[node] for node in skin["joints"]])[:, None, None]
            skin["inverseBindMatrices"] = written.accessor(matrices.reshape(-1, 16))
    for node, name in enumerate(names):
        if name in above:
            _put_above(written.document, node, above[name])
    written.write(out)
    return out


def _downwards(gltf: Gltf) -> list[int]:
    order = [node for node in range(len(gltf.nodes)) if node not in gltf.parents]
    for node in order:
        order += gltf.nodes[node].get("children", [])
    return order


def _put_above(document: dict[str, Any], node: int, unit: float) -> None:
    nodes, new = document["nodes"], len(document["nodes"])
    for holder, key in (*((entry, "children") for entry in nodes),
                        *((scene, "nodes") for scene in document.get("scenes", []))):
        if node in holder.get(key, []):
            holder[key] = [new if item == node else item for item in holder[key]]
    nodes.append({"name": f"unit {new}", "scale": [unit] * 3, "children": [node]})


def bvh_as_gltf(source: Path, out: Path, metres: float = 0.01) -> Path:
    """Writes a .bvh file as .gltf, with linear keys at its frames. Returns `out`."""
    bvh = bvh_reader.read(source)
    local, g = bvh.local_matrices(metres), GltfBuilder()
    times = np.arange(len(local)) / round(bvh.rate)
    for number, joint in enumerate(bvh.joints):
        children = [child for child, item in enumerate(bvh.joints) if item.parent == number]
        g.node(joint.name, translation=(joint.offset * metres).tolist(), **({"children": children} if children else {}))
    rest = np.tile(np.eye(4), (len(bvh.joints), 1, 1))
    for number, joint in enumerate(bvh.joints):
        rest[number, :3, 3] = joint.offset * metres
        if joint.parent >= 0:
            rest[number] = rest[joint.parent] @ rest[number]
    g.skin(list(range(len(bvh.joints))), np.linalg.inv(rest))
    g.document["scenes"] = [{"nodes": [number for number, joint in enumerate(bvh.joints) if joint.parent < 0]}]
    channels = [(number, "rotation", times, _quaternions(local[:, number, :3, :3]), "LINEAR")
                for number in range(len(bvh.joints))]
    channels += [(number, "translation", times, local[:, number, :3, 3], "LINEAR")
                 for number, joint in enumerate(bvh.joints) if any("position" in name for name in joint.channels)]
    g.animation(source.stem, *channels)
    return g.write_embedded(out.parent, out.name)


def _quaternions(turns: np.ndarray) -> np.ndarray:
    """Unit quaternions [F, 4] of rotation matrices, neighbours in one hemisphere."""
    k = np.empty((len(turns), 4, 4))  # its largest eigenvector is the rotation (Bar-Itzhack, 2000)
    m = turns
    k[:, :3, :3] = m + m.swapaxes(1, 2)
    trace = m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2]
    for axis in range(3):
        k[:, axis, axis] = 2.0 * m[:, axis, axis] - trace
    k[:, 3, :3] = k[:, :3, 3] = np.stack([
        m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]], -1)
    k[:, 3, 3] = trace
    q = np.linalg.eigh(k)[1][:, :, 3]
    for frame in range(1, len(q)):
        q[frame] *= -1.0 if np.dot(q[frame - 1], q[frame]) < 0.0 else 1.0
    return q


def _named(text: str) -> tuple[str, float]:
    name, _, unit = text.rpartition("=")
    return name, float(unit)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    for option in ("--at", "--above"):
        parser.add_argument(option, type=_named, action="append", default=[], metavar="NODE=UNIT")
    asked = parser.parse_args()
    if asked.source.suffix.lower() == ".bvh":
        asked.source = bvh_as_gltf(asked.source, asked.out)
    rescale(asked.source, asked.out, dict(asked.at), dict(asked.above))
