"""A bank judged from outside: encoded by the project, compared with what the tests' own readers find
in its source, by the tests' own measure."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bvh_reader
import numpy as np
from gltf_reader import Gltf
from shell_measure import distances, find_breaks, model_matrices, with_midpoints

from ossicle import native
from ossicle.bvh import CENTIMETRE
from ossicle.encode import encode
from ossicle.importer import read_clips
from ossicle.model import Clip
from ossicle.settings import Settings

SHELL_M = 0.03
SAME_M = 2e-6  # decoded clips are in single precision


@dataclass(frozen=True)
class Judged:
    """bytes: of the whole bank. error_m: the largest of all clips at all frames and midpoints."""

    bytes: int
    error_m: float


def gltf_models(source: Path, names: tuple[str, ...], clip: str, times: np.ndarray) -> np.ndarray:
    """Model matrices [T, J, 3, 4] of a skin's joints, in metres. What stands above the joints is
    included, but for its scale, as joints keep their own."""
    gltf = Gltf(source)
    node_of = {gltf.nodes[node]["name"]: node for node in gltf.document["skins"][0]["joints"]}
    joints = [node_of[name] for name in names]
    models = gltf.models(next(a for a in gltf.animations if a["name"] == clip), times)
    found = np.stack([models[node][:, :3] for node in joints], 1)
    found[..., :3] /= np.array([_scale_above(gltf, node, joints) for node in joints])[:, None, None]
    return found


def _scale_above(gltf: Gltf, node: int, joints: list[int]) -> float:
    """The product of the uniform scales of all nodes above that are no joints."""
    scale = 1.0
    while (node := gltf.parents.get(node, -1)) >= 0:
        if node not in joints:
            scale *= gltf.nodes[node].get("scale", (1.0, 1.0, 1.0))[0]
    return scale


def bvh_models(source: Path, parents: np.ndarray, clip: Clip) -> np.ndarray:
    """Model matrices [2F-1, J, 3, 4]: as the file has them, and half way between, for which the
    format has no rule, the shortest-path mean of what was imported."""
    found = model_matrices(parents, with_midpoints(clip.frames, find_breaks(clip.frames, clip.steps)))
    found[::2] = bvh_reader.read(source).model_matrices(CENTIMETRE)[..., :3, :]
    return found


def judge(paths: list[Path], settings: Settings) -> Judged:
    """Encodes files of one skeleton. AssertionError where an error is not what the report says."""
    result, imported = encode(paths, settings), read_clips(paths, settings.importing)
    words, parents = native.bank_words(result.bank), imported.skeleton.parents
    sources, worst = {path.name: path for path in paths}, 0.0
    for index, (clip, said) in enumerate(zip(imported.clips, result.clips, strict=True)):
        played = native.decode_clip(words, index, len(parents), True).astype(np.float64)
        source, halves = sources[clip.source], np.arange(len(played)) / (2.0 * said.rate)
        reference = (bvh_models(source, parents, clip) if source.suffix == ".bvh"
                     else gltf_models(source, imported.skeleton.names, clip.name, halves))
        errors = distances(reference, model_matrices(parents, played), SHELL_M)
        assert abs(errors.max() - said.error_mm * 1e-3) <= SAME_M, clip.name
        worst = max(worst, float(errors.max()))
    return Judged(len(result.bank), worst)
