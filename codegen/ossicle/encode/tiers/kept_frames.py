"""Frames of a clip whose keys never leave it for a streaming tier."""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.problem import SettingProblem
from ...model.clip import Clip
from ..scheme import Scheme

LAST = "last"
WORDS = f'a list of frame numbers, times such as "0.4s", or "{LAST}"'
_TIME = re.compile(r"([0-9]*\.?[0-9]+)\s*s\Z")


def parse_kept_frames(value: Any, what: str) -> tuple[int | str, ...]:
    """Reads a list such as [0, 12, "0.4s", "last"]. Raises SettingProblem."""
    if not isinstance(value, list) or not value:
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    for one in value:
        is_frame = isinstance(one, int) and not isinstance(one, bool) and one >= 0
        if not is_frame and not (isinstance(one, str) and (one == LAST or _TIME.match(one))):
            raise SettingProblem(f"{what}: {one!r}: give {WORDS}")
    return tuple(value)


def kept_frames(frames: Sequence[int | str], clip: Clip, schemes: Sequence[Scheme]) -> np.ndarray:
    """Returns bool [F] for a clip as it is encoded. schemes: those that it may have. Raises
    SettingProblem for a frame that the clip does not have, or if it has no keys in tiers."""
    what = f"{clip.source}: clip {clip.name}: keep_frames"
    if not any(scheme.tiers for scheme in schemes):
        raise SettingProblem(f"{what}: only presets whose key frames move into streaming tiers keep some, such as "
                             "acl-2.1-tiers; choose one, or leave it out")
    if any(scheme.period != 1 for scheme in schemes if scheme.tiers):
        raise SettingProblem(f"{what}: the preset has no key on every frame; choose another, or leave it out")
    kept = np.zeros(len(clip.frames), bool)
    for frame in frames:
        number = _number(frame, clip)
        if number >= len(kept):
            raise SettingProblem(f"{what}: {frame!r}: the clip has {len(kept)} frames, 0 to {len(kept) - 1}, at "
                                 f"{clip.rate:g} a second; choose one of these")
        kept[number] = True
    return kept


def _number(frame: int | str, clip: Clip) -> int:
    if frame == LAST:
        return len(clip.frames) - 1
    if isinstance(frame, str):
        match = _TIME.match(frame)
        assert match is not None  # parse_kept_frames has read it
        return round(min(float(match.group(1)) * clip.rate, len(clip.frames)))
    return frame
