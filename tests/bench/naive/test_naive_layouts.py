"""The layouts of keys that others are compared with give the matrices that they should."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import naive_layouts
import numpy as np
import pytest
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Clip, Skeleton
from ossicle.model.mesh.skinning import skinning_of
from shell_measure import compose, model_matrices
from tools.demo import HERO

MOST_OFF = 4e-3  # metres, and of a turn: what roundings add up to along a chain


@pytest.fixture(scope="module")
def walk() -> tuple[Clip, Skeleton]:
    imported = read_clips([HERO])
    return next(clip for clip in imported.clips if clip.name == "Walk"), imported.skeleton


@pytest.mark.parametrize(("skinned", "rate"), [(True, 30.0), (False, 30.0), (True, 40.0)])
def test_they_play_the_last_frame(walk: tuple[Clip, Skeleton], skinned: bool, rate: float, tmp_path: Path) -> None:
    """At 40 frames a second, the last frame that is played at 60 Hz lies between two of them."""
    clip, skeleton = walk
    clip = replace(clip, rate=rate, frames=clip.frames[:4])
    skeleton = skeleton if skinned else replace(skeleton, inverse_bind=None)
    models = model_matrices(skeleton.parents, clip.frames)
    last = models[3] if rate == 30.0 else models[2] / 3 + models[3] * 2 / 3
    played = naive_layouts.play("host", clip, skeleton, tmp_path)
    assert list(played) == ["local", "model", "absolute", "baked"][0 if skinned else 1:]
    for layout, result in played.items():
        moved = compose(models[2] if layout == "baked" and rate == 40.0 else last, skinning_of(skeleton)[:, :3])
        expected = last if layout == "model" else moved
        assert np.abs(result.matrices - expected).max() < MOST_OFF, layout
        assert result.average is None and result.worst is None  # nothing counts here


def test_bytes(walk: tuple[Clip, Skeleton]) -> None:
    clip, skeleton = walk
    samples = 2 * len(skeleton.names) * len(clip.frames)
    assert naive_layouts.bytes_of([clip, clip], "local") == 14 * samples
    assert naive_layouts.bytes_of([clip, clip], "baked") == 32 * samples
