"""The transform codec, from runtime/SPEC.md section 10: any frame on its own, every segment of its
block is decoded again, coefficients included."""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bit_stream import Stream, require, signed
from fixed import near_unit, rebuild, turned, uwrap, wrap

SEGMENT = 8
FOUR, VECTOR = 12, 13
DIRECT = 60
ALWAYS, UP, DOWN, PLAIN = range(4)
NONE = 15
SPEC = Path(__file__).resolve().parents[2] / "runtime" / "SPEC.md"


@lru_cache(maxsize=1)
def weights() -> dict[tuple[int, int], list[int]]:
    """The table of section 10.4: (n, t) to w(0) .. w(n - 1)."""
    rows = re.findall(r"^\| (\d) \| (\d) \| ([-\d, ]+) \|$", SPEC.read_text(), re.MULTILINE)
    table = {(int(n), int(t)): [int(w) for w in row.split(",")] for n, t, row in rows}
    if sorted(table) != [(n, t) for n in range(2, 9) for t in range(1, n)]:
        raise ValueError("SPEC.md has no whole table of weights")
    return table


@dataclass
class Component:
    """A coded component: its header, then its fields in a segment."""

    step: int
    end_parameter: int
    most: int
    parameter: int
    mode: int
    start: int = 0
    chord: int = 0
    coefficients: Sequence[int] = ()


@dataclass
class Track:
    """A track: its header."""

    subtrack: int
    packing: int
    width: int
    end_grid: int
    components: list[Component]
    direct: bool = False


class _Near:
    """A field that is coded against its last value."""

    def __init__(self, first: int, bits: int) -> None:
        self.value, self.bits = first, bits

    def take(self, stream: Stream) -> int:
        if stream.take(1):
            if stream.take(1):
                self.value = stream.take(self.bits)
            else:
                self.value = (self.value + (1 if stream.take(1) else -1)) % (1 << self.bits)
        return self.value


def _read_headers(clip) -> tuple[list[Track], int]:
    """The tracks and Z + 1."""
    subtracks, rotation_subtracks = len(clip.decoder.subtracks), clip.decoder.rotation_subtracks
    stream = Stream(clip.stream, 0)
    count = stream.take(12)
    require(stream.take(3) == 0, "CLIP", "transform headers' zero bits")
    size_bits = stream.take(5) + 1
    width, end_grid = _Near(9, 5), _Near(2, 3)
    step, end_parameter, parameter = _Near(44, 6), _Near(3, 4), _Near(3, 4)
    tracks, subtrack = [], 0
    for _ in range(count):
        subtrack += _Near(0, 12).take(stream)
        require(subtrack < subtracks, "CLIP", "subtrack")
        packing = stream.take(4) if subtrack < rotation_subtracks else VECTOR
        require(subtrack >= rotation_subtracks or packing <= FOUR, "CLIP", "packing")
        track = Track(subtrack, packing, width.take(stream) + 1, end_grid.take(stream) + 1, [])
        for _ in range(4 if packing == FOUR else 3):
            e, end = step.take(stream), end_parameter.take(stream)
            most = stream.take(3)
            k, mode = (parameter.take(stream), stream.take(2)) if most else (0, ALWAYS)
            if not track.components:
                track.direct = e >= DIRECT
            size = 8 ** (e % 4) if track.direct else (4 + e % 4) << (e >> 2)
            track.components.append(Component(size, end, most, k, mode))
        tracks.append(track)
        subtrack += 1
    require(stream.position <= clip.header_bits, "CLIP", "headers beyond their end")
    return tracks, size_bits


def _coefficients(stream: Stream, component: Component, length: int) -> list[int]:
    most = min(component.most, max(length - 1, 0))
    if most == 0:
        return []
    count = most
    if component.mode == UP:
        count = stream.take_unary(most)
    elif component.mode == DOWN:
        count = most - stream.take_unary(most)
    elif component.mode == PLAIN:
        count = min(stream.take(3), most)
    quarter, values = 4 * component.parameter, []
    for _ in range(count):
        parameter = max(quarter, 0) >> 2
        code = stream.take_rice_unsigned(parameter)
        quarter -= (5, 4, 2, 0)[min(code >> parameter, 3)]
        values.append(signed(code))
    return values


