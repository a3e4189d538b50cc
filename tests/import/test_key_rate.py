"""Which frame rate is read off the times of keys, for the rates of modelling tools and for none."""
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ossicle.key_rate import HIGHEST, JITTER, LEAST, key_rate, sampling_rate

FILM = 24000 / 1001
NTSC = 30000 / 1001
RATES = [12.0, 15.0, FILM, 24.0, 25.0, NTSC, 30.0, 48.0, 50.0, 2 * NTSC, 60.0, 90.0, 120.0, 240.0]


def stored(times: np.ndarray) -> np.ndarray:
    """As a file has them: in single precision."""
    return np.asarray(times, np.float32).astype(float)


def misses(times: np.ndarray, rate: float) -> float:
    """How far a key is from a frame at most, in frames."""
    return float(np.abs(times * rate - np.rint(times * rate)).max())


@pytest.mark.parametrize("frames", [1, 2, 7, 300, 20000])
@pytest.mark.parametrize("rate", RATES)
def test_a_key_on_every_frame_tells_its_rate(rate: float, frames: int) -> None:
    assert key_rate(stored(np.arange(frames + 1) / rate)) == pytest.approx(rate, rel=1e-12)


@pytest.mark.parametrize("frames", [5, 300, 5000])
@pytest.mark.parametrize("rate", [FILM, 24.0, 25.0, NTSC, 30.0, 50.0, 60.0, 100.0])
def test_times_rounded_to_milliseconds_tell_it_too(rate: float, frames: int) -> None:
    found = key_rate(np.round(np.arange(frames + 1) / rate, 3))
    assert found == pytest.approx(rate, rel=2e-3 if frames == 5 else 1e-12)


@given(st.sampled_from(RATES), st.integers(0, 2**32 - 1), st.integers(30, 200))
def test_times_may_be_a_little_off(rate: float, seed: int, frames: int) -> None:
    off = np.random.default_rng(seed).uniform(-0.04, 0.04, frames + 1) / max(rate, LEAST)
    times = np.arange(frames + 1) / rate + off
    times[0] = 0.0
    found = key_rate(times)
    assert found is not None and misses(times, found) <= JITTER
    assert found == pytest.approx(rate, rel=2e-3)


@given(st.sampled_from(RATES), st.sets(st.integers(1, 2000), min_size=1, max_size=60))
def test_keys_on_some_of_the_frames_stay_on_frames(rate: float, frames: set[int]) -> None:
    times = stored(np.array(sorted({0, *frames})) / rate)
    found = sampling_rate(times)
    assert LEAST <= found <= HIGHEST
    if rate <= 60.0:  # above, sparse keys are not read as frames
        assert misses(times, found) <= JITTER


@pytest.mark.parametrize(("times", "rate"), [
    ([0.0, 1.0], 30.0),  # a multiple of the rate of the keys that most files have
    ([0.0, 0.1, 0.5, 0.6], 30.0),
    ([0.0, 0.25, 0.375], 24.0),
    ([0.0, 0.2, 1.0], 30.0),
    ([0.0, 13 / 24], 24.0),
    ([0.0, 0.04, 0.4], 25.0),
])
def test_slow_keys_are_sampled_at_a_multiple_of_their_rate(times: list[float],
                                                          rate: float) -> None:
    assert sampling_rate(np.array(times)) == pytest.approx(rate, rel=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(8, 100))
def test_where_keys_have_no_rate_the_last_one_is_on_a_frame(seed: int, keys: int) -> None:
    times = np.cumsum(np.random.default_rng(seed).uniform(0.01, 0.3, keys))
    rate = sampling_rate(times)
    assert LEAST <= rate <= HIGHEST
    assert misses(times[-1:], rate) < 1e-9


@pytest.mark.parametrize(("times", "rate"), [
    ([0.0], 30.0),
    ([0.0, 0.01], 100.0),
    ([0.0, 0.001], HIGHEST),
    ([5.0], 30.0),
])
def test_short_clips(times: list[float], rate: float) -> None:
    assert sampling_rate(np.array(times)) == rate


def test_keys_days_apart_are_no_work() -> None:
    assert sampling_rate(np.array([0.0, 1e6])) == 30.0
