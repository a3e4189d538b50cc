"""The errors of a clip as it plays, of every joint at every frame and midpoint."""
from __future__ import annotations

import numpy as np

from ..encode.derived.mirrored import breaks_of
from ..encode.playing import played
from ..model.editing.additive import poses
from ..model.shell import shell_errors, with_midpoints
from .subject import Subject


def errors_m(subject: Subject, clip: int) -> np.ndarray:
    """Returns metres [2F-1, J]: how far each joint of a clip is from its source, as the largest error of the three
    points on its axes; of an additive clip in the pose that it is added to. The subject must have a source."""
    source = subject.source
    assert source is not None
    wanted = source.clips[clip]
    reference = with_midpoints(wanted, breaks_of(subject.bank, clip))
    transforms = played(subject.bank, subject.words, clip)
    return shell_errors(source.skeleton.parents, poses(wanted, reference), poses(wanted, transforms),
                        source.settings.shell_m, source.skeleton.bind)
