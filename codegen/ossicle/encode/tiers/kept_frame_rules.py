"""Reads the frames of a clip whose keys never leave it for a streaming tier."""
from __future__ import annotations

import re
from typing import Any

from ...base.problem import SettingProblem

LAST = "last"
WORDS = f'a list of frame numbers, times such as "0.4s", or "{LAST}"'
TIME = re.compile(r"([0-9]*\.?[0-9]+)\s*s\Z")


def parse_kept_frames(value: Any, what: str) -> tuple[int | str, ...]:
    """Reads a list such as [0, 12, "0.4s", "last"]. Raises SettingProblem."""
    if not isinstance(value, list) or not value:
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    for one in value:
        is_frame = isinstance(one, int) and not isinstance(one, bool) and one >= 0
        if not is_frame and not (isinstance(one, str) and (one == LAST or TIME.match(one))):
            raise SettingProblem(f"{what}: {one!r}: give {WORDS}")
    return tuple(value)
