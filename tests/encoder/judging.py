"""A bank judged from outside: encoded by the project, compared with what the tests' own readers find
in its source, by the tests' own measure."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bvh_reader
import numpy as np
from gltf_reader import Gltf
from shell_measure import axis_lengths, distances, find_breaks, model_matrices, with_midpoints

from ossicle.encoding import native
from ossicle.importers.bvh import CENTIMETRE
from ossicle.encoding.encoder import BankResult, encode_clips
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Clip, Imported
from ossicle.encoding.settings import Settings

SHELL_M = 0.03
SAME_M = 2e-6  # decoded clips are in single precision


@dataclass(frozen=True)
class Judged:
    """bytes: of the whole bank. error_m: the largest of all clips at all frames and midpoints."""

    bytes: int
    error_m: float


def gltf_models(source: Path, names: tuple[str, ...], clip: str, times: np.ndarray) -> np.ndarray:
    """Model matrices [T, J, 3, 4] of a skin's joints, in metres, whose axes are a metre long at the bind pose."""
    gltf = Gltf(source)
    node_of = {gltf.nodes[node].get("name", f"node{node}"): node for node in gltf.document["skins"][0]["joints"]}
    animation_of = {animation.get("name", f"animation{index}"): animation
                    for index, animation in enumerate(gltf.animations)}
    joints = [node_of[name] for name in names]
    models = gltf.models(animation_of[clip], times)
    found = np.stack([models[node][:, :3] for node in joints], 1)
    bind = gltf.models(None, np.zeros(1))
    found[..., :3] /= np.stack([np.linalg.norm(bind[node][0, :3, :3], axis=0) for node in joints])[:, None]
    return found


def bvh_models(source: Path, parents: np.ndarray, clip: Clip) -> np.ndarray:
    """Model matrices [2F-1, J, 3, 4]: as the file has them, and at midpoints, for which the
    format has no rule, the shortest-path mean of what was imported."""
    found = model_matrices(parents, with_midpoints(clip.frames, find_breaks(clip.frames, clip.steps)))
    found[::2] = bvh_reader.read(source).model_matrices(CENTIMETRE)[..., :3, :]
    return found


def judged_error_m(paths: list[Path], result: BankResult, imported: Imported) -> float:
    """The largest error of a bank of these files, at all frames and midpoints. AssertionError where
    a clip's is not what the report says."""
    words, parents = native.bank_words(result.bank), imported.skeleton.parents
    sources, worst = {path.name: path for path in paths}, 0.0
    for index, (clip, report) in enumerate(zip(result.sources, result.clips, strict=True)):
        played = native.decode_clip(words, index, len(parents), True).astype(np.float64)
        source, halves = sources[clip.source], np.arange(len(played)) / (2.0 * clip.rate)
        reference = (bvh_models(source, parents, clip) if source.suffix == ".bvh"
                     else gltf_models(source, imported.skeleton.names, clip.name, halves))
        model = model_matrices(parents, played)
        model[..., :3] /= axis_lengths(parents, imported.skeleton.bind)[:, None]
        errors = distances(reference, model, SHELL_M).max(1)
        # at a midpoint before a frame too far off to be blended, the previous frame is held
        jumps = (find_breaks(clip.frames, clip.steps) & ~clip.steps).any((1, 2))[1:]
        errors[1::2][jumps] = 0.0
        off_m = errors.max() - report.error_mm * 1e-3
        assert off_m <= SAME_M and (off_m >= -SAME_M or jumps.any()), clip.name
        worst = max(worst, float(errors.max()))
    return worst


def judge(paths: list[Path], settings: Settings) -> Judged:
    """Encodes files of one skeleton."""
    imported = read_clips(paths, settings.importing)
    result = encode_clips(imported, settings)
    return Judged(len(result.bank), judged_error_m(paths, result, imported))