def _value(component: Component, t: int, length: int) -> int:
    if t == 0:
        total = 0
    elif t == length:
        total = wrap(component.chord << 10)
    else:
        numbers = [component.chord, *component.coefficients]
        total = wrap(sum(w * x for w, x in zip(weights()[length, t], numbers, strict=False)))
    low = wrap((total % 1024) * component.step + 512) >> 10
    return wrap((component.start + (total >> 10)) * component.step + low)


def _direct_value(component: Component, t: int, length: int) -> int:
    offset = 0
    if t == length and t > 0:
        offset = component.chord
    elif 0 < t <= len(component.coefficients):
        offset = component.coefficients[t - 1]
    return wrap((component.start + offset) * component.step)


class TransformTracks:
    """The animated tracks of a clip: checked when made, decoded by frame. `clip` says what is
    common to all codecs (see reference.ClipReader)."""

    def __init__(self, clip) -> None:
        self.clip = clip
        self.tracks: list[Track] = []
        self.size_bits = 1
        self.sizes_fit = True  # whether every size read so far was that of the coefficients
        if clip.header_bits:
            self.tracks, self.size_bits = _read_headers(clip)
        state = 3 + sum(1 + sum(3 + c.most for c in t.components) for t in self.tracks)
        require(state <= clip.decoder.state_words, "CLIP", "state words")

    def _last_segment(self) -> int:
        return max(1, -(-(self.clip.row_count - 1) // SEGMENT)) - 1

    def _begins_block(self, segment: int) -> bool:
        return SEGMENT * segment % (1 << self.clip.restart_log2) == 0

    def _length(self, segment: int) -> int:
        return min(SEGMENT, self.clip.row_count - 1 - SEGMENT * segment)

    def _read_segment(self, stream: Stream, segment: int) -> None:
        for track in self.tracks:
            for component in track.components:
                if self._begins_block(segment):
                    component.start = wrap(stream.take_signed(track.width) * track.end_grid)
                else:
                    component.start = wrap(component.start + component.chord)
                component.chord = 0
                if component.end_parameter != NONE and self.clip.row_count > 1:
                    component.chord = wrap(stream.take_rice(component.end_parameter) * track.end_grid)
        following = None
        if segment < self._last_segment() and not self._begins_block(segment + 1):
            size = stream.take(self.size_bits)
            following = uwrap(stream.position + size)
        for track in self.tracks:
            for component in track.components:
                component.coefficients = _coefficients(stream, component, self._length(segment))
        if following is not None:
            self.sizes_fit = self.sizes_fit and following == stream.position
            stream.position = following

    def rows(self, frame: int) -> dict[int, dict[int, list[int]]]:
        """The values of all animated subtracks at the frames of the segment that begins at or before
        `frame`; a frame between two segments belongs to the second."""
        segment = min(frame // SEGMENT, self._last_segment())
        rows = self.segment_rows(segment)
        if segment != self._last_segment():
            del rows[SEGMENT * (segment + 1)]
        return rows

    def segment_rows(self, segment: int) -> dict[int, dict[int, list[int]]]:
        """The values of all animated subtracks at the frames of a segment, both ends included."""
        first = segment
        while not self._begins_block(first):
            first -= 1
        block = SEGMENT * first >> self.clip.restart_log2
        stream = Stream(self.clip.stream, self.clip.restarts[block])
        for index in range(first, segment + 1):
            self._read_segment(stream, index)
        start, length = SEGMENT * segment, self._length(segment)
        return {start + t: {track.subtrack: self._lane(track, t, length) for track in self.tracks}
                for t in range(length + 1)}

    def _lane(self, track: Track, t: int, length: int) -> list[int]:
        value = _direct_value if track.direct else _value
        values = [value(component, t, length) for component in track.components]
        if track.packing == VECTOR:
            return values
        if track.packing == FOUR:
            return near_unit(values)
        dropped = track.packing % 4
        return turned([*values[:dropped], rebuild(values), *values[dropped:]], track.packing // 4)
