"""The velocity codec alone: random tracks are fitted, written, and played in any order."""
from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from encoding import axis_angle, make_source, rest, write_one
from ossicle.encoding import native
from test_curve_codec import (DEFAULT, DELTA, FAST, MAX, NO_RESTARTS, ROTATION, SCALE, TRANSLATION, Track, aligned,
                              kinds, random_track, run, shapes)

VELOCITY = 4
SMALLEST, PUBLISHED, FULL = 0, 256, 512  # keys, added to the effort
run_velocity = partial(run, codec=VELOCITY)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), frames=st.integers(1, 150), restart_log2=st.sampled_from(
    [0, 1, 3, 6, NO_RESTARTS]), effort=st.sampled_from([FAST, DEFAULT, MAX]),
    slack=st.sampled_from([3e-5, 1e-3, 2e-2]), keys=st.sampled_from([SMALLEST, PUBLISHED, FULL]),
    tracks=st.lists(st.tuples(kinds, shapes), min_size=1, max_size=5))
def test_tracks_play_as_they_were_fitted(codec_driver: Path, seed: int, frames: int, restart_log2: int,
                                         effort: int, slack: float, keys: int, tracks: list[tuple[int, str]]) -> None:
    generated = [random_track(seed + i, frames, kind, shape) for i, (kind, shape) in enumerate(tracks)]
    run_velocity(codec_driver, generated, restart_log2=restart_log2, effort=effort + keys, slack=slack)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_the_shortest_clips(codec_driver: Path, frames: int) -> None:
    tracks = [random_track(i, frames, kind, "smooth") for i, kind in enumerate([0, 1, 2])]
    for restart_log2 in (0, 1, NO_RESTARTS):
        run_velocity(codec_driver, tracks, restart_log2=restart_log2, effort=MAX)


def steady_turn(frames: int, degrees: float) -> Track:
    """A turn about a slanted axis, so much a frame."""
    half = np.radians(degrees) / 2 * np.arange(frames)
    axis = np.array([2.0, -1.0, 2.0]) / 3
    values = np.concatenate([np.sin(half)[:, None] * axis, np.cos(half)[:, None]], axis=1)
    return Track(ROTATION, aligned(values), np.zeros(frames, bool))


@pytest.mark.parametrize("degrees", [0.5, 7.0, 61.0])
def test_a_steady_turn_costs_next_to_nothing(codec_driver: Path, degrees: float) -> None:
    turn = [steady_turn(300, degrees)]
    assert run_velocity(codec_driver, turn, effort=DEFAULT) < 0.15 * run(codec_driver, turn, codec=DELTA)


@pytest.mark.parametrize("kind", [TRANSLATION, SCALE])
def test_a_straight_path_costs_next_to_nothing(codec_driver: Path, kind: int) -> None:
    path = np.arange(300)[:, None] * np.array([0.01, -0.003, 0.002])
    track = [Track(kind, path, np.zeros(300, bool))]
    assert run_velocity(codec_driver, track, effort=DEFAULT) < 300


def test_jumps_of_half_a_turn(codec_driver: Path) -> None:
    values = np.tile([0.0, 0.0, 0.0, 1.0], (40, 1))
    values[20:] = [1.0, 0.0, 0.0, 1e-4]
    breaks = np.zeros(40, bool)
    breaks[20] = True
    run_velocity(codec_driver, [Track(ROTATION, aligned(values), breaks)], slack=1e-4)


@pytest.mark.parametrize("keys", [SMALLEST, PUBLISHED, FULL])
@pytest.mark.parametrize("seed", [1, 97, 131, 267])
def test_seeds_are_fine_enough_for_every_jump(codec_driver: Path, seed: int, keys: int) -> None:
    tracks = [random_track(seed, 60, ROTATION, "breaks")]
    run_velocity(codec_driver, tracks, restart_log2=6, effort=DEFAULT + keys)


def test_a_coarse_velocity_has_no_more_bits_than_a_row() -> None:
    frames = rest(12, 1)
    frames[:, 0, :4] = axis_angle(np.array([0.3, 1.0, 0.2]), 2.0 * np.sin(0.6 * np.arange(12)))
    source = make_source([-1], frames)
    status, clip, _ = native.encode_clip(
        native.Skeleton(source.parents, source.bind), native.ClipInput(source.frames, source.steps),
        native.EncodeSettings(1e-2, restart_log2=31, effort="fast", codecs=("velocity",), keys="published"))
    assert status == native.OK and clip is not None
    assert len(write_one(clip, 1)) == 196
