"""Finds the frame rate of a clip's keys.

Modelling tools set keys on whole frames of a rate that the file does not state. The file contains times, which all
exporters round to single precision and some to milliseconds. A clip is sampled at the rate that puts its keys on
frames, so that sampling loses nothing.

Keys need not begin on a frame, and some may be missing, because the gaps between keys also imply the rate; the length
of a clip does not. A clip whose keys have no rate is sampled at a common one, and resampling.py measures which multiple
of it the clip needs.
"""
from __future__ import annotations

import math

import numpy as np

from ..base.arrays import Array
from ..base.option_values import MAX_RATE
from ..base.portable_math import power

MULTIPLES = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20)  # of a rate that is too low for the motion
PREFERRED = (30.0, 24.0, 25.0)  # multiples of a slow rate, by preference
LEAST = 23.0  # frames per second of a sampled clip, so that little changes between frames
FREE = 30.0  # frames per second for keys that have no common rate

JITTER = 0.05  # the largest distance of a key from its frame, in frames
_ROUNDED = 2e-5  # seconds; the largest error of times with five decimals
_SINGLE = 2.5e-7  # the largest error of single precision, relative to the last time
_ALIKE = 1.1  # up to this multiple of the lowest rate, another rate may explain the keys better
_FAST = 60.0  # frames per second; above this rate, sparse keys often fit by chance
_SPARSE = 4.0  # frames; with a larger median gap, keys are sparse
_LONG = 10.0  # seconds; longer gaps can be divided into frames in too many ways
_MERGED = 1e-3  # seconds between keys that should have the same time
_SLOWED = 1000.0 / 1001.0  # factor of NTSC rates to whole ones
_KEYS_AT_ONCE = 1 << 12
_CHANCE = 0.01  # the largest accepted probability that keys without a rate seem to have one
_ON_GRID = 0.75  # the least share of gaps that are whole frames, if keys have a rate but some are off it
# The largest relative errors of a stated frame time: for any number of decimals; with few decimals for usual rates; and
# for other whole rates.
_STATED, _COARSE, _FINE = 2e-5, 0.025, 1e-3

# The rates of cameras, screens and capture systems, in order of precedence.
_USUAL = (30.0, 24.0, 25.0, 60.0, 50.0, 120.0, 48.0, 100.0, 90.0, 72.0, 144.0, 240.0, 15.0, 12.0, 10.0,
          *(rate * _SLOWED for rate in (30.0, 24.0, 60.0, 120.0, 48.0)))
_WHOLE = tuple(map(float, range(1, MAX_RATE + 1)))
_COMMON = np.array(sorted({*_WHOLE, *_USUAL}))
_IS_USUAL = np.isin(_COMMON, _USUAL)


def key_rate(times: Array) -> float | None:
    """Returns the frames per second at which the keys are on whole frames, with frame 0 at time 0.

    times: seconds [K], ascending, none below 0. The result is the lowest rate that explains the times. Usual rates take
    precedence over other whole numbers, these over others, and rates that explain rounded times over those that need
    JITTER. Without such a rate up to MAX_RATE, the result is the rate at which most gaps between keys are whole frames,
    or None. It is also None without keys after time 0.
    """
    gaps = np.diff(times, prepend=0.0)
    gaps = gaps[gaps > _MERGED]
    if len(gaps) == 0:
        return None
    keys = np.count_nonzero(times > 0.0)
    rounding = _ROUNDED + _SINGLE * times[-1]  # seconds
    dense = _COMMON * gaps.min() >= 1.0 - 2.0 * JITTER  # no two keys share a frame
    likely = (_COMMON <= _FAST) | (np.median(gaps) * _COMMON <= _SPARSE)
    misses = _misses(times, _COMMON)
    exact = dense & (misses <= _COMMON * rounding)
    found = _best(_COMMON, exact & likely, misses)
    if found is not None:
        return found
    found = _best(_COMMON, exact & _is_no_chance(_COMMON * rounding, keys), misses)
    even = _even_rate(times, gaps, rounding)
    if found is not None and (even is None or found <= _ALIKE * even):
        return found
    allowed = JITTER * np.minimum(_COMMON / LEAST, 1.0)  # in frames of the sampled clip
    near = _best(_COMMON, dense & likely & (misses <= allowed) & (_IS_USUAL | _is_no_chance(allowed, keys)), misses)
    found = near or _rate_of_gaps(times, rounding)
    if even is None or (found is not None and (even > _ALIKE * found or abs(found / even - 1.0) <= _STATED)):
        return found
    return even


