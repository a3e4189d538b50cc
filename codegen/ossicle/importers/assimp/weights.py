"""Adds the animated weights of blend shapes, and their names, which Assimp does not write to glTF files."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...base.glb import GlbFile
from ...model.interpolation import LINEAR, evaluate
from ..gltf import json_values as gltf_json
from ..gltf.file import GltfFile
from ..gltf.nodes import NodeTree

_Key = tuple[float, int, float]  # seconds, shape, weight


def with_weights(glb: bytes, shapes: Mapping[str, Sequence[str]],
                 weights: Sequence[Mapping[str, Sequence[_Key]]]) -> bytes:
    """Returns a file with names of morph targets and tracks of their weights. shapes: names by mesh; weights: keys of
    each animation by node. Raises ImportProblem."""
    if not shapes:
        return glb
    document = GltfFile(Path("converted.glb"), glb)
    nodes, file = NodeTree(document.root), GlbFile(document.root, document.binary)
    meshes = gltf_json.objects(document.root, "meshes")
    for mesh in meshes:
        names = shapes.get(gltf_json.text(mesh, "name", "mesh", ""), ())
        if names and len(names) == _target_count(mesh):
            mesh["extras"] = {"targetNames": list(names)}
    for animation, tracks in zip(gltf_json.objects(document.root, "animations"), weights):
        for index, node in enumerate(document.root["nodes"]):
            keys = tracks.get(nodes.name(index), ())
            number = gltf_json.integer(node, "mesh", "node", len(meshes), default=None)
            if keys and number is not None and (count := _target_count(meshes[number])):
                _add_track(animation, index, keys, count, file)
    return file.to_bytes()


def _target_count(mesh: dict[str, Any]) -> int:
    return max((len(gltf_json.items(primitive, "targets")) for primitive in gltf_json.objects(mesh, "primitives")),
               default=0)


def _add_track(animation: dict[str, Any], node: int, keys: Sequence[_Key], count: int, file: GlbFile) -> None:
    """Adds the track of the weights of a mesh. A shape without keys has the weight 0."""
    times = np.unique([max(seconds, 0.0) for seconds, _, _ in keys])
    values = np.zeros((len(times), count))
    for shape in range(count):
        own = {max(seconds, 0.0): weight for seconds, number, weight in sorted(keys) if number == shape}
        if own:
            at = np.array(list(own))
            values[:, shape] = evaluate("weights", LINEAR, at, np.array(list(own.values()))[None, :, None], times,
                                        np.zeros(len(at) - 1, bool))[0, :, 0]
    first, output = file.add_arrays([times, values.ravel()], [0])
    samplers, channels = animation.setdefault("samplers", []), animation.setdefault("channels", [])
    channels.append({"sampler": len(samplers), "target": {"node": node, "path": "weights"}})
    samplers.append({"input": first, "output": output, "interpolation": LINEAR})
