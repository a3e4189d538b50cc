"""The sparse codec alone: random tracks are fitted, written, and played in any order."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_curve_codec import (FAST, NO_RESTARTS, ROTATION, SCALE, TRANSLATION, Track, aligned, kinds, random_track, run,
                              shapes)

from scheme_bytes import scheme_bytes
from ossicle.encoding.scheme import BASES, REDUCTIONS, Scheme

SPARSE = 5
FULL = {"rotations": "float128", "vectors": "float96"}  # formats that every basis can have
COARSE = 2e-3  # radians, metres: what keys of 48 bits are good for


def run_sparse(program: Path, tracks: list[Track], scheme: Scheme, *, slack: float,
               restart_log2: int = NO_RESTARTS) -> int:
    """The bits of the tracks; AssertionError when the driver finds a fault."""
    return run(program, tracks, restart_log2=restart_log2, effort=FAST, slack=slack, codec=SPARSE,
               scheme=scheme_bytes(scheme))


some_tracks = st.lists(st.tuples(kinds, shapes), min_size=1, max_size=5)
some_restarts = st.sampled_from([0, 1, 3, 6, NO_RESTARTS])


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), frames=st.integers(1, 150), restart_log2=some_restarts,
       basis=st.sampled_from(BASES), reduction=st.sampled_from(REDUCTIONS), mix=st.booleans(),
       tags=st.sampled_from([0, 16, 33]), slack=st.sampled_from([3e-5, 1e-3, 2e-2]), tracks=some_tracks)
def test_tracks_play_as_they_were_fitted(codec_driver: Path, seed: int, frames: int, restart_log2: int,
                                         basis: str, reduction: str, mix: bool, tags: int,
                                         slack: float, tracks: list[tuple[int, str]]) -> None:
    generated = [random_track(seed + i, frames, kind, shape) for i, (kind, shape) in enumerate(tracks)]
    scheme = Scheme("sparse", **FULL, basis=basis, reduction=reduction, mix=mix, tag_bits=tags)
    run_sparse(codec_driver, generated, scheme, slack=slack, restart_log2=restart_log2)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), frames=st.integers(1, 150), restart_log2=some_restarts,
       basis=st.sampled_from([basis for basis in BASES if basis != "hermite"]),
       rotations=st.sampled_from(["smallest48", "half_angle48"]),
       vectors=st.sampled_from(["ranged48", "fixed20m"]), tracks=some_tracks)
def test_short_keys_play_as_they_were_fitted(codec_driver: Path, seed: int, frames: int,
                                             restart_log2: int, basis: str, rotations: str,
                                             vectors: str, tracks: list[tuple[int, str]]) -> None:
    generated = [random_track(seed + i, frames, kind, shape) for i, (kind, shape) in enumerate(tracks)]
    scheme = Scheme("sparse", rotations, vectors, basis, "insert")
    run_sparse(codec_driver, generated, scheme, slack=COARSE, restart_log2=restart_log2)


@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("frames", [1, 2, 3])
def test_the_shortest_clips(codec_driver: Path, frames: int, basis: str) -> None:
    tracks = [random_track(i, frames, kind, "smooth") for i, kind in enumerate([0, 1, 2])]
    for restart_log2 in (0, 1, NO_RESTARTS):
        run_sparse(codec_driver, tracks, Scheme("sparse", **FULL, basis=basis, reduction="remove"),
                   slack=1e-4, restart_log2=restart_log2)


def turning(frames: int, degrees: float) -> Track:
    """A turn about a slanted axis, so much a frame: through all hemispheres."""
    half = np.radians(degrees) / 2 * np.arange(frames)
    axis = np.array([2.0, -1.0, 2.0]) / 3
    values = np.concatenate([np.sin(half)[:, None] * axis, np.cos(half)[:, None]], axis=1)
    return Track(ROTATION, aligned(values), np.zeros(frames, bool))


# What a rotation's key may be off by, in radians. Those with three components lose more near half
# a turn, where w comes out of the others.
REACH = {"float128": 1e-5, "float96": 1e-3, "fixed48": 1e-2, "ranged48": 1e-2, "smallest48": 2e-4, "half_angle48": 2e-4}


@pytest.mark.parametrize("rotations", REACH)
def test_every_format_turns_through_all_hemispheres(codec_driver: Path, rotations: str) -> None:
    run_sparse(codec_driver, [turning(200, 7.0)], Scheme("sparse", rotations, "float96", "linear"),
               slack=REACH[rotations])


@pytest.mark.parametrize("basis", ["timed", "hermite"])
def test_curves_are_smaller_than_lines(codec_driver: Path, basis: str) -> None:
    tracks = [random_track(seed, 150, ROTATION, "smooth") for seed in range(4)]
    line, curve = (run_sparse(codec_driver, tracks, Scheme("sparse", **FULL, basis=degree,
                   reduction="insert"), slack=3e-4)
                   for degree in ("linear", basis))
    assert curve < 0.5 * line


def pieces(lengths: list[int], kind: int) -> Track:
    """Parabolas behind each other, with jumps between them."""
    values, breaks = [], []
    for number, length in enumerate(lengths):
        time = np.arange(length)[:, None] / 30.0
        values.append(0.3 * number + np.array([0.1, -0.2, 0.05]) * time**2 + 0.02 * time)
        breaks += [number > 0, *[False] * (length - 1)]
    return Track(kind, np.concatenate(values), np.array(breaks))


@pytest.mark.parametrize("kind", [TRANSLATION, SCALE])
def test_a_hermite_section_ends_at_a_jump_in_its_own_value(codec_driver: Path, kind: int) -> None:
    scheme = Scheme("sparse", **FULL, basis="hermite", reduction="remove", time_bits=32, component_tag_bits=32)
    single = run_sparse(codec_driver, [pieces([80], kind)], scheme, slack=2e-5)
    four = run_sparse(codec_driver, [pieces([20, 20, 20, 20], kind)], scheme, slack=2e-5)
    section = 32 + 3 * (32 + 32) + 3 * 3 * 32  # time, tags, value, tangents, end
    assert four - single == 3 * section
