"""The clip directory of a bank and the data of each clip, as far as tools look into them."""
from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from .bank_curve import parse_curve
from .bank_delta import ROTATION_SHIFT_MAX, parse_delta
from .bank_transform import parse_transform
from .bank_words import BankProblem, BitReader, Track
from .codec import CODEC_NAMES

ENTRY_WORDS = 6
MAX_CLIPS = 0xFFFF
MAX_FRAMES = 1 << 20
FRAMES_MASK = 0x1FFFFF
RESERVED_MASK = 0x70E00000
LOOP = 0x80000000
DATA_HEADER_WORDS = 2
CONSTANT_COUNT_RICE = 3
CONSTANT_GAP_RICE = 2

_PARSERS = {"delta": parse_delta, "curve": parse_curve, "transform": parse_transform}


@dataclass(frozen=True)
class Clip:
    """One clip: rates are Q16 frames per second, positions Q11 frames; breaks are pairs of frame
    and lane; constant_lanes differ from the bind pose but do not move; state_words is what the
    codec keeps beside the rows."""

    name: str
    name_hash: int
    frame_count: int
    codec: str
    loop: bool
    rate_q16: int
    position_per_us_q32: int
    size_bytes: int
    restart_frames: int
    tracks: tuple[Track, ...]
    state_words: int
    constant_lanes: tuple[int, ...]
    breaks: tuple[tuple[int, int], ...]

    def renamed(self, name: str) -> Clip:
        """The clip under its real name; BankProblem if devices would look for another hash."""
        if name_hash(name) != self.name_hash:
            raise BankProblem(f"the clip {name!r} is filed under the hash {self.name_hash:08x}, "
                              f"its name gives {name_hash(name):08x}; encode the bank again")
        return dataclasses.replace(self, name=name)


def name_hash(name: str) -> int:
    """The hash by which the runtime finds clips: FNV-1a, 32 bits, over the UTF-8 bytes."""
    value = 2166136261
    for byte in name.encode("utf-8"):
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value


def parse_clips(directory: tuple[int, ...], data: tuple[int, ...], lanes: int,
                rotation_lanes: int, max_held: int, state_words: int) -> tuple[Clip, ...]:
    """Check the directory and all clip data; clips are named CLIP_<hash>. BankProblem."""
    count, rest = divmod(len(directory), ENTRY_WORDS)
    if rest or count > MAX_CLIPS:
        raise BankProblem(f"the clip directory has {len(directory)} words; encode the bank again")
    clips = []
    for i in range(count):
        entry = directory[i * ENTRY_WORDS:(i + 1) * ENTRY_WORDS]
        try:
            clips.append(_parse_clip(entry, data, lanes, rotation_lanes, max_held))
            if clips[-1].state_words > state_words:
                raise BankProblem(f"needs {clips[-1].state_words} words of codec state, the bank "
                                  f"says {state_words}")
        except BankProblem as problem:
            raise BankProblem(f"clip {i} (hash {entry[0]:08x}) {problem}; encode the bank again"
                              ) from problem
    return tuple(clips)


def _parse_clip(entry: tuple[int, ...], data: tuple[int, ...], lanes: int, rotation_lanes: int,
                max_held: int) -> Clip:
    hash_value, shape, rate_q16, position_per_us_q32, place, size = entry
    frames = shape & FRAMES_MASK
    if not 1 <= frames <= MAX_FRAMES:
        raise BankProblem(f"has {frames} frames, it may have 1 to {MAX_FRAMES}")
    if shape & RESERVED_MASK:
        raise BankProblem(f"has unknown flags {shape & RESERVED_MASK:#x}")
    codec = shape >> 24 & 0xF
    if codec not in CODEC_NAMES:
        raise BankProblem(f"uses codec {codec}, which this Ossicle does not know")
    if place > len(data) or size > len(data) - place or size < DATA_HEADER_WORDS:
        raise BankProblem(f"lies at words {place} to {place + size} of {len(data)}")
    words = data[place:place + size]

    track_count, break_count, log2 = words[0] & 0xFFFF, words[0] >> 16, words[1]
    if log2 > 31:
        raise BankProblem(f"has restart points every 2^{log2} frames")
    first_break = DATA_HEADER_WORDS + track_count
    first_restart = first_break + break_count
    first_stream = first_restart + (frames - 1 >> log2) + 1
    if len(words) - first_stream < 2:
        raise BankProblem(f"has {len(words)} words, its tables need {first_stream} and two more")
    stream = words[first_stream:]
    if any(position >> 5 >= len(stream) for position in words[first_restart:first_stream]):
        raise BankProblem("has a restart point beyond its stream")
    tracks, state_words = _parse_tracks(CODEC_NAMES[codec], words, track_count, lanes,
                                        rotation_lanes)
    moving = {track.lane for track in tracks}
    constant = [lane for lane in _constant_lanes(stream, lanes, rotation_lanes)
                if lane not in moving]
    return Clip(
        name=f"CLIP_{hash_value:08X}", name_hash=hash_value, frame_count=frames,
        codec=CODEC_NAMES[codec], loop=bool(shape & LOOP), rate_q16=rate_q16,
        position_per_us_q32=position_per_us_q32, size_bytes=4 * size, restart_frames=1 << log2,
        tracks=tracks, state_words=state_words, constant_lanes=tuple(constant),
        breaks=_parse_breaks(words[first_break:first_restart], frames, lanes, max_held))


def _parse_tracks(codec: str, words: tuple[int, ...], count: int, lanes: int,
                  rotation_lanes: int) -> tuple[tuple[Track, ...], int]:
    """The animated tracks and the words of state that their codec needs. count: record words;
    records that are bits may be read one word further."""
    end = DATA_HEADER_WORDS + count + (codec != "delta")
    return _PARSERS[codec](words[DATA_HEADER_WORDS:end], lanes, rotation_lanes)


def _parse_breaks(entries: tuple[int, ...], frames: int, lanes: int,
                  max_held: int) -> tuple[tuple[int, int], ...]:
    breaks: list[tuple[int, int]] = []
    same_frame = 0
    for entry in entries:
        frame, lane = entry >> 12, entry & 0xFFF
        if not 0 < frame < frames or lane >= lanes or breaks and (frame, lane) <= breaks[-1]:
            raise BankProblem(f"has a break at frame {frame} of {frames}, lane {lane} of {lanes}, "
                              "out of range or out of order")
        same_frame = same_frame + 1 if breaks and breaks[-1][0] == frame else 1
        if same_frame > max_held:
            raise BankProblem(f"breaks more than {max_held} tracks at frame {frame}")
        breaks.append((frame, lane))
    return tuple(breaks)


def _constant_lanes(stream: tuple[int, ...], lanes: int, rotation_lanes: int) -> list[int]:
    """The lanes that the beginning of the stream sets once for the whole clip."""
    bits = BitReader(stream)
    constant: list[int] = []
    lane = -1
    for _ in range(bits.take_rice_unsigned(CONSTANT_COUNT_RICE)):
        lane += 1 + bits.take_rice_unsigned(CONSTANT_GAP_RICE)
        if lane >= lanes:
            raise BankProblem(f"has a constant for lane {lane} of {lanes}")
        constant.append(lane)
        if lane < rotation_lanes:
            width = 22 - min(bits.take(7) >> 2, ROTATION_SHIFT_MAX)
        else:
            width = (bits.take(10) >> 5) + 1
        for _ in range(3):
            bits.take(width)
    return constant
