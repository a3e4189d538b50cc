"""The layout of generated code: straight-line code or loops over tables."""
from __future__ import annotations

from collections.abc import Sequence

from .problem import SettingProblem, nearest

PARTS = ("evaluate", "compose")
UNROLLING = ("full", "loop")


def parse_unroll(choices: Sequence[str], key: str = "unroll") -> dict[str, str]:
    """Parses choices such as 'loop' (all parts) or 'compose=full' into the layout of each generated part. Later choices
    override earlier ones; the default is 'full'. Raises a SettingProblem that begins with `key`."""
    unroll = dict.fromkeys(PARTS, "full")
    known = (*UNROLLING, *(f"{part}={layout}" for part in PARTS for layout in UNROLLING))
    for choice in choices:
        if choice not in known:
            raise SettingProblem(f"{key} {choice!r} is unknown" + nearest(choice, known))
        part, _, layout = choice.rpartition("=")
        unroll.update(dict.fromkeys([part] if part else PARTS, layout))
    return unroll
