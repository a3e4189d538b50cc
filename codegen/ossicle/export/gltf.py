"""Writes decoded clips as glTF: nodes in the bind pose, a skin that makes them joints, and animations."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.arrays import Array
from ..base.version import versions
from ..model.clip import ROTATION, SCALE, TRANSLATION, Clip, Skeleton
from ..model.mesh.skinning import undo_bind
from ..base.glb import GlbFile
from .tracks import moved, tracks_of

SUFFIX = ".glb"


def pack(skeleton: Skeleton, clips: Sequence[Clip]) -> bytes:
    """Returns the bytes of a .glb file with the skeleton and the clips."""
    document = {"asset": {"version": "2.0", "generator": f"Ossicle {versions().library}"}}
    glb = GlbFile(document)
    _add_skeleton(glb, document, skeleton)
    chosen = moved(clips, skeleton.bind)
    for clip in clips:
        add_animation(glb, clip.name, clip, chosen, range(len(skeleton.names)))
    return glb.to_bytes()


def add_animation(glb: GlbFile, name: str, clip: Clip, chosen: Array, nodes: Sequence[int]) -> dict[str, Any]:
    """Adds the selected tracks, bool [J, 3], of a clip, and returns the animation. nodes: the node of each joint.
    Without selected tracks it adds the constant rotation of the first joint, because animations must not be empty."""
    if not chosen.any():
        chosen = np.zeros_like(chosen)
        chosen[0, 0] = True
    tracks = list(tracks_of(clip, chosen))
    times = {track.times.tobytes(): track.times for track in tracks}  # most tracks share them
    numbers = {content: number for number, content in enumerate(times)}
    accessors = glb.add_arrays([*times.values(), *(track.values for track in tracks)], range(len(times)))
    animation = {
        "name": name,
        "samplers": [{"input": accessors[numbers[track.times.tobytes()]], "output": values,
                      "interpolation": track.interpolation}
                     for track, values in zip(tracks, accessors[len(times):])],
        "channels": [{"sampler": number, "target": {"node": nodes[track.joint], "path": track.kind}}
                     for number, track in enumerate(tracks)]}
    glb.add("animations", animation)
    return animation


def rest_of(transform: Array) -> dict[str, list[float]]:
    """Returns the rest transform [10] of a node as its properties."""
    return {"rotation": transform[ROTATION].tolist(), "translation": transform[TRANSLATION].tolist(),
            "scale": transform[SCALE].tolist()}


def _add_skeleton(glb: GlbFile, document: dict[str, Any], skeleton: Skeleton) -> None:
    """Adds a node for each joint, in order, and the skin, without which editors show no bones. The skin has no matrices
    if a scale of 0 makes the bind pose singular."""
    roots = []
    for joint, (name, parent) in enumerate(zip(skeleton.names, skeleton.parents)):
        below = np.flatnonzero(skeleton.parents == joint).tolist()
        glb.add("nodes", {"name": name, **rest_of(skeleton.bind[joint]), **({"children": below} if below else {})})
        roots += [joint] if parent < 0 else []
    if len(roots) > 1:  # the joints of a skin need a node above all of them
        roots = [glb.add("nodes", {"name": "skeleton", "children": roots})]
    document["scene"] = glb.add("scenes", {"nodes": roots})
    skin: dict[str, Any] = {"joints": list(range(len(skeleton.names))), "skeleton": roots[0]}
    matrices = skeleton.inverse_bind
    if matrices is None and skeleton.bind[:, SCALE].all():
        matrices = undo_bind(skeleton)
    if matrices is not None:
        columns = matrices.swapaxes(1, 2).reshape(-1, 16)
        skin["inverseBindMatrices"] = glb.add_arrays([columns])[0]
    glb.add("skins", skin)
