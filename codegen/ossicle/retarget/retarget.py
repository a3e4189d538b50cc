"""Transfers the clips of one skeleton to another."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Array
from ..model.clip import TRACK_KINDS, Clip, Imported, Skeleton
from ..model.clip_measure import ClipMeasure
from ..model.mesh.mesh import Mesh
from ..model.rotations import inverse, multiply
from ..model.samples import stored
from .character import Character, from_bind, from_motion
from .first_frame import starts_elsewhere
from .humanoid import Humanoid, RetargetProblem
from .mapping import find_humanoid
from .measure import actor_of, measure_of
from .options import RetargetOptions
from .parts import parts_of
from .rig import rig_of
from .same_skeleton import Same, constants_of, same_skeleton, transferred_frames
from .transfer import Transfer

_EXACT = ClipMeasure(0.0, 0.0, 0.0, 0.0)  # between equal skeletons, by construction


@dataclass(frozen=True, eq=False)
class Retargeted:
    """The clips of a source for the skeleton of a character.

    source_map, target_map: None if both skeletons are the same. warnings: also those of the import. unmapped: the
    joints of the character that keep their bind pose.
    """

    imported: Imported
    source_map: Humanoid | None
    target_map: Humanoid | None
    unmapped: tuple[str, ...] = ()

    @property
    def measures(self) -> list[ClipMeasure]:
        """The measures of clips that were transferred between different skeletons."""
        return [clip.measure for clip in self.imported.clips if clip.measure is not None]

    @property
    def warnings(self) -> list[str]:
        return self.imported.warnings


def retarget(source: Imported, target: Skeleton, options: RetargetOptions = RetargetOptions(), mesh: Mesh | None = None,
             target_clips: Sequence[Clip] = ()) -> Retargeted:
    """Returns the clips of a source for the skeleton of a character, sampled at their frames. mesh: of the character,
    whose soles stay above the ground; target_clips: of the character, which replace a bind pose that does not stand
    upright. Raises RetargetProblem."""
    same = None if options.map or options.target_map else same_skeleton(rig_of(source.skeleton), rig_of(target))
    if same is not None:
        return _joint_by_joint(source, same, options, target_clips)
    source_map = find_humanoid(source.skeleton, source.clips, options.map)
    target_map = find_humanoid(target, target_clips, options.target_map)
    return between_bodies(source, source_map, target, target_map, options, mesh, target_clips)


def _joint_by_joint(source: Imported, same: Same, options: RetargetOptions, target_clips: Sequence[Clip]) -> Retargeted:
    rest = None if options.rest_pose is None else same.source.world(options.rest_pose[None])
    is_known = same.has_pose or rest is not None or not source.clips
    guesses = {} if is_known else _guesses(source, same, target_clips)
    constants = constants_of(same, rest, guesses)
    if options.scale is not None:
        same = replace(same, ratio=options.scale)
    clips = [replace(_resulting(clip, transferred_frames(same, constants, np.asarray(clip.frames))), measure=_EXACT)
             for clip in source.clips]
    return Retargeted(replace(source, skeleton=same.target.skeleton, clips=clips), None, None)


def _guesses(source: Imported, same: Same, target_clips: Sequence[Clip]) -> dict[int, Array]:
    """Returns the constants between the joints of two bodies with another bind pose; none for other skeletons."""
    try:
        source_map = find_humanoid(source.skeleton, source.clips)
        target_map = find_humanoid(same.target.skeleton, target_clips)
        character = _character(same.target.skeleton, target_map, target_clips)
    except RetargetProblem:
        return {}
    actor, _ = from_motion(source.skeleton, source_map, _frames_of(source.clips))
    return {joint: multiply(actor.frames[same.joints[joint]], inverse(frame))
            for joint, frame in character.frames.items() if same.joints[joint] in actor.frames}


def _frames_of(clips: Sequence[Clip]) -> list[tuple[Array, float]]:
    return [(np.asarray(clip.frames), clip.rate) for clip in clips]


def between_bodies(source: Imported, source_map: Humanoid, target: Skeleton, target_map: Humanoid,
                   options: RetargetOptions = RetargetOptions(), mesh: Mesh | None = None,
                   target_clips: Sequence[Clip] = ()) -> Retargeted:
    """Returns the clips of a body for another one; see retarget."""
    clips, warnings = _without_first_poses(source)
    unmapped = tuple(name for joint, name in enumerate(target.names) if joint not in {
        *parts_of(target_map).values(), *target_map.trunk, *target_map.neck})
    if not clips:
        return Retargeted(replace(source, skeleton=target), source_map, target_map, unmapped)
    actor, motions = from_motion(source.skeleton, source_map, _frames_of(clips))
    character = _character(target, target_map, target_clips)
    transfer = Transfer(actor, character, options, mesh)
    made = []
    for clip, motion in zip(clips, motions):
        result = transfer.apply(motion)
        made.append(replace(_resulting(clip, result.frames), measure=measure_of(actor, character, motion, result),
                            actor=actor_of(actor, character, motion, result)))
    return Retargeted(replace(source, skeleton=target, clips=made, warnings=[*source.warnings, *warnings]),
                      source_map, target_map, unmapped)


def _character(target: Skeleton, body: Humanoid, clips: Sequence[Clip]) -> Character:
    character = from_bind(target, body)
    if character is not None:
        return character
    if not clips:
        raise RetargetProblem("the character: its bind pose does not stand upright; export it in a T-pose, or give a "
                              "file of the character that has a clip")
    return from_motion(target, body, _frames_of(clips))[0]


def _without_first_poses(source: Imported) -> tuple[list[Clip], list[str]]:
    """Returns the clips without first frames that are poses in another place, and warnings."""
    rig = rig_of(source.skeleton)
    clips, warnings = [], []
    for clip in source.clips:
        if starts_elsewhere(rig, clip.frames):
            clip = replace(clip, frames=stored(clip.frames[1:]), steps=clip.steps[1:])
            warnings.append(f"clip {clip.name}: its first frame is a pose in another place; left out")
        clips.append(clip)
    return clips, warnings


def _resulting(clip: Clip, frames: Array) -> Clip:
    """Returns a clip with other frames, between which nothing is known."""
    return replace(clip, frames=stored(frames), steps=np.zeros((*frames.shape[:2], len(TRACK_KINDS)), bool),
                   curve=None, follows_curve=False)
