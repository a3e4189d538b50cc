"""Removes components of a joint's motion from clips, which become their trajectories."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.curve_names import is_curve
from ..base.problem import SettingProblem, nearest
from ..model.clip import TRANSLATION, Clip, Skeleton
from ..model.trajectory.extraction import RootMotion, has_heading, in_place
from ..model.trajectory.components import COMPONENTS
from .settings import ClipOptions

_MOVES_M = 1e-3


def moving_joint(clips: Sequence[Clip], skeleton: Skeleton) -> int:
    """Returns the first joint whose position a clip changes, or else the first joint."""
    for joint in range(len(skeleton.names)):
        for clip in clips:
            path = clip.frames[:, joint, TRANSLATION]
            if (path.max(axis=0) - path.min(axis=0)).max() > _MOVES_M:
                return joint
    return 0


def without_root_motion(clip: Clip, skeleton: Skeleton, options: ClipOptions, default: int) -> Clip:
    """Returns the clip in place, with its trajectory, if its options request that. default: the joint to follow unless
    the options name it. Raises SettingProblem."""
    if not options.root_motion or len(clip.frames) < 2:
        return clip
    joint, name = default, options.root_joint
    if name is not None:
        if name not in skeleton.names or is_curve(name):
            raise SettingProblem(f"clip {clip.name}: root_joint {name!r} does not exist{nearest(name, skeleton.names)}")
        joint = skeleton.names.index(name)
    if not has_heading(skeleton, joint, options.root_yaw):
        raise SettingProblem(f"clip {clip.name}: root_yaw {options.root_yaw!r}: this axis of {skeleton.names[joint]} "
                             "points up in the bind pose, and therefore has no heading; choose another axis, or "
                             "\"first\"")
    chosen = np.array([component in options.root_motion for component in COMPONENTS])
    return in_place(clip, skeleton, RootMotion(joint, chosen, options.root_tolerance_m, bool(options.loop),
                                               options.root_yaw))
