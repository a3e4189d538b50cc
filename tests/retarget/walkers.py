"""The demo character's clips as motion over the ground."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from captures import hero

from ossicle.base.arrays import Array
from ossicle.model.clip import TRANSLATION, Clip, Imported
from ossicle.model.rotations import multiply, rotate

STEPS_M = {"Walk": 0.04, "Run": 0.095}  # by which a foot on the ground moves backward in a frame
CYCLES = 3


def over_ground(*names: str, turn: Array | None = None) -> Imported:
    """Returns cycles of clips that travel. turn: a rotation [4] about the vertical."""
    return replace(hero(), clips=[_travelling(clip, turn) for clip in hero().clips if clip.name in names])


def _travelling(clip: Clip, turn: Array | None) -> Clip:
    once = np.asarray(clip.frames)
    frames = np.concatenate([once[:-1]] * CYCLES + [once[-1:]])
    frames[:, 0, TRANSLATION.stop - 1] += STEPS_M.get(clip.name, 0.0) * np.arange(len(frames))
    if turn is not None:
        frames[:, 0, :4] = multiply(turn, frames[:, 0, :4])
        frames[:, 0, TRANSLATION] = rotate(turn, frames[:, 0, TRANSLATION])
    return replace(clip, frames=frames, steps=np.zeros((len(frames), *clip.steps.shape[1:]), bool), curve=None)
