"""Evaluates glTF animation channels at any time.

Every channel is clamped to its first and last key; the animation lasts until the last key of any channel. Two keys at
nearly the same time are a jump if their values differ by more than the motion on either side explains. Channels with
the same key times are evaluated together, which makes the import fast.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...base.arrays import Array
from ...base.portable_math import length
from ...model.blocks import blocks
from ...model.clip import ROTATION, SCALE, TRACK_KINDS, TRANSLATION, ImportProblem
from ...model.interpolation import CUBIC, JUMP_S, STEP, STEP_CHANGE, evaluate, jumps_of, passed, shifted
from ...model.samples import TRANSFORM_WIDTH
from .accessors import Accessors
from .equal_times import EqualTimes, differing_keys, equal_times_of, merged_times, merged_values
from .json_values import REEXPORT
from .skeleton import Rig

PARTS = {"rotation": ROTATION, "translation": TRANSLATION, "scale": SCALE}
_TYPES = {"rotation": "VEC4", "translation": "VEC3", "scale": "VEC3"}

_REST_CHANGE = 1e-6
_MIN_QUATERNION = 1e-6

# Channels are evaluated together up to this many values, which bounds the memory.
_BATCH_VALUES = 1 << 18


@dataclass(frozen=True, eq=False, slots=True)
class Track:
    """A channel in a file: the node that it moves, its kind (rotation, translation, scale), its interpolation, and the
    accessors of its key times and values."""

    node: int
    node_name: str
    kind: str
    interpolation: str
    keys: int
    values: int

    @property
    def label(self) -> str:
        return f"joint {self.node_name}: {self.kind}"


@dataclass(frozen=True, eq=False)
class KeyedTracks:
    """The tracks of an animation whose kind, interpolation, times and jumps are equal, with their keys, independent of
    the file: thousands of tracks take little memory. joints: in the rig, by track; times: seconds, ascending [K];
    values: [C, K, n], for CUBICSPLINE [C, K, 3, n]: in-tangent, value, out-tangent, float32 if that changes none;
    jumps: the result of jumps_of."""

    kind: str
    interpolation: str
    joints: Array
    times: Array
    values: Array
    jumps: Array

    def only(self, chosen: Array) -> KeyedTracks:
        """Returns the tracks for which `chosen` is True, by track."""
        return self if chosen.all() else replace(self, joints=self.joints[chosen], values=self.values[chosen])


@dataclass(frozen=True, eq=False)
class GltfCurve:
    """The tracks of an animation, all of which move joints (see clip.Curve). order: the number in the rig of
    each joint of the result; end: its end in seconds, or None for the last key of the tracks."""

    groups: list[KeyedTracks]
    rig: Rig
    order: Array
    end: float | None = None

    @property
    def joints(self) -> int:
        return len(self.order)

    @cached_property
    def times(self) -> Array:
        end = [] if self.end is None else [np.array([self.end])]
        return np.unique(np.concatenate([group.times for group in self.groups] + end))

    @cached_property
    def halves(self) -> Array:
        return np.unique(np.concatenate([(times[:-1] + times[1:]) / 2.0
                                         for times in (self.times, *(group.times for group in self.groups))]))

    @property
    def linear(self) -> bool:
        return all(group.interpolation != CUBIC for group in self.groups)

    def reordered(self, order: Array) -> GltfCurve:
        inner = self.order[order]
        chosen = [np.isin(group.joints, inner) for group in self.groups]
        groups = [group.only(some) for group, some in zip(self.groups, chosen) if some.any()]
        end = self.end if all(some.all() for some in chosen) else float(self.times[-1])
        return replace(self, order=inner, groups=groups, end=end)

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        frames = self.at(seconds, early)
        return frames, self._jumps(frames, seconds, early)

    def _jumps(self, frames: Array, seconds: Array, early: float) -> Array:
        """Marks the frames at which tracks with STEP interpolation change, and others jump."""
        steps = np.zeros((*frames.shape[:2], len(TRACK_KINDS)), bool)
        for group in self.groups:
            if group.interpolation != STEP and not group.jumps.any():
                continue
            joints = np.flatnonzero(np.isin(self.order, group.joints))
            jumps = _changes(group.kind, frames[:, joints, PARTS[group.kind]].swapaxes(0, 1))
            if group.interpolation != STEP:
                jumps &= passed(group.times, group.jumps,
                                shifted(seconds, group.interpolation, early, group.times, group.jumps))
            steps[1:, joints, TRACK_KINDS.index(group.kind)] = jumps.T
        return steps

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        """Raises ImportProblem for values that are not finite and for quaternions of zero length."""
        frames = np.empty((len(seconds), self.joints, TRANSFORM_WIDTH))
        finite = np.ones(self.joints, bool)
        for block in blocks(len(seconds), len(self.rig.rest)):
            frames[block] = self.rig.folding.apply(self._unfolded(seconds[block], early))[:, self.order]
            finite &= np.isfinite(frames[block]).all(axis=(0, 2))
        if not finite.all():
            name = self.rig.skeleton.names[self.order[int(np.argmin(finite))]]
            raise ImportProblem(f"joint {name}: values overflow; check its curves and export again")
        return frames

    def _unfolded(self, seconds: Array, early: float) -> Array:
        frames = np.repeat(self.rig.rest[None], len(seconds), axis=0)
        for group in self.groups:
            ticks = shifted(seconds, group.interpolation, early, group.times, group.jumps)
            around = _around(group.times, ticks)
            for batch in _batches(group, max(around.stop - around.start, len(seconds))):
                keys = group.values[batch, around].astype(np.float64)
                values = evaluate(group.kind, group.interpolation, group.times[around], keys, ticks,
                                  group.jumps[around.start:around.stop - 1])
                if group.kind == "rotation":
                    values = self._unit(group.joints[batch], values, seconds)
                frames[:, group.joints[batch], PARTS[group.kind]] = values.swapaxes(0, 1)
        return frames

    def _unit(self, joints: Array, values: Array, seconds: Array) -> Array:
        lengths = length(values)
        short = lengths < _MIN_QUATERNION
        if short.any():
            track, at = np.argwhere(short)[0]
            raise ImportProblem(
                f"joint {self.rig.skeleton.names[joints[track]]}: rotation: the spline passes through the zero "
                f"quaternion at {seconds[at]:g} s; add keys there in the modelling tool"
            )
        return values / lengths[..., None]


def is_constant(track: Track, rest: Array, accessors: Accessors) -> bool:
    """Returns whether a channel only repeats the rest transform [10] of its node. Because lengths may have any unit,
    the permitted difference grows with them, like their rounding."""
    keys = _read_values(track, key_times(track.keys, track.label, accessors), accessors)
    value = rest[PARTS[track.kind]]
    change = _REST_CHANGE * max(1.0, float(np.abs(value).max()))
    if track.interpolation == CUBIC:
        if np.abs(keys[:, ::2]).max() > change:
            return False
        keys = keys[:, 1]
    deviation = np.abs(keys - value)
    if track.kind == "rotation":
        deviation = np.minimum(deviation.max(axis=-1), np.abs(keys + value).max(axis=-1))
    return bool(deviation.max() <= change)


def _around(times: Array, ticks: Array) -> slice:
    """Returns the keys, of those at these times [K], that enclose all ticks, and one more on each side."""
    first, last = (int(np.searchsorted(times, tick, side="right")) for tick in (ticks.min(), ticks.max()))
    return slice(max(first - 2, 0), min(last + 2, len(times)))


def _batches(group: KeyedTracks, length: int) -> Iterator[slice]:
    size = max(1, _BATCH_VALUES // (4 * length))
    for start in range(0, len(group.joints), size):
        yield slice(start, start + size)


def key_times(keys: int, label: str, accessors: Accessors) -> Array:
    """Returns the key times in an accessor, seconds [K], possibly equal. label: their channel, for messages."""
    try:  # without a context manager, because files have thousands of channels
        times = accessors.values(keys, "SCALAR")[:, 0]
        if times[0] < 0.0:
            raise ImportProblem(f"start at {times[0]:g} s; move the animation to start at 0")
        if accessors.least_step(keys) < 0.0:
            key = int(np.argmax(np.diff(times) < 0.0)) + 1
            raise ImportProblem(f"key {key} at {times[key]:g} s is before key {key - 1}; {REEXPORT}")
    except ImportProblem as problem:
        raise ImportProblem(f"{label}: key times: {problem}") from problem
    return times


def with_keys(tracks: Sequence[Track], joint_of: Mapping[int, int], accessors: Accessors) \
        -> tuple[list[KeyedTracks], list[EqualTimes]]:
    """Returns the tracks of an animation with their keys, and the times that several keys of a track share. joint_of:
    the joints of nodes. Raises ImportProblem, also for quaternions of zero length."""
    equal: list[EqualTimes] = []
    together = defaultdict(list)
    for track in tracks:
        together[track.keys, track.kind, track.interpolation].append(track)
    accessors.read_together((track.values, _TYPES[track.kind]) for track in tracks)
    groups = [group for some in together.values() for group in _groups_of(some, joint_of, accessors, equal)]
    return groups, equal


def _groups_of(tracks: Sequence[Track], joint_of: Mapping[int, int], accessors: Accessors, equal: list[EqualTimes]) \
        -> Iterator[KeyedTracks]:
    """Yields the groups of tracks with the same key times, kind and interpolation in the file. Appends to `equal`."""
    first = tracks[0]
    kind, interpolation, times = first.kind, first.interpolation, key_times(first.keys, first.label, accessors)
    values = np.stack([_read_values(track, times, accessors) for track in tracks])
    joints = np.array([joint_of[track.node] for track in tracks])
    if kind == "rotation":
        _check_quaternions(tracks, values)
    if accessors.least_step(first.keys) >= JUMP_S:
        yield KeyedTracks(kind, interpolation, joints, times, _compact(values), np.zeros(len(times) - 1, bool))
        return
    alike = defaultdict(list)
    for number, track in enumerate(tracks):
        merged = _merged(track, times, values[number], equal)
        jumps = jumps_of(kind, interpolation, *merged)
        alike[merged[0].tobytes(), jumps.tobytes()].append((number, *merged, jumps))
    for numbers, all_times, all_values, all_jumps in (zip(*some) for some in alike.values()):
        yield KeyedTracks(kind, interpolation, joints[list(numbers)], all_times[0], _compact(np.stack(all_values)),
                          all_jumps[0])


def _compact(values: Array) -> Array:
    single = values.astype(np.float32)
    return single if np.array_equal(single, values) else values


def _merged(track: Track, times: Array, values: Array, equal: list[EqualTimes]) -> tuple[Array, Array]:
    """Returns the keys of a track, those with the same time merged. Appends a track with such keys to `equal`."""
    if (np.diff(times) > 0.0).all():
        return times, values
    differing = differing_keys(times, values, track.kind == "rotation", track.interpolation)
    equal.append(equal_times_of(track.label, times, differing))
    times, into, rest = merged_times(times, differing, track.interpolation)
    return times, merged_values(values, into, rest, track.interpolation)


def _read_values(track: Track, times: Array, accessors: Accessors) -> Array:
    """Returns the values of all keys of a channel in the file, [K, n], for CUBICSPLINE [K, 3, n]."""
    cubic = track.interpolation == CUBIC
    try:
        values = accessors.values(track.values, _TYPES[track.kind], normalised=True)
        needed = len(times) * (3 if cubic else 1)
        if len(values) != needed:
            raise ImportProblem(
                f"{len(values)} values for {len(times)} {track.interpolation} keys, "
                f"expected {needed}; {REEXPORT}"
            )
    except ImportProblem as problem:
        raise ImportProblem(f"{track.label}: {problem}") from problem
    return values.reshape(len(times), 3, -1) if cubic else values


def _check_quaternions(tracks: Sequence[Track], values: Array) -> None:
    """values: the keys of rotations, as those of KeyedTracks."""
    zero = length(values if values.ndim == 3 else values[:, :, 1]) < _MIN_QUATERNION
    if zero.any():
        track, key = np.argwhere(zero)[0]
        raise ImportProblem(f"{tracks[track].label}: key {key} is the zero quaternion; {REEXPORT}")


def _changes(kind: str, values: Array) -> Array:
    """Returns whether each frame differs from the previous one [C, F-1]; a quaternion equals its negative."""
    change = np.abs(values[:, 1:] - values[:, :-1]).max(axis=-1)
    if kind == "rotation":
        change = np.minimum(change, np.abs(values[:, 1:] + values[:, :-1]).max(axis=-1))
    return change > STEP_CHANGE
