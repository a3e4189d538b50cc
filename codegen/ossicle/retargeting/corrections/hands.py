"""Keeps hands that are near each other together, and hands that are near the ground there.

Rotations alone move the hands of a character with other arms or shoulders apart, or into each other. Where the hands of
the source are near each other, those of the character get the same vector between them, in its own size; both move by
half of the difference, so that their middle stays. A hand that is near the ground in the source gets the place of that
hand, in the character's size, so that one that rests there does not slide.
"""
from __future__ import annotations

from ...base.arrays import Array
from .smoothing import falling

_NEAR, _FAR = 0.3, 0.6  # leg lengths between the wrists
_LOW, _HIGH = 0.25, 0.55  # leg lengths from the ground to a wrist


def nearness(apart: Array) -> Array:
    """Returns the share [F] to which hands are together that are this many leg lengths apart: 1 up to _NEAR, 0 from
    _FAR."""
    return falling(apart, _NEAR, _FAR)


def lowness(height: Array) -> Array:
    """Returns the share [F] to which a hand rests on the ground whose wrist is this many leg lengths over it: 1 up to
    _LOW, 0 from _HIGH."""
    return falling(height, _LOW, _HIGH)
