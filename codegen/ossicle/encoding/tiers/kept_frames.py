"""Finds the frames of a clip whose keys never move into a streaming tier."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base.arrays import Array
from ...base.problem import SettingProblem
from ...model.clip import Clip
from ..scheme import Scheme
from .kept_frame_rules import LAST, TIME


def kept_frames(frames: Sequence[int | str], clip: Clip, schemes: Sequence[Scheme]) -> Array:
    """Returns bool [F] for a clip to encode. schemes: those that it may have. Raises SettingProblem for a frame outside
    the clip, or if it has no keys in tiers."""
    what = f"{clip.source}: clip {clip.name}: keep_frames"
    if not any(scheme.tiers for scheme in schemes):
        raise SettingProblem(f"{what}: applies only to presets that move keys into streaming tiers; choose such a "
                             "preset, such as acl-2.1-tiers, or leave it out")
    if any(scheme.period != 1 for scheme in schemes if scheme.tiers):
        raise SettingProblem(f"{what}: the preset has no key on every frame; choose another, or leave it out")
    kept = np.zeros(len(clip.frames), bool)
    for frame in frames:
        number = _number(frame, clip)
        if number >= len(kept):
            raise SettingProblem(f"{what}: {frame!r}: the clip has {len(kept)} frames, 0 to {len(kept) - 1}, at "
                                 f"{clip.rate:g} per second; choose one of them")
        kept[number] = True
    return kept


def _number(frame: int | str, clip: Clip) -> int:
    if frame == LAST:
        return len(clip.frames) - 1
    if isinstance(frame, str):
        match = TIME.match(frame)
        assert match is not None  # checked when the settings were read
        return round(min(float(match.group(1)) * clip.rate, len(clip.frames)))
    return frame
