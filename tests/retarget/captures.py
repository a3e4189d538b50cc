"""Clips of the demo character as captures of somebody else: .bvh files of a person with other joints, whose trunk and
arms are shorter."""
from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from ossicle.export import bvh
from ossicle.importers.importer import read_clips
from ossicle.model.clip import TRANSLATION, Imported

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
    file = hero()
    skeleton, read = file.skeleton, next(read for read in file.clips if clip in (read.name, BIND))
    lengths = np.array([1.0 if name == "hips" or name.endswith(tuple(LEG)) else SHORTER for name in skeleton.names])
    frames, bind = np.array(read.frames), skeleton.bind.copy()
    if clip == BIND:
        frames = np.tile(bind, (2, 1, 1))
    frames[..., TRANSLATION] *= lengths[:, None]
    bind[:, TRANSLATION] *= lengths[:, None]
    frames[:, 0, TRANSLATION.stop - 1] += step_m * np.arange(len(frames))
    return bvh.pack(replace(skeleton, names=tuple(NAMES[name] for name in skeleton.names), bind=bind),
                    replace(read, frames=frames, steps=read.steps[:len(frames)]))


def write_capture(path: Path, clip: str = "Walk", step_m: float = 0.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(capture_of(clip, step_m))
    return path
