"""Reads a bank (.ossb), checks it as strictly as the runtime does, and describes its content.

Numbers are the integers of the file: Q20 for the bind pose, frames for positions, words for offsets.
runtime/bank/osc_format.h defines the words and bit fields.
"""
from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

from ..base.codec import CODECS
from ..base.curve_names import curve_components, real_count
from ..base.format import number
from ..base.files.reading import read_file
from ..base.version import versions
from .additive import TAG as OVER
from .additive import Over, parse_over
from .assembling import CRC_WORD, HEADER_WORDS, REQUIRED, SECTION_ENTRY_WORDS
from .clips import ONE_Q11, Clip, parse_clips
from .events import TAG as EVENTS
from .events import Events, parse_events
from .graph.layout import TAG as GRAPH
from .graph.parsing import parse_graph
from .graph.records import Graph
from .names import read_names
from .tiers import TAGS as TIER_TAGS
from .tiers import Tier, TierSet, Version, parse_tiers, parse_versions
from .trajectories import TAG as TRAJECTORIES
from .trajectories import ClipTrajectory, parse_trajectories
from .units import parse_units
from .words import BankProblem, Section, popcount, unpack_words
from ..base.problem import one_line

__all__ = ["Bank", "BankProblem", "Joint", "describe", "parse_bank", "read_bank"]

MAGIC = number("BANK_MAGIC").to_bytes(4, "little")
MAX_SECTIONS = number("MAX_SECTIONS")
MAX_BANK_BYTES = 1 << 28
MAX_JOINTS = number("MAX_JOINTS")
NO_PARENT = number("NO_PARENT")
STATE_SHIFT = number("SKELETON_STATE_SHIFT")
FLAGS_MASK = (1 << STATE_SHIFT) - 1
HAS_SCALE = number("SKELETON_HAS_SCALE")
MAX_STATE_WORDS = number("MAX_STATE_WORDS")
HELD_WORDS = number("HELD_WORDS")
PLAYER_STRUCT_BYTES = 92  # sizeof(osc_player) with 32-bit pointers
SKIN_WORDS = number("SKIN_WORDS")
ONE_Q20 = number("ONE_Q20")
BASE_ROW = "BASE"
KNOWN = ("SKEL", "CLIP", "DATA", BASE_ROW, "SKIN", "SKJN", "NAME", EVENTS, TRAJECTORIES, GRAPH, OVER, *TIER_TAGS)

TRACK_KINDS = ("rotation", "translation", "scale")


@dataclass(frozen=True)
class Joint:
    """A joint. parent: an index, or None for a root; bind: Q20 integers, rotation x y z w, translation x y z and, if
    the bank has scale, scale x y z; subtracks: for each of TRACK_KINDS, whether a clip of the bank moves it."""

    name: str
    parent: int | None
    bind: tuple[int, ...]
    subtracks: tuple[bool, bool, bool]


