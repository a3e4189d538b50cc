"""Reads which components of a joint's motion become the trajectories of clips, and takes them out."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.curve_names import is_curve
from ..base.problem import SettingProblem, nearest
from ..model.clip import TRANSLATION, Clip, Skeleton
from ..model.trajectory.extraction import RootMotion, has_heading, in_place
from ..model.trajectory.displacement import COMPONENTS
from .settings import ClipOptions

NONE = "none"
WORDS = 'components such as "xz yaw", of x, y, z and yaw, or "none"'
_MOVES_M = 1e-3


def parse_root_motion(value: object, what: str) -> tuple[str, ...]:
    """Reads a text such as "xz yaw". Raises SettingProblem."""
    if not isinstance(value, str):
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    if value == NONE:
        return ()
    found = [part for word in value.split() for part in ([word] if word in COMPONENTS else word)]
    for part in found:
        if part not in COMPONENTS or found.count(part) > 1:
            raise SettingProblem(f"{what} = {value!r}: {part!r} is " + ("named twice" if part in COMPONENTS else
                                 f"no component{nearest(part, COMPONENTS)}") + f"; give {WORDS}")
    if not found:
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    return tuple(component for component in COMPONENTS if component in found)


def moving_joint(clips: Sequence[Clip], skeleton: Skeleton) -> int:
    """The first joint that a clip moves from its place, or the first one."""
    for joint in range(len(skeleton.names)):
        for clip in clips:
            way = clip.frames[:, joint, TRANSLATION]
            if (way.max(axis=0) - way.min(axis=0)).max() > _MOVES_M:
                return joint
    return 0


def without_root_motion(clip: Clip, skeleton: Skeleton, options: ClipOptions, default: int) -> Clip:
    """Returns the clip in place, with its trajectory, if that is wanted. default: the joint that is followed unless
    one is named. Raises SettingProblem."""
    if not options.root_motion or len(clip.frames) < 2:
        return clip
    joint, name = default, options.root_joint
    if name is not None:
        if name not in skeleton.names or is_curve(name):
            raise SettingProblem(f"clip {clip.name}: root_joint {name!r} is no joint{nearest(name, skeleton.names)}")
        joint = skeleton.names.index(name)
    if not has_heading(skeleton, joint, options.root_yaw):
        raise SettingProblem(f"clip {clip.name}: root_yaw {options.root_yaw!r}: this axis of {skeleton.names[joint]} "
                             "points up in the bind pose, so it has no heading; choose another axis, or \"first\"")
    chosen = np.array([component in options.root_motion for component in COMPONENTS])
    return in_place(clip, skeleton, RootMotion(joint, chosen, options.root_tolerance_m, options.loop, options.root_yaw))
