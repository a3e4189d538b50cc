"""Counts every bit of a bank: by joint, by clip, and in a clip by track."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from ..bank.clips import ENTRY_WORDS
from ..bank.assembling import HEADER_WORDS, SECTION_ENTRY_WORDS
from ..bank.file import SKIN_WORDS, TRACK_KINDS, Bank
from ..bank.tiers import ENTRY_WORDS as CHUNK_ENTRY_WORDS
from ..bank.tiers import TIERS, Chunk
from ..bank.words import Section
from ..base.arrays import Array
from ..encoding import native

GAPS = "gaps"  # the words between sections
WORD = 32
_HALF = 16
_CLIP_ENTRY = ENTRY_WORDS * WORD
_CHUNK_ENTRY = CHUNK_ENTRY_WORDS * WORD


@dataclass(frozen=True)
class TrackBits:
    """The bits of a track of a clip, animated or constant. kind: one of TRACK_KINDS; header: parameters of the track;
    keys: times, such as the gaps between keys, the kinds and numbers of codes, and breaks; values: the numbers from
    which its values are computed."""

    joint: int
    kind: str
    header: int
    keys: int
    values: int

    @property
    def total(self) -> int:
        return self.header + self.keys + self.values


@dataclass(frozen=True)
class ClipBits:
    """The bits of a clip, with its versions and keys in the tiers that the bank contains. entry: its entries in the
    directories, and its name; shared: data of no single track, such as counts, restart points, sizes of segments and
    padding; tracks: those that take bits, by joint and kind."""

    name: str
    entry: int
    shared: int
    tracks: tuple[TrackBits, ...]

    @property
    def total(self) -> int:
        return self.entry + self.shared + sum(track.total for track in self.tracks)


@dataclass(frozen=True)
class JointBits:
    """The bits of a joint outside the clips. bind: its bind pose, parent and flags of animated tracks; skin: its
    inverse bind matrix and its indices in the order of the skin."""

    bind: int
    skin: int
    name: int

    @property
    def total(self) -> int:
        return self.bind + self.skin + self.name


@dataclass(frozen=True)
class BankBits:
    """The bits of a bank. header: the file's header and section table; other: the rest of each section, by tag, and
    GAPS."""

    header: int
    joints: tuple[JointBits, ...]
    other: dict[str, int]
    clips: tuple[ClipBits, ...]

    @property
    def total(self) -> int:
        """All bits: 8 * bank.size_bytes."""
        return (self.header + sum(self.other.values()) + sum(joint.total for joint in self.joints)
                + sum(clip.total for clip in self.clips))


def bits_of(bank: Bank) -> BankBits:
    """Counts every bit of a bank. Raises NativeProblem without the encoder's library."""
    names = _name_bits(bank)
    joints = _joint_bits(bank, names)
    claimed = np.zeros(len(bank.words), np.uint32)
    counts = native.track_bits(np.array(bank.words, np.uint32), len(bank.clips), len(bank.subtracks), claimed)
    chunks = Counter(chunk.clip for tier in bank.tiers for chunk in tier.chunks)
    clips = tuple(  # counting fills `claimed`
        ClipBits(clip.name, _CLIP_ENTRY + _CHUNK_ENTRY * chunks[number] + name,
                 tracks=() if clip.mirrored else _tracks(bank, parts),
                 shared=sum(WORD * words - _set_bits(claimed[first:first + words]) for first, words in ranges))
        for number, (clip, name, parts, ranges) in enumerate(
            zip(bank.clips, names[len(joints):], counts, clip_ranges(bank))))
    header = WORD * (HEADER_WORDS + SECTION_ENTRY_WORDS * len(bank.sections))
    return BankBits(header, joints, _rest(bank, header, joints, names), clips)


