"""What the evaluator can blend (runtime/SPEC.md section 5): squared chords below 3 * 2^18 and steps below
2^20. The encoder keeps rows within that, or makes a break."""
from __future__ import annotations

import ctypes

import numpy as np
import pytest
from chord_limit import CHORD_LIMIT_Q20, CHORD_LIMIT_STEPS

from encoding import axis_angle, encode_source, make_source, rest
from ossicle import native
from ossicle.codec import CODECS

STEP_LIMIT_Q20 = 1 << 20


def chord_q20(step: np.ndarray) -> int:
    """The squared chord of a step, as SPEC.md has it."""
    return int(((step.astype(np.int64) >> 5) ** 2).sum()) >> 10


def blends(rows: np.ndarray, broken: bool = False) -> bool:
    """What the encoder says about rows [2, components] that follow each other."""
    check = native.library().enc_steps_blend
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
    rows = np.round(encoded.played[::2, 0] * STEP_LIMIT_Q20).astype(np.int64)
    steps = np.diff(rows, axis=0)
    assert np.abs(steps[:, :7]).max() < STEP_LIMIT_Q20
    assert max(map(chord_q20, steps[:, :4])) < CHORD_LIMIT_Q20
