"""The velocity codec, from runtime/published/SPEC.md section 11: the tracks of a block run frame by frame."""
from __future__ import annotations

from dataclasses import dataclass, field

from bit_stream import Stream, require
from fixed import dot, mul, rebuild, wrap

DIFFERENCE, SPEED, FULL, SEED = range(4)
ZERO = 15


@dataclass
class Track:
    """A track's header, and where its block has got to."""

    subtrack: int
    rotation: bool
    shift: int
    seed_shift: int
    seed_width: int
    gap_rice: int
    most_kind: int
    range_width: int | None
    rice: tuple[int, int, int]
    speed_precision: int
    full_width: int
    row: list[int] = field(default_factory=list)
    velocity: list[int] = field(default_factory=list)
    lasts: int = 0


def _read_header(stream: Stream, subtrack: int, before: int, rotation: bool) -> Track:
    shift = (before + stream.take_rice(0)) % 32
    seed_shift = stream.take(4)
    seed_width = 21 - seed_shift if rotation else stream.take(5) + 1
    gap_rice, most_kind = stream.take(3), stream.take(2)
    range_width, rice = None, (ZERO, ZERO, ZERO)
    if stream.take(1):
        range_width = stream.take(5) + 1
    else:
        rice = (stream.take(4), stream.take(4), stream.take(4))
    speed_precision = 6 + 2 * stream.take(2) if most_kind >= SPEED else 6
    full_width = stream.take(5) + 1 if most_kind >= FULL else 1
    return Track(subtrack, rotation, shift, seed_shift, seed_width, gap_rice, most_kind, range_width, rice,
                 speed_precision, full_width)


def turned(q: list[int], by: list[int]) -> list[int]:
    """The rotation q, turned by the velocity x y z in its own axes."""
    x, y, z, w = q
    a, b, c = by
    d = rebuild(by)
    out = [wrap(dot((w, x, y), (a, d, c)) - mul(z, b)), wrap(dot((w, y, z), (b, d, a)) - mul(x, c)),
           wrap(dot((w, z, x), (c, d, b)) - mul(y, a)), wrap(mul(w, d) - dot((x, y, z), (a, b, c)))]
    largest = max(range(4), key=lambda i: (abs(out[i]), -i))
    root = rebuild(out[:largest] + out[largest + 1:])
    out[largest] = -root if out[largest] < 0 else root
    return out


def _seed(stream: Stream, track: Track) -> list[int]:
    header = stream.take(3) if track.rotation else 0
    kept = [wrap(stream.take_signed(track.seed_width) << track.seed_shift) for _ in range(3)]
    if not track.rotation:
        return kept
    dropped, root = header % 4, rebuild(kept)
    return [*kept[:dropped], -root if header >= 4 else root, *kept[dropped:]]


def _begin(stream: Stream, track: Track) -> list[int]:
    track.row, track.velocity = _seed(stream, track), [0, 0, 0]
    track.lasts = stream.take_rice_unsigned(track.gap_rice)
    return track.row


def _difference(stream: Stream, track: Track, index: int) -> int:
    if track.range_width is not None:
        return stream.take_signed(track.range_width)
    return 0 if track.rice[index] == ZERO else stream.take_rice(track.rice[index])


def _take_key(stream: Stream, track: Track) -> list[int] | None:
    """Reads a key without its gap; the row, if it is a seed."""
    kind, v = stream.take_unary(track.most_kind), track.velocity
    if kind == SEED:
        return _seed(stream, track)
    if kind == SPEED:
        change, half = stream.take_signed(8), (1 << track.speed_precision) >> 1
        v = [wrap(value + (wrap(wrap(value * change) + half) >> track.speed_precision)) for value in v]
    elif kind == FULL:
        v = [wrap(stream.take_signed(track.full_width) << track.shift) for _ in v]
    else:
        v = [wrap(value + wrap(_difference(stream, track, i) << track.shift)) for i, value in enumerate(v)]
    track.velocity = v
    return None


def _follow(stream: Stream, track: Track) -> list[int]:
    """The row of the next frame."""
    seed = None
    if track.lasts == 0:
        seed = _take_key(stream, track)
        track.lasts = stream.take_rice_unsigned(track.gap_rice)
    else:
        track.lasts -= 1
    if seed is not None:
        track.row = seed
    elif track.rotation:
        track.row = turned(track.row, track.velocity)
    else:
        track.row = [wrap(x + v) for x, v in zip(track.row, track.velocity, strict=True)]
    return track.row


class VelocityTracks:
    """The animated tracks of a clip: checked when made, decoded by block. `clip` says what is common
    to all codecs (see reference.ClipReader)."""

    def __init__(self, clip) -> None:
        self.clip = clip
        self.tracks: list[Track] = []
        if clip.header_bits:
            self._read_headers()
            require(1 + 7 * len(self.tracks) <= clip.decoder.state_words, "CLIP", "state words")

    def _read_headers(self) -> None:
        decoder, stream = self.clip.decoder, Stream(self.clip.stream, 0)
        subtrack, shift = 0, 8
        for _ in range(stream.take(12)):
            subtrack += stream.take_rice_unsigned(0)
            require(subtrack < len(decoder.subtracks), "CLIP", "subtrack")
            track = _read_header(stream, subtrack, shift, subtrack < decoder.rotation_subtracks)
            self.tracks.append(track)
            subtrack, shift = subtrack + 1, track.shift
        require(stream.position <= self.clip.header_bits, "CLIP", "headers beyond their end")

    def rows(self, frame: int) -> dict[int, dict[int, list[int]]]:
        """The values of all animated subtracks at the frames of the block that `frame` is in."""
        block = frame >> self.clip.restart_log2
        start, end = block << self.clip.restart_log2, (block + 1) << self.clip.restart_log2
        stream = Stream(self.clip.stream, self.clip.restarts[block])
        return {f: {track.subtrack: list((_begin if f == start else _follow)(stream, track))
                    for track in self.tracks}
                for f in range(start, min(self.clip.row_count, end))}
