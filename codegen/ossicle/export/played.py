"""Returns the skeleton and the clips of a bank as the runtime plays them."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..bank.file import Bank
from ..base.arrays import Array
from ..base.problem import SettingProblem, nearest
from ..encoding import native
from ..encoding.derived.mirrored import breaks_of, in_the_mirror
from ..model.clip import MAX_JOINT_FRAMES, SCALE, TRACK_KINDS, Clip, Skeleton
from ..model.editing.folding import without_units
from ..model.shell import model_matrices
from ..model.mesh.skinning import ONE_Q20

_LAST_ROW = (0, 0, 0, ONE_Q20)


def skeleton_of(bank: Bank) -> Skeleton:
    """Returns the skeleton of a bank. Its bind pose and its matrices are the device's, in Q20 steps."""
    matrices = None
    if bank.inverse_bind is not None:
        matrices = np.reshape([(*rows, *_LAST_ROW) for rows in bank.inverse_bind], (-1, 4, 4))
    return Skeleton(
        names=tuple(joint.name for joint in bank.joints),
        parents=np.array([-1 if j.parent is None else j.parent for j in bank.joints], np.int32),
        bind=np.array(bank.bind, np.float64) / ONE_Q20,
        inverse_bind=None if matrices is None else matrices / ONE_Q20,
        units=None if bank.units is None else np.array(bank.units),
    )


def without_curves(bank: Bank, skeleton: Skeleton, clips: Sequence[Clip]) -> tuple[Skeleton, list[Clip]]:
    """Removes the curve joints from the skeleton and the clips of a bank."""
    real = bank.real_joints
    inverse = skeleton.inverse_bind
    smaller = Skeleton(skeleton.names[:real], skeleton.parents[:real], skeleton.bind[:real],
                       None if inverse is None else inverse[:real], skeleton.skin_joints,
                       None if skeleton.units is None else skeleton.units[:real])
    return smaller, [replace(clip, frames=clip.frames[:, :real], steps=clip.steps[:, :real]) for clip in clips]


def with_units(bank: Bank, skeleton: Skeleton, clips: Sequence[Clip]) -> tuple[Skeleton, list[Clip]]:
    """Converts the skeleton and the clips of a bank to the units of the source, restoring the scales of joints. The
    scales of additive clips, which are factors, do not change."""
    units = skeleton.units
    if units is None:
        return skeleton, list(clips)
    additive = {clip.name for clip in bank.clips if clip.additive}
    scaled = [without_units(skeleton.parents, units, clip.frames) for clip in clips]
    for clip, frames in zip(clips, scaled):
        if clip.name in additive:
            frames[..., SCALE] = clip.frames[..., SCALE]
    inverse = skeleton.inverse_bind
    if inverse is not None:
        inverse = inverse.copy()
        inverse[:, :3] /= units[:, None, None]
    bind = without_units(skeleton.parents, units, skeleton.bind)
    return (replace(skeleton, bind=bind, inverse_bind=inverse, units=None),
            [replace(clip, frames=frames) for clip, frames in zip(clips, scaled)])


def clip_indices(bank: Bank, names: Sequence[str]) -> list[int]:
    """Returns the indices of the clips with these names, or of all clips. Raises SettingProblem, with the nearest name,
    if there is no such clip."""
    known = [clip.name for clip in bank.clips]
    for name in names:
        if name not in known:
            raise SettingProblem(f"no clip {name!r}" + nearest(name, known))
    return [known.index(name) for name in dict.fromkeys(names or known)]


def play(bank: Bank, indices: Sequence[int], source: str, midpoints: bool = False) -> list[Clip]:
    """Decodes clips with the runtime: F frames, or with midpoints 2F-1 at twice the rate. Values have float32
    precision; steps are the breaks of the bank. Raises SettingProblem if there are too many frames for the memory."""
    clips = [bank.clips[index] for index in indices]
    cells = sum(clip.frame_count for clip in clips) * len(bank.joints)
    if cells > MAX_JOINT_FRAMES:
        what = f"clip {clips[0].name}" if len(clips) == 1 else f"{len(clips)} clips"
        raise SettingProblem(f"{what}: {cells // len(bank.joints)} frames of {len(bank.joints)} joints, over "
                             f"{MAX_JOINT_FRAMES} together, are too many to write; `ossicle encode` makes "
                             "no such bank")
    words = np.array(bank.words, np.uint32)
    positions = 2 if midpoints else 1
    played = []
    for index, clip in zip(indices, clips):
        frames = native.decode_clip(words, index, len(bank.joints), midpoints).astype(np.float64)
        frames = in_the_mirror(bank, index, frames)
        steps = np.zeros((*frames.shape[:2], len(TRACK_KINDS)), bool)
        for frame, joint, kind in breaks_of(bank, index):
            steps[positions * frame, joint, TRACK_KINDS.index(kind)] = True
        played.append(Clip(clip.name, positions * clip.rate_q16 / 65536, frames, steps, source))
    return played


def played_positions(bank: Bank) -> Array:
    """Returns the positions [N, 3] in model space of all joints at all frames of all clips except additive ones."""
    indices = [index for index, clip in enumerate(bank.clips) if not clip.additive]
    skeleton, clips = without_curves(bank, skeleton_of(bank), play(bank, indices, ""))
    positions = [model_matrices(skeleton.parents, clip.frames)[..., 3].reshape(-1, 3) for clip in clips]
    return np.concatenate(positions) if positions else np.zeros((0, 3))
