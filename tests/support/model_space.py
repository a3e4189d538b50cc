"""The error of a decoded clip as a skin shows it, in double precision, from the glTF file and a .rawclip.

Three points of every joint, 3 cm away along its axes in model space at the bind pose, as each of the two files has it,
are moved by its model transform in that file. Shares no code with the project's."""
from __future__ import annotations

from pathlib import Path

import numpy as np
from gltf_reader import Gltf
from rawclip_reader import RawClip

SHELL_M = 0.03


def points_of_source(gltf: Gltf, animation: dict, names: list[str], times: np.ndarray) -> np.ndarray:
    """The points [T, J, 3 axes, 3] of a file's joints."""
    found = {node.get("name", f"node{number}"): number for number, node in enumerate(gltf.nodes)}
    joints = [found[name] for name in names]
    models, bind = gltf.models(animation, times), gltf.models(None, np.zeros(1))
    return _points(np.stack([models[joint] for joint in joints], 1), np.stack([bind[joint] for joint in joints], 1)[0])


def points_of_decoded(clip: RawClip) -> np.ndarray:
    """The points [T, J, 3 axes, 3] of a decoded clip."""
    return _points(_models(clip, clip.frames), _models(clip, clip.bind[None])[0])


def errors_m(source: Path, name: str, clip: RawClip) -> np.ndarray:
    """The largest distance of each joint's points [T, J]. clip: decoded with midpoints."""
    gltf = Gltf(source)
    animation = next(item for number, item in enumerate(gltf.animations)
                     if item.get("name", f"animation{number}") == name)
    times = np.arange(len(clip.frames)) / float(np.float32(clip.rate))
    off = points_of_source(gltf, animation, clip.names, times) - points_of_decoded(clip)
    return np.linalg.norm(off, axis=-1).max(-1)


def _points(models: np.ndarray, bind: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(bind[:, :3, :3], axis=1)  # [J, axis]
    return models[..., None, :3, 3] + np.swapaxes(models[..., :3, :3] * (SHELL_M / lengths)[:, None], -1, -2)


def _models(clip: RawClip, local: np.ndarray) -> np.ndarray:
    local = local.astype(float)
    x, y, z, w = np.moveaxis(local[..., :4] / np.linalg.norm(local[..., :4], axis=-1, keepdims=True), -1, 0)
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    models = np.zeros((*local.shape[:2], 4, 4))
    models[..., :3, :3] = np.stack(rows, -1).reshape(*x.shape, 3, 3) * local[..., None, 7:10]
    models[..., :3, 3], models[..., 3, 3] = local[..., 4:7], 1.0
    for joint, parent in enumerate(clip.parents):
        if parent >= 0:
            models[:, joint] = models[:, parent] @ models[:, joint]
    return models
