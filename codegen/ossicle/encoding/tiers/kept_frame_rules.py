"""Parses the frames of a clip whose keys never move into a streaming tier."""
from __future__ import annotations

import re
from typing import Any

from ...base.problem import SettingProblem

LAST = "last"
WORDS = f'a list of frame numbers, times such as "0.4s", or "{LAST}"'
TIME = re.compile(r"([0-9]*\.?[0-9]+)\s*s\Z")


def parse_kept_frames(value: Any, what: str) -> tuple[int | str, ...]:
    """Parses a list such as [0, 12, "0.4s", "last"]. Raises SettingProblem."""
    if not isinstance(value, list) or not value:
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    for frame in value:
        is_frame = isinstance(frame, int) and not isinstance(frame, bool) and frame >= 0
        if not is_frame and not (isinstance(frame, str) and (frame == LAST or TIME.match(frame))):
            raise SettingProblem(f"{what}: {frame!r}: give {WORDS}")
    return tuple(value)