@dataclass(frozen=True)
class Bank:
    """A whole bank. words: the file as unsigned 32-bit words; subtracks: (kind, joint index) of every sub-track in row
    order; max_held: the largest number of tracks with a break at the same frame; state_words: the largest state of a
    clip's codec besides the rows; named: whether the bank has a names section (otherwise joints are named JOINT_<index>
    and clips CLIP_<hash>); inverse_bind: a row-major 3x4 matrix of Q20 integers per joint, or None without the section;
    skin_crc: the CRC-32 of that section, or 0; skin_joints: for each joint of the source's skin, in the skin's order,
    the joint that moves its vertices; versions: those in the tiers that the bank contains; over: the references of
    additive clips, by number; units: of each joint (units.py);
    graph: the animation graph, if it has one."""

    format: int
    crc: int
    words: tuple[int, ...]
    sections: tuple[Section, ...]
    joints: tuple[Joint, ...]
    has_scale: bool
    max_held: int
    state_words: int
    layout_crc: int
    subtracks: tuple[tuple[str, int], ...]
    clips: tuple[Clip, ...]
    named: bool
    inverse_bind: tuple[tuple[int, ...], ...] | None = None
    skin_crc: int = 0
    skin_joints: tuple[int, ...] = ()
    tier_set: TierSet = TierSet()
    versions: tuple[Version, ...] = ()
    events: Events = Events()
    trajectories: Mapping[int, ClipTrajectory] = field(default_factory=dict)
    over: Mapping[int, Over] = field(default_factory=dict)
    units: tuple[float, ...] | None = None
    graph: Graph | None = None

    def additive_text(self, clip: int) -> str | None:
        """Describes an additive clip, with its reference if the bank states it; None for other clips."""
        if not self.clips[clip].additive:
            return None
        return self.over[clip].text if clip in self.over else "additive"

    def mirror_text(self, clip: int) -> str | None:
        """Describes a mirror image; None for other clips."""
        return f"mirror image of {self.clips[clip - 1].name}" if self.clips[clip].mirrored else None

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """The tiers of the bank, in order."""
        return self.tier_set.tiers

    @cached_property
    def bind(self) -> list[list[int]]:
        """The bind pose: ten Q20 integers per joint, whether or not the bank has scale."""
        return [[*joint.bind, *(ONE_Q20,) * (10 - len(joint.bind))] for joint in self.joints]

    @cached_property
    def real_joints(self) -> int:
        """The number of joints without the curve joints, which follow them."""
        return real_count([joint.name for joint in self.joints])

    @property
    def size_bytes(self) -> int:
        """The size of the file in bytes."""
        return 4 * len(self.words)

    @property
    def codecs(self) -> tuple[str, ...]:
        """The codecs that a runtime needs for the clips and their versions in tiers; without clips delta, the
        smallest."""
        used = {clip.codec for clip in self.clips} | self.tier_set.codecs or {"delta"}
        return tuple(codec for codec in CODECS if codec in used)

    @property
    def has_base_row(self) -> bool:
        """True if the first keys of curve clips are differences from a base row."""
        return any(section.tag == BASE_ROW for section in self.sections)

    @property
    def played_codecs(self) -> tuple[str, ...]:
        """The codec of each clip and of each of their versions in tiers."""
        versions = (chunk.codec for tier in self.tiers for chunk in tier.chunks if chunk.codec)
        return (*(clip.codec for clip in self.clips), *versions)

    @property
    def row_words(self) -> int:
        """The words of one key row."""
        return _row_words(self.subtracks)

    @property
    def player_words(self) -> int:
        """The words of memory that a player needs, as osc_player_memory_words returns them."""
        rotations = sum(kind == "rotation" for kind, _ in self.subtracks)
        return 2 * self.row_words + rotations + HELD_WORDS * self.max_held + self.state_words

    @property
    def player_bytes(self) -> int:
        """The RAM of a player."""
        return player_bytes(self.player_words)


def player_bytes(player_words: int) -> int:
    """Returns the RAM of a player on a 32-bit machine: player_words of memory, and its osc_player."""
    return 4 * player_words + PLAYER_STRUCT_BYTES


def read_bank(path: Path) -> Bank:
    """Reads and checks the bank at `path`. Raises BankProblem (one line with the path) if it is invalid."""
    try:
        data = read_file(path, MAX_BANK_BYTES)
    except OSError as error:
        raise BankProblem(f"{path}: cannot be read ({error.strerror or error}); check the path") \
            from error
    return parse_bank(data, str(path))


def parse_bank(data: bytes, source: str = "bank") -> Bank:
    """Parses a bank and checks it completely. Raises BankProblem, which names `source` and the defect."""
    try:
        return _parse(data)
    except BankProblem as problem:
        raise BankProblem(one_line(f"{source}: {problem}")) from problem


