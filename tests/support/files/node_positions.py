"""Compares the positions of the nodes of a glTF file with those of imported joints. Shares no code with the project."""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gltf_reader import Gltf, local_matrices

SAME = 1e-7  # metres; the file's numbers are single precision, both sides compute with doubles


def check_positions(imported: Any, path: Path, nodes: Mapping[str, int],
                    clips: Mapping[str, Path] | None = None) -> None:
    """Asserts that the joints of these names, at all keys of every clip, at midpoints and in the bind pose, are at
    these nodes of the file, and rotated, stretched and mirrored as they are. clips: the files of clips that are not in
    this one."""
    assert set(nodes) == set(imported.skeleton.names)
    rest = imported.skeleton.bind[None]
    _same(imported, rest, Gltf(path), None, np.zeros(1), nodes)
    for clip in imported.clips:
        file = Gltf((clips or {}).get(clip.name, path))
        animation, = (item for number, item in enumerate(file.animations)
                      if item.get("name", f"animation{number}") == clip.name)
        keys = np.unique(np.concatenate([times for _, _, _, times, _ in file.samplers(animation)]))
        times = np.union1d(keys, (keys[1:] + keys[:-1]) / 2.0)
        _same(imported, clip.curve.at(times), file, animation, times, nodes)
        frames = np.minimum(np.arange(len(clip.frames)) / clip.rate, keys[-1])
        frames[-1] = keys[-1]
        _same(imported, clip.frames, file, animation, frames, nodes)


def _same(imported: Any, found: np.ndarray, file: Gltf, animation: dict | None, times: np.ndarray,
          nodes: Mapping[str, int]) -> None:
    theirs = file.models(animation, times)
    ours = models(imported.skeleton.parents, found)
    for joint, name in enumerate(imported.skeleton.names):
        wanted, here = theirs[nodes[name]], ours[:, joint]
        np.testing.assert_allclose(here[:, :3, 3], wanted[:, :3, 3], rtol=0, atol=SAME, err_msg=name)
        sizes = [np.linalg.norm(side[:, :3, :3], axis=(1, 2))[:, None, None] for side in (here, wanted)]
        np.testing.assert_allclose(here[:, :3, :3] / sizes[0], wanted[:, :3, :3] / sizes[1], rtol=0, atol=SAME,
                                   err_msg=name)


def models(parents: np.ndarray, transforms: np.ndarray) -> np.ndarray:
    """Model matrices [T, J, 4, 4] of local transforms [T, J, 10]."""
    result: list[np.ndarray] = []
    for joint, parent in enumerate(parents):
        own = transforms[:, joint]
        local = local_matrices({"rotation": own[:, :4], "translation": own[:, 4:7], "scale": own[:, 7:10]})
        result.append(local if parent < 0 else result[parent] @ local)
    return np.stack(result, 1)
