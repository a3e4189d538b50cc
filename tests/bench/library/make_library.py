"""Makes a synthetic library: any number of characters, each a .glb with any number of clips, and the library.toml that
builds them all.

    tests/bench/library/make_library.py FOLDER --characters 20 --clips 100 --seconds 2 --joints 22 --copies 5

Clips are two clips of a source in a row, each at a speed of its own and perhaps mirrored, with smooth noise on all
joints. The same arguments give the same bytes.
"""
from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "codegen")]

from ossicle.export.gltf import pack  # noqa: E402
from ossicle.base.sides import other_side  # noqa: E402
from ossicle.importers.importer import read_clips  # noqa: E402
from ossicle.model.clip import ROTATION, Clip, Imported, Skeleton  # noqa: E402

HERO = ROOT / "codegen/demo/hero.glb"
RATE = 30.0
SPEEDS = (0.7, 1.4)
ENDS = 4  # of chains, from which more joints hang
FADE = 8  # frames from one part of a clip to the next
NOISE_RAD = 0.03
WAVES_HZ = (0.3, 1.1, 2.3)  # of the noise
MIRRORED = np.array([1, -1, -1, 1, -1, 1, 1, 1, 1, 1], float)  # of a transform, across x


def with_joints(source: Imported, count: int) -> Imported:
    """The character with as many joints: the last ones are left out, or hang from those at the ends of its chains."""
    skeleton, have = source.skeleton, len(source.skeleton.names)
    keep = min(have, count)
    ends = sorted(set(range(have)) - set(map(int, skeleton.parents)), reverse=True)[:ENDS]
    parents = [*skeleton.parents[:keep], *(ends[more % len(ends)] for more in range(count - keep))]
    bind = np.concatenate([skeleton.bind[:keep], np.tile([0, 0, 0, 1, 0, 0.08, 0, 1, 1, 1], (count - keep, 1))])
    names = (*skeleton.names[:keep], *(f"more_{more}" for more in range(count - keep)))

    def frames(clip: Clip) -> np.ndarray:
        return np.concatenate([clip.frames[:, :keep], np.tile(bind[keep:], (len(clip.frames), 1, 1))], axis=1)
    return Imported(Skeleton(names, np.array(parents, np.int32), bind), [
        replace(clip, frames=frames(clip), steps=np.zeros((len(clip.frames), count, 3), bool), curve=None)
        for clip in source.clips if len(clip.frames) > 1])


def unit(frames: np.ndarray) -> np.ndarray:
    """The frames with unit rotations."""
    frames[..., ROTATION] /= np.linalg.norm(frames[..., ROTATION], axis=-1, keepdims=True)
    return frames


def part(clip: Clip, partners: Sequence[int], count: int, noise: np.random.Generator) -> np.ndarray:
    """Frames of a clip, which goes round, from any place, at any speed, perhaps mirrored."""
    at = (noise.uniform(0, len(clip.frames)) + noise.uniform(*SPEEDS) * np.arange(count)) % (len(clip.frames) - 1)
    before = at.astype(int)
    first, two = clip.frames[before], clip.frames[before + 1]
    signs = np.where(np.sum(first[..., ROTATION] * two[..., ROTATION], axis=-1, keepdims=True) < 0, -1.0, 1.0)
    two = np.concatenate([signs * two[..., ROTATION], two[..., 4:]], axis=-1)
    frame = unit(first + (at - before)[:, None, None] * (two - first))
    return frame[:, partners] * MIRRORED if noise.random() < 0.5 else frame


def noisy(frames: np.ndarray, noise: np.random.Generator) -> np.ndarray:
    """Frames whose joints are turned a little, smoothly."""
    seconds = np.arange(len(frames)) / RATE
    waves = np.sin(2 * np.pi * np.multiply.outer(seconds, WAVES_HZ)[:, None, None]
                   + noise.uniform(0, 2 * np.pi, (frames.shape[1], 3, len(WAVES_HZ))))
    half = NOISE_RAD / 2 * np.sum(waves * noise.uniform(0, 1, (frames.shape[1], 3, 1)), axis=-1) / len(WAVES_HZ)
    rotated = frames.copy()
    vector, scalar = frames[..., :3], frames[..., 3:4]
    rotated[..., :3] = vector + scalar * half + np.cross(half, vector)
    rotated[..., 3:4] = scalar - np.sum(half * vector, axis=-1, keepdims=True)
    return unit(rotated)


def make_clip(name: str, source: Imported, partners: Sequence[int], count: int, noise: np.random.Generator) -> Clip:
    """A clip of two parts, the second of which fades in."""
    first, second = (part(source.clips[noise.integers(len(source.clips))], partners, count, noise) for _ in range(2))
    share = np.clip((np.arange(count) - count // 2) / FADE, 0.0, 1.0)[:, None, None]
    signs = np.where(np.sum(first[..., ROTATION] * second[..., ROTATION], axis=-1, keepdims=True) < 0, -1.0, 1.0)
    second[..., ROTATION] *= signs
    frames = noisy(unit(first + share * (second - first)), noise)
    return Clip(name, RATE, frames, np.zeros((count, frames.shape[1], 3), bool), "")


def make_library(folder: Path, characters: int, clips: int, seconds: float, joints: int, copies: float = 0.0,
                 seed: int = 0, settings: str = 'effort = "fast"\n', source: Sequence[Path] = (HERO,)) -> None:
    """Writes the files. copies: the percentage of clips that are those of the character before, under other names."""
    varied = with_joints(read_clips(source), joints)
    names = varied.skeleton.names
    partners = [names.index(other_side(name, names) or name) for name in names]
    folder.mkdir(parents=True, exist_ok=True)
    text, before = settings, []
    for number in range(characters):
        noise = np.random.default_rng([seed, number])
        variants = [make_clip(f"clip_{number:04}_{clip:05}", varied, partners, round(seconds * RATE) + 1, noise)
                    for clip in range(clips)]
        for clip, old in enumerate(before[:round(clips * copies / 100)]):
            variants[clip] = replace(old, name=variants[clip].name)
        before = variants
        (folder / f"c{number:04}.glb").write_bytes(pack(varied.skeleton, variants))
        text += f'[character.c{number:04}]\ninputs = ["c{number:04}.glb"]\n'
    (folder / "library.toml").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--characters", type=int, default=20)
    parser.add_argument("--clips", type=int, default=100, help="of each character")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--joints", type=int, default=22)
    parser.add_argument("--copies", type=float, default=0.0, help="percentage of clips that are there twice")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--source", type=Path, nargs="+", default=[HERO], help="the character whose clips are varied")
    parser.add_argument("--settings", default='effort = "fast"\n', help="TOML for all characters")
    arguments = vars(parser.parse_args())
    make_library(**arguments)


if __name__ == "__main__":
    main()
