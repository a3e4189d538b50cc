"""The characters of the toolbox's bench, which are generated. All have a skin."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from ossicle.model.clip import Clip, Imported, Skeleton

RATE_HZ = 30
FRAMES = 31

_TRUNK = (("hips", ""), ("spine", "hips"), ("spine_2", "spine"), ("chest", "spine_2"), ("neck", "chest"),
          ("head", "neck"), ("jaw", "head"))
_LIMBS = (("upper_leg", "hips"), ("lower_leg", "upper_leg"), ("foot", "lower_leg"), ("toes", "foot"),
          ("shoulder", "chest"), ("upper_arm", "shoulder"), ("lower_arm", "upper_arm"), ("hand", "lower_arm"))
_FINGERS = tuple((f"{finger}_{bone}", f"{finger}_{bone - 1}" if bone else "hand")
                 for finger in ("thumb", "index", "rest") for bone in range(3))

Joints = tuple[tuple[str, str], ...]  # names and the names of parents, which come first; "" for the root


@dataclass(frozen=True)
class Character:
    """turned, moved, scaled: the joints whose rotation, translation and scale the clips change. upper: patterns of the
    joints in the mask, whose weights rise over `feather` joints. angles: of each clip's swings, in radians. travel_m:
    how far joints move, in metres."""

    name: str
    joints: Joints
    turned: tuple[int, ...]
    moved: tuple[int, ...]
    scaled: tuple[int, ...] = ()
    upper: tuple[str, ...] = ("spine*", "chest", "*arm*")
    feather: int = 3
    angles: tuple[float, float, float] = (0.3, 0.4, 0.5)
    travel_m: float = 0.05

    @property
    def text(self) -> str:
        """How many joints it has, and what they do."""
        parts = [f"{len(changed)} {verb}" for changed, verb in (
            (self.turned, "rotate"), (self.moved, "move"), (self.scaled, "scale")) if changed]
        return f"{self.name}: {len(self.joints)} joints, of which {', '.join(parts)}"


def _body(trunk: Joints, limbs: Joints) -> Joints:
    """A trunk with the same limbs on both sides."""
    middle = {name for name, _ in trunk}
    return (*trunk, *((f"{side}_{name}", parent if parent in middle else f"{side}_{parent}")
                      for side in ("left", "right") for name, parent in limbs))


# A neck, head, jaw and nose, and pairs of small joints on the head and, every fourth, on the jaw.
_FACE = (("neck", ""), ("head", "neck"), ("jaw", "head"), ("nose", "head"),
         *((f"{side}_{pair}", "head" if pair % 4 else "jaw") for pair in range(128) for side in ("left", "right")))
_GAME = _body(_TRUNK, (*_LIMBS, *_FINGERS))
# The joints that the Knight of ../shared/corpus rotates and moves: runs of one to six, as in a rig with controls.
_KNIGHT_TURNED = (*range(28), *range(30, 34), *range(37, 41))
_KNIGHT_MOVED = (0, 1, 4, 8, 9, 13, 15, 19, *range(22, 28), *range(30, 35), *range(37, 41))

HIPS = Character("hips move", _GAME, tuple(range(len(_GAME))), (0,))
KNIGHT = Character("as the Knight", _GAME, _KNIGHT_TURNED, _KNIGHT_MOVED)
CAPTURE = Character("motion capture", _body(_TRUNK[:-1], _LIMBS), tuple(range(22)), (0,))
FACE = Character("face", _FACE, tuple(range(1, 260)), tuple(range(2, 260)), upper=("*_1*",), feather=0,
                 angles=(0.05, 0.06, 0.07), travel_m=0.005)
SCALING = Character("scaling", _GAME, _KNIGHT_TURNED, _KNIGHT_MOVED, (0, 3, 5, 6, *range(10, 14)))


def imported(character: Character) -> Imported:
    """Two clips of a second, in which every joint swings with a phase of its own, and one of three frames."""
    names = [name for name, _ in character.joints]
    parents = np.array([names.index(parent) if parent else -1 for _, parent in character.joints], np.int32)
    bind = np.zeros((len(names), 10))
    bind[:, 3], bind[:, 5], bind[:, 7:] = 1.0, 0.1, 1.0
    clips = [_clip(character, name, bind, index, count)
             for index, (name, count) in enumerate((("walk", FRAMES), ("wave", FRAMES), ("step", 3)))]
    inverse_bind = np.repeat(np.eye(4)[None], len(names), 0)
    for joint, parent in enumerate(parents):
        inverse_bind[joint, 1, 3] = (inverse_bind[parent, 1, 3] if parent >= 0 else 0.0) - bind[joint, 5]
    return Imported(Skeleton(tuple(names), parents, bind, inverse_bind), clips)


def _clip(character: Character, name: str, bind: np.ndarray, index: int, count: int) -> Clip:
    time = np.arange(count)[:, None] / RATE_HZ
    joint = np.arange(len(bind))[None, :]
    angle = character.angles[index] * np.sin(2.0 * np.pi * (1 + index) * time + joint + index)
    frames = np.repeat(bind[None], count, 0)
    axis = np.stack([np.cos(joint), np.sin(joint) * 0.8, np.sin(joint) * 0.6], -1)
    frames[:, :, :3] = np.sin(angle / 2)[..., None] * axis
    frames[:, :, 3] = np.cos(angle / 2)
    still = np.setdiff1d(joint, character.turned)
    frames[:, still, :4] = bind[still, :4]
    moved, scaled = list(character.moved), list(character.scaled)
    wave = np.sin(2.0 * np.pi * 2 * time + joint)
    frames[:, moved, 5] += character.travel_m * wave[:, moved]
    frames[:, scaled, 7:] *= (1.0 + 0.1 * wave[:, scaled])[..., None]
    return Clip(name, float(RATE_HZ), frames, np.zeros((count, len(bind), 3), bool), "toolbox")
