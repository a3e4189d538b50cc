"""How generated code is laid out: straight-line, or as loops over tables."""
from __future__ import annotations

from collections.abc import Sequence

from .problem import SettingProblem, nearest

PARTS = ("evaluate", "compose")
OPTIMISE_FOR = ("flash", "cycles")  # what the user may choose for key rows
UNROLLING = ("full", "loop")


def parse_unroll(choices: Sequence[str], key: str = "unroll") -> dict[str, str]:
    """How to lay out each generated part, from texts such as 'loop' (all parts) or 'compose=full';
    later ones win, and parts that none names are 'full'. SettingProblem, beginning with `key`, for
    anything else."""
    unroll = dict.fromkeys(PARTS, "full")
    known = (*UNROLLING, *(f"{part}={how}" for part in PARTS for how in UNROLLING))
    for choice in choices:
        if choice not in known:
            raise SettingProblem(f"{key} {choice!r} is unknown" + nearest(choice, known))
        part, _, how = choice.rpartition("=")
        unroll.update(dict.fromkeys([part] if part else PARTS, how))
    return unroll
