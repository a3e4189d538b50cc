"""How well a clip of another skeleton fits the character to which it was transferred."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ClipMeasure:
    """The differences of a retargeted clip from its source, over all frames.

    largest_angle_degrees, mean_angle_degrees: between the directions of corresponding bones. slide_mm: the furthest
    that a foot slides while it stands, beyond the foot of the source. ground_mm: the furthest that a sole is under the
    ground, None if the character has no mesh. unmapped: the joints of the character without a partner, which keep their
    bind pose.
    """

    largest_angle_degrees: float
    mean_angle_degrees: float
    slide_mm: float
    ground_mm: float | None
    unmapped: tuple[str, ...] = ()
