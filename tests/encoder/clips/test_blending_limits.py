"""Limits of the evaluator's blend (runtime/SPEC.md section 5): squared chords below 3 * 2^18 and steps below
2^20. The encoder keeps rows within that, or makes a break."""
from __future__ import annotations

import ctypes

import numpy as np
import pytest
from chord_limit import CHORD_LIMIT_Q20, CHORD_LIMIT_STEPS

from encoding import axis_angle, encode_source, make_source, played_back, rest, try_encode
from ossicle.encoding import native
from ossicle.base.encoder_library import library_path
from ossicle.base.codec import CODECS, OWN_CODECS
from ossicle.encoding.scheme import Scheme

STEP_LIMIT_Q20 = 1 << 20


def chord_q20(step: np.ndarray) -> int:
    """The squared chord of a step, as SPEC.md has it."""
    return int(((step.astype(np.int64) >> 5) ** 2).sum()) >> 10


def blends(rows: np.ndarray, broken: bool = False) -> bool:
    """The encoder's verdict on two successive rows [2, components]."""
    check = ctypes.CDLL(str(library_path())).enc_steps_blend
    check.restype = ctypes.c_bool
    check.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p]
    words, breaks = np.ascontiguousarray(rows, np.int32), np.array([0, broken], np.uint8)
    return check(words.ctypes.data, words.shape[1], 2, breaks.ctypes.data)


