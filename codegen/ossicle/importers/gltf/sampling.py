"""Evaluates glTF animation channels at any time.

Every channel is clamped to its first and last key; the animation lasts until the last key of any channel. Two keys at
nearly the same time are a jump if their values differ by more than the motion on either side explains. Channels with
the same key times are evaluated together, which makes the import fast.
"""
from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate

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


@dataclass(frozen=True, eq=False)
class Channel:
    """A channel: the node that it moves, its kind (rotation, translation, scale), and its interpolation."""

    node: int
    node_name: str
    kind: str
    interpolation: str

    @property
    def label(self) -> str:
        return f"joint {self.node_name}: {self.kind}"


@dataclass(frozen=True, eq=False)
class Track(Channel):
    """A channel in a file: the accessors of its key times and values."""

    keys: int
    values: int


@dataclass(frozen=True, eq=False)
class KeyedTrack(Channel):
    """A channel with its keys, independent of the file. times: seconds, ascending [K]; values: [K, n], for CUBICSPLINE
    [K, 3, n]: in-tangent, value, out-tangent; jumps: the result of jumps_of; group: equal for tracks of an animation
    whose times, jumps, kind and interpolation are equal."""

    times: Array
    values: Array
    jumps: Array
    group: int


@dataclass(frozen=True, eq=False)
class GltfCurve:
    """The tracks of an animation, all of which move joints (see clip.Curve). order: the number in the rig of
    each joint of the result; end: its end in seconds, or None for the last key of the tracks."""

    tracks: list[KeyedTrack]
    rig: Rig
    order: Array
    end: float | None = None

    @property
    def joints(self) -> int:
        return len(self.order)

    @cached_property
    def _groups(self) -> list[list[KeyedTrack]]:
        """The tracks that are evaluated together."""
        groups = defaultdict(list)
        for track in self.tracks:
            groups[track.group].append(track)
        return list(groups.values())

    @cached_property
    def times(self) -> Array:
        end = [] if self.end is None else [np.array([self.end])]
        return np.unique(np.concatenate([group[0].times for group in self._groups] + end))

    @cached_property
    def halves(self) -> Array:
        return np.unique(np.concatenate([(times[:-1] + times[1:]) / 2.0
                                         for times in (self.times, *(group[0].times for group in self._groups))]))

    @property
    def linear(self) -> bool:
        return all(track.interpolation != CUBIC for track in self.tracks)

    def reordered(self, order: Array) -> GltfCurve:
        inner = self.order[order]
        joints = set(inner.tolist())
        tracks = [track for track in self.tracks if self.rig.joint_of[track.node] in joints]
        end = self.end if len(tracks) == len(self.tracks) else float(self.times[-1])
        return replace(self, order=inner, tracks=tracks, end=end)

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        frames = self.at(seconds, early)
        return frames, self._jumps(frames, seconds, early)

    def _jumps(self, frames: Array, seconds: Array, early: float) -> Array:
        """Marks the frames at which tracks with STEP interpolation change, and others jump."""
        steps = np.zeros((*frames.shape[:2], len(TRACK_KINDS)), bool)
        for joint, inner in enumerate(self.order):
            for track in self._jumping.get(int(inner), ()):
                jumps = _changes(track.kind, frames[None, :, joint, PARTS[track.kind]])[0]
                if track.interpolation != STEP:
                    jumps &= passed(track.times, track.jumps,
                                    shifted(seconds, track.interpolation, early, track.times, track.jumps))
                steps[1:, joint, TRACK_KINDS.index(track.kind)] = jumps
        return steps

    @cached_property
    def _jumping(self) -> dict[int, list[KeyedTrack]]:
        jumping = defaultdict(list)
        for track in self.tracks:
            if track.interpolation == STEP or track.jumps.any():
                jumping[self.rig.joint_of[track.node]].append(track)
        return jumping

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
        for group in self._groups:
            first = group[0]
            ticks = shifted(seconds, first.interpolation, early, first.times, first.jumps)
            around = _around(first.times, ticks)
            for batch in _batches(group, max(around.stop - around.start, len(seconds))):
                keys = np.stack([track.values[around] for track in batch])
                values = evaluate(first.kind, first.interpolation, first.times[around], keys, ticks,
                                  first.jumps[around.start:around.stop - 1])
                if first.kind == "rotation":
                    values = _unit(batch, values, seconds)
                joints = [self.rig.joint_of[track.node] for track in batch]
                frames[:, joints, PARTS[first.kind]] = values.swapaxes(0, 1)
        return frames


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


