"""Reads states of a graph that choose one of several clips at each entry."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...bank.graph.records import MOST_CHOSEN, MOST_WEIGHT
from ...base.problem import SettingProblem

KEYS = ("random", "sequence")
_SAMPLES = {"random": "{ Fidget1 = 3, Fidget2 = 1 } or [\"Fidget1\", \"Fidget2\"]",
            "sequence": "[\"Cut\", \"Stab\"]"}


def parse_choice(own: Mapping[str, Any], where: str) -> tuple[list[str], tuple[int, ...]] | None:
    """Returns the clips of a state, and their weights, () if they take turns; None for a state that does not choose.
    Raises SettingProblem."""
    kinds = [key for key in KEYS if key in own]
    if not kinds:
        return None
    for other in (*kinds[1:], "play", "blend"):
        if other in own:
            raise SettingProblem(f"{where}: has both {kinds[0]} and {other}; give one of them")
    kind, value = kinds[0], own[kinds[0]]
    what = f"{where} {kind}"
    clips = list(value) if isinstance(value, dict) and kind == "random" else value
    if not isinstance(clips, list) or not all(isinstance(clip, str) and clip for clip in clips):
        raise SettingProblem(f"{what} = {value!r}: give clips, such as {_SAMPLES[kind]}")
    if not 2 <= len(clips) <= MOST_CHOSEN:
        raise SettingProblem(f"{what}: has {len(clips)} clips, but 2 to {MOST_CHOSEN} are possible; "
                             + ("remove some" if clips[1:] else "give play for one clip"))
    if kind == "sequence":
        return clips, ()
    weights = value if isinstance(value, dict) else dict.fromkeys(clips, 1)
    for clip, weight in weights.items():
        if isinstance(weight, bool) or not isinstance(weight, int) or not 1 <= weight <= MOST_WEIGHT:
            raise SettingProblem(f"{what}.{clip} = {weight!r}: give a weight, a whole number from 1 to {MOST_WEIGHT}; "
                                 "a clip with the weight 3 is chosen three times as often as one with 1")
    return clips, tuple(weights[clip] for clip in clips)
