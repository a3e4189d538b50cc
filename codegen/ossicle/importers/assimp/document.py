"""Merges nodes of glTF files that Assimp wrote: those of units and axes, and those of FBX's pivots.

An FBX joint has pivots and additional rotations. Assimp represents each of them by a node above the joint, and some
animations move these nodes, others only the joint.
"""
from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...base.arrays import Array
from ...base.glb import GlbFile
from ...model.clip import ROTATION, SCALE, TRACK_KINDS, TRANSLATION, ImportProblem
from ...model.interpolation import LINEAR, evaluate
from ...model.rotations import multiply, rotate
from ..gltf import json_values as gltf_json
from ..gltf.accessors import Accessors
from ..gltf.file import GltfFile
from ..gltf.json_values import REEXPORT
from ..gltf.nodes import NodeTree

_PIVOT = re.compile(r".*_\$AssimpFbx\$_(Translation|RotationOffset|RotationPivot(?:Inverse)?|PreRotation|Rotation|"
                    r"PostRotation|ScalingOffset|ScalingPivot(?:Inverse)?|Scaling)", re.DOTALL)
_PARTS = dict(zip(TRACK_KINDS, (ROTATION, TRANSLATION, SCALE)))
_AXES = ("Coord", "Up", "Front")  # the names of FBX for the axes X, Y and Z of glTF
_CM = 0.01


@dataclass(frozen=True, eq=False)
class _Track:
    """A track: its key times, seconds, and the accessor of its values."""

    times: Array
    values: int


_Tracks = dict[int, dict[str, _Track]]  # by node and path


@dataclass(frozen=True)
class _Merged:
    """A node, and those that are merged into it, from the top. above: of units, axes and scene; pivots: its own;
    post: that of the post-rotation."""

    node: int
    above: tuple[int, ...]
    pivots: tuple[int, ...]
    post: int | None


def in_metres(glb: bytes, metadata: Mapping[str, float]) -> bytes:
    """Returns a file that Assimp wrote in metres, Y up, with one node per joint. metadata: numbers of the scene. Raises
    ImportProblem."""
    return _Document(glb, _to_metres(metadata)).merged()


