"""The characters of the toolbox's bench: 41 joints, all of which turn, and hips that move; and the same joints as in a
rig that moves many of them, of which 36 turn and 23 move. Both have a skin."""
from __future__ import annotations

import numpy as np
from ossicle.model.clip import Clip, Imported, Skeleton

RATE_HZ = 30
FRAMES = 31
# The joints that turn and those that move in the second character: runs of one to six, as in a rig with controls.
TURNED = (*range(28), *range(30, 34), *range(37, 41))
MOVED = (0, 1, 4, 8, 9, 13, 15, 19, *range(22, 28), *range(30, 35), *range(37, 41))
_TRUNK = (("hips", ""), ("spine", "hips"), ("spine_2", "spine"), ("chest", "spine_2"), ("neck", "chest"),
          ("head", "neck"), ("jaw", "head"))
_LIMBS = (("upper_leg", "hips"), ("lower_leg", "upper_leg"), ("foot", "lower_leg"), ("toes", "foot"),
          ("shoulder", "chest"), ("upper_arm", "shoulder"), ("lower_arm", "upper_arm"), ("hand", "lower_arm"),
          *((f"{finger}_{bone}", f"{finger}_{bone - 1}" if bone else "hand")
            for finger in ("thumb", "index", "rest") for bone in range(3)))


def joints() -> list[tuple[str, str]]:
    """Names and the names of parents, which come first; "" for the root."""
    middle = {name for name, _ in _TRUNK}
    return [*_TRUNK, *((f"{side}_{name}", parent if parent in middle else f"{side}_{parent}")
                       for side in ("left", "right") for name, parent in _LIMBS)]


def character(moves: bool = False) -> Imported:
    """Two clips of a second, in which every joint swings with a phase of its own, and one of three frames. moves: the
    second character."""
    names = [name for name, _ in joints()]
    parents = np.array([names.index(parent) if parent else -1 for _, parent in joints()], np.int32)
    bind = np.zeros((len(names), 10))
    bind[:, 3], bind[:, 5], bind[:, 7:] = 1.0, 0.1, 1.0
    clips = [_clip(name, bind, index, FRAMES, moves) for index, name in enumerate(("walk", "wave"))]
    clips.append(_clip("step", bind, 2, 3, moves))
    inverse_bind = np.repeat(np.eye(4)[None], len(names), 0)
    for joint, parent in enumerate(parents):
        inverse_bind[joint, 1, 3] = (inverse_bind[parent, 1, 3] if parent >= 0 else 0.0) - bind[joint, 5]
    return Imported(Skeleton(tuple(names), parents, bind, inverse_bind), clips)


def _clip(name: str, bind: np.ndarray, index: int, count: int, moves: bool) -> Clip:
    time = np.arange(count)[:, None] / RATE_HZ
    joint = np.arange(len(bind))[None, :]
    angle = (0.3 + 0.1 * index) * np.sin(2.0 * np.pi * (1 + index) * time + joint + index)
    frames = np.repeat(bind[None], count, 0)
    axis = np.stack([np.cos(joint), np.sin(joint) * 0.8, np.sin(joint) * 0.6], -1)
    frames[:, :, :3] = np.sin(angle / 2)[..., None] * axis
    frames[:, :, 3] = np.cos(angle / 2)
    if moves:
        still = np.setdiff1d(joint, TURNED)
        frames[:, still, :4] = bind[still, :4]
    moved = list(MOVED) if moves else [0]
    frames[:, moved, 5] += 0.05 * np.sin(2.0 * np.pi * 2 * time + joint[:, moved])
    return Clip(name, float(RATE_HZ), frames, np.zeros((count, len(bind), 3), bool), "toolbox")
