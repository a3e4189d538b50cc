"""Keeps hands that are near each other together.

Rotations alone move the hands of a character with other arms or shoulders apart, or into each other. Where the hands of
the source are near each other, those of the character get the same vector between them, in its own size; both move by
half of the difference, so that their middle stays.
"""
from __future__ import annotations

import numpy as np

from ..base.arrays import Array

_NEAR, _FAR = 0.3, 0.6  # leg lengths between the wrists


def nearness(apart: Array) -> Array:
    """Returns the share [F] to which hands are together that are this many leg lengths apart: 1 up to _NEAR, 0 from
    _FAR."""
    free = np.clip((apart - _NEAR) / (_FAR - _NEAR), 0.0, 1.0)
    share: Array = 1.0 - free * free * (3.0 - 2.0 * free)
    return share
