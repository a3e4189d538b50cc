"""The finer versions of clips in those tiers that a bank contains (SPEC.md section 15)."""
from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..base.codec import CODEC_NAMES
from .clips import CODEC_MASK, CODEC_SHIFT, LAST_FRAME_MASK, LOOP, Clip, ClipData, parse_data
from .tiers import TIERS, Chunk, TierSet, block_count, block_frames
from .words import BankProblem, Section


@dataclass(frozen=True)
class Limits:
    """What a bank says of its clips, and of all their versions, too."""

    subtracks: int
    rotations: int
    max_held: int
    state_words: int


@dataclass(frozen=True)
class Version:
    """A version of a clip, or of a block of its frames. tier: from 1 on."""

    tier: int
    chunk: Chunk
    data: ClipData


def parse_versions(by_tag: Mapping[str, Section], words: tuple[int, ...], tier_set: TierSet,
                   clips: Sequence[Clip], limits: Limits) -> tuple[Version, ...]:
    """Checks and returns the versions in the tiers that a bank contains. Raises BankProblem."""
    return tuple(version for number, (tag, tier) in enumerate(zip(TIERS, tier_set.tiers), 1) if tag in by_tag
                 for version in _versions_of(number, by_tag[tag].cut(words), tier.chunks, tier_set, clips, limits))


def _versions_of(tier: int, words: tuple[int, ...], chunks: Sequence[Chunk], tier_set: TierSet,
                 clips: Sequence[Clip], limits: Limits) -> Iterator[Version]:
    view = memoryview(array("I", words))
    for chunk in chunks:
        if chunk.codec is None:
            continue
        clip = clips[chunk.clip]
        try:
            yield Version(tier, chunk, _parse(view[chunk.offset:chunk.offset + chunk.words], chunk, clip, tier_set,
                                              limits))
        except BankProblem as problem:
            raise BankProblem(f"{TIERS[tier - 1]}: the version of clip {chunk.clip}, block {chunk.block}, {problem}; "
                              "encode the bank again") from problem


def _parse(words: Sequence[int], chunk: Chunk, clip: Clip, tier_set: TierSet, limits: Limits) -> ClipData:
    shape = words[0]
    codec = CODEC_NAMES.get(shape >> CODEC_SHIFT & CODEC_MASK, "an unknown codec")
    found = codec, (shape & LAST_FRAME_MASK) + 1, bool(shape & LOOP)
    loop = clip.loop and block_count(clip.frame_count, tier_set.block_log2) == 1
    needed = chunk.codec, block_frames(clip.frame_count, tier_set.block_log2, chunk.block), loop
    if found != needed:
        raise BankProblem(f"is {_said(*found)}, where {_said(*needed)} is needed")
    data = parse_data(shape, words[1:], limits.subtracks, limits.rotations, limits.max_held)
    if data.state_words > limits.state_words:
        raise BankProblem(f"needs {data.state_words} words of codec state, the bank says {limits.state_words}")
    return data


def _said(codec: str, frames: int, loop: bool) -> str:
    return f"{codec} of {frames} frame{'s'[:frames > 1]}{', a loop' if loop else ''}"
