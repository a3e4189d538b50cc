"""Describes the skeletons from which clips were retargeted."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..base.arrays import Array
from ..model import rotations
from ..model.clip import Clip
from ..model.performer import Performer
from .container import Container, differences

_STEPS_PER_METRE = 10_000  # positions are rounded to 0.1 mm


def performer_of(container: Container, clip: Clip) -> dict[str, Any] | None:
    """Returns a clip's performer in the space of the clip, or None if it has none. Positions are in steps of
    1 / `steps` metres."""
    performer = clip.performer
    if performer is None:
        return None
    steps = np.rint(_in_place(clip, performer) * _STEPS_PER_METRE).astype(np.int32)
    return {"parents": list(performer.parents), "feet": list(performer.feet), "rate": performer.rate,
            "frames": len(steps), "steps": _STEPS_PER_METRE,
            "positions": container.add(differences(steps.reshape(len(steps), -1))),
            "stands": container.add(performer.stands.astype(np.uint8)),
            "slides_mm": container.add(performer.slides_mm.astype(np.float32))}


def _in_place(clip: Clip, performer: Performer) -> Array:
    """Returns the positions without the trajectory that was extracted from the clip."""
    if clip.trajectory is None:
        return performer.positions
    seconds = np.arange(len(performer.positions)) / performer.rate
    origin, facing = clip.trajectory.at(np.minimum(seconds / clip.trajectory.seconds, 1.0))
    back = facing * np.array([-1.0, -1.0, -1.0, 1.0])
    return rotations.rotate(back[:, None], performer.positions - origin[:, None])
