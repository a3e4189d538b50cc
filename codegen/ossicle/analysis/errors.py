"""The errors of a clip as it plays, of every joint at every frame and midpoint."""
from __future__ import annotations

import numpy as np

from ..bank.file import Bank
from ..encode import native
from ..encode.mirrored import breaks_of, in_the_mirror
from ..model.additive import NOTHING, poses
from ..model.clip import ROTATION, SCALE, TRANSLATION
from ..model.shell import shell_errors, with_midpoints
from .subject import Subject


def played(subject: Subject, clip: int) -> np.ndarray:
    """Returns float [2F-1, J, 10]: the local transforms of a clip as the runtime plays it, at all frames and half
    way between them. Those of an additive clip are differences."""
    transforms = native.decode_clip(subject.words, clip, len(subject.bank.joints), midpoints=True)
    return in_the_mirror(subject.bank, clip, taking_part(subject.bank, clip, transforms))


def taking_part(bank: Bank, clip: int, transforms: np.ndarray) -> np.ndarray:
    """Returns the transforms [N, J, 10] of a clip as the runtime plays it, those of an additive clip as osc_mix_add
    takes them: a joint without a sub-track makes no difference, whatever its pose has."""
    if not bank.clips[clip].additive:
        return transforms
    result = transforms.copy()
    for number, joint in enumerate(bank.joints):
        for part, has in zip((ROTATION, TRANSLATION, SCALE), joint.subtracks):
            if not has:
                result[:, number, part] = NOTHING[part]
    return result


def errors_m(subject: Subject, clip: int) -> np.ndarray:
    """Returns metres [2F-1, J]: how far each joint of a clip is from its source, as the largest error of the three
    points on its axes; of an additive clip in the pose that it is added to. The subject must have a source."""
    source = subject.source
    assert source is not None
    wanted = source.clips[clip]
    reference = with_midpoints(wanted, breaks_of(subject.bank, clip))
    return shell_errors(source.skeleton.parents, poses(wanted, reference), poses(wanted, played(subject, clip)),
                        source.settings.shell_m)
