"""Measures the errors of a decoded clip, of every joint at every frame and midpoint."""
from __future__ import annotations


from ..base.arrays import Array
from ..encoding.derived.mirrored import breaks_of
from ..encoding.playing import played
from ..model.editing.additive import poses
from ..model.shell import shell_errors, with_midpoints
from .subject import Subject


def errors_m(subject: Subject, clip: int) -> Array:
    """Returns metres [2F-1, J]: the distance of each joint of a clip from its source, the largest of the three points
    on its axes; of additive clips, added to their reference. The subject must have a source."""
    source = subject.source
    assert source is not None
    original = source.clips[clip]
    reference = with_midpoints(original, breaks_of(subject.bank, clip))
    transforms = played(subject.bank, subject.words, clip)
    return shell_errors(source.skeleton.parents, poses(original, reference), poses(original, transforms),
                        source.settings.shell_m, source.skeleton.bind)
