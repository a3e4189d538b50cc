"""Describes the skeletons from which clips were retargeted."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..base.arrays import Array
from ..model import rotations
from ..model.clip import Clip
from ..model.actor import Actor
from .container import Container, differences

_STEPS_PER_METRE = 10_000  # positions are rounded to 0.1 mm


def actor_of(container: Container, clip: Clip) -> dict[str, Any] | None:
    """Returns a clip's actor in the space of the clip, or None if it has none. Positions are in steps of
    1 / `steps` metres."""
    actor = clip.actor
    if actor is None:
        return None
    steps = np.rint(_in_place(clip, actor) * _STEPS_PER_METRE).astype(np.int32)
    return {"parents": list(actor.parents), "feet": list(actor.feet), "rate": actor.rate,
            "frames": len(steps), "steps": _STEPS_PER_METRE,
            "positions": container.add(differences(steps.reshape(len(steps), -1))),
            "stands": container.add(actor.stands.astype(np.uint8)),
            "slides_mm": container.add(actor.slides_mm.astype(np.float32))}


def _in_place(clip: Clip, actor: Actor) -> Array:
    """Returns the positions without the trajectory that was extracted from the clip."""
    if clip.trajectory is None:
        return actor.positions
    seconds = np.arange(len(actor.positions)) / actor.rate
    origin, facing = clip.trajectory.at(np.minimum(seconds / clip.trajectory.seconds, 1.0))
    return rotations.rotate(rotations.inverse(facing)[:, None], actor.positions - origin[:, None])
