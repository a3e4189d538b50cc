"""Writes banks as runtime/SPEC.md defines them, from plain integers: nothing is fitted or optimised,
so that tests decide every bit. Far from the encoder on purpose."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fixed import MASK, crc32, fnv1a, rebuild, uwrap, wrap

FORMAT = 2
MOVING, VECTOR, SKIP = 4, 5, 6
RICE_ZERO = 15


@dataclass
class Track:
    """An animated subtrack. `frames` holds per frame the coded components as multiples of 2^shift: three integers for a
    rotation (the components other than the dropped one, in order) or vector; None, not at a restart point, stands for
    the one that the decoder predicts. For the moving packing each is (integers, dropped, negative, explicit); explicit
    asks for the three packing bits even where the decoder would guess right."""

    subtrack: int
    packing: int
    shift: int
    frames: list
    linear: bool = False
    rice: tuple[int, int, int] = (3, 3, 3)
    width: int = 32


@dataclass
class Constant:
    """A constant subtrack: grid integers, shift, and the dropped component (rotations) or width."""

    subtrack: int
    shift: int
    values: tuple[int, int, int]
    dropped: int = 3
    width: int = 32


@dataclass
class Clip:
    """A clip: tracks and constants by ascending subtrack, breaks as (frame, subtrack) ascending. The last
    frame of a loop, which is the first, has no row: tracks then have one frame less."""

    frame_count: int
    tracks: list[Track] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)
    breaks: list[tuple[int, int]] = field(default_factory=list)
    restart_log2: int = 31
    loop: bool = False
    layer: bool = False
    additive: bool = False
    mirrored: bool = False  # the clip before it, under another name
    rate: float = 30.0
    name: str = "clip"
    skips: int = 0  # records of no subtrack behind those of the tracks
    codec: int = 1
    header_bits: int = 0  # codecs 2 and 3: the stream as it is, which begins with this many bits of
    stream: list[int] = field(default_factory=list)  # headers, and restart points but the first
    restarts: list[int] = field(default_factory=list)

    @property
    def row_count(self) -> int:
        """The frames that are stored."""
        return self.frame_count - int(self.loop)


@dataclass
class Skeleton:
    """Joints with parents (-1: root), bind records (7 or 10 words a joint, Q20), and for each of
    rotation, translation, scale the joints that have a subtrack, ascending."""

    parents: list[int]
    bind: list[list[int]]
    subtracks: tuple[list[int], list[int], list[int]]
    has_scale: bool = False
    names: list[str] | None = None
    state_words: int = 0

    def rotation_subtracks(self) -> int:
        """Number of rotation subtracks; the others follow."""
        return len(self.subtracks[0])

    def subtrack_count(self) -> int:
        """Number of subtracks of all three kinds."""
        return sum(len(joints) for joints in self.subtracks)


class BitWriter:
    """Bits, least significant first, gathered into one big integer."""

    def __init__(self) -> None:
        self.value = 0
        self.length = 0

    def put(self, number: int, count: int) -> None:
        """Appends the low `count` bits of number; ValueError when it does not fit them."""
        if not -(1 << (count - 1)) <= number < 1 << count:
            raise ValueError(f"{number} does not fit {count} bits")
        self.value |= (number & ((1 << count) - 1)) << self.length
        self.length += count

    def put_rice(self, number: int, k: int) -> None:
        """Appends a Rice code of a signed number."""
        self.put_rice_unsigned(2 * number if number >= 0 else -2 * number - 1, k)

    def put_rice_unsigned(self, code: int, k: int) -> None:
        """Appends a Rice code, escaped where 15 ones would be reached."""
        ones = code >> k
        if ones >= 15:
            self.put(0x7FFF, 15)
            self.put(code, 32)
            return
        self.put((1 << ones) - 1, ones + 1)
        if k:
            self.put(code & ((1 << k) - 1), k)

    def words(self) -> list[int]:
        """The words, the last one filled with zeros."""
        return [(self.value >> at) & MASK for at in range(0, self.length, 32)]


def _largest(q: Sequence[int]) -> int:
    return max(range(4), key=lambda i: (abs(q[i]), -i))


def _put_track_frame(bits: BitWriter, track: Track, rows: list[list[int]], in_block: int) -> None:
    """Codes the next frame of a track; rows are what the decoder has made of the frames before."""
    frame = len(rows)
    values, dropped, negative = track.frames[frame], track.packing, False
    if track.packing == MOVING:
        values, dropped, negative, explicit = track.frames[frame]
        if in_block:
            guess = _largest(rows[-1])
            explicit = explicit or (dropped, negative) != (guess, rows[-1][guess] < 0)
            bits.put(int(explicit), 1)
        if explicit or not in_block:
            bits.put(dropped | (4 if negative else 0), 3)
    row = [0] * (3 if track.packing == VECTOR else 4)
    coded = [i for i in range(len(row)) if i != dropped or track.packing == VECTOR]
    for order, (i, value) in enumerate(zip(coded, values, strict=True)):
        if in_block == 0:
            bits.put(value, track.width)
        else:
            guess = rows[-1][i]
            if track.linear and in_block > 1:
                guess = wrap(2 * guess - rows[-2][i])
            predicted = wrap(guess + ((1 << track.shift) >> 1)) >> track.shift
            value = predicted if value is None else value
            residual = wrap(value - predicted)
            if track.rice[order] != RICE_ZERO:
                bits.put_rice(residual, track.rice[order])
            elif residual:
                raise ValueError(f"subtrack {track.subtrack} frame {frame}: residual {residual}, not zero")
        row[i] = wrap(value << track.shift)
    if track.packing != VECTOR:
        row[dropped] = rebuild([row[i] for i in coded]) * (-1 if negative else 1)
    rows.append(row)


def _put_constants(bits: BitWriter, skeleton: Skeleton, clip: Clip) -> None:
    bits.put_rice_unsigned(len(clip.constants), 3)
    following = 0
    for constant in clip.constants:
        bits.put_rice_unsigned(constant.subtrack - following, 2)
        following = constant.subtrack + 1
        width = constant.width
        if constant.subtrack < skeleton.rotation_subtracks():
            bits.put(constant.dropped, 2)
            bits.put(constant.shift, 5)
            width = 21 - constant.shift
        else:
            bits.put(constant.shift, 5)
            bits.put(width - 1, 5)
        for value in constant.values:
            bits.put(value, width)


def track_records(tracks: Sequence[Track]) -> list[int]:
    """The words of section 3.2, with skips where a gap needs them."""
    words, subtrack = [], 0
    for track in tracks:
        gap = track.subtrack - subtrack
        while gap > 63:
            words.append(SKIP << 5 | 63 << 26)
            gap -= 63
        word = track.shift | track.packing << 5 | int(track.linear) << 8
        for order, k in enumerate(track.rice):
            word |= k << (9 + 4 * order)
        words.append(word | (track.width - 1) << 21 | gap << 26)
        subtrack = track.subtrack + 1
    return words


def clip_data(skeleton: Skeleton, clip: Clip) -> list[int]:
    """The clip's words in DATA."""
    breaks = [frame << 12 | subtrack for frame, subtrack in clip.breaks]
    if clip.codec != 1:
        counts = clip.header_bits | len(breaks) << 18
        return [counts, *breaks, *clip.restarts, *clip.stream]
    bits, restarts = BitWriter(), []
    for record in [*track_records(clip.tracks), *[SKIP << 5] * clip.skips]:
        bits.put(record, 32)
    header_bits = bits.length
    _put_constants(bits, skeleton, clip)
    rows: list[list[list[int]]] = [[] for _ in clip.tracks]
    for frame in range(clip.row_count):
        in_block = frame % (1 << clip.restart_log2)
        if in_block == 0 and frame:
            restarts.append(bits.length)
        for track, track_rows in zip(clip.tracks, rows, strict=True):
            _put_track_frame(bits, track, track_rows, in_block)
    return [header_bits | len(breaks) << 18, *breaks, *restarts, *bits.words()]


