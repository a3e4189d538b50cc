"""Writes the tiers of a bank (runtime/SPEC.md section 15): the directory, and the chunks behind each other."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bank_writer import BitWriter, Clip, Skeleton, clip_data, clip_shape
from fixed import crc32

WHOLE = 31  # log2 of a block's frames, where all of a clip is one block
Section = tuple[bytes, bool, list[int]]


@dataclass
class Chunk:
    """The part of a clip, or of a block of its frames, that a tier has. codec: 0 for keys."""

    clip: int
    block: int
    codec: int
    words: list[int]


def keys_chunk(clip: int, keys: BitWriter) -> Chunk:
    """The keys of a dense clip."""
    return Chunk(clip, 0, 0, [*keys.words(), 0, 0][:max(len(keys.words()) + 1, 2)])


def version_chunk(skeleton: Skeleton, clip: int, block: int, version: Clip) -> Chunk:
    """A version of a clip, or of a block of it."""
    return Chunk(clip, block, version.codec, [clip_shape(version), *clip_data(skeleton, version), 0])


def keys_chunks(clip: int, tiers: Sequence[BitWriter]) -> list[list[Chunk]]:
    """By tier, the keys of a clip; a tier has none if none went there or to higher ones."""
    return [[keys_chunk(clip, keys)] if any(above.length for above in tiers[number:]) else []
            for number, keys in enumerate(tiers)]


def tier_words(chunks: Sequence[Chunk]) -> list[int]:
    """A tier."""
    return [word for chunk in chunks for word in chunk.words]


def directory(tiers: Sequence[Sequence[Chunk]], block_log2: int = WHOLE,
              errors: Sequence[int] | None = None) -> list[int]:
    """The words of TIER. errors: Q20, of the base and with each tier."""
    errors = [0] * (len(tiers) + 1) if errors is None else errors
    records, entries = [], []
    for chunks, error in zip(tiers, errors[1:], strict=True):
        offset = 0
        for chunk in chunks:
            entries += [chunk.codec | chunk.block << 4 | chunk.clip << 16, offset, crc32(chunk.words)]
            offset += len(chunk.words)
        records += [offset, len(entries) // 3, error]
    return [len(tiers) | block_log2 << 8, errors[0], *records, *entries]


def tier_sections(tiers: Sequence[Sequence[Chunk]], block_log2: int = WHOLE, errors: Sequence[int] | None = None,
                  there: Sequence[int] | None = None) -> list[Section]:
    """TIER, and the tiers that the bank contains, by default all."""
    there = range(1, len(tiers) + 1) if there is None else there
    return [(b"TIER", False, directory(tiers, block_log2, errors)),
            *((b"TIE%d" % tier, False, tier_words(tiers[tier - 1])) for tier in there)]
