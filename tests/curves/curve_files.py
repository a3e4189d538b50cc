"""Makes glTF files of a skeleton with two joints and a mesh whose morph targets are animated."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gltf_builder import GltfBuilder

FPS = 30


def weighted(targets: Sequence[str], rest: Sequence[float] = (), node: str = "Face") -> tuple[GltfBuilder, int]:
    """Returns a file without animations, and the node of its mesh."""
    g = GltfBuilder()
    root, head = g.node("root"), g.node("head", translation=[0, 1, 0])
    g.document["nodes"][root]["children"] = [head]
    skin = g.skin([root, head])
    return g, add_mesh(g, targets, rest, node, skin)


def add_mesh(g: GltfBuilder, targets: Sequence[str], rest: Sequence[float] = (), node: str = "Face",
             skin: int | None = None) -> int:
    """Adds a mesh with morph targets, and returns its node."""
    places = g.accessor(np.eye(3))
    mesh: dict[str, Any] = {"name": node, "primitives": [{
        "attributes": {"POSITION": places}, "targets": [{"POSITION": places} for _ in targets]}],
        "extras": {"targetNames": list(targets)}}
    if rest:
        mesh["weights"] = list(rest)
    g.document.setdefault("meshes", []).append(mesh)
    fields = {"mesh": len(g.document["meshes"]) - 1} | ({} if skin is None else {"skin": skin})
    return g.node(node, **fields)


def add_sides(g: GltfBuilder) -> None:
    """Makes a left hand of the joint `head`, and adds a right one."""
    g.document["nodes"][1] |= {"name": "hand.l", "translation": [0.5, 0.0, 0.0]}
    other = g.node("hand.r", translation=[-0.5, 0.0, 0.0])
    g.document["nodes"][0]["children"].append(other)
    g.document["skins"][0]["joints"].append(other)


def nod(frames: int = 31) -> tuple[int, str, list[float], list[list[float]], str]:
    """A channel of the joint `head`."""
    turn = 0.2 * np.sin(np.arange(frames) / 5.0)
    values = np.stack([np.sin(turn / 2), 0 * turn, 0 * turn, np.cos(turn / 2)], axis=1)
    return 1, "rotation", (np.arange(frames) / FPS).tolist(), values.tolist(), "LINEAR"


def weights(node: int, values: np.ndarray, times: Sequence[float] | None = None, interpolation: str = "LINEAR") \
        -> tuple[int, str, list[float], Any, str]:
    """A channel of weights. values: [K, targets]."""
    count = len(values) // (3 if interpolation == "CUBICSPLINE" else 1)
    at = np.arange(count) / FPS if times is None else times
    return node, "weights", list(at), np.asarray(values, float).reshape(-1, 1), interpolation


def wave(frames: int, phase: float, speed: float = 0.3) -> np.ndarray:
    """Values between 0 and 1."""
    return 0.5 + 0.5 * np.sin(phase + speed * np.arange(frames))
