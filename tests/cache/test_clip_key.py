"""The key of an encoded clip depends on all that changes its bytes, and on nothing else."""
from __future__ import annotations

from dataclasses import fields, replace

import numpy as np

from ossicle.encoding import native
from ossicle.encoding.cache.key import KEY_BYTES, clip_key
from ossicle.encoding.scheme import Scheme

PARENTS = np.array([-1, 0])
BIND = np.tile([0, 0, 0, 1, 0, 0.5, 0, 1, 1, 1], (2, 1)).astype(float)
FRAMES = np.tile(BIND, (3, 1, 1))
CLIP = native.ClipInput(FRAMES, np.zeros((3, 2, 3), bool))
SETTINGS = native.EncodeSettings(0.001)
# Another value for every field, of clips and of settings.
OTHER_CLIPS = {
    "frames": FRAMES + 1e-9, "steps": np.ones((3, 2, 3), bool), "loop": True, "middles": FRAMES[:2],
    "probes": native.Probes(np.array([5], np.uint32), FRAMES[:1]), "kept": np.ones(3, bool), "over": BIND}
OTHER_SETTINGS = {
    "tolerance_m": 0.002, "shell_m": 0.04, "restart_log2": 7, "effort": "fast", "codecs": ("curve",),
    "joint_tolerance_m": np.array([0.001, 0.002]), "pinned": np.array([True, False]), "layer": True, "keys": "full",
    "scheme": Scheme("dense", "fixed48", "float96"), "points": "sphere",
    "values": np.array([False, True]), "state_bits": 2}


def skeleton(parents: np.ndarray = PARENTS, bind: np.ndarray = BIND) -> native.Skeleton:
    return native.Skeleton(parents, bind)


def test_everything_that_the_encoder_is_given_counts() -> None:
    assert set(OTHER_CLIPS) == {field.name for field in fields(native.ClipInput)}
    assert {*OTHER_SETTINGS, "like"} == {field.name for field in fields(native.EncodeSettings)}
    keys = [clip_key(skeleton(), CLIP, SETTINGS),
            clip_key(skeleton(np.array([-1, -1])), CLIP, SETTINGS),
            clip_key(skeleton(bind=BIND + 0.5), CLIP, SETTINGS),
            *(clip_key(skeleton(), replace(CLIP, **{name: value}), SETTINGS) for name, value in OTHER_CLIPS.items()),
            *(clip_key(skeleton(), CLIP, replace(SETTINGS, **{name: value})) for name, value in OTHER_SETTINGS.items())]
    assert len(set(keys)) == len(keys) and all(len(key) == KEY_BYTES for key in keys)


def test_where_the_samples_lie_does_not_count() -> None:
    strided = np.repeat(FRAMES, 2, axis=0)[::2]
    swapped = FRAMES.astype(">f8")
    expected = clip_key(skeleton(), CLIP, SETTINGS)
    assert clip_key(skeleton(), replace(CLIP, frames=strided), SETTINGS) == expected
    assert clip_key(skeleton(), replace(CLIP, frames=swapped), SETTINGS) == expected


def test_an_encoding_that_only_saves_time_does_not_count() -> None:
    _, encoded, _ = native.encode_clip(skeleton(), CLIP, SETTINGS)
    assert encoded is not None
    assert clip_key(skeleton(), CLIP, replace(SETTINGS, like=encoded)) == clip_key(skeleton(), CLIP, SETTINGS)


def test_the_next_field_is_not_taken_for_this_one() -> None:
    single = replace(CLIP, middles=FRAMES[:2], over=None)
    other = replace(CLIP, middles=None, over=FRAMES[:2])
    assert clip_key(skeleton(), single, SETTINGS) != clip_key(skeleton(), other, SETTINGS)
