"""Computes the memory for a clip's rows that many characters share, as osc_shared_rows_most_words does."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...bank.file import Bank
from ..named import Named

MOST_WORDS = 0x1fffffff  # 2 GiB, as in osc_shared_rows.c


@dataclass(frozen=True)
class SharedWords:
    """Words of a clip, and their macro."""

    identifier: str
    words: int


def plan_shared(bank: Bank, prefix: str, clips: Sequence[Named]) -> tuple[SharedWords, ...]:
    """Returns the words of each clip, as the runtime counts them with all tiers. Leaves out clips that are too large,
    and all clips of a bank without some of its tiers, whose versions are unknown."""
    found: list[SharedWords] = []
    if any(tier.words and not tier.there for tier in bank.tiers):
        return ()
    for number, clip in enumerate(clips):
        words = _most_words(bank, number)
        if words <= MOST_WORDS:
            found.append(SharedWords(f"{prefix}_SHARED_WORDS_{clip.identifier.removeprefix(f'{prefix}_CLIP_')}", words))
    return tuple(found)


def _most_words(bank: Bank, number: int) -> int:
    frames = bank.clips[number].frame_count
    rotations = sum(kind == "rotation" for kind, _ in bank.subtracks)
    seams = ((frames - 1) >> bank.tier_set.block_log2) + 1 + _breaking_frames(bank.clips[number].breaks)
    seams += sum(_breaking_frames(version.content.breaks) for version in bank.versions
                 if version.chunk.clip == number)
    return (frames + seams) * bank.row_words + frames * rotations + seams


def _breaking_frames(breaks: Sequence[tuple[int, int]]) -> int:
    return len({frame for frame, _ in breaks})
