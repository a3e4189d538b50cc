"""Parses the clip directory of a bank and the data of each clip, in the detail that tools need."""
from __future__ import annotations

import dataclasses
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from ..base.option_values import FULL_BODY, LAYER
from ..base.codec import CODEC_NAMES
from ..base.format import number
from .curve import parse_curve
from .delta import ROTATION_SHIFT_MAX, parse_delta
from .published.keys import parse_dense, parse_sparse
from .published.velocity import parse_velocity
from .transform import parse_transform
from .words import BankProblem, BitReader, Track

ONE_Q11 = number("ONE_Q11")  # one frame, as a position
RATE_WORDS = number("RATE_WORDS")
MAX_RATES = number("MAX_RATES")
ENTRY_WORDS = number("CLIP_ENTRY_WORDS")
MAX_CLIPS = 0xFFFF
MAX_BREAKS = number("MAX_BREAKS")  # per clip
LAST_FRAME_MASK = number("CLIP_LAST_FRAME_MASK")
ADDITIVE = number("CLIP_ADDITIVE")
LAYER_BIT = number("CLIP_LAYER")
LOOP = number("CLIP_LOOP")
CODEC_SHIFT = number("CLIP_CODEC_SHIFT")
CODEC_MASK = number("CLIP_CODEC_MASK")
RESTART_SHIFT = number("CLIP_RESTART_SHIFT")
RESTART_MASK = number("CLIP_RESTART_MASK")
OFFSET_MASK = number("CLIP_OFFSET_MASK")
RATE_SHIFT = number("CLIP_RATE_SHIFT")
HEADER_MASK = number("DATA_HEADER_MASK")
BREAK_FRAME_SHIFT = number("BREAK_FRAME_SHIFT")
BREAK_SUBTRACK_MASK = number("BREAK_SUBTRACK_MASK")
BREAKS_SHIFT = number("DATA_BREAKS_SHIFT")
CONSTANT_COUNT_RICE = number("CONSTANT_COUNT_RICE")
CONSTANT_GAP_RICE = number("CONSTANT_GAP_RICE")
CONSTANT_ROTATION_WIDTH = number("CONSTANT_ROTATION_WIDTH")  # the width of a component with shift 0

DENSE = "dense"  # the codec whose clips may have keys, and then shorter blocks, in tiers

_PARSERS = {"delta": parse_delta, "curve": parse_curve, "transform": parse_transform,
            "velocity": parse_velocity, "sparse": parse_sparse}


@dataclass(frozen=True)
class Clip:
    """A clip. Rates are Q16 frames per second, positions Q11 frames. breaks: pairs of frame and sub-track;
    constant_subtracks: sub-tracks that differ from the bind pose but do not move; state_words: the state of the codec
    besides the rows; additive: whether its poses are differences; mirrored: whether it is the mirror image of the
    previous clip, whose data it shares."""

    name: str
    name_hash: int
    frame_count: int
    codec: str
    loop: bool
    layer: bool
    rate_q16: int
    position_per_us_q32: int
    size_bytes: int
    restart_frames: int
    tracks: tuple[Track, ...]
    state_words: int
    constant_subtracks: tuple[int, ...]
    breaks: tuple[tuple[int, int], ...]
    additive: bool = False
    mirrored: bool = False

    @property
    def mode(self) -> str:
        """One of MODES. In full-body clips, joints compensate for the errors of others."""
        return LAYER if self.layer else FULL_BODY

    def renamed(self, name: str) -> Clip:
        """Returns the clip under its real name. Raises BankProblem if its hash is not that of the name."""
        if name_hash(name) != self.name_hash:
            raise BankProblem(f"clip {name!r} has the hash {self.name_hash:08x}, but its name has the hash "
                              f"{name_hash(name):08x}; encode the bank again")
        return dataclasses.replace(self, name=name)


