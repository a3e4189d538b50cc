"""Clips of the demo character as captures of somebody else: .bvh files of a person with other joints, whose trunk and
arms are shorter."""
from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from ossicle.base.arrays import Array
from ossicle.export import bvh, gltf
from ossicle.importers.importer import read_clips
from ossicle.model.clip import TRANSLATION, Imported, Skeleton

HERO = Path(__file__).resolve().parents[2] / "codegen/demo/hero.glb"
LEG = {"upper_leg": "UpLeg", "lower_leg": "Leg", "foot": "Foot"}
NAMES = {"hips": "Hips", "spine": "Spine", "chest": "Spine1", "upper_chest": "Spine2", "neck": "Neck", "head": "Head",
         **{f"{side}_{ours}": f"{side.title()}{theirs}" for side in ("left", "right")
            for ours, theirs in {"upper_arm": "Arm", "lower_arm": "ForeArm", "hand": "Hand", **LEG}.items()}}
SHORTER = 0.85
BIND = "bind"


@lru_cache(maxsize=1)
def hero() -> Imported:
    return read_clips([HERO])


def capture_of(clip: str, step_m: float = 0.0) -> bytes:
    """Returns a clip, or two frames of the bind pose, as a .bvh file. step_m: forward motion in every frame."""
    skeleton, lengths = _person()
    read = next(read for read in hero().clips if clip in (read.name, BIND))
    frames = np.tile(hero().skeleton.bind, (2, 1, 1)) if clip == BIND else np.array(read.frames)
    frames[..., TRANSLATION] *= lengths[:, None]
    frames[:, 0, TRANSLATION.stop - 1] += step_m * np.arange(len(frames))
    return bvh.pack(skeleton, replace(read, frames=frames, steps=read.steps[:len(frames)]))


def bind_of_capture() -> bytes:
    """Returns the bind pose of the captures as a .glb file."""
    return gltf.pack(_person()[0], [])


def _person() -> tuple[Skeleton, Array]:
    """Returns the skeleton of the captures, and the lengths of its bones relative to the demo character's."""
    skeleton = hero().skeleton
    lengths = np.array([1.0 if name == "hips" or name.endswith(tuple(LEG)) else SHORTER for name in skeleton.names])
    bind = skeleton.bind.copy()
    bind[:, TRANSLATION] *= lengths[:, None]
    return Skeleton(tuple(NAMES[name] for name in skeleton.names), skeleton.parents, bind), lengths


def write_capture(path: Path, clip: str = "Walk", step_m: float = 0.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(capture_of(clip, step_m))
    return path