def _parse(data: bytes) -> Bank:
    _check_header(data)
    words = unpack_words(data)
    sections = _parse_sections(words)
    by_tag = {section.tag: section for section in sections}
    for tag in ("SKEL", "CLIP", "DATA"):
        if tag not in by_tag:
            raise BankProblem(f"the section {tag} is missing; encode the bank again")

    skeleton = by_tag["SKEL"].cut(words)
    parents, bind, masks, has_scale, max_held, state_words = _parse_skeleton(skeleton)
    subtracks = tuple((TRACK_KINDS[kind], joint)
                      for kind in range(3) for joint in range(len(parents)) if masks[kind] >> joint & 1)
    if max_held > len(subtracks):
        raise BankProblem(f"{max_held} tracks break at the same frame, but the bank has only {len(subtracks)} "
                          "sub-tracks; encode the bank again")
    rotations = popcount(masks[0])
    clips = parse_clips(by_tag["CLIP"].cut(words), by_tag["DATA"].cut(words),
                        len(subtracks), rotations, max_held, state_words)
    tiers = parse_tiers(by_tag, words, clips)
    versions = parse_versions(tiers, by_tag, words, clips, (len(subtracks), rotations, max_held, state_words))
    skin = by_tag["SKIN"].cut(words) if "SKIN" in by_tag else ()
    if "SKIN" in by_tag and len(skin) != SKIN_WORDS * len(parents):
        raise BankProblem(f"the section SKIN has {len(skin)} words, but {len(parents)} joints need "
                          f"{SKIN_WORDS * len(parents)}; encode the bank again")
    _check_base_row(by_tag.get(BASE_ROW), subtracks)
    names, units = by_tag.get("NAME"), None
    if names is not None:
        first = 4 * names.offset
        joint_names, clip_names, rest = _parse_names(data[first:first + 4 * names.words], len(parents), len(clips))
        units = parse_units(rest, parents, len(parents) + len(clips))
        clips = tuple(clip.renamed(name) for clip, name in zip(clips, clip_names))
    else:
        joint_names = tuple(f"JOINT_{joint}" for joint in range(len(parents)))
    events = parse_events(by_tag.get(EVENTS), words, clips)
    return Bank(
        format=words[1], crc=words[CRC_WORD], words=words, sections=sections,
        joints=tuple(
            Joint(joint_names[j], parents[j], bind[j],
                  (bool(masks[0] >> j & 1), bool(masks[1] >> j & 1), bool(masks[2] >> j & 1)))
            for j in range(len(parents))),
        has_scale=has_scale, max_held=max_held, state_words=state_words,
        layout_crc=zlib.crc32(struct.pack(f"<{len(skeleton) - 2}I", *skeleton[2:])),
        subtracks=subtracks, clips=clips, named=names is not None,
        inverse_bind=tuple(tuple(map(_signed, skin[first:first + SKIN_WORDS]))
                           for first in range(0, len(skin), SKIN_WORDS)) or None,
        skin_crc=zlib.crc32(struct.pack(f"<{len(skin)}I", *skin)) if skin else 0,
        skin_joints=_parse_skin_joints(by_tag, words, joint_names), tier_set=tiers, versions=versions,
        events=events,
        trajectories=parse_trajectories(by_tag.get(TRAJECTORIES), words, clips),
        over=parse_over(by_tag.get(OVER), words, clips), units=units,
        graph=parse_graph(by_tag.get(GRAPH), words, clips, events.names, len(parents)))


def _check_header(data: bytes) -> None:
    if data[:4] != MAGIC or len(data) < 4 * HEADER_WORDS:
        raise BankProblem("is not an Ossicle bank; give the .ossb file that `ossicle encode` wrote")
    bank_format, size_bytes, crc = struct.unpack_from("<III", data, 4)
    if bank_format != versions().bank_format:
        raise BankProblem(f"has bank format {bank_format}, but this version of Ossicle reads format "
                          f"{versions().bank_format}; encode it again with this version")
    if size_bytes != len(data) or size_bytes % 4 != 0:
        raise BankProblem(f"is {len(data)} bytes long, but its header states {size_bytes}; copy or encode it again")
    actual = zlib.crc32(data[4 * CRC_WORD + 4:], zlib.crc32(data[:4 * CRC_WORD]))
    if actual != crc:
        raise BankProblem(f"is damaged: its CRC is {actual:08x}, but its header states {crc:08x}; copy or encode it "
                          "again")


def _parse_sections(words: tuple[int, ...]) -> tuple[Section, ...]:
    count = words[HEADER_WORDS - 1]
    end = HEADER_WORDS + count * SECTION_ENTRY_WORDS
    if count > MAX_SECTIONS or end > len(words):
        raise BankProblem(f"states {count} sections, which do not fit; encode the bank again")
    sections: list[Section] = []
    for first in range(HEADER_WORDS, HEADER_WORDS + count * SECTION_ENTRY_WORDS,
                       SECTION_ENTRY_WORDS):
        tag_word, position, size = words[first:first + SECTION_ENTRY_WORDS]
        tag = tag_word.to_bytes(4, "little").decode("latin-1")
        offset, required = position & ~REQUIRED, bool(position & REQUIRED)
        if offset < end or offset > len(words) or size > len(words) - offset:
            raise BankProblem(f"the section {tag!r} is outside the bank or overlaps another section; encode the bank "
                              "again")
        end = offset + size
        known = tag in KNOWN
        if not known and required:
            raise BankProblem(f"needs the section {tag!r}, which this version of Ossicle does not know; use the "
                              "version that wrote the bank")
        if known and any(section.tag == tag for section in sections):
            raise BankProblem(f"the section {tag} occurs twice; encode the bank again")
        sections.append(Section(tag, offset, size, required))
    return tuple(sections)


