"""The streaming tiers of a bank, which make its clips play more precisely (SPEC.md section 15)."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..base.codec import CODEC_NAMES
from ..base.format import number
from .clips import CODEC_MASK as SHAPE_CODEC_MASK
from .clips import ADDITIVE, CODEC_SHIFT, LAST_FRAME_MASK, LOOP, Clip, Content, parse_content
from .words import BankProblem, Section

TABLE = "TIER"
MAX_TIERS = number("MAX_TIERS")
TIERS = tuple(f"TIE{tier}" for tier in range(1, MAX_TIERS + 1))
TAGS = (TABLE, *TIERS)
HEADER_WORDS = number("TIERS_HEADER_WORDS")
BLOCK_SHIFT = number("TIERS_BLOCK_SHIFT")
BLOCK_LOG2_MAX = number("BLOCK_LOG2_MAX")
RECORD_WORDS = number("TIER_WORDS")
ENTRY_WORDS = number("CHUNK_ENTRY_WORDS")
CODEC_MASK = number("CHUNK_CODEC_MASK")
NUMBER_SHIFT = number("CHUNK_BLOCK_SHIFT")
NUMBER_MASK = number("CHUNK_BLOCK_MASK")
CLIP_SHIFT = number("CHUNK_CLIP_SHIFT")
KEYS_LEAST_WORDS = number("CHUNK_LEAST_WORDS")
VERSION_LEAST_WORDS = number("VERSION_LEAST_WORDS")
MOST_WORDS = number("CLIP_OFFSET_MASK")
ONE_Q20 = number("ONE_Q20")
KEYED = "dense"  # the codec whose clips may have keys in tiers


@dataclass(frozen=True)
class Chunk:
    """A chunk of a tier. codec: that of a version of the clip, or None for keys of a dense clip; offset, words: its
    place in the tier."""

    clip: int
    block: int
    codec: str | None
    offset: int
    words: int
    crc: int


@dataclass(frozen=True)
class Tier:
    """A tier of a bank. there: whether the bank contains it; error_q20: the error of every clip, in metres, with this
    tier and those before it."""

    words: int
    error_q20: int
    chunks: tuple[Chunk, ...]
    there: bool

    @property
    def error_mm(self) -> float:
        return self.error_q20 * 1e3 / ONE_Q20


@dataclass(frozen=True)
class TierSet:
    """The tiers of a bank, in order. base_error_q20: the error without tiers; block_log2: clips of more than
    2**block_log2 frames have versions in blocks of this size."""

    tiers: tuple[Tier, ...] = ()
    base_error_q20: int = 0
    block_log2: int = BLOCK_LOG2_MAX

    @property
    def base_error_mm(self) -> float:
        return self.base_error_q20 * 1e3 / ONE_Q20

    def having(self, clip: int) -> list[int]:
        """Returns the numbers, from 1, of the tiers that contain data of a clip."""
        return [number for number, tier in enumerate(self.tiers, 1)
                if any(chunk.clip == clip for chunk in tier.chunks)]

    @property
    def codecs(self) -> set[str]:
        """The codecs of all versions in tiers."""
        return {chunk.codec for tier in self.tiers for chunk in tier.chunks if chunk.codec}


@dataclass(frozen=True)
class Version:
    """A version of a clip, or of a block of its frames. tier: from 1."""

    tier: int
    chunk: Chunk
    content: Content


def error_text(error_mm: float) -> str:
    """Formats an error, rounded up so that it remains a bound."""
    return f"{math.ceil(error_mm * 1e4) / 1e4:g}"


def block_count(frames: int, block_log2: int) -> int:
    """Returns the number of blocks of a clip."""
    return max(1, -(-(frames - 1) // (1 << block_log2)))


def block_frames(frames: int, block_log2: int, block: int) -> int:
    """Returns the number of frames of a block, including the one that it shares with the next block."""
    return min(frames - (block << block_log2), (1 << block_log2) + 1)


def parse_tiers(by_tag: Mapping[str, Section], words: tuple[int, ...],
                clips: Sequence[Clip]) -> TierSet:
    """Returns the tiers of a bank with these clips. Raises BankProblem."""
    if TABLE not in by_tag:
        _check_sections(by_tag, ())
        return TierSet()
    table = by_tag[TABLE].cut(words)
    form, error = table[:HEADER_WORDS] if len(table) >= HEADER_WORDS else (0, 0)
    count, block_log2 = form & (1 << BLOCK_SHIFT) - 1, form >> BLOCK_SHIFT
    first = HEADER_WORDS + RECORD_WORDS * count
    if not 1 <= count <= MAX_TIERS or block_log2 > BLOCK_LOG2_MAX or len(table) < first:
        raise BankProblem(f"the section {TABLE} of {len(table)} words has {count} tiers, but 1 to {MAX_TIERS} are "
                          "possible; encode the bank again")
    for index, clip in enumerate(clips):
        if block_count(clip.frame_count, block_log2) > NUMBER_MASK + 1:
            raise BankProblem(f"the section {TABLE} divides clip {index} into more than {NUMBER_MASK + 1} blocks; "
                              "encode the bank again")
    records = [table[i:i + RECORD_WORDS] for i in range(HEADER_WORDS, first, RECORD_WORDS)]
    entries = [table[i:i + ENTRY_WORDS] for i in range(first, len(table), ENTRY_WORDS)]
    ends = [0, *(end for _, end, _ in records)]
    if ends != sorted(ends) or len(table) != first + ENTRY_WORDS * ends[-1]:
        raise BankProblem(f"the section {TABLE} of {len(table)} words is too short for its {ends[-1]} chunks; encode "
                          "the bank again")
    tiers = []
    for tag, (size, end, tier_error), start in zip(TIERS, records, ends):
        chunks = _parse_chunks(tag, entries[start:end], size)
        for chunk in chunks:
            _check_chunk(tag, chunk, clips, block_log2)
        tiers.append(Tier(size, tier_error, chunks, tag in by_tag))
    _check_sections(by_tag, tiers)
    return TierSet(tuple(tiers), error, block_log2)


def _check_sections(by_tag: Mapping[str, Section], tiers: Sequence[Tier]) -> None:
    for tag, tier in zip(TIERS, tiers):
        if tag in by_tag and by_tag[tag].words != tier.words:
            raise BankProblem(f"the section {TABLE} states {tier.words} words for {tag}, which has a different size; "
                              "encode the bank again")
    for tag in TIERS[len(tiers):]:
        if tag in by_tag:
            raise BankProblem(f"has a section {tag} that {TABLE} does not list; encode the bank again")


def _parse_chunks(tag: str, entries: Sequence[tuple[int, ...]], size: int) -> tuple[Chunk, ...]:
    """Returns the chunks of a tier, which must be contiguous and ordered by their keys."""
    starts = [offset for _, offset, _ in entries]
    keys = [key & ~CODEC_MASK for key, _, _ in entries]
    if starts[:1] != [0][:len(starts)] or any(a >= b for a, b in zip(keys, keys[1:])) \
            or bool(entries) != bool(size) or size > MOST_WORDS:
        raise BankProblem(f"the chunks of {tag} are not contiguous in its {size} words; encode the bank again")
    return tuple(
        Chunk(key >> CLIP_SHIFT, key >> NUMBER_SHIFT & NUMBER_MASK, _codec(tag, key & CODEC_MASK), offset,
              end - offset, crc)
        for (key, offset, crc), end in zip(entries, [*starts[1:], size]))


def _codec(tag: str, codec: int) -> str | None:
    if codec != 0 and codec not in CODEC_NAMES:
        raise BankProblem(f"{tag} uses codec {codec}, which this version of Ossicle does not know; encode the bank "
                          "again")
    return CODEC_NAMES[codec] if codec else None


def _check_chunk(tag: str, chunk: Chunk, clips: Sequence[Clip], block_log2: int) -> None:
    if chunk.clip >= len(clips):
        raise BankProblem(f"{tag} has a chunk for clip {chunk.clip}, but the bank has {len(clips)} clips; encode the "
                          "bank again")
    clip = clips[chunk.clip]
    blocks = block_count(clip.frame_count, block_log2) if chunk.codec else int(clip.codec == KEYED)
    if chunk.block >= blocks or chunk.words < (VERSION_LEAST_WORDS if chunk.codec else KEYS_LEAST_WORDS):
        raise BankProblem(f"{tag} has a chunk of {chunk.words} words for block {chunk.block} of clip {chunk.clip}, "
                          "which is invalid; encode the bank again")


def parse_versions(tiers: TierSet, by_tag: Mapping[str, Section], words: tuple[int, ...], clips: Sequence[Clip],
                   limits: tuple[int, int, int, int]) -> tuple[Version, ...]:
    """Parses the versions in the tiers that a bank contains. limits: its numbers of sub-tracks, of rotations, of tracks
    that may break at one frame, and of words of codec state. Raises BankProblem."""
    found: list[Version] = []
    for position, (tag, tier) in enumerate(zip(TIERS, tiers.tiers), 1):
        whole = by_tag[tag].cut(words) if tier.there and tier.chunks else ()
        for chunk in tier.chunks if whole else ():
            if chunk.codec is None:
                continue
            try:
                content = _parse_version(chunk, whole[chunk.offset:chunk.offset + chunk.words], clips[chunk.clip],
                                         tiers.block_log2, limits)
            except BankProblem as problem:
                raise BankProblem(f"{tag}: block {chunk.block} of clip {clips[chunk.clip].name} {problem}; encode the "
                                  "bank again") from problem
            found.append(Version(position, chunk, content))
    return tuple(found)


def _parse_version(chunk: Chunk, words: tuple[int, ...], clip: Clip, block_log2: int,
                   limits: tuple[int, int, int, int]) -> Content:
    shape, (subtracks, rotations, max_held, state_words) = words[0], limits
    frames = block_frames(clip.frame_count, block_log2, chunk.block)
    loop = clip.loop and block_count(clip.frame_count, block_log2) == 1
    if CODEC_NAMES.get(shape >> CODEC_SHIFT & SHAPE_CODEC_MASK) != chunk.codec or bool(shape & LOOP) != loop \
            or (shape & LAST_FRAME_MASK) + 1 != frames or bool(shape & ADDITIVE) != clip.additive:
        raise BankProblem(f"has a different codec, loop or number of frames than {TABLE} states, or differs from its "
                          "clip in being additive")
    content = parse_content(shape, words[1:], subtracks, rotations, max_held)
    if content.state_words > state_words:
        raise BankProblem(f"needs {content.state_words} words of codec state, but the bank states {state_words}")
    return content
