"""The gap between the end of a loop and its beginning."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .bind_size import bind_size
from .clip import Clip, Skeleton
from .shell import shell_errors

# The largest gap that is closed without being asked, as a share of the character's size: 5 cm for
# people, whatever the unit of the file.
LARGEST_SHARE = 0.03


@dataclass(frozen=True)
class Gap:
    """How far the joint that is off most at the end of a clip is from where it was at its
    beginning."""

    metres: float
    joint: int


def loop_gap(clip: Clip, skeleton: Skeleton, shell_m: float) -> Gap:
    """Returns the gap of a clip as the encoder measures errors: at points this far from joints."""
    errors = shell_errors(skeleton.parents, clip.frames[:1], clip.frames[-1:], shell_m)[0]
    return Gap(float(errors.max()), int(np.argmax(errors)))


def largest_gap_m(skeleton: Skeleton) -> float:
    """Returns the largest gap that is closed unless the user sets another limit."""
    return LARGEST_SHARE * max(bind_size(skeleton))


def can_be_closed(gap: Gap, skeleton: Skeleton) -> bool:
    return gap.metres <= largest_gap_m(skeleton)