class _Document:
    """A glTF file that Assimp wrote. matrix: [4, 4], to metres and the axes of glTF."""

    def __init__(self, glb: bytes, matrix: Array):
        file = GltfFile(Path("converted.glb"), glb)
        self._root, self._accessors = file.root, Accessors(file)
        self._file = GlbFile(file.root, file.binary)
        for scene in gltf_json.objects(self._root, "scenes"):
            scene["nodes"] = [self._file.add("nodes", {"name": "Units and axes", "matrix": matrix.T.ravel().tolist(),
                                                       "children": scene.get("nodes", [])})]
        for material in gltf_json.objects(self._root, "materials"):
            material.pop("extensions", None)  # another form of the same colours, which is not read
        self._nodes = NodeTree(file.root)

    def merged(self) -> bytes:
        """Returns the file after merging nodes."""
        animations = gltf_json.objects(self._root, "animations")
        tracks = [self._read_tracks(animation) for animation in animations]
        joints = self._find({node for of_node in tracks for node in of_node})
        for animation, of_node in zip(animations, tracks):
            for joint in joints:
                self._merge_tracks(animation, of_node, joint)
        for joint in joints:
            self._merge_rest(joint)
        self._remove({node for joint in joints for node in (*joint.above, *joint.pivots)})
        return self._file.to_bytes()

    def _read_tracks(self, animation: dict[str, Any]) -> _Tracks:
        """Returns the tracks of an animation. Removes channels without a node. Moves keys before 0 to 0: those of
        constants, and others by rounding."""
        samplers = gltf_json.objects(animation, "samplers")
        animation["channels"] = [channel for channel in gltf_json.objects(animation, "channels")
                                 if "node" in gltf_json.mapping(channel, "target")]
        tracks: _Tracks = {}
        later: dict[int, int] = {}
        for channel in animation["channels"]:
            node = gltf_json.integer(channel["target"], "node", "channel", len(self._nodes))
            sampler = samplers[gltf_json.integer(channel, "sampler", "channel", len(samplers))]
            values = gltf_json.integer(sampler, "output", "sampler", self._accessors.count)
            keys = gltf_json.integer(sampler, "input", "sampler", self._accessors.count)
            times = self._accessors.values(keys, "SCALAR")[:, 0]
            if times.min() < 0.0:
                times = np.maximum(times, 0.0)
                if keys not in later:
                    (later[keys],) = self._file.add_arrays([times], [0])
                sampler["input"] = later[keys]
            tracks.setdefault(node, {})[gltf_json.text(channel["target"], "path", "channel")] = _Track(times, values)
        return tracks

    def _find(self, moving: set[int]) -> list[_Merged]:
        """Returns the nodes into which others are merged. moving: the nodes with tracks."""
        kinds = {node: match[1] for node in self._nodes.order if (match := _PIVOT.fullmatch(self._nodes.name(node)))}
        scene = self._scene_nodes(moving)
        found: list[_Merged] = []
        for node in self._nodes.order:
            if node in kinds or node in scene:
                continue
            ancestors = self._nodes.ancestors(node)
            count = next((at for at, above in enumerate(ancestors) if above not in kinds), len(ancestors))
            pivots, above = ancestors[:count][::-1], ancestors[count:][::-1]
            if not scene.issuperset(above):
                above = []
            if pivots or above:
                post = [pivot for pivot in pivots if kinds[pivot] == "PostRotation"]
                found.append(_Merged(node, tuple(above), tuple(pivots), post[0] if post else None))
        return found

    def _scene_nodes(self, moving: set[int]) -> set[int]:
        """Returns the node of units and axes, and Assimp's node for the scene, if they can be merged."""
        joints = {node for skin in gltf_json.objects(self._root, "skins") for node in skin["joints"]}
        scene: set[int] = set()
        for node in self._nodes.order[:2]:
            size = self._nodes.rest(node)[SCALE]
            if node in moving | joints or "mesh" in self._root["nodes"][node] or size.min() != size.max():
                break
            scene.add(node)
        return scene

    def _merge_tracks(self, animation: dict[str, Any], tracks: _Tracks, joint: _Merged) -> None:
        """Replaces the tracks of a joint and its pivots."""
        chain = (*joint.above, *joint.pivots, joint.node)
        moving = [node for node in chain if node in tracks]
        if not moving:
            return
        times = np.unique(np.concatenate([track.times for node in moving for track in tracks[node].values()]))
        if moving == [joint.node]:
            # Assimp's own product of translation, rotations and scale. It multiplies by the post-rotation instead of
            # the inverse, which the pivot has.
            own = self._sampled(joint.node, tracks, times)
            if joint.post is not None:
                inverse = self._nodes.rest(joint.post)[ROTATION]
                own[:, ROTATION] = multiply(own[:, ROTATION], multiply(inverse, inverse))
            transforms = _product([*(self._sampled(node, tracks, times) for node in joint.above), own])
        else:
            transforms = _product([self._sampled(node, tracks, times) for node in chain])
        samplers = animation["samplers"]
        animation["channels"] = [channel for channel in animation["channels"] if channel["target"]["node"] not in chain]
        keys, *values = self._file.add_arrays([times, *(transforms[:, part] for part in _PARTS.values())], [0])
        for path, output in zip(_PARTS, values):
            animation["channels"].append({"sampler": len(samplers), "target": {"node": joint.node, "path": path}})
            samplers.append({"input": keys, "output": output, "interpolation": LINEAR})

    def _sampled(self, node: int, tracks: _Tracks, times: Array) -> Array:
        """Returns the transforms [T, 10] of a node at times."""
        transforms = np.tile(self._nodes.rest(node), (len(times), 1))
        for path, track in tracks.get(node, {}).items():
            values = self._accessors.values(track.values, "VEC4" if path == "rotation" else "VEC3")[None]
            if values.shape[1] != len(track.times):
                raise ImportProblem(f"{self._nodes.describe(node)}: {len(track.times)} key times, but "
                                    f"{values.shape[1]} keys; {REEXPORT}")
            transforms[:, _PARTS[path]] = evaluate(path, LINEAR, track.times, values, times,
                                                   np.zeros(len(track.times) - 1, bool))[0]
        return transforms

    def _merge_rest(self, joint: _Merged) -> None:
        """Sets the rest transform of a joint, and attaches it to the node above those that are merged."""
        chain = (*joint.above, *joint.pivots, joint.node)
        rest = _product([self._nodes.rest(node)[None] for node in chain])[0]
        node = self._root["nodes"][joint.node]
        node.pop("matrix", None)
        node.update({path: rest[part].tolist() for path, part in _PARTS.items()})
        for owner, key in self._lists_of_nodes():
            if chain[0] in owner[key]:
                owner[key].append(joint.node)

    def _lists_of_nodes(self) -> list[tuple[dict[str, Any], str]]:
        return [(owner, key) for kind, key in (("nodes", "children"), ("scenes", "nodes"), ("skins", "joints"))
                for owner in gltf_json.objects(self._root, kind) if key in owner]

    def _remove(self, removed: set[int]) -> None:
        """Removes nodes, and numbers the others again."""
        kept = [node for node in range(len(self._nodes)) if node not in removed]
        number = {node: new for new, node in enumerate(kept)}
        for owner, key in self._lists_of_nodes():
            owner[key] = [number[node] for node in owner[key] if node in number]
        for animation in gltf_json.objects(self._root, "animations"):
            for channel in animation["channels"]:
                channel["target"]["node"] = number[channel["target"]["node"]]
        for skin in gltf_json.objects(self._root, "skins"):
            skin.pop("skeleton", None)
        self._root["nodes"] = [self._root["nodes"][node] for node in kept]


def _product(transforms: Sequence[Array]) -> Array:
    """Returns the products of transforms [T, 10], the first of which is the highest. Exact unless there is a rotation
    below a non-uniform scale, which these nodes do not have."""
    result = transforms[0].copy()
    for below in transforms[1:]:
        result[:, TRANSLATION] += rotate(result[:, ROTATION], result[:, SCALE] * below[:, TRANSLATION])
        result[:, ROTATION] = multiply(result[:, ROTATION], below[:, ROTATION])
        result[:, SCALE] *= below[:, SCALE]
    return result


def _to_metres(metadata: Mapping[str, float]) -> Array:
    """Returns the matrix [4, 4] from the units and axes of a scene to metres and the axes of glTF. Assimp has converted
    scenes without metadata (.dae)."""
    matrix = np.eye(4)
    if metadata:
        unit = metadata.get("UnitScaleFactor", 1.0)
        axes = [int(metadata.get(f"{name}Axis", default)) for default, name in enumerate(_AXES)]
        if sorted(axes) != [0, 1, 2] or not 0.0 < unit < math.inf:
            raise ImportProblem(f"states the axes {axes} and a unit of {unit:g} cm; {REEXPORT}")
        matrix[:3, :3] = 0.0
        for row, (axis, name) in enumerate(zip(axes, _AXES)):
            matrix[row, axis] = math.copysign(unit * _CM, metadata.get(f"{name}AxisSign", 1))
    return matrix
