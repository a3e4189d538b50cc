"""Measures the distance between the poses of two banks, clip by clip."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..bank.clips import Clip
from ..bank.file import ONE_Q20, Bank
from ..base.arrays import Array
from ..base.curve_names import CurveComponent, curve_components, is_curve
from ..encoding.curves.errors import curve_values
from ..encoding.playing import played
from ..model.clip import MAX_JOINT_FRAMES
from ..model.shell import Poses, shell_distances
from .bits import contained_chunks, data_ranges


@dataclass(frozen=True)
class Apart:
    """The largest distance between the poses of a clip in two banks: in metres, with its joint and its frame (.5 for a
    midpoint). value, curve: the largest difference between values of common curves."""

    metres: float
    joint: str
    frame: float
    value: float = 0.0
    curve: str = ""


class Side:
    """One of the two banks, with its clips by name."""

    def __init__(self, bank: Bank) -> None:
        self.bank = bank
        self.numbers = {clip.name: number for number, clip in reversed(list(enumerate(bank.clips)))}
        self.joints = {joint.name: number for number, joint in reversed(list(enumerate(bank.joints)))}

    @cached_property
    def words(self) -> Array:
        return np.array(self.bank.words, np.uint32)

    @cached_property
    def parents(self) -> list[int]:
        return [-1 if joint.parent is None else joint.parent for joint in self.bank.joints]

    @cached_property
    def shared(self) -> tuple[object, ...]:
        """The values that affect the poses of all clips."""
        return self.bank.layout_crc, tuple(self.joints.items()), self.bank.tier_set.block_log2

    @cached_property
    def data(self) -> list[list[object]]:
        """The data of each clip in the bank and its tiers."""
        words = self.bank.words
        data: list[list[object]] = [[words[first:first + count]] for first, count in data_ranges(self.bank)]
        for section, chunk in contained_chunks(self.bank):
            first = section.offset + chunk.offset
            data[chunk.clip].append((section.tag, chunk.block, chunk.codec, words[first:first + chunk.words]))
        return data

    def clip(self, name: str) -> Clip:
        return self.bank.clips[self.numbers[name]]

    def poses(self, name: str, joints: Sequence[str]) -> Poses:
        """Returns the poses of a clip at all frames and midpoints."""
        transforms = played(self.bank, self.words, self.numbers[name])
        return Poses(self.parents, transforms, [self.joints[joint] for joint in joints],
                     np.array(self.bank.bind, np.float64) / ONE_Q20)

    @cached_property
    def curves(self) -> dict[str, CurveComponent]:
        """The curves by name."""
        return {curve.name: curve for curve in curve_components([joint.name for joint in self.bank.joints])}


class Comparison:
    """Compares the common clips of two banks at their common joints. shell_m: the distance of the measured points from
    each joint."""

    def __init__(self, before: Bank, after: Bank, shell_m: float) -> None:
        self.sides = Side(before), Side(after)
        self.joints = [name for name in self.sides[0].joints if name in self.sides[1].joints and not is_curve(name)]
        self.curves = [name for name in self.sides[0].curves if name in self.sides[1].curves]
        self._shell_m = shell_m

    def apart(self, name: str) -> Apart | str:
        """Returns the distance of a clip, or the reason why there is none."""
        clips = [side.clip(name) for side in self.sides]
        counts = [clip.frame_count for clip in clips]
        if counts[0] != counts[1]:
            return f"{counts[0]} and {counts[1]} frames"
        if not self.joints:
            return "no common joint"
        if self._plays_the_same(name):
            return Apart(0.0, self.joints[0], 0.0)
        if counts[0] * max(len(side.parents) for side in self.sides) > MAX_JOINT_FRAMES:
            return "too long to be played"
        before, after = (side.poses(name, self.joints) for side in self.sides)
        distances = shell_distances(before, after, self._shell_m)
        position, joint = divmod(int(distances.argmax()), len(self.joints))
        return Apart(float(distances[position, joint]), self.joints[joint], position / 2,
                     *self._values_apart((before, after)))

    def _values_apart(self, poses: Sequence[Poses]) -> tuple[float, str]:
        """Returns the largest difference between the values of a curve, and its name."""
        if not self.curves:
            return 0.0, ""
        before, after = (curve_values([side.curves[name] for name in self.curves], side_poses.local)
                         for side, side_poses in zip(self.sides, poses))
        largest = np.abs(before - after).max(axis=0)
        return float(largest.max()), self.curves[int(largest.argmax())]

    def _plays_the_same(self, name: str) -> bool:
        """Returns whether the data imply that the poses are equal."""
        data = [(side.shared, clip.codec, clip.loop, clip.additive, clip.restart_frames, side.data[side.numbers[name]])
                for side, clip in ((side, side.clip(name)) for side in self.sides)]
        return data[0] == data[1]