def _name_bits(bank: Bank) -> list[int]:
    """Returns the bits of the names of all joints, then of all clips; zeros without names."""
    names = len(bank.joints) + len(bank.clips)
    if not bank.named:
        return [0] * names
    section = np.array(_section(bank, "NAME"), "<u4").tobytes()
    ends = [8]
    for _ in range(names):
        ends.append(section.index(b"\0", ends[-1] + 1) + 1)  # the first byte may be 0
    return [8 * (end - start) for start, end in zip(ends, ends[1:])]


def _section(bank: Bank, tag: str) -> Sequence[int]:
    """Returns the words of a section, none if the bank lacks it."""
    return next((section.cut(bank.words) for section in bank.sections if section.tag == tag), ())


def _joint_bits(bank: Bank, names: Sequence[int]) -> tuple[JointBits, ...]:
    in_skin = Counter(bank.skin_joints if _section(bank, "SKJN") else ())
    matrix = 0 if bank.inverse_bind is None else WORD * SKIN_WORDS
    return tuple(JointBits(_HALF + WORD * len(joint.bind) + len(TRACK_KINDS), matrix + _HALF * in_skin[index], name)
                 for index, (joint, name) in enumerate(zip(bank.joints, names)))


def data_ranges(bank: Bank) -> list[tuple[int, int]]:
    """Returns the first word and the number of words of each clip's data."""
    data = next(section for section in bank.sections if section.tag == "DATA")
    sizes = [clip.size_bytes // 4 for clip in bank.clips]
    end = data.offset + data.words - 1  # a word of zeros is last
    return list(zip(accumulate(sizes, initial=end - sum(sizes)), sizes))


def clip_ranges(bank: Bank) -> list[list[tuple[int, int]]]:
    """Returns the first word and the number of words of each part of each clip: its data, and chunks of tiers."""
    ranges = [[data_range] for data_range in data_ranges(bank)]
    for section, chunk in contained_chunks(bank):
        ranges[chunk.clip].append((section.offset + chunk.offset, chunk.words))
    return ranges


def contained_chunks(bank: Bank) -> Iterator[tuple[Section, Chunk]]:
    """Yields the chunks of the tiers that a bank contains."""
    for section in bank.sections:
        if section.tag in TIERS:
            yield from ((section, chunk) for chunk in bank.tiers[TIERS.index(section.tag)].chunks)


def _set_bits(words: Array) -> int:
    return int.from_bytes(words.tobytes(), "little").bit_count()


def _tracks(bank: Bank, counts: Array) -> tuple[TrackBits, ...]:
    """Returns the tracks of a clip. counts: bits by sub-track and part."""
    found = []
    for subtrack in np.flatnonzero(counts.any(axis=1)).tolist():
        kind, joint = bank.subtracks[subtrack]
        found.append(TrackBits(joint, kind, *counts[subtrack].tolist()))
    return tuple(sorted(found, key=lambda track: (track.joint, TRACK_KINDS.index(track.kind))))


def _rest(bank: Bank, header: int, joints: Sequence[JointBits], names: Sequence[int]) -> dict[str, int]:
    """Returns the rest of each section, and the gaps between them. names: the bits of all names."""
    taken = Counter(
        SKEL=sum(joint.bind for joint in joints),
        SKIN=WORD * SKIN_WORDS * len(bank.inverse_bind or ()),
        SKJN=_HALF * (len(bank.skin_joints) if _section(bank, "SKJN") else 0),
        NAME=sum(names),
        CLIP=_CLIP_ENTRY * len(bank.clips),
        DATA=8 * sum(clip.size_bytes for clip in bank.clips),
        TIER=_CHUNK_ENTRY * sum(len(tier.chunks) for tier in bank.tiers))
    for section, chunk in contained_chunks(bank):
        taken[section.tag] += WORD * chunk.words
    rest = Counter({GAPS: 8 * bank.size_bytes - header})
    for section in bank.sections:
        rest[GAPS] -= WORD * section.words
        rest[section.tag] += WORD * section.words
    return dict(+(rest - taken))
