"""Dense clips in one format: keys are as long as published, and lie at every n-th frame."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from encoding import Encoded, Source, axis_angle, encode_source, make_source, rest, try_encode
from ossicle.encoding import native
from ossicle.encoding.scheme import Scheme
from random_clips import sources

ANY = float("inf")
NO_RESTARTS = 31
FRAMES = 400
SLOW = settings(max_examples=60, deadline=None, derandomize=True,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
# bits of a key, and what a turn may be off by, in radians; half a step of the largest component
ROTATION_KEYS = {"float128": (128, 4e-6), "float96": (96, 4e-6), "fixed48": (48, 1e-4),
                 "ranged48": (48, 6e-5), "ranged32": (32, 2e-3), "fixed32": (32, 4e-3),
                 "small_float": (32, 1e-2), "smallest48": (48, 1.2e-4), "half_angle48": (48, 1.2e-4)}
VECTOR_KEYS = {"float96": (96, 2e-6), "fixed48": (48, 4e-3), "ranged48": (48, 1.5e-5),
               "ranged32": (32, 1e-3), "fixed20m": (48, 4e-4)}


def every(rotations: str, vectors: str, period: int = 1) -> Scheme:
    return Scheme("dense", rotations, vectors, period=period, fixed=True)


def encoded_as(source: Source, scheme: Scheme, tolerance_m: float = ANY,
               restart_log2: int = NO_RESTARTS, loop: bool = False) -> Encoded:
    encoded = encode_source(source, tolerance_m, restart_log2, codecs=("dense",), scheme=scheme, loop=loop)
    assert encoded.verified
    return encoded


def turning(frames: int = FRAMES) -> Source:
    """One joint that turns to and fro, by up to 70 degrees."""
    transforms, time = rest(frames, 1), np.arange(frames) / 30.0
    axis = np.stack([np.sin(time), np.cos(time), 0.5 + 0.0 * time], -1)
    transforms[:, 0, :4] = axis_angle(axis, 1.2 * np.sin(1.7 * time))
    return make_source([-1], transforms)


def moving(frames: int = FRAMES) -> Source:
    """One joint that moves in a box of 40 cm to 80 cm."""
    transforms, time = rest(frames, 1), np.arange(frames)[:, None] / 30.0
    transforms[:, 0, 4:7] = [0.4, 0.3, 0.2] * np.sin(time * [1.0, 1.3, 0.7] + [0.0, 1.0, 2.0])
    return make_source([-1], transforms)


def key_bits(make, scheme: Scheme) -> float:
    sizes = [len(encoded_as(make(frames), scheme).data) for frames in (FRAMES, 3 * FRAMES)]
    return (sizes[1] - sizes[0]) * 8 / (2 * FRAMES)


def turned(encoded: Encoded) -> np.ndarray:
    """By how much each frame's rotation is off, radians."""
    played, source = encoded.played[::2, 0, :4], encoded.source.frames[:, 0, :4]
    return 2.0 * np.minimum(np.linalg.norm(played - source, axis=1), np.linalg.norm(played + source, axis=1))


@pytest.mark.parametrize("name", ROTATION_KEYS)
def test_rotation_keys_are_as_long_and_as_fine_as_published(name: str) -> None:
    bits, off = ROTATION_KEYS[name]
    scheme = every(name, "float96")
    assert key_bits(turning, scheme) == pytest.approx(bits, abs=0.2)
    error = turned(encoded_as(turning(), scheme)).max()
    assert off / 40 < error < off


@pytest.mark.parametrize("name", VECTOR_KEYS)
def test_vector_keys_are_as_long_and_as_fine_as_published(name: str) -> None:
    bits, off = VECTOR_KEYS[name]
    scheme = every("float128", name)
    assert key_bits(moving, scheme) == pytest.approx(bits, abs=0.2)
    encoded = encoded_as(moving(), scheme)
    error = np.abs(encoded.played[::2, 0, 4:7] - encoded.source.frames[:, 0, 4:7]).max()
    assert off / 40 < error < off