def _batches(group: list[KeyedTrack], length: int) -> Iterator[list[KeyedTrack]]:
    size = max(1, _BATCH_VALUES // (4 * length))
    for start in range(0, len(group), size):
        yield group[start: start + size]


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


def with_keys(tracks: Sequence[Track], accessors: Accessors) -> tuple[list[KeyedTrack], list[EqualTimes]]:
    """Returns the tracks of an animation with their keys, and the times that several keys of a track share. Raises
    ImportProblem, also for quaternions of zero length."""
    keyed, equal = [], []
    groups: dict[tuple[object, ...], int] = {}
    accessors.read_together((track.values, _TYPES[track.kind]) for track in tracks)
    for track in tracks:
        times = key_times(track.keys, track.label, accessors)
        values = _read_values(track, times, accessors)
        step, doubles = accessors.least_step(track.keys), b""
        if step <= 0.0:
            differing = differing_keys(times, values, track.kind == "rotation", track.interpolation)
            equal.append(equal_times_of(track.label, times, differing))
            times, into, rest = merged_times(times, differing, track.interpolation)
            values, doubles = merged_values(values, into, rest, track.interpolation), differing.tobytes()
        jumps = jumps_of(track.kind, track.interpolation, times, values) if step < JUMP_S else _no_jumps(len(times))
        alike = (track.keys, doubles, track.kind, track.interpolation, jumps.tobytes())
        keyed.append(KeyedTrack(track.node, track.node_name, track.kind, track.interpolation, times, values, jumps,
                                groups.setdefault(alike, len(groups))))
    _check_quaternions([track for track in keyed if track.kind == "rotation"])
    return keyed, equal


@lru_cache(maxsize=64)
def _no_jumps(keys: int) -> Array:
    return np.zeros(keys - 1, bool)


def _read_values(track: Track, times: Array, accessors: Accessors) -> Array:
    """Returns the values of all keys of a channel in the file, with the shape of those of KeyedTrack."""
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


def _check_quaternions(tracks: Sequence[KeyedTrack]) -> None:
    if not tracks:
        return
    keys = [track.values[:, 1] if track.values.ndim == 3 else track.values for track in tracks]
    zero = length(np.concatenate(keys)) < _MIN_QUATERNION
    if zero.any():
        first, ends = int(np.argmax(zero)), list(accumulate(map(len, keys)))
        track = bisect_right(ends, first)
        raise ImportProblem(f"{tracks[track].label}: key {first - ends[track] + len(keys[track])} is the zero "
                            f"quaternion; {REEXPORT}")


def _unit(batch: list[KeyedTrack], values: Array, seconds: Array) -> Array:
    lengths = length(values)
    short = lengths < _MIN_QUATERNION
    if short.any():
        track, at = np.argwhere(short)[0]
        raise ImportProblem(
            f"{batch[track].label}: the spline passes through the zero quaternion at "
            f"{seconds[at]:g} s; add keys there in the modelling tool"
        )
    return values / lengths[..., None]


def _changes(kind: str, values: Array) -> Array:
    """Returns whether each frame differs from the previous one [C, F-1]; a quaternion equals its negative."""
    change = np.abs(values[:, 1:] - values[:, :-1]).max(axis=-1)
    if kind == "rotation":
        change = np.minimum(change, np.abs(values[:, 1:] + values[:, :-1]).max(axis=-1))
    return change > STEP_CHANGE
