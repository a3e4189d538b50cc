"""The errors of a clip as it plays, of every joint at every frame and midpoint."""
from __future__ import annotations

import numpy as np

from ..encode import native
from ..model.shell import shell_errors, with_midpoints
from .subject import Subject, breaks_of


def played(subject: Subject, clip: int) -> np.ndarray:
    """Returns float32 [2F-1, J, 10]: the local transforms of a clip as the runtime plays it, at all frames and half
    way between them."""
    return native.decode_clip(subject.words, clip, len(subject.bank.joints), midpoints=True)


def errors_m(subject: Subject, clip: int) -> np.ndarray:
    """Returns metres [2F-1, J]: how far each joint of a clip is from its source, as the largest error of the three
    points on its axes. The subject must have a source."""
    source = subject.source
    reference = with_midpoints(source.clips[clip], breaks_of(subject.bank, clip))
    return shell_errors(source.skeleton.parents, reference, played(subject, clip), source.settings.shell_m)
