"""Clips that are mirror images of others, and share their data in the bank."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...bank.file import Bank
from ...bank.names import MAX_NAME_BYTES
from ...base.arrays import Array
from ...base.names import naming_problem
from ...base.portable_math import dot
from ...base.problem import SettingProblem, nearest
from ...base.sides import with_other_sides
from ...model.clip import ROTATION, SCALE, TRANSLATION, Clip, Imported
from ...model.events import Event
from ...model.editing.mirroring import Sides, mirrored_clip, mirrored_frames, sides_of
from ...model.mesh.skinning import ONE_Q20
from ..native.clips import Images
from ..settings import ClipRule, Settings

_NOTICED = 1.0 / (1 << 13)  # differences of the bind pose that transitions can move


def with_mirror_images(imported: Imported, settings: Settings) -> Imported:
    """Inserts each mirror image after its original. Raises SettingProblem."""
    images: dict[str, str] = {}
    known = {clip.name: clip for clip in imported.clips}
    for rule in settings.clips:
        if rule.mirror_of is not None:
            _check(rule, known, images, settings)
            images[rule.mirror_of] = rule.pattern
    clips = []
    for clip in imported.clips:
        clips.append(clip)
        if clip.name in images:
            try:
                clips.append(mirrored_clip(clip, images[clip.name], imported.skeleton))
            except SettingProblem as problem:
                raise SettingProblem(f"{clip.source}: clip {images[clip.name]}: {problem}") from problem
    return replace(imported, clips=clips)


def _check(rule: ClipRule, known: Mapping[str, Clip], images: Mapping[str, str], settings: Settings) -> None:
    name, of = rule.pattern, rule.mirror_of
    if problem := naming_problem(name, MAX_NAME_BYTES):
        raise SettingProblem(f"clip {name!r}: mirror_of = {of!r}: the name {problem}; choose another")
    assert of is not None
    what = f"clip {name}: mirror_of = {of!r}"
    if len(rule.changes) > 1:
        raise SettingProblem(f"{what}: a mirror image has no other keys; move them to {of}")
    if any(letter in name for letter in "*?["):
        raise SettingProblem(f"{what}: {name!r} is a pattern; give the name of the new clip")
    if name in known:
        raise SettingProblem(f"{what}: {known[name].source} has a clip {name}; choose another name, or leave out that "
                             "clip with exclude")
    if of in settings.mirrored:
        raise SettingProblem(f"{what}: {of} is also a mirror image, of {settings.mirrored[of]}; name a clip of the "
                             "sources")
    if of not in known:
        raise SettingProblem(f"{what}: there is no clip {of!r}" + nearest(of, known))
    if of in images:
        raise SettingProblem(f"{what}: {images[of]} is already its mirror image; remove one of them")
    if known[of].reference is not None:
        raise SettingProblem(f"{what}: {of} is additive, and differences have no mirror image; mirror the pose to "
                             "which they are added")
    if settings.tiers.count:
        raise SettingProblem(f"{what}: a bank with tiers cannot contain mirror images; call osc_mirror_pose when the "
                             f"game plays {of}, or leave out tiers")


def images_of(imported: Imported) -> Images | None:
    """Returns what mirror images do to the joints, or None if there are none."""
    if not any(clip.mirror_of is not None for clip in imported.clips):
        return None
    skeleton = imported.skeleton
    parents = [None if parent < 0 else int(parent) for parent in skeleton.parents]
    sides = sides_of(skeleton.names, parents, skeleton.bind, None)
    bind, [image] = skeleton.bind, mirrored_frames(skeleton.bind[None], parents, sides)
    same_side = np.sign(dot(bind[:, ROTATION], image[:, ROTATION]))[:, None]
    image[:, ROTATION] *= same_side  # a rotation and its negative are the same
    apart = [np.abs(image - bind)[:, part].max(axis=1) > _NOTICED for part in (ROTATION, TRANSLATION, SCALE)]
    return Images(sides.partners, np.stack(apart, axis=1))


def origins_of(clips: Sequence[Clip]) -> list[int]:
    """Returns for each clip the number of the clip with its data: the original of a mirror image, otherwise its own."""
    return [number - 1 if clip.mirror_of is not None else number for number, clip in enumerate(clips)]


def mirrored_events(events: Sequence[Event]) -> tuple[Event, ...]:
    """Returns the events of a mirror image, with left and right exchanged in their names."""
    return tuple(replace(event, name=with_other_sides(event.name)) for event in events)


def breaks_of(bank: Bank, clip: int) -> list[tuple[int, int, str]]:
    """Returns the frame, joint and kind of each break of a clip; in a mirror image, of the other side."""
    subtracks = [(joint, kind) for kind, joint in bank.subtracks]
    shown = shown_at(bank, clip)
    return [(frame, shown[joint], kind) for frame, joint, kind in (
        (frame, *subtracks[subtrack]) for frame, subtrack in bank.clips[clip].breaks)]


def shown_at(bank: Bank, clip: int) -> Sequence[int]:
    """Returns the joint that each joint's data moves: itself, or in a mirror image its partner."""
    return _sides(bank).partners if bank.clips[clip].mirrored else range(len(bank.joints))


def in_the_mirror(bank: Bank, clip: int, transforms: Array) -> Array:
    """Returns transforms [N, J, 10] of a clip as they are played: mirrored as by osc_mirror_pose if it is a mirror
    image. Raises SettingProblem."""
    if not bank.clips[clip].mirrored:
        return transforms
    return mirrored_frames(transforms, [joint.parent for joint in bank.joints], _sides(bank))


def _sides(bank: Bank) -> Sides:
    bind = np.array([joint.bind for joint in bank.joints]) / ONE_Q20
    return sides_of([joint.name for joint in bank.joints], [joint.parent for joint in bank.joints], bind, None)
