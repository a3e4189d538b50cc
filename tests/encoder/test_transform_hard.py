"""Tracks that the transform codec's basis cannot follow: it has to code them all the same, since a
bank with random access has no other codec."""
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from encoding import Source, axis_angle, encode_source, make_source, rest
from random_clips import multiply, sources

ONLY = ("transform",)
TOLERANCES_M = [1e-3, 1e-4]
FLOAT32_SHARE = 3**0.5 * 2.0**-24  # of a length: the decoded pose comes in floats
EFFORTS = ["fast", "default"]
lengths = st.sampled_from([1, 2, 3, 8, 9, 10, 17, 40])
seeds = st.integers(0, 2**32 - 1)
jumps_m = st.sampled_from([1.0, 10.0, 100.0, 1900.0])


def check(source: Source, tolerance_m: float, effort: str = "default") -> None:
    """The clip is within the tolerance by the tests' own measure, and plays as reported."""
    encoded = encode_source(source, tolerance_m, effort=effort, codecs=ONLY)
    far = np.abs(source.frames[:, :, 4:7]).max()
    assert encoded.error_m <= tolerance_m + FLOAT32_SHARE * far
    assert encoded.verified


def random_rotations(rng: np.random.Generator, count: int) -> np.ndarray:
    """Any rotations [count, 4]."""
    q = rng.normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def arm(frames: int) -> np.ndarray:
    """Three joints, 20 cm apart."""
    clip = rest(frames, 3)
    clip[:, 1:, 5] = 0.2
    return clip


@settings(max_examples=20, deadline=None)
@given(seed=seeds, frames=lengths, tolerance_m=st.sampled_from(TOLERANCES_M), effort=st.sampled_from(EFFORTS))
def test_any_rotation_at_every_frame(seed: int, frames: int, tolerance_m: float, effort: str) -> None:
    rng, clip = np.random.default_rng(seed), arm(frames)
    for joint in range(3):
        clip[:, joint, :4] = random_rotations(rng, frames)
    check(make_source([-1, 0, 1], clip), tolerance_m, effort)


@settings(max_examples=20, deadline=None)
@given(seed=seeds, frames=lengths, tolerance_m=st.sampled_from(TOLERANCES_M))
def test_turns_as_long_as_a_pair_blends(seed: int, frames: int, tolerance_m: float) -> None:
    """Coarse steps must not stretch them to where the evaluator ends."""
    rng, clip = np.random.default_rng(seed), arm(frames)
    angle = np.radians(99.4) * np.arange(frames) / 2
    axes = rng.normal(size=(3, 3))
    for joint, axis in enumerate(axes / np.linalg.norm(axes, axis=-1, keepdims=True)):
        clip[:, joint, :3] = np.sin(angle)[:, None] * axis
        clip[:, joint, 3] = np.cos(angle)
    check(make_source([-1, 0, 1], clip), tolerance_m)


@settings(max_examples=20, deadline=None)
@given(seed=seeds, frames=lengths, far=jumps_m, tolerance_m=st.sampled_from(TOLERANCES_M),
       effort=st.sampled_from(EFFORTS))
@example(seed=25577, frames=2, far=100.0, tolerance_m=1e-4, effort="fast")  # 2^21 steps apart
def test_throws(seed: int, frames: int, far: float, tolerance_m: float, effort: str) -> None:
    rng, clip = np.random.default_rng(seed), arm(frames)
    clip[:, 0, 4:7] = rng.uniform(-far, far, (frames, 3))
    check(make_source([-1, 0, 1], clip), tolerance_m, effort)


@settings(max_examples=20, deadline=None)
@given(seed=seeds, frames=lengths, tolerance_m=st.sampled_from(TOLERANCES_M))
def test_scales_through_zero(seed: int, frames: int, tolerance_m: float) -> None:
    rng, clip = np.random.default_rng(seed), arm(frames)
    time = np.arange(frames)[:, None]
    clip[:, 0, 7:10] = np.cos(rng.uniform(0.1, 3.0, 3) * time + rng.uniform(0, 6))
    clip[:, 1, 7:10] = rng.uniform(-1, 1, (frames, 3))
    check(make_source([-1, 0, 1], clip, arm(1)[0]), tolerance_m)


@pytest.mark.parametrize("tolerance_m", [1e-3, 3e-4, 1e-4, 3e-5, 1.5e-5])
def test_a_clip_that_holds_a_tolerance_holds_larger_ones(tolerance_m: float) -> None:
    rng, clip = np.random.default_rng(7), arm(30)
    for joint in range(3):
        clip[:, joint, :4] = random_rotations(rng, 30)
    check(make_source([-1, 0, 1], clip), tolerance_m)


@settings(max_examples=30, deadline=None)
@given(source=sources(), tolerance_m=st.sampled_from(TOLERANCES_M))
def test_every_kind_of_motion(source: Source, tolerance_m: float) -> None:
    check(source, tolerance_m)


def test_a_throw_plays_to_the_last_place() -> None:
    clip = arm(12)
    clip[:, 0, 4:7] = np.random.default_rng(1).uniform(-2000, 2000, (12, 3))
    encoded = encode_source(make_source([-1, 0, 1], clip), 1e-5, codecs=ONLY)
    assert np.abs(encoded.played[::2, 0, 4:7] - clip[:, 0, 4:7]).max() < 2e-4  # float32 of it


def test_a_tumbling_joint_is_no_hard_track() -> None:
    """Four components need steps hardly finer than three: their length is looked after."""
    rng, clip = np.random.default_rng(5), arm(300)
    spin = 0.3 * np.cumsum(rng.normal(size=(300, 3)) * 0.05, 0)
    turns = axis_angle(spin, np.linalg.norm(spin, axis=-1))
    for frame in range(1, 300):
        clip[frame, 1, :4] = multiply(clip[frame - 1, 1, :4], turns[frame])
    assert (clip[:, 1, :4].min(0) < -0.5).all() and (clip[:, 1, :4].max(0) > 0.5).all()
    source = make_source([-1, 0, 1], clip)
    sizes = [len(encode_source(source, 1e-3, codecs=(codec,)).data) for codec in ("transform", "delta")]
    assert sizes[0] < 1.3 * sizes[1]
