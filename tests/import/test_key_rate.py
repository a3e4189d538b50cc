"""The frame rate is derived from the times of keys, for the rates of modelling tools and for none."""
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ossicle.model.key_rate import FREE, JITTER, LEAST, key_rate, sampling_rate, stated_rate
from ossicle.base.option_values import MAX_RATE

FILM = 24000 / 1001
NTSC = 30000 / 1001
RATES = [12.0, 15.0, FILM, 24.0, 25.0, NTSC, 30.0, 48.0, 50.0, 2 * NTSC, 60.0, 90.0, 120.0, 240.0]


def stored(times: np.ndarray) -> np.ndarray:
    """As a file has them: in single precision."""
    return np.asarray(times, np.float32).astype(float)


def misses(times: np.ndarray, rate: float) -> float:
    """The largest distance of a key from a frame, in frames."""
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
    assert LEAST <= found <= MAX_RATE
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
def test_slow_keys_are_sampled_at_a_multiple_of_their_rate(times: list[float], rate: float) -> None:
    assert sampling_rate(np.array(times)) == pytest.approx(rate, rel=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(8, 100))
def test_keys_without_a_rate_are_sampled_at_a_common_one(seed: int, keys: int) -> None:
    times = np.cumsum(np.random.default_rng(seed).uniform(0.01, 0.3, keys))
    assert sampling_rate(times) == FREE


@given(st.sampled_from(RATES), st.floats(0.0, 3.0), st.integers(6, 200))
def test_keys_may_begin_between_frames(rate: float, start: float, keys: int) -> None:
    """With and without a key at time 0."""
    times = stored(start + np.arange(1, keys + 1) / rate)
    for found in (key_rate(times), key_rate(np.array([0.0, *times]))):
        # Rates up to a tenth higher may explain few keys as well; a multiple puts the keys on frames.
        assert found == pytest.approx(rate, rel=2e-3) or misses(times, found) <= JITTER


@given(st.sampled_from(RATES), st.floats(0.05, 2.0), st.integers(8, 100), st.integers(8, 100))
def test_gaps_of_any_length_do_not_hide_the_rate(rate: float, gap: float, before: int, after: int) -> None:
    end = before / rate
    times = stored(np.concatenate([np.arange(before + 1) / rate, end + gap + np.arange(after) / rate]))
    found = key_rate(times)
    # Two keys never share a frame: a gap shorter than a frame takes a multiple of the rate.
    multiple = round(found / rate) if gap * rate < 1.0 - 2.0 * JITTER else 1
    assert found == pytest.approx(multiple * rate, rel=2e-3) or misses(times, found) <= JITTER


@pytest.mark.parametrize(("missing", "rate"), [
    (4.8, 120.0),  # the key times of a well-known animal's run: all on a grid five times as fine
    (4.0, 24.0), (4.5, 48.0), (4.2, 120.0), (4.25, 96.0)])
def test_a_gap_of_a_part_of_a_frame(missing: float, rate: float) -> None:
    times = stored(np.concatenate([np.arange(17), 16 + missing + np.arange(8)]) / 24.0)
    assert key_rate(times) == rate
    assert misses(times, rate) <= JITTER


@pytest.mark.parametrize("rate", [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0, 144.0, 240.0, FILM, NTSC,
                                  2 * NTSC])
@pytest.mark.parametrize("decimals", range(3, 12))
def test_a_stated_frame_time_stands_for_a_usual_rate(rate: float, decimals: int) -> None:
    """With few decimals for a whole rate that is rounded to the same ones, such as 24 for 23.976."""
    text = f"{1.0 / rate:.{decimals}f}"
    found = stated_rate(float(text), decimals)
    assert found == pytest.approx(rate, rel=1e-12) or (
        decimals < 6 and found == round(found) and abs(float(text) * found - 1.0) <= abs(float(text) * rate - 1.0) +
        2e-3)


@pytest.mark.parametrize(("text", "rate"), [
    ("0.033", 30.0), ("0.0333", 30.0), ("0.033333", 30.0), ("0.0333333", 30.0), ("0.0333333351", 30.0),
    ("0.017", 60.0), ("0.0167", 60.0), ("0.016667", 60.0), ("0.0166667", 60.0), ("0.01666667", 60.0),
    ("0.008333", 120.0), ("0.0083333", 120.0), ("0.00833333333", 120.0), ("0.04", 25.0), ("0.0417", 24.0),
    ("0.041708", FILM), ("0.033367", NTSC), ("0.016683", 2 * NTSC), ("0.01", 100.0), ("0.02", 50.0), ("0.5", 2.0),
    ("1", 1.0), ("0.03", 1.0 / 0.03), ("0.0123", 1.0 / 0.0123), ("0.0166", 60.0), ("0.01666", 60.0), ("0.016666", 60.0),
    ("0.041", 24.0), ("0.0416", 24.0), ("0.041666", 24.0), ("0.03336", NTSC), ("0.03337", NTSC), ("0.016", 62.5),
    ("0.0069", 144.0), ("0.03125", 32.0)])
def test_frame_times_of_real_files(text: str, rate: float) -> None:
    assert stated_rate(float(text), len(text.partition(".")[2])) == pytest.approx(rate, rel=1e-12)


@pytest.mark.parametrize(("times", "rate"), [([0.0], 30.0), ([0.0, 0.01], 100.0), ([0.0, 0.001], FREE), ([5.0], 30.0)])
def test_short_clips(times: list[float], rate: float) -> None:
    assert sampling_rate(np.array(times)) == rate


def test_a_time_may_be_off_by_its_rounding() -> None:
    """That of times of single precision with five decimals, in a clip of 305.7 s, is 96.425 us."""
    assert key_rate(np.array([0.300096425, 305.7])) == 10.0


def test_keys_days_apart_are_no_work() -> None:
    assert sampling_rate(np.array([0.0, 1e6])) == 30.0
