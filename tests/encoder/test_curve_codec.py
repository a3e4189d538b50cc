"""The curve codec alone: random tracks are fitted, written, and played in any order."""
from __future__ import annotations

import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoding import encode_source, make_source, rest

CURVE, DELTA = 2, 1
ROTATION, TRANSLATION, SCALE = range(3)
NO_RESTARTS = 31
FAST, DEFAULT, MAX = range(3)


@dataclass(frozen=True, eq=False)
class Track:
    """A target: kind, values [F, 4 or 3], breaks bool [F]."""

    kind: int
    target: np.ndarray
    breaks: np.ndarray


def run(codec_driver: Path, tracks: list[Track], *, restart_log2: int = NO_RESTARTS, effort: int = FAST,
        slack: float = 1e-3, codec: int = CURVE, scheme: bytes = b"") -> int:
    """Bits of the tracks; AssertionError when the driver finds a fault. scheme: the enc_scheme of a
    codec that writes published ones."""
    frames = len(tracks[0].target)
    data = struct.pack("<5Id", codec, len(tracks), frames, restart_log2, effort, slack) + scheme
    for track in sorted(tracks, key=lambda track: track.kind):
        data += struct.pack("<I", track.kind) + track.breaks.astype(np.uint8).tobytes()
        data += np.ascontiguousarray(track.target, "<f8").tobytes()
    done = subprocess.run([str(codec_driver)], input=data, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    return int(done.stdout)


def aligned(quaternions: np.ndarray) -> np.ndarray:
    """Unit quaternions with neighbours in one hemisphere."""
    unit = quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)
    signs = np.sign(np.sum(unit[1:] * unit[:-1], axis=1))
    unit[1:] *= np.cumprod(np.where(signs < 0, -1.0, 1.0))[:, None]
    return unit


def random_track(seed: int, frames: int, kind: int, shape: str) -> Track:
    """A track of some shape; its steps from frame to frame stay small except at breaks."""
    rng = np.random.default_rng(seed)
    time = np.linspace(0.0, frames / 30.0, frames)[:, None]
    components = 4 if kind == ROTATION else 3
    phase, speed = rng.uniform(0, 6, components), rng.uniform(0.3, 3.0, components)
    values = 0.2 * np.sin(time * speed + phase)
    if shape == "noise":
        values += rng.normal(0, 3e-3, values.shape)
    if shape == "flat":
        values *= np.array([1.0, 0.0, 0.0, 0.0])[:components]
    breaks = np.zeros(frames, bool)
    if shape == "breaks" and frames > 1:
        for frame in rng.integers(1, frames, 3):
            values[frame:] += rng.uniform(-0.5, 0.5, components)
            breaks[frame] = True
    if kind != ROTATION:
        return Track(kind, values * (10.0 if shape == "large" else 1.0), breaks)
    if shape == "spin":
        angle = (time * rng.uniform(2.0, 6.0))[:, 0]
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        values = np.concatenate([np.sin(angle)[:, None] * axis, np.cos(angle)[:, None]], axis=1)
    else:
        values[:, rng.integers(4)] += 1.0
    return Track(kind, aligned(values), breaks)


shapes = st.sampled_from(["smooth", "noise", "flat", "breaks", "spin", "large"])
kinds = st.sampled_from([ROTATION, TRANSLATION, SCALE])


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), frames=st.integers(1, 150), restart_log2=st.sampled_from(
    [0, 1, 3, 6, NO_RESTARTS]), effort=st.sampled_from([FAST, DEFAULT, MAX]), slack=st.sampled_from([3e-5, 1e-3, 2e-2]),
    tracks=st.lists(st.tuples(kinds, shapes), min_size=1, max_size=5))
def test_tracks_play_as_they_were_fitted(codec_driver: Path, seed: int, frames: int, restart_log2: int,
                                         effort: int, slack: float, tracks: list[tuple[int, str]]) -> None:
    generated = [random_track(seed + i, frames, kind, shape) for i, (kind, shape) in enumerate(tracks)]
    run(codec_driver, generated, restart_log2=restart_log2, effort=effort, slack=slack)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_the_shortest_clips(codec_driver: Path, frames: int) -> None:
    tracks = [random_track(i, frames, kind, "smooth") for i, kind in enumerate([0, 1, 2])]
    for restart_log2 in (0, 1, NO_RESTARTS):
        run(codec_driver, tracks, restart_log2=restart_log2, effort=MAX)


def test_smooth_tracks_take_few_bits(codec_driver: Path) -> None:
    tracks = [random_track(7, 120, ROTATION, "smooth")]
    assert run(codec_driver, tracks, effort=DEFAULT) < 0.6 * run(codec_driver, tracks, codec=DELTA)


def test_noise_costs_no_more_than_every_frame(codec_driver: Path) -> None:
    tracks = [random_track(7, 120, kind, "noise") for kind in (ROTATION, TRANSLATION)]
    assert run(codec_driver, tracks, effort=DEFAULT) <= run(codec_driver, tracks, codec=DELTA)


def test_a_step_costs_little(codec_driver: Path) -> None:
    frames = 60
    stepped = np.zeros((frames, 3))
    stepped[30:] = [0.3, -0.2, 0.1]
    breaks = np.zeros(frames, bool)
    breaks[30] = True
    assert run(codec_driver, [Track(TRANSLATION, stepped, breaks)]) < 144


def test_restarts_every_64_frames_cost_under_a_fifth(codec_driver: Path) -> None:
    tracks = [random_track(seed, 512, ROTATION, "smooth") for seed in range(4)]
    plain = run(codec_driver, tracks, effort=DEFAULT)
    assert run(codec_driver, tracks, effort=DEFAULT, restart_log2=6) < 1.2 * plain


def test_a_spin_takes_few_bits(codec_driver: Path) -> None:
    """Every component crosses zero, so that all four are coded."""
    tracks = [random_track(0, 150, ROTATION, "spin")]
    bits = run(codec_driver, tracks, effort=DEFAULT, slack=2e-2)
    assert bits < 0.7 * run(codec_driver, tracks, codec=DELTA, slack=2e-2)


def test_the_greatest_effort_tries_single_numbers() -> None:
    """The numbers of keys change by up to two steps, which sizes in words hide. Take the new CRC after a change of the
    search."""
    frames = rest(40, 1)
    frames[:, 0, :4] = random_track(0, 40, ROTATION, "smooth").target
    frames[:, 0, 4:7] = random_track(1, 40, TRANSLATION, "smooth").target
    encoded = encode_source(make_source([-1], frames), 1e-3, effort="max", codecs=("curve",))
    assert crc32(encoded.data) == 0x74a0f933


def excursion(metres: float) -> np.ndarray:
    """Positions that move by millimetres, but for one frame: [frames, 3]."""
    values = np.random.default_rng(0).uniform(-2e-3, 2e-3, (100, 3))
    values[50] = metres
    return values


def test_an_excursion_does_not_make_other_frames_dear(codec_driver: Path) -> None:
    """The parameter of a track is that of most frames."""
    breaks = np.zeros(100, bool)
    breaks[50:52] = True
    bits = run(codec_driver, [Track(TRANSLATION, excursion(200.0), breaks)], slack=2e-6)
    assert bits < 3900


def test_steps_longer_than_the_decoder_adds(codec_driver: Path) -> None:
    """1,900 m are more than 2^28 of the steps that this tolerance needs."""
    frames = rest(20, 1)
    frames[:, 0, 4:7] = excursion(1900.0)[40:60]
    encoded = encode_source(make_source([-1], frames), 1e-5, codecs=("curve",))
    assert encoded.error_m <= 1e-4 and encoded.verified
