"""The data that every other part of the package works on: a skeleton, its clips, and import errors.

A transform is ten numbers in this order: rotation x y z w (unit quaternion), translation x y z
(metres), scale x y z. It is local, relative to the parent joint, and means T * R * S on column
vectors. The world is Y-up.
"""
from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from ..base.option_names import named
from ..base.problem import Problem, one_line
from .contacts import Contact
from .curves.keys import CurveKeys
from .events import Event
from .key_rate import JITTER
from .samples import Frames
from .trajectory.displacement import Trajectory

ROTATION = slice(0, 4)
TRANSLATION = slice(4, 7)
SCALE = slice(7, 10)

# The order of the last axis of Clip.steps.
TRACK_KINDS = ("rotation", "translation", "scale")

# An hour of motion capture at 30 Hz on 77 joints has this many. A file with more is damaged, or not
# meant for a handheld.
MAX_JOINT_FRAMES = 1 << 23


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints in an order in which parents come before their children.

    names: unique, J of them.
    parents: int32 [J], index of the parent, -1 for a root; several roots are allowed.
    bind: float64 [J, 10], the local bind (rest) pose.
    inverse_bind: float64 [J, 4, 4], row r column c, for column vectors: skinning matrix =
        model transform of the joint @ inverse_bind. None if the source has no skin.
    skin_joints: names in the order of the skin, to which its vertices refer by number. A joint that
        was left out is replaced by the joint above it. Empty if the source has no skin.
    units: float64 [J], the product of the bind pose scales of each joint and those above that became part
        of the lengths (folding.py); None if all are 1.
    """

    names: tuple[str, ...]
    parents: np.ndarray
    bind: np.ndarray
    inverse_bind: np.ndarray | None = None
    skin_joints: tuple[str, ...] = ()
    units: np.ndarray | None = None


class Curve(Protocol):
    """An animation as its file describes it, which can be evaluated at any time."""

    @property
    def joints(self) -> int:
        """The number of joints, J."""

    @property
    def times(self) -> np.ndarray:
        """float64 [K], seconds, ascending: the times at which its channels have keys. The last one
        is the end of the animation."""

    @property
    def halves(self) -> np.ndarray:
        """float64 [H], seconds: half way between neighbouring keys of the animation, and of its
        channels."""

    @property
    def linear(self) -> bool:
        """Whether it is linear (rotations: along great circles) or constant between keys."""

    def at(self, seconds: np.ndarray, early: float = 0.0) -> np.ndarray:
        """Returns float64 [N, J, 10] at times [N]; values are held before the first key and after
        the last. early: by how many seconds tracks that jump do so before their keys; if negative,
        after them."""

    def sampled(self, seconds: np.ndarray, early: float) -> tuple[np.ndarray, np.ndarray]:
        """Returns what `at` does, and bool [N, J, 3]: which tracks jump between a sample and the
        previous one."""

    def reordered(self, order: np.ndarray) -> Curve:
        """Returns the same animation for a skeleton whose joint j is joint order[j] of this one, and
        which may have fewer joints. It ends at the same time."""


@dataclass(frozen=True, eq=False)
class Reference:
    """The pose from which the transforms of an additive clip are differences. clip: the name of the clip that has it,
    or None for the bind pose; frame, seconds: where; pose: float64 [J, 10]."""

    clip: str | None
    frame: int
    seconds: float
    pose: np.ndarray

    @property
    def text(self) -> str:
        """What messages call it."""
        return "the bind pose" if self.clip is None else f"{self.clip}, frame {self.frame}"


@dataclass(frozen=True, eq=False)
class Clip:
    """One animation, sampled at a constant rate.

    rate: frames per second. Frame f is the time f / rate; the last one is the end of the animation.
    frames: float64 [F, J, 10], F >= 1, of a long clip as Samples; rotations are unit, their sign is as sampled
        (neighbouring frames may be in opposite hemispheres).
    steps: bool [F, J, 3], order TRACK_KINDS: True if the track jumps AT this frame, so that the
        value of frame f-1 holds until f. Row 0 is all False.
    source: name of the file it came from, for messages.
    curve: the animation between the frames, None if the file has only the frames.
    follows_curve: whether the tolerance applies to the curve as well, not only to the
        frames.
    events: those of the file.
    trajectory: what was taken out of the clip so that it plays in place.
    curves: the curves of the file that play with it, by name, until they are joints (curves.with_keys).
    contacts: of the joints that touch the ground, once they were looked for.
    multiple: it is encoded at this multiple of its rate, or a larger one, because a curve changes too fast.
    reference: of an additive clip, whose frames are differences from it; see additive.py.
    mirror_of: of a clip that is the mirror image of another one, the name of that; see mirroring.py.
    """

    name: str
    rate: float
    frames: Frames
    steps: np.ndarray
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


@dataclass(frozen=True, eq=False)
class Imported:
    """The result of an import. Each warning is one line; read_clips prefixes the name of the
    file. left_out: the names of clips that were not chosen; references: those of them that
    were read, for additive clips. carrying: the joints to which vertices
    are weighted or meshes are attached; None if that is not known. nodes: the names of nodes that are no
    joints. curves: the values of the file's curves in clips without them, by name."""

    skeleton: Skeleton
    clips: list[Clip]
    warnings: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    carrying: frozenset[str] | None = None
    nodes: tuple[str, ...] = ()
    curves: Mapping[str, float] = field(default_factory=dict)
    references: list[Clip] = field(default_factory=list)


class ImportProblem(Problem):
    """Input that cannot be used; str() is one line: the file, the clip, the joint, the problem, the
    remedy."""

    def __init__(self, message: str):
        printable = message.encode("utf-8", "replace").decode("utf-8")
        super().__init__(one_line(printable))


@contextlib.contextmanager
def problems_of(where: str) -> Iterator[None]:
    """Prefixes every ImportProblem raised in the block with `where: `."""
    try:
        yield
    except ImportProblem as problem:
        raise ImportProblem(f"{where}: {problem}") from problem


def check_name(name: str, what: str) -> str:
    """Returns the name of a joint or clip if it can be printed and stored. Raises ImportProblem
    otherwise."""
    if not name.isprintable():
        raise ImportProblem(f"{what} {name!r} has unprintable characters; rename it at the source")
    return name


def frame_count(duration: float, rate: float, joints: int, already: int = 0) -> int:
    """Returns the number of frames of a clip, including both ends: the last frame is at the end of
    the clip, or less than a frame behind it.

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
