"""Transfers the clips of one skeleton to another."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..base.arrays import Array
from ..model.clip import TRACK_KINDS, Clip, Imported, ImportProblem
from ..model.clip_measure import ClipMeasure
from ..model.events import retimed_events
from ..model.mesh.mesh import Mesh
from ..model.rotations import inverse, multiply
from ..model.samples import stored
from .character import Character, from_bind, from_motion
from .first_frame import starts_elsewhere
from .humanoid import CharacterProblem, Humanoid, RetargetProblem
from .joints.table import CHARACTER_MAP
from .joint_pairs import AnimatedRig
from .mapping import find_humanoid
from .measure import actor_of, measure_of
from .options import RetargetOptions
from .parts import partners_of
from .rig import rig_of
from .same_skeleton import Same, constants_of, same_skeleton, transferred_frames
from .transfer import BodyTransfer

_MOST_ANGLE = 15.0  # degrees on average, with a rest pose; more are usual only with very short legs

# Same lengths of bones and the same travel: directions and contacts are those of the source.
_EXACT = ClipMeasure(0.0, 0.0, 0.0, None)


@dataclass(frozen=True, eq=False)
class Retargeted:
    """The clips of a source for the skeleton of a character.

    source_map, character_map: None if both skeletons are the same. warnings: beside those of the import. unmapped: the
    joints of the character that keep their bind pose.
    """

    imported: Imported
    source_map: Humanoid | None
    character_map: Humanoid | None
    warnings: list[str] = field(default_factory=list)
    unmapped: tuple[str, ...] = ()

    @property
    def measures(self) -> list[ClipMeasure]:
        """The measures of the clips."""
        return [clip.measure for clip in self.imported.clips if clip.measure is not None]


def retarget(source: Imported, character: Imported, options: RetargetOptions = RetargetOptions(),
             mesh: Mesh | None = None) -> Retargeted:
    """Returns the clips of a source for the skeleton of a character, sampled at their frames. The clips of the
    character tell its shape if its bind pose does not stand upright. mesh: of the character, whose soles stay above the
    ground. Raises RetargetProblem, or CharacterProblem if the character is at fault."""
    same = None if options.map or options.character_map else same_skeleton(_animated(source), _animated(character))
    if same is not None and same.has_lengths and options.scale is None:
        return _joint_by_joint(source, character, same, options)
    try:
        source_map = find_humanoid(source.skeleton, source.clips, options.map, source.carrying)
        character_map = _map_of_character(character, options)
    except ImportProblem:
        if same is None:
            raise
        return _joint_by_joint(source, character, same, options)  # such as animals of different size
    result = between_bodies(source, source_map, character, character_map, options, mesh)
    doubts = [*source_map.warnings, *(f"the character: {warning}" for warning in character_map.warnings)]
    return replace(result, warnings=doubts + result.warnings)


def _map_of_character(character: Imported, options: RetargetOptions) -> Humanoid:
    try:
        return find_humanoid(character.skeleton, character.clips, options.character_map, character.carrying,
                             CHARACTER_MAP)
    except RetargetProblem as problem:
        raise CharacterProblem(str(problem)) from problem


def _animated(imported: Imported) -> AnimatedRig:
    return AnimatedRig(rig_of(imported.skeleton), [np.asarray(clip.frames) for clip in imported.clips])


def _joint_by_joint(source: Imported, character: Imported, same: Same, options: RetargetOptions) -> Retargeted:
    rest = None if options.rest_pose is None else same.source.world(options.rest_pose[None])
    is_known = same.has_pose or rest is not None or not source.clips
    constants = constants_of(same, rest, {} if is_known else _guesses(source, character, same))
    travel = options.scale or same.ratio
    measure = _EXACT if same.has_lengths and travel == same.ratio else None
    clips = [replace(_resulting(clip, transferred_frames(same, constants, np.asarray(clip.frames), travel)),
                     measure=measure) for clip in source.clips]
    unmapped = tuple(name for name, other in zip(character.skeleton.names, same.joints) if other < 0)
    return Retargeted(replace(source, skeleton=character.skeleton, clips=clips), None, None, unmapped=unmapped)


def _guesses(source: Imported, character: Imported, same: Same) -> dict[int, Array]:
    """Returns the constants between the joints of two bodies with another bind pose; none for other skeletons."""
    try:
        source_map = find_humanoid(source.skeleton, source.clips, {}, source.carrying)
        character_map = find_humanoid(character.skeleton, character.clips, {}, character.carrying)
        target = _character(character, character_map)
    except RetargetProblem:
        return {}
    actor, _ = from_motion(source.skeleton, source_map, _frames_of(source.clips))
    return {joint: multiply(actor.frames[same.joints[joint]], inverse(frame))
            for joint, frame in target.frames.items() if same.joints[joint] in actor.frames}


def _frames_of(clips: Sequence[Clip]) -> list[tuple[Array, float]]:
    return [(np.asarray(clip.frames), clip.rate) for clip in clips]


def between_bodies(source: Imported, source_map: Humanoid, character: Imported, character_map: Humanoid,
                   options: RetargetOptions = RetargetOptions(), mesh: Mesh | None = None) -> Retargeted:
    """Returns the clips of a body for another one; see retarget."""
    clips, warnings = _without_first_poses(source)
    target = _character(character, character_map)
    made = []
    if clips:
        actor, motions = from_motion(source.skeleton, source_map, _frames_of(clips))
        transfer = BodyTransfer(actor, target, options, mesh)
        for clip, motion in zip(clips, motions):
            result = transfer.apply(motion)
            shown = actor_of(actor, target, motion, result)
            measure = measure_of(actor, target, motion, result, float(shown.slides_mm.max()))
            made.append(replace(_resulting(clip, result.frames), measure=measure, actor=shown))
            if options.rest_pose is not None and measure.mean_angle_degrees > _MOST_ANGLE:
                warnings.append(f"clip {clip.name}: arms and legs differ from those of the source by "
                                f"{measure.mean_angle_degrees:.0f} degrees on average: in the rest pose, the body does "
                                "not stand like the bind pose of the character; leave out rest, or name another pose")
        if all(motion.lies(source_map) for motion in motions):
            warnings.append("the body lies in all clips; if it should stand, the up axis of the file is wrong: export "
                            "it again with Y up")
    _, moved = partners_of(source_map, character_map)
    unmapped = tuple(name for joint, name in enumerate(character.skeleton.names) if joint not in moved)
    return Retargeted(replace(source, skeleton=character.skeleton, clips=made), source_map, character_map, warnings,
                      unmapped)


def _character(character: Imported, body: Humanoid) -> Character:
    """Returns the measurements of a character. Raises CharacterProblem."""
    try:
        standing = from_bind(character.skeleton, body)
        if standing is not None:
            return standing
        if character.clips:
            return from_motion(character.skeleton, body, _frames_of(character.clips))[0]
    except RetargetProblem as problem:
        raise CharacterProblem(str(problem)) from problem
    raise CharacterProblem("its bind pose does not stand upright; export it in a T-pose, or give a file of the "
                           "character that has a clip")


def _without_first_poses(source: Imported) -> tuple[list[Clip], list[str]]:
    """Returns the clips without first frames that are poses in another place, and warnings."""
    rig = rig_of(source.skeleton)
    clips, warnings = [], []
    for clip in source.clips:
        if starts_elsewhere(rig, clip.frames):
            clip = _without_first_frame(clip)
            warnings.append(f"clip {clip.name}: its first frame is left out: it is a pose, such as a T-pose, "
                            "from which the motion does not go on")
        clips.append(clip)
    return clips, warnings


def _without_first_frame(clip: Clip) -> Clip:
    start, end = 1.0 / clip.rate, (len(clip.frames) - 1) / clip.rate
    curves = {name: replace(keys, times=keys.times - start) for name, keys in clip.curves.items()}
    return replace(clip, frames=stored(clip.frames[1:]), steps=clip.steps[1:], curves=curves,
                   events=retimed_events(clip.events, start, end, 1.0, False))


def _resulting(clip: Clip, frames: Array) -> Clip:
    """Returns a clip with other frames, between which nothing is known."""
    return replace(clip, frames=stored(frames), steps=np.zeros((*frames.shape[:2], len(TRACK_KINDS)), bool),
                   curve=None, follows_curve=False)
