"""The demo character's clips as motion over the ground."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from captures import hero
from schemes import SCHEMES

from ossicle.base.arrays import Array
from ossicle.model.clip import TRANSLATION, Clip, Imported
from ossicle.model.mesh.mesh import Mesh
from ossicle.model.rotations import multiply, rotate

STEPS_M = {"Walk": 0.04, "Run": 0.095}  # by which a foot on the ground moves backward in a frame
CYCLES = 3


def over_ground(*names: str, turn: Array | None = None) -> Imported:
    """Returns cycles of clips that travel. turn: a rotation [4] of the motion."""
    return replace(hero(), clips=[_travelling(clip, turn) for clip in hero().clips if clip.name in names])


def _travelling(clip: Clip, turn: Array | None) -> Clip:
    once = np.asarray(clip.frames)
    frames = np.concatenate([once[:-1]] * CYCLES + [once[-1:]])
    frames[:, 0, TRANSLATION.stop - 1] += STEPS_M.get(clip.name, 0.0) * np.arange(len(frames))
    if turn is not None:
        frames[:, 0, :4] = multiply(turn, frames[:, 0, :4])
        frames[:, 0, TRANSLATION] = rotate(turn, frames[:, 0, TRANSLATION])
    return replace(clip, frames=frames, steps=np.zeros((len(frames), *clip.steps.shape[1:]), bool), curve=None)


def stocky() -> Imported:
    """Returns a character with short legs that are far apart."""
    skeleton = SCHEMES["KayKit"].skeleton()
    bind, names = skeleton.bind.copy(), list(skeleton.names)
    for side in ("l", "r"):
        bind[names.index(f"upperleg.{side}"), TRANSLATION] *= (1.9, 1.0, 1.0)
        for joint in ("lowerleg", "foot"):
            bind[names.index(f"{joint}.{side}"), 5] *= 0.5
    bind[names.index("hips"), 5] -= 0.41
    return Imported(replace(skeleton, bind=bind), [])


def long_shoes(character: Imported, cap_m: float = 0.0) -> Mesh:
    """Returns the corners of shoes on the ground, those in front far ahead of the toes, which move them; those in the
    middle move with foot and toes. cap_m: the height of the front, which is that of a cap."""
    names = list(character.skeleton.names)
    corners, joints = [], []
    for side, sign in (("l", 1.0), ("r", -1.0)):
        foot, toes = names.index(f"foot.{side}"), names.index(f"toes.{side}")
        x = sign * 0.19
        for z, y, pair in ((-0.08, 0.0, (foot, foot)), (0.12, 0.0, (foot, toes)), (0.3, 0.0, (toes, toes)),
                           (0.3, cap_m, (toes, toes))):
            corners += [(x - 0.06, y, z), (x + 0.06, y, z)]
            joints += [(*pair, 0, 0)] * 2
    count = len(corners)
    weights = np.tile([0.5, 0.5, 0.0, 0.0], (count, 1))
    nothing = np.zeros((0, 3))
    return Mesh(np.array(corners), np.zeros((count, 3)), np.array(joints), weights, nothing.astype(int),
                np.zeros(0, int), nothing, nothing)
