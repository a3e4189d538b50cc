"""Decodes a bank to transforms with the runtime's own integer decoder."""
from __future__ import annotations

from pathlib import Path

import numpy as np

from ..bank.file import Bank, read_bank
from ..base.output import check_outputs, write_atomically
from ..base.problem import SettingProblem, nearest
from ..encode import native
from ..importers import rawclip
from ..model.clip import MAX_JOINT_FRAMES, Skeleton
from ..model.skinning import ONE_Q20

_UNIT_SCALE = (ONE_Q20,) * 3


def skeleton_of(bank: Bank) -> Skeleton:
    """Returns the skeleton of a bank. Its bind pose is the device's, in Q20 steps."""
    bind = [[*joint.bind, *(_UNIT_SCALE if len(joint.bind) == 7 else ())] for joint in bank.joints]
    return Skeleton(
        names=tuple(joint.name for joint in bank.joints),
        parents=np.array([-1 if j.parent is None else j.parent for j in bank.joints], np.int32),
        bind=np.array(bind, np.float64) / ONE_Q20,
    )


def clip_index(bank: Bank, name: str, source: Path) -> int:
    """Returns the index of a clip by name. Raises SettingProblem, with the nearest name, if there
    is none."""
    names = [clip.name for clip in bank.clips]
    if name not in names:
        raise SettingProblem(f"{source}: no clip {name!r}" + nearest(name, names))
    return names.index(name)


def decode(bank_path: Path, clip: str, out: Path, midpoints: bool = False) -> int:
    """Writes a clip as .rawclip: F frames, or with midpoints 2F-1 at twice the rate. Returns the
    number of frames written. Raises BankProblem or SettingProblem."""
    check_outputs({bank_path: bank_path}, [out])
    bank = read_bank(bank_path)
    index = clip_index(bank, clip, bank_path)
    cells = bank.clips[index].frame_count * len(bank.joints)
    if cells > MAX_JOINT_FRAMES:
        raise SettingProblem(f"{bank_path}: clip {clip}: {bank.clips[index].frame_count} frames of "
                             f"{len(bank.joints)} joints, over {MAX_JOINT_FRAMES} together, are "
                             "too many to write; `ossicle encode` makes no such bank")
    words = np.array(bank.words, np.uint32)
    frames = native.decode_clip(words, index, len(bank.joints), midpoints)
    rate = bank.clips[index].rate_q16 / 65536 * (2 if midpoints else 1)
    try:
        content = rawclip.pack(skeleton_of(bank), frames, rate)
    except ValueError as error:
        raise SettingProblem(f"{bank_path}: clip {clip}: {error}") from error
    write_atomically(out, content)
    return len(frames)
