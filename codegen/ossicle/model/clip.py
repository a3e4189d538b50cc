"""The data that the rest of the package works on: a skeleton, its clips, and import errors.

A transform is ten numbers in this order: rotation x y z w (unit quaternion), translation x y z (metres), scale x y z.
It is local, relative to the parent joint, and means T * R * S on column vectors. The world is Y-up.
"""
from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol


from ..base.arrays import Array
from ..base.option_names import named
from ..base.problem import Problem, one_line
from .clip_measure import ClipMeasure
from .contacts import Contact
from .curves.keys import CurveKeys
from .events import Event
from .key_rate import JITTER
from .actor import Actor
from .samples import Frames
from .trajectory.displacement import Trajectory

ROTATION = slice(0, 4)
TRANSLATION = slice(4, 7)
SCALE = slice(7, 10)

# The order of the last axis of Clip.steps.
TRACK_KINDS = ("rotation", "translation", "scale")

# An hour of motion capture of 77 joints at 30 Hz. A larger file is damaged or not for a handheld.
MAX_JOINT_FRAMES = 1 << 23


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints, parents before their children.

    names: unique, J of them.
    parents: int32 [J], index of the parent, -1 for a root; several roots are allowed.
    bind: float64 [J, 10], the local bind (rest) pose.
    inverse_bind: float64 [J, 4, 4], row r column c, for column vectors: skinning matrix =
        model transform of the joint @ inverse_bind. None if the source has no skin.
    skin_joints: names in the order of the skin, whose vertices refer to joints by number. The joint above replaces a
        joint that was left out. Empty if the source has no skin.
    units: float64 [J], the product of the bind pose scales of each joint and those above that were folded into the
        lengths (folding.py); None if all are 1.
    """

    names: tuple[str, ...]
    parents: Array
    bind: Array
    inverse_bind: Array | None = None
    skin_joints: tuple[str, ...] = ()
    units: Array | None = None


class Curve(Protocol):
    """An animation that can be evaluated at any time."""

    @property
    def joints(self) -> int:
        """The number of joints, J."""

    @property
    def times(self) -> Array:
        """float64 [K], seconds, ascending: the times of all keys. The last one is the end of the animation."""

    @property
    def halves(self) -> Array:
        """float64 [H], seconds: the midpoints between neighbouring keys of the animation and of each channel."""

    @property
    def linear(self) -> bool:
        """True if it is linear (rotations: along great circles) or constant between keys."""

    def at(self, seconds: Array, early: float = 0.0) -> Array:
        """Returns float64 [N, J, 10] at times [N], clamped to the first and last key. early: the seconds by which
        tracks that jump do so before their keys; after them if negative."""

    def sampled(self, seconds: Array, early: float) -> tuple[Array, Array]:
        """Returns the result of `at`, and bool [N, J, 3]: whether a track jumps between a sample and the previous
        one."""

    def reordered(self, order: Array) -> Curve:
        """Returns the animation, of the same length, for a skeleton whose joint j is joint order[j] of this one; it may
        have fewer joints."""


@dataclass(frozen=True, eq=False)
class Reference:
    """The reference pose of an additive clip. clip: the name of the clip that contains the pose, or None for the bind
    pose; frame, seconds: its position in that clip; pose: float64 [J, 10]."""

    clip: str | None
    frame: int
    seconds: float
    pose: Array

    @property
    def text(self) -> str:
        """The name of the pose in messages."""
        return "the bind pose" if self.clip is None else f"{self.clip}, frame {self.frame}"


@dataclass(frozen=True, eq=False)
class Clip:
    """An animation, sampled at a constant rate.

    rate: frames per second. Frame f is the time f / rate; the last one is the end of the animation.
    frames: float64 [F, J, 10], F >= 1, Samples if the clip is long; rotations are normalised, with any sign
        (neighbouring frames may be in opposite hemispheres).
    steps: bool [F, J, 3], order TRACK_KINDS: True if the track jumps AT this frame, so that the
        value of frame f-1 holds until f. Row 0 is all False.
    source: name of the file, for messages.
    curve: the animation between the frames, or None if the file has only frames.
    follows_curve: whether the tolerance applies to the curve too, not only to the frames.
    events: those of the file.
    trajectory: the root motion that was extracted from the clip, which then plays in place.
    curves: the curves of the file that play with the clip, by name, until they become joints (curves.with_keys).
    contacts: of the joints that touch the ground, once they were detected.
    multiple: the least multiple of the rate at which to encode the clip, because a curve changes too fast.
    reference: the reference pose if the clip is additive (additive.py).
    mirror_of: the name of the original if the clip is a mirror image (mirroring.py).
    measure: how it differs from its source if it was made for another skeleton.
    actor: that skeleton's motion.
    """

    name: str
    rate: float
    frames: Frames
    steps: Array
    source: str
    curve: Curve | None = None
    follows_curve: bool = True
    events: tuple[Event, ...] = ()
    trajectory: Trajectory | None = None
    curves: Mapping[str, CurveKeys] = field(default_factory=dict)
    contacts: tuple[Contact, ...] = ()
    multiple: int = 1
    reference: Reference | None = None
    mirror_of: str | None = None
    measure: ClipMeasure | None = None
    actor: Actor | None = None


@dataclass(frozen=True, eq=False)
class Imported:
    """The result of an import. warnings: one line each; read_clips prefixes the file name. left_out: the names of clips
    that were not selected; references: those of them that were read, for additive clips. carrying: the joints to
    which vertices are weighted or meshes are attached; None if unknown. nodes: the names of nodes other than joints.
    curves: the values of the file's curves in clips without them, by name."""

    skeleton: Skeleton
    clips: list[Clip]
    warnings: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    carrying: frozenset[str] | None = None
    nodes: tuple[str, ...] = ()
    curves: Mapping[str, float] = field(default_factory=dict)
    references: list[Clip] = field(default_factory=list)


class ImportProblem(Problem):
    """Invalid input; str() is one line: the file, the clip, the joint, the problem, the remedy. names_file: whether the
    message already names the file, which is not the one that is being read."""

    def __init__(self, message: str, names_file: bool = False):
        self.names_file = names_file
        printable = message.encode("utf-8", "replace").decode("utf-8")
        super().__init__(one_line(printable))


@contextlib.contextmanager
def problems_of(where: str) -> Iterator[None]:
    """Prefixes every ImportProblem raised in the block with `where: `, unless it names its file."""
    try:
        yield
    except ImportProblem as problem:
        if problem.names_file:
            raise
        raise ImportProblem(f"{where}: {problem}") from problem


def check_name(name: str, what: str) -> str:
    """Returns the name of a joint or clip if it can be printed and stored. Raises ImportProblem otherwise."""
    if not name.isprintable():
        raise ImportProblem(f"{what} {name!r} has unprintable characters; rename it at the source")
    return name


def frame_count(duration: float, rate: float, joints: int, already: int = 0) -> int:
    """Returns the number of frames of a clip, including both ends: the last frame is at the end of the clip, or less
    than a frame after it.

    duration: seconds, finite. rate: frames per second, finite. Raises ImportProblem if the clip,
    together with the `already` joint-frames of earlier clips, would exceed the memory limit.
    """
    intervals = duration * rate
    if not (intervals + 1) * joints + already <= MAX_JOINT_FRAMES:
        raise ImportProblem(
            f"{duration:g} s at {rate:g} frames per second on {joints} joints is more than fits "
            f"({MAX_JOINT_FRAMES} joints times frames in all); shorten or split it, or lower {named('--fps')}"
        )
    return max(math.ceil(intervals - JITTER), 1 if intervals > 0.0 else 0) + 1
