"""The keyframes that others are compared with give the matrices that they should."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import naive_keys
import numpy as np
import pytest
from tools.demo import HERO
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Clip, Skeleton
from ossicle.model.import_options import ImportOptions
from shell_measure import compose, model_matrices

MOST_OFF = 6e-3  # metres, and of a turn: what roundings of 1/4096 add up to along a chain


@pytest.fixture(scope="module")
def walk() -> tuple[Clip, Skeleton]:
    imported = read_clips([HERO], ImportOptions())
    return next(clip for clip in imported.clips if clip.name == "Walk"), imported.skeleton


@pytest.mark.parametrize("skinned", [True, False])
@pytest.mark.parametrize("cut", [0, 1])
def test_it_plays_the_last_frame(walk: tuple[Clip, Skeleton], skinned: bool, cut: int, tmp_path: Path) -> None:
    clip, skeleton = walk
    clip = replace(clip, frames=clip.frames[:clip.frames.shape[0] - cut])
    skeleton = skeleton if skinned else replace(skeleton, inverse_bind=None)
    played = naive_keys.play("host", clip, skeleton, tmp_path)
    expected = model_matrices(skeleton.parents, clip.frames[-1:])[0]
    if skinned:
        expected = compose(expected, skeleton.inverse_bind[:, :3])
    assert np.abs(played.matrices - expected).max() < MOST_OFF
    assert played.average is None and played.worst is None  # nothing counts here


def test_it_plays_between_frames(walk: tuple[Clip, Skeleton], tmp_path: Path) -> None:
    """At 40 frames a second, the last frame that is played at 60 Hz lies between two of them."""
    clip, skeleton = walk
    clip = replace(clip, rate=40.0, frames=clip.frames[:4])  # 0, 2/3, 4/3, 2, 8/3
    played = naive_keys.play("host", clip, skeleton, tmp_path)
    models = compose(model_matrices(skeleton.parents, clip.frames), skeleton.inverse_bind[:, :3])
    between = models[2] / 3 + models[3] * 2 / 3
    assert np.abs(played.matrices - between).max() < MOST_OFF


def test_keys_take_seven_words(walk: tuple[Clip, Skeleton]) -> None:
    clip, skeleton = walk
    assert naive_keys.key_bytes([clip, clip]) == 2 * 7 * 4 * len(skeleton.names) * len(clip.frames)