def _parse_skeleton(
    words: tuple[int, ...],
) -> tuple[list[int | None], list[tuple[int, ...]], list[int], bool, int, int]:
    """Returns the parents, bind records, the three sub-track masks as integers, has_scale, max_held and state_words."""
    if len(words) < 2:
        raise BankProblem("the skeleton section is empty; encode the bank again")
    joints, max_held = words[0] & 0xFFFF, words[0] >> 16
    flags, state_words = words[1] & FLAGS_MASK, words[1] >> STATE_SHIFT
    if not 1 <= joints <= MAX_JOINTS:
        raise BankProblem(f"the skeleton has {joints} joints, but 1 to {MAX_JOINTS} are possible; encode the bank "
                          "again")
    if flags & ~HAS_SCALE:
        raise BankProblem(f"the skeleton has unknown flags {flags & ~HAS_SCALE:#x}; encode the bank again")
    if state_words > MAX_STATE_WORDS:
        raise BankProblem(f"needs {state_words} words of codec state, but at most {MAX_STATE_WORDS} are possible; "
                          "encode the bank again")
    has_scale = bool(flags & HAS_SCALE)
    record = 10 if has_scale else 7
    parent_words, mask_words = (joints + 1) // 2, (joints + 31) // 32
    expected = 2 + parent_words + record * joints + 3 * mask_words
    if len(words) != expected:
        raise BankProblem(f"the skeleton section has {len(words)} words, but {joints} joints need {expected}; encode "
                          "the bank again")

    parents: list[int | None] = []
    for joint in range(joints):
        parent = words[2 + joint // 2] >> 16 * (joint & 1) & 0xFFFF
        if parent >= joint and parent != NO_PARENT:
            raise BankProblem(f"joint {joint} has the parent {parent}, but parents must precede their children; encode "
                              "the bank again")
        parents.append(None if parent == NO_PARENT else parent)
    first_bind = 2 + parent_words
    bind = [tuple(map(_signed, words[first:first + record]))
            for first in range(first_bind, first_bind + record * joints, record)]
    masks = []
    for kind in range(3):
        first = first_bind + record * joints + kind * mask_words
        mask = sum(word << 32 * i for i, word in enumerate(words[first:first + mask_words]))
        if mask >> joints:
            raise BankProblem(f"the {TRACK_KINDS[kind]} sub-tracks name joints beyond the {joints} "
                              "of the skeleton; encode the bank again")
        masks.append(mask)
    if masks[2] and not has_scale:
        raise BankProblem("has scale sub-tracks but no scale; encode the bank again")
    return parents, bind, masks, has_scale, max_held, state_words


def _check_base_row(section: Section | None, subtracks: Sequence[tuple[str, int]]) -> None:
    expected = (_row_words(subtracks) + 1) // 2
    if section is not None and section.words != expected:
        raise BankProblem(f"the section {BASE_ROW} has {section.words} words, but {len(subtracks)} sub-tracks need "
                          f"{expected}; encode the bank again")


def _row_words(subtracks: Sequence[tuple[str, int]]) -> int:
    return sum(4 if kind == "rotation" else 3 for kind, _ in subtracks)


def _signed(word: int) -> int:
    return word - (word >> 31 << 32)


def _parse_skin_joints(by_tag: dict[str, Section], words: tuple[int, ...], names: Sequence[str]) \
        -> tuple[int, ...]:
    joints = len(names)
    if "SKJN" not in by_tag:
        return tuple(range(real_count(names)))
    section = by_tag["SKJN"].cut(words)
    if not section or section[0] == 0 or len(section) != 1 + (section[0] + 1) // 2:
        raise BankProblem(f"the section SKJN of {len(section)} words does not match its number of joints; encode the "
                          "bank again")
    listed = struct.unpack_from(f"<{section[0]}H", struct.pack(f"<{len(section)}I", *section), 4)
    if max(listed, default=0) >= joints:
        raise BankProblem(f"the section SKJN names joint {max(listed)}, but the bank has {joints} joints; encode the "
                          "bank again")
    return listed


def _parse_names(section: bytes, joints: int, clips: int) -> tuple[tuple[str, ...], tuple[str, ...], bytes]:
    """Returns the joint names, the clip names and the bytes after them. The section contains two counts, then for each
    name the number of bytes that it shares with the previous one, its other bytes (UTF-8 together) and a zero byte."""
    if len(section) < 8 or struct.unpack_from("<II", section) != (joints, clips):
        raise BankProblem(f"the names section does not match {joints} joints and {clips} clips; encode the bank again")
    names, end = read_names(section, 8, joints + clips, "names",
                            lambda at: f"joint {at}" if at < joints else f"clip {at - joints}")
    return tuple(names[:joints]), tuple(names[joints:]), section[end:]


def describe(bank: Bank) -> dict[str, object]:
    """Returns the content of `ossicle inspect --json`. Sizes are in bytes, rates in frames per second; a break
    consists of frame, joint and kind of track."""
    names = [joint.name for joint in bank.joints]
    return {
        "format": bank.format,
        "bytes": bank.size_bytes,
        "crc": f"{bank.crc:08x}",
        "layout_crc": f"{bank.layout_crc:08x}",
        "skin_crc": f"{bank.skin_crc:08x}" if bank.inverse_bind else None,
        "skin_joints": [names[joint] for joint in bank.skin_joints],
        "has_scale": bank.has_scale,
        "state_words": bank.state_words,
        "base_error_mm": round(bank.tier_set.base_error_mm, 6) if bank.tiers else None,
        "block_frames": 1 << bank.tier_set.block_log2 if bank.tiers else None,
        "tiers": [{"bytes": 4 * tier.words, "in_bank": tier.there, "error_mm": round(tier.error_mm, 6),
                   "chunks": [{"clip": bank.clips[chunk.clip].name, "block": chunk.block,
                               "codec": chunk.codec, "bytes": 4 * chunk.words} for chunk in tier.chunks]}
                  for tier in bank.tiers],
        "player_bytes": bank.player_bytes,
        "sections": [{"tag": section.tag, "offset": 4 * section.offset, "bytes": 4 * section.words,
                      "required": section.required} for section in bank.sections],
        "joints": [{"name": joint.name, "parent": joint.parent,
                    "subtracks": [kind for kind, has in zip(TRACK_KINDS, joint.subtracks) if has]}
                   for joint in bank.joints[:bank.real_joints]],
        "curves": [{"name": curve.name, "joint": curve.joint, "at_rest": bank.joints[curve.joint].bind[4 + curve.axis]
                    / (1 << 20), "animated": bank.joints[curve.joint].subtracks[1]}
                   for curve in curve_components(names)],
        "clips": [{
            "name": clip.name, "hash": f"{clip.name_hash:08x}", "frames": clip.frame_count,
            "rate": clip.rate_q16 / 65536, "codec": clip.codec, "bytes": clip.size_bytes,
            "state_words": clip.state_words, "loop": clip.loop, "mode": clip.mode,
            "additive": bank.additive_text(number),
            "mirror_of": bank.clips[number - 1].name if clip.mirrored else None,
            "restart_frames": clip.restart_frames, "tiers": bank.tier_set.having(number),
            "animated_tracks": len(clip.tracks), "constant_tracks": len(clip.constant_subtracks),
            "breaks": [{"frame": frame, "joint": names[bank.subtracks[subtrack][1]],
                        "kind": bank.subtracks[subtrack][0]} for frame, subtrack in clip.breaks],
            "events": [{"name": event.name, "frame": event.position_q11 / ONE_Q11, "value": event.value,
                        "until": None if event.end_q11 is None else event.end_q11 / ONE_Q11}
                       for event in bank.events.of(number)],
            "trajectory": asdict(bank.trajectories[number]) if number in bank.trajectories else None,
        } for number, clip in enumerate(bank.clips)],
    }