def name_hash(name: str) -> int:
    """Returns the hash by which the runtime finds a clip: 32-bit FNV-1a over the UTF-8 bytes."""
    value = 2166136261
    for byte in name.encode("utf-8"):
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value


def parse_clips(directory: tuple[int, ...], data: tuple[int, ...], subtracks: int,
                rotations: int, max_held: int, state_words: int) -> tuple[Clip, ...]:
    """Checks the directory and all clip data. Returns the clips, named CLIP_<hash>. Raises BankProblem."""
    rate_count = directory[0] if directory else 0
    first = 1 + RATE_WORDS * rate_count
    count, rest = divmod(len(directory) - first, ENTRY_WORDS)
    if rate_count > MAX_RATES or count < 0 or rest or count > MAX_CLIPS:
        raise BankProblem(f"the clip directory has {len(directory)} words and {rate_count} rates; "
                          "encode the bank again")
    words = memoryview(array("I", data))  # sliced for every clip; slicing a tuple would copy it
    rates = [(directory[i], directory[i + 1]) for i in range(1, first, RATE_WORDS)]
    entries = [directory[i:i + ENTRY_WORDS] for i in range(first, len(directory), ENTRY_WORDS)]
    offsets = [entry[2] & OFFSET_MASK for entry in entries]
    clips: list[Clip] = []
    limits = (subtracks, rotations, max_held)
    for i, entry in enumerate(entries):
        end = next((offset for offset in offsets[i + 1:i + 3] if offset != offsets[i]), len(data) - 1)
        try:
            if i and offsets[i] == offsets[i - 1]:
                _check_mirror_image(entry, entries[i - 1], clips[-1])
                clips.append(dataclasses.replace(clips[-1], name=f"CLIP_{entry[0]:08X}", name_hash=entry[0],
                                                 mirrored=True,
                                                 size_bytes=0))
                continue
            clips.append(_parse_clip(entry, rates, words, end, limits))
            if clips[-1].state_words > state_words:
                raise BankProblem(f"needs {clips[-1].state_words} words of codec state, but the bank states "
                                  f"{state_words}")
        except BankProblem as problem:
            raise BankProblem(f"clip {i} (hash {entry[0]:08x}) {problem}; encode the bank again"
                              ) from problem
    return tuple(clips)


def _check_mirror_image(entry: tuple[int, ...], before: tuple[int, ...], clip: Clip) -> None:
    if clip.mirrored or clip.additive or entry[1:] != before[1:]:
        raise BankProblem("shares the data of the previous clip, but cannot be its mirror image")


@dataclass(frozen=True)
class Content:
    """The parsed data of a clip, or of its version in a tier; fields as in Clip."""

    tracks: tuple[Track, ...]
    state_words: int
    constant_subtracks: tuple[int, ...]
    breaks: tuple[tuple[int, int], ...]


def _parse_clip(entry: tuple[int, ...], rates: list[tuple[int, int]], data: Sequence[int],
                end: int, limits: tuple[int, int, int]) -> Clip:
    """Reads a clip. end: the offset of the next clip's data; limits: the bank's subtracks, rotations and max_held."""
    hash_value, shape, place = entry
    offset, rate = place & OFFSET_MASK, place >> RATE_SHIFT
    if rate >= len(rates):
        raise BankProblem(f"has rate {rate} of {len(rates)}")
    if not offset < end < len(data):
        raise BankProblem(f"lies at words {offset} to {end} of {len(data)}")
    content = parse_content(shape, data[offset:], *limits)
    return Clip(
        name=f"CLIP_{hash_value:08X}", name_hash=hash_value, frame_count=(shape & LAST_FRAME_MASK) + 1,
        codec=CODEC_NAMES[shape >> CODEC_SHIFT & CODEC_MASK], loop=bool(shape & LOOP), layer=bool(shape & LAYER_BIT),
        rate_q16=rates[rate][0], position_per_us_q32=rates[rate][1], size_bytes=4 * (end - offset),
        restart_frames=1 << (shape >> RESTART_SHIFT & RESTART_MASK), tracks=content.tracks,
        state_words=content.state_words, constant_subtracks=content.constant_subtracks, breaks=content.breaks,
        additive=bool(shape & ADDITIVE))