@pytest.mark.parametrize("period", [2, 3, 7, 32])
@pytest.mark.parametrize("restart_log2", [3, NO_RESTARTS])
def test_keys_lie_at_every_nth_frame_and_at_the_ends_of_blocks(period: int, restart_log2: int) -> None:
    source = turning(90)
    error = turned(encoded_as(source, every("float128", "float96", period), restart_log2=restart_log2))
    block = min(1 << restart_log2, 90)
    at_keys = [f % block % period == 0 or f % block == block - 1 or f == 89 for f in range(90)]
    assert error[at_keys].max() < 4e-6
    assert error[np.logical_not(at_keys)].max() > 1e-4


def test_every_second_key_saves_nearly_half() -> None:
    sizes = [len(encoded_as(turning(), every("float96", "float96", period)).data) for period in (1, 2, 3)]
    assert sizes[1] == pytest.approx(0.5 * sizes[0], rel=0.05)
    assert sizes[2] == pytest.approx(sizes[0] / 3, rel=0.08)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("sign", [1, -1])
def test_values_beyond_a_format_are_clamped(axis: int, sign: int) -> None:
    """fixed48 has 128 m to either side: values beyond do not wrap around."""
    frames = rest(40, 1)
    frames[:, 0, 4 + axis] = sign * (126.0 + 0.1 * np.arange(40))
    encoded = encoded_as(make_source([-1], frames), every("float128", "fixed48"))
    expected = sign * np.minimum(126.0 + 0.1 * np.arange(40), 128.0)
    assert np.abs(encoded.played[::2, 0, 4 + axis] - expected).max() <= 128.0 * 2.0**-15


def test_between_keys_the_device_blends() -> None:
    encoded = encoded_as(turning(41), every("float128", "float96", 2))
    played = encoded.played[::2, 0, :4]
    middle = played[:-2:2] + played[2::2]
    middle /= np.linalg.norm(middle, axis=1, keepdims=True)
    assert np.abs(played[1::2] - middle).max() < 4e-6


@SLOW
@given(source=sources(), period=st.sampled_from([1, 2, 5]), restart_log2=st.sampled_from([0, 4, NO_RESTARTS]),
       formats=st.sampled_from([("float128", "float96"), ("half_angle48", "fixed20m"),
                                ("ranged32", "ranged32"), ("smallest48", "ranged48"),
                                ("none", "none"), ("small_float", "float96")]))
def test_any_clip_plays_as_it_was_measured(source, period, restart_log2, formats) -> None:
    encoded = encoded_as(source, every(*formats, period), restart_log2=restart_log2)
    assert encoded.error_m == pytest.approx(encoded.report.error_m, abs=1e-5)


def test_no_keys_leave_moving_tracks_at_rest() -> None:
    encoded = encoded_as(turning(50), every("none", "none"))
    assert np.array_equal(encoded.played[:, 0, :4], np.tile([0.0, 0.0, 0.0, 1.0], (99, 1)))


def test_encodings_beyond_the_tolerance_are_refused() -> None:
    coarse = every("fixed32", "float96")
    error_m = encoded_as(turning(), coarse).error_m
    for tolerance_m, expected in ((1.01 * error_m, native.OK), (0.99 * error_m, native.ERROR_TOLERANCE)):
        status, _, report = try_encode(turning(), tolerance_m, NO_RESTARTS, codecs=("dense",), scheme=coarse)
        assert status == expected
        assert report.error_m == pytest.approx(error_m, abs=1e-7)


def test_the_best_format_for_each_track_is_good_enough_and_smallest() -> None:
    frames = turning().frames
    frames = np.concatenate([frames, rest(FRAMES, 1)], axis=1)
    frames[:, 1, 4:7] = moving().frames[:, 0, 4:7]
    source, best = make_source([-1, 0], frames), Scheme("dense", "best", "best")
    sizes = []
    for tolerance_m in (1e-4, 1e-3, 1e-1):
        encoded = encoded_as(source, best, tolerance_m)
        assert encoded.error_m <= tolerance_m
        sizes.append(len(encoded.data))
    assert sizes[0] > sizes[1] > sizes[2]
    for name in ROTATION_KEYS:
        status, clip, _ = try_encode(source, 1e-3, NO_RESTARTS, codecs=("dense",), scheme=replace(best, rotations=name))
        assert status != native.OK or clip is not None
        if status == native.OK:
            alone = encoded_as(source, replace(best, rotations=name), 1e-3)
            assert sizes[1] <= len(alone.data)
