"""The layout of generated code: straight-line, or loops over tables."""
from __future__ import annotations

from collections.abc import Sequence

from .problem import SettingProblem, nearest

PARTS = ("evaluate", "compose")
UNROLLING = ("full", "loop")


def parse_unroll(choices: Sequence[str], key: str = "unroll") -> dict[str, str]:
    """The layout of each generated part, from texts such as 'loop' (all parts) or 'compose=full'.
    Later texts override earlier ones; unmentioned parts are 'full'. Raises SettingProblem,
    beginning with `key`, for anything else."""
    unroll = dict.fromkeys(PARTS, "full")
    known = (*UNROLLING, *(f"{part}={how}" for part in PARTS for how in UNROLLING))
    for choice in choices:
        if choice not in known:
            raise SettingProblem(f"{key} {choice!r} is unknown" + nearest(choice, known))
        part, _, how = choice.rpartition("=")
        unroll.update(dict.fromkeys([part] if part else PARTS, how))
    return unroll
