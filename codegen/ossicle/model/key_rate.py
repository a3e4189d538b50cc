"""Finds the frame rate that the keys of a clip lie on.

Modelling tools set keys on whole frames of a rate that the file does not state. The file has times,
which all exporters round to single precision and some to milliseconds. A clip is sampled at the
rate that puts its keys on frames, so that sampling loses nothing.
"""
from __future__ import annotations

import math

import numpy as np

HIGHEST = 480  # frames per second; a position per microsecond still fits Q32 at this rate
PREFERRED = (30.0, 24.0, 25.0)  # preferred multiples of a slow rate, in this order
LEAST = 23.0  # frames per second of a sampled clip, so that little happens between frames
FREE = 30.0  # frames per second for keys that have no common rate

JITTER = 0.05  # the largest distance of a key from its frame, in frames
_ROUNDED = 2e-5  # seconds; the largest error of times with five decimals
_SINGLE = 2.5e-7  # the largest error of single precision, relative to the last time
_ALIKE = 1.1  # up to this multiple of the lowest rate, another rate may explain the keys better
_FAST = 60.0  # frames per second; above this rate, sparse keys often fit by chance
_SPARSE = 4.0  # frames; with a larger median gap, keys are sparse
_LONG = 10.0  # seconds; longer gaps can be divided into frames in too many ways
_MERGED = 1e-3  # seconds between keys that are meant to have the same time
_SLOWED = 1000.0 / 1001.0  # rates of film and television in colour, relative to whole ones
_KEYS_AT_ONCE = 1 << 12

_COMMON = np.array(sorted({*map(float, range(1, HIGHEST + 1)),
                           *(rate * _SLOWED for rate in (24.0, 30.0, 48.0, 60.0, 120.0))}))


def key_rate(times: np.ndarray) -> float | None:
    """Returns the frames per second at which the keys are on whole frames, with frame 0 at time 0.

    times: seconds [K], ascending, none below 0. The result is the lowest rate that explains the
    times. A common rate (a whole number, or one times 1000/1001) takes precedence over others, and
    a rate that explains rounded times over one that needs JITTER. The result is None if there is no
    such rate up to HIGHEST, or no key after time 0.
    """
    times = times[times > 0.0]
    gaps = np.diff(times, prepend=0.0)
    gaps = gaps[gaps > _MERGED]
    if len(gaps) == 0:
        return None
    even = _even_rates(times, gaps)
    rates = np.concatenate([_COMMON, even])
    common = np.arange(len(rates)) < len(_COMMON)
    plausible = (rates <= _FAST) | (np.median(gaps) * rates <= _SPARSE)
    plausible &= rates * gaps.min() >= 1.0 - 2.0 * JITTER  # no two keys share a frame
    rates, common = rates[plausible], common[plausible]
    misses = _misses(times, rates)
    for allowed in (rates * (_ROUNDED + _SINGLE * times[-1]),
                    JITTER * np.minimum(rates / LEAST, 1.0)):  # in frames of the sampled clip
        fits = misses <= allowed
        if fits.any():
            fits &= rates <= _ALIKE * rates[fits].min()
            fits &= common if (fits & common).any() else True
            return float(rates[fits][np.argmin(misses[fits])])
    return None


def sampling_rate(times: np.ndarray) -> float:
    """Returns the frames per second at which to sample a clip with keys at these times, seconds
    [K]. This is the rate of the keys, or a multiple of it if it is below LEAST. If they have no
    rate, it is at least FREE, and the last key is on a frame."""
    rate = key_rate(times)
    if rate is None:
        duration = float(times[-1])
        intervals = max(math.ceil(duration * FREE - JITTER), 1)
        return min(intervals / duration, HIGHEST) if duration > 0.0 else FREE
    if rate >= LEAST:
        return rate
    for preferred in PREFERRED:
        if abs(preferred / rate - round(preferred / rate)) < 1e-9:
            return preferred
    return rate * math.ceil(LEAST / rate)


def _misses(times: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """The largest distance of a key from a frame, in frames, for each rate [R]."""
    worst = np.zeros(len(rates))
    for start in range(0, len(times), _KEYS_AT_ONCE):
        frames = times[start:start + _KEYS_AT_ONCE, None] * rates
        worst = np.maximum(worst, np.abs(frames - np.rint(frames)).max(axis=0))
    return worst


def _even_rates(times: np.ndarray, gaps: np.ndarray) -> np.ndarray:
    """Returns the rates that put the last key on a frame if gaps between keys are a few frames
    long."""
    rates = [np.rint(times[-1] * np.arange(1, int(HIGHEST * min(gap, _LONG)) + 1) / gap) / times[-1]
             for gap in (np.median(gaps), gaps.min())]
    return np.unique([rate for some in rates for rate in some if 0.0 < rate <= HIGHEST])
