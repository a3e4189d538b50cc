"""Random tiers for random banks: keys of dense clips, and versions in all codecs that have nothing to do with the
clip whose place they take."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from bank_writer import Clip, Skeleton
from random_banks import random_clip
from random_codecs import CURVE, DENSE_KEYS, SPARSE, TRANSFORM, VELOCITY, random_codec_clip
from tiers.tier_writer import WHOLE, Chunk, Section, tier_sections, version_chunk

DELTA = 1
MOST_TIERS = 4
ALL_CODECS = (DELTA, CURVE, TRANSFORM, VELOCITY, SPARSE, DENSE_KEYS)
LOG2 = (0, 1, 2, 3, 5, WHOLE, WHOLE)


def _frames(clip: Clip, block: int, log2: int) -> int:
    return min(clip.frame_count - (block << log2), (1 << log2) + 1)


def _version(rng: Random, skeleton: Skeleton, clip: Clip, frames: int, codec: int) -> Clip:
    loop = clip.loop and frames == clip.frame_count
    if codec == DELTA:
        return replace(random_clip(rng, skeleton, "version", frames, loop), additive=clip.additive)
    return replace(random_codec_clip(rng, skeleton, "version", codec, frames, loop), additive=clip.additive)


def _tier(rng: Random, skeleton: Skeleton, clips: list[Clip], log2: int, codecs: Sequence[int],
          versions: list[Clip]) -> list[Chunk]:
    chunks = []
    for number, clip in enumerate(clips):
        if clip.codec == DENSE_KEYS and rng.random() < 0.5:
            chunks.append(Chunk(number, 0, 0, [rng.getrandbits(32) for _ in range(rng.choice([2, 3, 40]))]))
            continue
        blocks = max(1, -(-(clip.frame_count - 1) // (1 << log2)))
        density = rng.choice([0.0, 0.4, 1.0])
        for block in range(min(blocks, 12)):
            if rng.random() < density:
                versions.append(_version(rng, skeleton, clip, _frames(clip, block, log2), rng.choice(codecs)))
                chunks.append(version_chunk(skeleton, number, block, versions[-1]))
    return chunks


def random_tiers(rng: Random, skeleton: Skeleton, clips: list[Clip],
                 codecs: Sequence[int] = ALL_CODECS) -> tuple[list[Section], list[Clip]]:
    """The sections of the tiers that belong to a bank, some of which are not there, and the versions in them, in these
    codecs; often there are none."""
    count = rng.choice([0, 0, 1, 2, 3, MOST_TIERS])
    if count == 0:
        return [], []
    log2, versions = rng.choice(LOG2), []
    tiers = [_tier(rng, skeleton, clips, log2, codecs, versions) for _ in range(count)]
    there = [tier for tier in range(1, count + 1) if rng.random() < 0.8]
    return tier_sections(tiers, log2, [rng.getrandbits(31) for _ in range(count + 1)], there), versions
