"""Adds the curves of decoded clips to a glTF file as weights of its morph targets."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.arrays import Array
from ..base.curve_names import curve_components
from ..importers.gltf.mesh.morphs import weights_of
from ..importers.gltf.nodes import NodeTree
from ..model.clip import TRACK_KINDS, Clip, Skeleton
from ..model.curves.curve import AXIS
from ..base.glb import GlbFile
from .tracks import LINEAR, key_times

_TRANSLATIONS = TRACK_KINDS.index("translation")


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve of a decoded clip: its values [F] at all frames, and whether it jumps there."""

    values: Array
    breaks: Array


def curves_of(skeleton: Skeleton, clip: Clip) -> dict[str, Curve]:
    """Returns the curves of a clip of a bank, by name."""
    return {part.name: Curve(clip.frames[:, part.joint, AXIS + part.axis], clip.steps[:, part.joint, _TRANSLATIONS])
            for part in curve_components(skeleton.names)}


def add_weights(glb: GlbFile, root: dict[str, Any], nodes: NodeTree, animation: dict[str, Any],
                curves: Mapping[str, Curve], rate: float) -> set[str]:
    """Adds a channel to an animation for each node with morph targets that curves move, and returns the names of these
    curves. Other targets keep their weight."""
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
            inserted = values[at - 1]
            if curve is not None:  # the curve may continue when another one jumps
                inserted = np.where(curve.breaks[at], inserted, inserted + (values[at] - inserted) * before)
            columns.append(np.insert(values, at, inserted))
        keys, output = glb.add_arrays([times, np.stack(columns, axis=1).reshape(-1)], [0])
        target = {"node": node, "path": "weights"}
        animation["channels"].append({"sampler": len(animation["samplers"]), "target": target})
        animation["samplers"].append({"input": keys, "output": output, "interpolation": LINEAR})
    return written