def stated_rate(seconds: float, decimals: int) -> float:
    """Returns the rate of a stated frame time: a usual rate, or another whole one, if the frame time is its rounded
    reciprocal; otherwise a usual rate if it is its truncated reciprocal, such as 0.0166; otherwise the reciprocal of
    the frame time. decimals: of the stated number."""
    rounded = float(f"5e-{decimals + 1}")
    for rates, coarse in ((_WHOLE, 0.0), (_USUAL, _COARSE), (_WHOLE, _FINE)):
        for rate in rates:
            if abs(seconds * rate - 1.0) <= max(_STATED, min(rounded * rate, coarse)):
                return rate
    return next((rate for rate in _USUAL if 0.0 < 1.0 - seconds * rate < min(2.0 * rounded * rate, _COARSE)),
                1.0 / seconds)


def sampling_rate(times: Array, otherwise: float = FREE) -> float:
    """Returns the frames per second at which to sample a clip with keys at these times, seconds [K]: the rate of the
    keys, or `otherwise` if they have none; a multiple of it if it is below LEAST."""
    rate = key_rate(times) or otherwise
    if rate >= LEAST:
        return rate
    for preferred in PREFERRED:
        if abs(preferred / rate - round(preferred / rate)) < 1e-9:
            return preferred
    return rate * math.ceil(LEAST / rate)


def _best(rates: Array, fits: Array, misses: Array) -> float | None:
    """Selects the one with the smallest misses of the lowest common rates that fit, preferably a usual rate."""
    if not fits.any():
        return None
    fits = fits & (rates <= _ALIKE * rates[fits].min())
    fits = fits & _IS_USUAL if (fits & _IS_USUAL).any() else fits
    return float(rates[fits][np.argmin(misses[fits])])


def _is_no_chance(allowed: Array, keys: int | Array) -> Array:
    """Returns for each rate whether it is improbable that this number of keys lies on frames by chance. allowed: the
    largest distance from a frame at each rate, in frames; keys: their number, for all rates or for each."""
    return len(allowed) * power(np.minimum(2.0 * allowed, 1.0), keys) <= _CHANCE


def _even_rate(times: Array, gaps: Array, rounding: float) -> float | None:
    """Returns the rate of evenly spaced keys, the last of which is on a frame, such as those of a time-stretched
    animation, or None."""
    rates = _even_rates(times, gaps)
    rates = rates[rates * gaps.min() >= 1.0 - 2.0 * JITTER]
    fits = (_misses(times, rates) <= rates * rounding) & _is_no_chance(rates * rounding,
                                                                       np.count_nonzero(times > 0.0) - 1)
    return float(rates[fits].min()) if fits.any() else None


def _rate_of_gaps(times: Array, rounding: float) -> float | None:
    """Returns the lowest common rate at which most gaps between keys are whole frames, or None."""
    gaps = np.diff(times)
    gaps = gaps[gaps > _MERGED]
    if len(gaps) == 0:
        return None
    counts = np.zeros(len(_COMMON), int)
    for start in range(0, len(gaps), _KEYS_AT_ONCE):
        frames = gaps[start:start + _KEYS_AT_ONCE, None] * _COMMON
        counts += np.count_nonzero(np.abs(frames - np.rint(frames)) <= _COMMON * rounding, axis=0)
    fits = (counts >= _ON_GRID * len(gaps)) & (gaps.min() * _COMMON >= 1.0 - 2.0 * JITTER)
    fits &= _is_no_chance(_COMMON * rounding, counts)
    return _best(_COMMON, fits, -counts)


def _misses(times: Array, rates: Array) -> Array:
    """Returns the largest distance of a key from a frame, in frames, for each rate [R]."""
    worst = np.zeros(len(rates))
    for start in range(0, len(times), _KEYS_AT_ONCE):
        frames = times[start:start + _KEYS_AT_ONCE, None] * rates
        worst = np.maximum(worst, np.abs(frames - np.rint(frames)).max(axis=0))
    return worst


def _even_rates(times: Array, gaps: Array) -> Array:
    """Returns the rates that put the last key on a frame if gaps between keys are a few frames long."""
    rates = [np.rint(times[-1] * np.arange(1, int(MAX_RATE * min(gap, _LONG)) + 1) / gap) / times[-1]
             for gap in (np.median(gaps), gaps.min())]
    return np.unique([rate for some in rates for rate in some if 0.0 < rate <= MAX_RATE])
