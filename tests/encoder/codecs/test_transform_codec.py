"""The transform codec alone: random tracks are fitted, written, and played in any order."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from test_curve_codec import (DEFAULT, DELTA, FAST, MAX, NO_RESTARTS, ROTATION, TRANSLATION, Track, aligned, kinds,
                              random_track, run, shapes)

TRANSFORM = 3
SEGMENT = 8


def transform_bits(codec_driver: Path, tracks: list[Track], **options: float) -> int:
    """Bits of the tracks; AssertionError when a row does not play as it was fitted."""
    return run(codec_driver, tracks, codec=TRANSFORM, **options)


def with_breaks(track: Track) -> Track:
    """The track, with breaks where its steps are too long for a pair that blends."""
    steps = np.abs(np.diff(track.target, axis=0)).max(axis=1) if len(track.target) > 1 else []
    return Track(track.kind, track.target, track.breaks | np.append(False, np.array(steps) > 0.9))


def no_breaks(frames: int) -> np.ndarray:
    return np.zeros(frames, bool)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), frames=st.integers(1, 150), restart_log2=st.sampled_from(
    [0, 1, 2, 3, 4, 6, NO_RESTARTS]), effort=st.sampled_from([FAST, DEFAULT, MAX]),
    slack=st.sampled_from([3e-5, 1e-3, 2e-2]), tracks=st.lists(st.tuples(kinds, shapes), min_size=1, max_size=5))
def test_tracks_play_as_they_were_fitted(codec_driver: Path, seed: int, frames: int,
                                         restart_log2: int, effort: int, slack: float,
                                         tracks: list[tuple[int, str]]) -> None:
    generated = [with_breaks(random_track(seed + i, frames, kind, shape)) for i, (kind, shape) in enumerate(tracks)]
    transform_bits(codec_driver, generated, restart_log2=restart_log2, effort=effort, slack=slack)


@pytest.mark.parametrize("frames", [1, 2, 3, 8, 9, 10, 16, 17, 65])
def test_every_length_of_the_last_segment(codec_driver: Path, frames: int) -> None:
    tracks = [random_track(i, frames, kind, "noise") for i, kind in enumerate([0, 1, 2])]
    for restart_log2 in (0, 3, 4, NO_RESTARTS):
        transform_bits(codec_driver, tracks, restart_log2=restart_log2)


@pytest.mark.parametrize("packing", range(12))
def test_every_packing_of_three_components(codec_driver: Path, packing: int) -> None:
    axis = np.eye(4)[packing % 4]
    half = np.array([[0, 0, 0, 1.0], [0.5, 0.5, 0.5, 0.5], [-0.5, -0.5, -0.5, 0.5]])[packing // 4]
    x, y, z, w = half
    left = np.array([[w, -z, y, x], [z, w, -x, y], [-y, x, w, z], [-x, -y, -z, w]])
    wobble = 0.1 * np.random.default_rng(packing).normal(size=(40, 4)).cumsum(axis=0) / 6.0
    target = aligned(axis + wobble) @ left.T
    transform_bits(codec_driver, [Track(ROTATION, target, no_breaks(40))], slack=1e-4)


@pytest.mark.parametrize("break_at", range(1, 18))
def test_a_break_anywhere_in_a_segment(codec_driver: Path, break_at: int) -> None:
    turned, moved = random_track(3, 20, ROTATION, "smooth"), np.zeros((20, 3))
    breaks = no_breaks(20)
    breaks[break_at] = True
    turned.target[break_at:] = turned.target[break_at:] @ np.array(
        [[0, 0, 0, 1.0], [0, 0, 1, 0], [0, -1, 0, 0], [-1, 0, 0, 0]])
    moved[break_at:] = [30.0, -2.0, 0.5]
    tracks = [Track(ROTATION, turned.target, breaks), Track(TRANSLATION, moved, breaks)]
    transform_bits(codec_driver, tracks, slack=1e-4)


def test_a_track_without_steps_counts_its_bits(codec_driver: Path) -> None:
    """Throws over kilometres are coded frame by frame."""
    thrown = np.random.default_rng(2).uniform(-1900.0, 1900.0, (30, 3))
    bits = transform_bits(codec_driver, [Track(TRANSLATION, thrown, np.ones(30, bool))], slack=1e-5)
    assert 30 * 3 * 28 < bits < 30 * 3 * 64


def test_a_still_end_costs_nearly_nothing(codec_driver: Path) -> None:
    still = Track(TRANSLATION, np.full((1 + 64 * SEGMENT, 3), 0.25), no_breaks(1 + 64 * SEGMENT))
    assert transform_bits(codec_driver, [still]) <= 63


def test_smooth_tracks_take_fewer_bits_than_every_frame(codec_driver: Path) -> None:
    tracks = [random_track(7, 120, ROTATION, "smooth")]
    assert transform_bits(codec_driver, tracks, effort=DEFAULT) <= 0.735 * run(codec_driver, tracks, codec=DELTA)


def test_more_effort_never_costs_more(codec_driver: Path) -> None:
    for seed, shape in ((1, "smooth"), (2, "noise"), (3, "breaks"), (4, "spin")):
        tracks = [random_track(seed, 100, ROTATION, shape)]
        bits = [transform_bits(codec_driver, tracks, effort=effort) for effort in (FAST, DEFAULT, MAX)]
        assert bits[0] >= bits[1] >= bits[2]
