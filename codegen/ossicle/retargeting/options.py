"""The options for retargeting."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..base.arrays import Array


@dataclass(frozen=True, eq=False)
class RetargetOptions:
    """The user's options for clips of another skeleton.

    map, character_map: names of joints by part of the body (see mapping.py), of the source and of the character, which
        replace those that were found.
    rest_pose: local transforms [joint, 10] of the source's joints, in which the body stands like the character in its
        bind pose; None if there is no such pose.
    scale: metres that the character travels per metre of the source; None means the ratio of their leg lengths, which
        its heights always follow.
    feet: whether feet that stand in the source also stand in the result; otherwise only rotations are transferred.
    hands: whether hands that are near each other in the source are so in the result.
    planted_hands: whether hands that are near the ground in the source are so in the result.
    """

    map: Mapping[str, str] = field(default_factory=dict)
    character_map: Mapping[str, str] = field(default_factory=dict)
    rest_pose: Array | None = None
    scale: float | None = None
    feet: bool = True
    hands: bool = False
    planted_hands: bool = False
