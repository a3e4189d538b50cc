"""Clips of a bank as the runtime plays them."""
from __future__ import annotations


from ..bank.file import Bank
from ..base.arrays import Array
from ..model.editing.additive import NOTHING
from ..model.clip import ROTATION, SCALE, TRANSLATION
from . import native
from .derived.mirrored import in_the_mirror


def played(bank: Bank, words: Array, clip: int) -> Array:
    """Returns float32 [2F-1, J, 10]: the local transforms of a clip at all frames and midpoints; an additive clip has
    differences, a mirror image mirrored transforms. words: of the bank."""
    transforms = native.decode_clip(words, clip, len(bank.joints), midpoints=True)
    return in_the_mirror(bank, clip, taking_part(bank, clip, transforms))


def taking_part(bank: Bank, clip: int, transforms: Array) -> Array:
    """Returns the transforms [N, J, 10] of a clip as osc_mix_add uses them: in an additive clip, joints without a
    sub-track are no difference, whatever their pose."""
    if not bank.clips[clip].additive:
        return transforms
    result = transforms.copy()
    for number, joint in enumerate(bank.joints):
        for part, has in zip((ROTATION, TRANSLATION, SCALE), joint.subtracks):
            if not has:
                result[:, number, part] = NOTHING[part]
    return result
