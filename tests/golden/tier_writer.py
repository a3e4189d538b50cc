"""Writes tiers (runtime/SPEC.md section 15): versions of clips and keys of dense clips, in chunks."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bank_writer import BitWriter, Clip, Skeleton, clip_data, clip_shape
from fixed import crc32

Section = tuple[bytes, bool, list[int]]


@dataclass
class Chunk:
    """What a tier has of a block of a clip. codec: 0 for keys."""

    clip: int
    block: int
    codec: int
    words: list[int]


def version_chunk(skeleton: Skeleton, number: int, block: int, version: Clip) -> Chunk:
    """A version of clip `number`."""
    return Chunk(number, block, version.codec, [clip_shape(version), *clip_data(skeleton, version), 0])


def key_chunks(number: int, keys: Sequence[BitWriter]) -> list[list[Chunk]]:
    """The keys of a dense clip, by tier."""
    return [[Chunk(number, 0, 0, [*bits.words(), 0])] if bits.length else [] for bits in keys]


def tier_sections(tiers: Sequence[Sequence[Chunk]], block_log2: int = 31, there: Collection[int] | None = None,
                  errors: Sequence[int] = ()) -> list[Section]:
    """TIER, and the tiers of these numbers, all if none are named. errors: Q20, of the base and with each tier."""
    said = [*errors, *[0] * (len(tiers) + 1 - len(errors))]
    table, entries, found = [len(tiers) | block_log2 << 8, said[0]], [], []
    for number, chunks in enumerate(tiers, 1):
        words: list[int] = []
        for chunk in sorted(chunks, key=lambda chunk: (chunk.clip, chunk.block)):
            entries.append([chunk.clip << 16 | chunk.block << 4 | chunk.codec, len(words), crc32(chunk.words)])
            words += chunk.words
        table += [len(words), len(entries), said[number]]
        if words and (there is None or number in there):
            found.append((b"TIE%d" % number, False, words))
    return [(b"TIER", False, [*table, *(word for entry in entries for word in entry)]), *found]