def max_held(clips: Sequence[Clip]) -> int:
    """The most breaks at one frame of any clip."""
    frames = [[frame for frame, _ in clip.breaks] for clip in clips]
    return max((f.count(frame) for f in frames for frame in f), default=0)


def skeleton_section(skeleton: Skeleton, held: int) -> list[int]:
    """The words of SKEL."""
    count = len(skeleton.parents)
    parents = [uwrap(parent) & 0xFFFF for parent in skeleton.parents] + [0] * (count & 1)
    words = [count | held << 16, int(skeleton.has_scale) | skeleton.state_words << 8]
    words += [low | high << 16 for low, high in zip(parents[::2], parents[1::2], strict=True)]
    words += [uwrap(word) for record in skeleton.bind for word in record]
    for joints in skeleton.subtracks:
        mask = sum(1 << joint for joint in joints)
        words += [(mask >> (32 * i)) & MASK for i in range((count + 31) // 32)]
    return words


def row_words(skeleton: Skeleton) -> int:
    """The words of a key row."""
    return 3 * skeleton.subtrack_count() + skeleton.rotation_subtracks()


def name_section(skeleton: Skeleton, clips: Sequence[Clip]) -> list[int]:
    """The words of NAME; no name shares bytes with the one before."""
    text = "".join(f"\0{name}\0" for name in [*(skeleton.names or []), *(c.name for c in clips)])
    data = text.encode()
    data += bytes(-len(data) % 4)
    return [len(skeleton.parents), len(clips)] + [
        int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]


def write_sections(sections: Sequence[tuple[bytes, bool, Sequence[int]]], gap: int = 0) -> bytes:
    """A bank of (tag, required, words) sections in this order, `gap` zero words before each."""
    table, body, start = [], [], 5 + 3 * len(sections)
    for tag, required, words in sections:
        body += [0] * gap
        place = start + len(body) | (1 << 31 if required else 0)
        table += [int.from_bytes(tag, "little"), place, len(words)]
        body += words
    size = 4 * (start + len(body))
    head, tail = [0x4253534F, FORMAT, size], [len(sections), *table, *body]
    return b"".join(w.to_bytes(4, "little") for w in [*head, crc32(head + tail), *tail])


def clip_shape(clip: Clip) -> int:
    """The word of section 2.2 that says what a clip, or a version of it, is like."""
    shape = clip.frame_count - 1 | clip.codec << 20 | clip.restart_log2 << 24
    return shape | int(clip.additive) << 29 | int(clip.layer) << 30 | int(clip.loop) << 31


def write_bank(skeleton: Skeleton, clips: Sequence[Clip], gap: int = 0,
               extra: Sequence[tuple[bytes, bool, Sequence[int]]] = (),
               behind: Sequence[tuple[bytes, bool, Sequence[int]]] = (), versions: Sequence[Clip] = ()) -> bytes:
    """A whole bank. `extra` sections go before the known ones, others `behind` them; NAME is there when the skeleton
    has names. versions: those in tiers, whose breaks a player has to hold, too. ValueError when a value does not fit
    the bits that its description allows."""
    rates = list(dict.fromkeys(clip.rate for clip in clips))
    directory, data = [len(rates)], []
    for rate in rates:
        directory += [round(rate * 65536), round(rate * 2048 * 2**32 / 1e6)]
    offset = 0
    for clip in clips:
        offset = offset if clip.mirrored else len(data)
        directory += [fnv1a(clip.name.encode()), clip_shape(clip), offset | rates.index(clip.rate) << 26]
        data += [] if clip.mirrored else clip_data(skeleton, clip)
    data.append(0)  # in which no read begins
    sections = [*extra, (b"SKEL", True, skeleton_section(skeleton, max_held([*clips, *versions]))),
                (b"CLIP", True, directory), (b"DATA", True, data)]
    if skeleton.names is not None:
        sections.append((b"NAME", False, name_section(skeleton, clips)))
    return write_sections([*sections, *behind], gap)
