"""Adds the curves of decoded clips to a glTF file as weights of its morph targets."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.curve_names import places_of
from ..importers.gltf.mesh.morphs import weights_of
from ..importers.gltf.nodes import NodeTree
from ..model.clip import TRACK_KINDS, Clip, Skeleton
from ..model.curves.curve import AXIS
from .glb import GlbFile
from .tracks import LINEAR, key_times

_TRANSLATIONS = TRACK_KINDS.index("translation")


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve of a decoded clip: its values at all frames, and whether it jumps there, [F]."""

    values: np.ndarray
    breaks: np.ndarray


def curves_of(skeleton: Skeleton, clip: Clip) -> dict[str, Curve]:
    """Returns the curves of a clip of a bank, by name."""
    return {place.name: Curve(clip.frames[:, place.joint, AXIS + place.axis], clip.steps[:, place.joint, _TRANSLATIONS])
            for place in places_of(skeleton.names)}


def add_weights(glb: GlbFile, root: dict[str, Any], nodes: NodeTree, animation: dict[str, Any],
                curves: Mapping[str, Curve], rate: float) -> set[str]:
    """Adds a channel for each node with morph targets that curves move to an animation, and returns the names of these
    curves. Targets that no curve moves keep their weight."""
    written: set[str] = set()
    for node, weights in weights_of(root, nodes, curves).items():
        moving = {weight.curve: curves[weight.curve] for weight in weights if weight.curve is not None}
        if not moving:
            continue
        written |= set(moving)
        breaks = np.zeros_like(next(iter(moving.values())).breaks)
        for one in moving.values():
            breaks = breaks | one.breaks
        times, at, before = key_times(len(breaks), rate, breaks)
        columns = []
        for weight in weights:
            curve = None if weight.curve is None else curves[weight.curve]
            values = np.full(len(breaks), weight.rest) if curve is None else curve.values
            held = values[at - 1]
            if curve is not None:  # the curve itself may go on where another one jumps
                held = np.where(curve.breaks[at], held, held + (values[at] - held) * before)
            columns.append(np.insert(values, at, held))
        keys, output = glb.add_arrays([times, np.stack(columns, axis=1).reshape(-1)], [0])
        target = {"node": node, "path": "weights"}
        animation["channels"].append({"sampler": len(animation["samplers"]), "target": target})
        animation["samplers"].append({"input": keys, "output": output, "interpolation": LINEAR})
    return written