@pytest.mark.parametrize("beyond", CHORD_LIMIT_STEPS)
def test_the_limit_of_chords_is_exact(beyond: int) -> None:
    step = np.array(CHORD_LIMIT_STEPS[beyond])
    assert chord_q20(step) == CHORD_LIMIT_Q20 + beyond
    for turn in range(4):
        here = np.roll(step, turn)
        rows = np.stack([-here // 2, here - here // 2])
        assert blends(rows) == (beyond < 0)
        assert blends(rows, broken=True)


@pytest.mark.parametrize("components", [3, 4])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_limit_of_steps_is_exact(components: int, sign: int) -> None:
    for component in range(components):
        for step in (STEP_LIMIT_Q20 - 1, STEP_LIMIT_Q20, STEP_LIMIT_Q20 + 1):
            rows = np.zeros((2, components), np.int32)
            rows[1, component] = sign * step
            # a step of nearly one is too long a chord for a rotation in any case
            assert blends(rows) == (step < STEP_LIMIT_Q20 and components == 3)


def hard_swings(count: int, radians: float, wild: bool) -> np.ndarray:
    """A joint that turns by this angle every frame, to and fro or about another axis each time, and
    is thrown about by a little less than what still blends."""
    rng = np.random.default_rng(5)
    frames = rest(count, 1)
    frames[:, 0, :4] = axis_angle(np.array([0.3, 1.0, -0.4]), radians * (np.arange(count) % 2))
    frames[:, 0, 4:7] = 0.979 * (np.arange(count) % 2)[:, None]
    for frame in range(1, count if wild else 0):
        x, y, z, w = axis_angle(rng.normal(size=3), np.array(radians))
        a, b, c, d = frames[frame - 1, 0, :4]
        frames[frame, 0, :4] = (w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a,
                                w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c)
    return frames


@pytest.mark.parametrize("codec, wild", [
    (codec, wild) for codec in CODECS for wild in (False, True)
    if (codec, wild) != ("curve", True)])  # it cannot follow a largest component that changes so fast
@pytest.mark.parametrize("tolerance_m", [1e-3, 5e-3, 2e-2])
def test_coarse_rows_still_blend(codec: str, tolerance_m: float, wild: bool) -> None:
    """Steps of the grid stretch motion that is barely short enough in the source."""
    frames = hard_swings(60, np.radians(102.5), wild)
    encoded = encode_source(make_source([-1], frames), tolerance_m, codecs=(codec,))
    assert encoded.verified and encoded.error_m <= tolerance_m
    assert not encoded.breaks
    assert_rows_blend(encoded.played)


def assert_rows_blend(played: np.ndarray) -> None:
    """The error of one joint, at frames and midpoints."""
    rows = np.round(played[::2, 0] * STEP_LIMIT_Q20).astype(np.int64)
    steps = np.diff(rows, axis=0)
    assert np.abs(steps[:, :7]).max() < STEP_LIMIT_Q20
    assert max(map(chord_q20, steps[:, :4])) < CHORD_LIMIT_Q20


def to_and_fro(seed: int, frame_count: int, throws: bool) -> np.ndarray:
    """A joint that turns by the same large angle every frame, forward and back by turns."""
    rng, time = np.random.default_rng(seed), np.arange(frame_count)
    frames = rest(frame_count, 1)
    angle = np.radians(rng.uniform(40.0, 102.5)) * np.sign(np.sin(time * rng.uniform(0.3, 3.2) + 1.0))
    frames[:, 0, :4] = axis_angle(rng.normal(size=3), np.cumsum(angle))
    if throws:
        steps = rng.uniform(0.5, 0.979) * np.sign(np.sin(time * rng.uniform(0.2, 3.2)))
        frames[:, 0, 4] = np.cumsum(steps)
    return frames


@pytest.mark.parametrize("codec", OWN_CODECS)
@pytest.mark.parametrize("tolerance_m", [1e-3, 2e-2])
def test_motion_between_keys_still_blends(codec: str, tolerance_m: float) -> None:
    """A curve may be as near to its frames as required, and yet stretch the motion between two of them."""
    held = 0
    for seed in range(40):
        source = make_source([-1], to_and_fro(seed, 30, throws=True))
        status, clip, _ = try_encode(source, tolerance_m, codecs=(codec,))
        assert status in (native.OK, native.ERROR_TOLERANCE)
        if clip is not None:
            played = played_back(source, clip)
            assert not played.breaks
            assert_rows_blend(played.played)
            held += 1
    assert held >= 30


@pytest.mark.parametrize("codec", ["delta", "curve", "transform"])
def test_components_that_cross_zero_are_not_dropped(codec: str) -> None:
    """A component that is large on both sides of zero and jumps over it would turn the signs of the
    others over where it is rebuilt."""
    for seed in range(60):
        source = make_source([-1], to_and_fro(seed, 12, throws=False))
        assert try_encode(source, 5e-3, codecs=(codec,))[0] == native.OK, seed


@pytest.mark.parametrize("scheme", [
    Scheme("dense", "ranged32", "ranged32"), Scheme("dense", "small_float", "small_float"),
    Scheme("sparse", "ranged32", "ranged32", "linear", "insert"),
    Scheme("sparse", "fixed32", "fixed32", "every")], ids=lambda scheme: f"{scheme.codec}-{scheme.rotations}")
def test_coarse_keys_still_blend(scheme: Scheme) -> None:
    """A scheme whose keys stretch a step too far is refused."""
    statuses = set()
    for degrees in (95.0, 102.0, 102.4, 102.55, 102.59):
        for seed in range(6):
            frames = hard_swings(20 + seed, np.radians(degrees), True)
            source = make_source([-1], frames)
            status, clip, _ = try_encode(source, 5e-3, scheme=scheme)
            statuses.add(status)
            if clip is not None:
                assert_rows_blend(played_back(source, clip).played)
    assert statuses == {native.OK, native.ERROR_TOLERANCE}


@pytest.mark.parametrize("shift", [0, 3, 16])
def test_numbers_become_the_nearest_that_fit(shift: int) -> None:
    quantise = ctypes.CDLL(str(library_path())).enc_quantise
    quantise.restype, quantise.argtypes = ctypes.c_int32, [ctypes.c_double, ctypes.c_uint32]
    step, most = 2.0**shift / STEP_LIMIT_Q20, (0x7FFFFFFF >> shift) << shift
    for value in np.random.default_rng(6).normal(size=500) * 3.0:
        assert quantise(value, shift) % (1 << shift) == 0
        assert abs(quantise(value, shift) / STEP_LIMIT_Q20 - value) <= step / 2
    for whole in range(-5, 5):
        assert quantise(whole * step, shift) == whole << shift
        assert quantise((whole + 0.5) * step, shift) == (whole + 1) << shift  # halves upwards
    for huge in (2048.0, 1e30, np.inf, np.nan):
        assert quantise(huge, shift) == most
        assert quantise(-huge, shift) == (-most if huge == huge else most)