def parse_content(shape: int, data: Sequence[int], subtracks: int, rotations: int, max_held: int) -> Content:
    """Reads a clip's data, which may extend to the end of `data`. Raises BankProblem."""
    frames, loop = (shape & LAST_FRAME_MASK) + 1, bool(shape & LOOP)
    rows, codec = frames - loop, shape >> CODEC_SHIFT & CODEC_MASK
    if codec not in CODEC_NAMES:
        raise BankProblem(f"uses codec {codec}, which this version of Ossicle does not know")
    if rows == 0:
        raise BankProblem("is a loop of one frame")
    first_restart = 1 + (data[0] >> BREAKS_SHIFT)
    log2 = shape >> RESTART_SHIFT & RESTART_MASK
    first_stream = first_restart + (rows - 1 >> log2)
    stream, header_bits = data[first_stream:], data[0] & HEADER_MASK
    if len(stream) < 2:
        raise BankProblem(f"has {len(data)} words, but its tables need {first_stream} and two more")
    positions = data[first_restart:first_stream]
    if header_bits >> 5 >= len(stream) - 1 or any(position >> 5 >= len(stream) for position in positions):
        raise BankProblem("has constants or a restart point beyond its data")
    tables = (stream, header_bits, subtracks, rotations)
    tracks, state_words = parse_dense(*tables, log2) if CODEC_NAMES[codec] == DENSE \
        else _PARSERS[CODEC_NAMES[codec]](*tables)
    moving = {track.subtrack for track in tracks}
    constants = _constant_subtracks(stream, header_bits, subtracks, rotations)
    return Content(tracks, state_words, tuple(subtrack for subtrack in constants if subtrack not in moving),
                   _parse_breaks(data[1:first_restart], frames, subtracks, max_held))


def _parse_breaks(entries: Sequence[int], frames: int, subtracks: int,
                  max_held: int) -> tuple[tuple[int, int], ...]:
    breaks: list[tuple[int, int]] = []
    same_frame = 0
    for entry in entries:
        frame, subtrack = entry >> BREAK_FRAME_SHIFT, entry & BREAK_SUBTRACK_MASK
        if (not 0 < frame < frames or subtrack >= subtracks
                or breaks and (frame, subtrack) <= breaks[-1]):
            raise BankProblem(f"has a break at frame {frame} of {frames}, sub-track {subtrack} of "
                              f"{subtracks}, out of range or out of order")
        same_frame = same_frame + 1 if breaks and breaks[-1][0] == frame else 1
        if same_frame > max_held:
            raise BankProblem(f"breaks more than {max_held} tracks at frame {frame}")
        breaks.append((frame, subtrack))
    return tuple(breaks)


def _constant_subtracks(stream: Sequence[int], position: int, subtracks: int,
                        rotations: int) -> list[int]:
    """Returns the sub-tracks that are constant in the clip, whose values begin at this bit of the stream."""
    bits = BitReader(stream, position)
    constant: list[int] = []
    subtrack = -1
    for _ in range(bits.take_rice_unsigned(CONSTANT_COUNT_RICE)):
        subtrack += 1 + bits.take_rice_unsigned(CONSTANT_GAP_RICE)
        if subtrack >= subtracks:
            raise BankProblem(f"has an invalid constant for sub-track {subtrack} of {subtracks}")
        constant.append(subtrack)
        if subtrack < rotations:
            width = CONSTANT_ROTATION_WIDTH - min(bits.take(7) >> 2, ROTATION_SHIFT_MAX)
        else:
            width = (bits.take(10) >> 5) + 1
        for _ in range(3):
            bits.take(width)
    return constant
