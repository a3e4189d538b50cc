"""Merges keys of a glTF channel with the same time, which the format forbids but many files contain.

If their values agree, they are one key. Otherwise the value jumps: the channel moves to the value of the first key
until just before that time, and then has the value of the last key. Keys between these two have no effect.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Array
from ...model.interpolation import CUBIC, STEP

# The largest difference of equal values (exporters round to single precision): of components of quaternions, otherwise
# relative to values above 1.
AGREEING = 1e-5
_JUST_BEFORE_S = 1e-6  # less than the rounding of key times, so that the keys stay on their frames
_SHOWN = 6


@dataclass(frozen=True)
class EqualTimes:
    """The times at which a channel has several keys, and whether their values differ. label: the channel."""

    label: str
    seconds: tuple[float, ...]
    jumps: tuple[bool, ...]


def groups_at_one_time(times: Array) -> tuple[Array, Array]:
    """Returns the first and the last key of each time [G], in order. times: ascending, possibly equal [K]."""
    later = np.diff(times) > 0.0
    return np.flatnonzero(np.concatenate([[True], later])), np.flatnonzero(np.concatenate([later, [True]]))


def differing_keys(times: Array, values: Array, rotation: bool, interpolation: str) -> Array:
    """Returns the first key of each time at which the values jump. values: [K, n], for CUBIC [K, 3, n]."""
    first, last = groups_at_one_time(times)
    at_keys = values[:, 1] if interpolation == CUBIC else values
    before, after = at_keys[first], at_keys[last]
    difference = np.abs(after - before).max(axis=1)
    if rotation and interpolation != CUBIC:  # the tangents of a spline depend on the sign
        difference = np.minimum(difference, np.abs(after + before).max(axis=1))
    return first[difference > AGREEING * np.maximum(1.0, np.abs(after).max(axis=1))]


def merged_times(times: Array, jumps: Sequence[int] | Array,
                 interpolation: str) -> tuple[Array, Array, Array]:
    """Returns the key times of a channel, strictly ascending [M], and for each the key of its in-tangent and the key of
    the rest [M]. jumps: of differing_keys."""
    first, last = groups_at_one_time(times)
    at = times[last]
    # With STEP the previous value holds anyway, and nothing precedes 0: in both cases the first key has no effect.
    jumping = np.isin(first, jumps) & (at > 0.0) & (interpolation != STEP)
    jump_at = np.flatnonzero(jumping)
    before = np.maximum(at[jump_at] - _JUST_BEFORE_S, (at[jump_at] + np.where(jump_at > 0, at[jump_at - 1], 0.0)) / 2.0)
    at, into, last = (np.insert(keys, jump_at, earlier) for keys, earlier in
                      ((at, before), (first, first[jump_at]), (last, first[jump_at])))
    return at, into, last


def merged_values(values: Array, into: Array, rest: Array, interpolation: str) -> Array:
    """Returns the values at merged keys. into, rest: of merged_times."""
    chosen = values[rest]  # a copy
    if interpolation == CUBIC:
        chosen[:, 0] = values[into, 0]
    return chosen


def equal_times_of(label: str, times: Array, jumps: Array) -> EqualTimes:
    """Returns the times that several keys of a channel share. jumps: of differing_keys."""
    first, last = groups_at_one_time(times)
    shared = first[last > first]
    return EqualTimes(label, tuple(times[shared].tolist()), tuple(np.isin(shared, jumps).tolist()))


def warnings_of(clip: str, found: Sequence[EqualTimes]) -> list[str]:
    """Returns a warning about the channels of a clip whose values agree, and one about those that jump."""
    lines = []
    for jump, what in ((False, "have equal values; one of them is used"),
                       (True, "have different values, so that tracks jump there to the last one")):
        places = [(channel.label, seconds) for channel in found
                  for seconds, jumps in zip(channel.seconds, channel.jumps) if jumps == jump]
        if places:
            channels = len({label for label, _ in places})
            shown = ", ".join(f"{label} at {seconds:.6g} s" for label, seconds in places[:_SHOWN])
            lines.append(f"clip {clip}: keys at the same time in {channels} channel{'s' * (channels > 1)} {what}: "
                         f"{shown}"
                         + (f", and at {len(places) - _SHOWN} more times" if len(places) > _SHOWN else ""))
    return lines
