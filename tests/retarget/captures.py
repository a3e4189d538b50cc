"""Clips of the demo character as captures of somebody else: .bvh files whose joints have other names."""
from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ossicle.export import bvh
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Imported

HERO = Path(__file__).resolve().parents[2] / "codegen/demo/hero.glb"
NAMES = {"hips": "Hips", "spine": "Spine", "chest": "Spine1", "upper_chest": "Spine2", "neck": "Neck", "head": "Head",
         **{f"{side}_{ours}": f"{side.title()}{theirs}" for side in ("left", "right") for ours, theirs in (
             ("upper_arm", "Arm"), ("lower_arm", "ForeArm"), ("hand", "Hand"), ("upper_leg", "UpLeg"),
             ("lower_leg", "Leg"), ("foot", "Foot"))}}


@lru_cache(maxsize=1)
def hero() -> Imported:
    return read_clips([HERO])


def capture_of(clip: str) -> str:
    """Returns a clip as the text of a .bvh file."""
    file = hero()
    text = bvh.pack(file.skeleton, next(read for read in file.clips if read.name == clip)).decode("ascii")
    for ours, theirs in NAMES.items():
        for kind in ("ROOT", "JOINT"):
            text = text.replace(f"{kind} {ours}\n", f"{kind} {theirs}\n")
    return text


def write_capture(path: Path, clip: str = "Walk") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(capture_of(clip), encoding="ascii")
    return path
