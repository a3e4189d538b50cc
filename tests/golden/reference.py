"""The reference: a decoder written from runtime/SPEC.md in plain Python integers. It checks a bank
as section 2.5 orders, and turns a clip and a position into pose words and model words."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import fixed
from bank_writer import Clip, Constant, Skeleton, Track, write_bank
from fixed import rebuild, uwrap, wrap

__all__ = ["BankError", "Clip", "Constant", "Decoder", "Skeleton", "Track", "write_bank"]

AS_MADE, ONCE, LOOP = 0, 1, 2
ERRORS = {"SIZE": -2, "MAGIC": -3, "FORMAT": -4, "CRC": -5, "SECTION": -6, "SKELETON": -7,
          "CLIP": -8}
TAGS = {0x4C454B53: "SKEL", 0x50494C43: "CLIP", 0x41544144: "DATA", 0x454D414E: "NAME"}


class BankError(Exception):
    """A bank that a reader must refuse; `code` is the OSC_ERROR_ value."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.code = ERRORS[kind]


def _require(condition: bool, kind: str, reason: str) -> None:
    if not condition:
        raise BankError(kind, reason)


@dataclass
class Record:
    """One track record, taken apart."""

    lane: int
    shift: int
    chart: int
    linear: bool
    rice: tuple[int, int, int]
    width: int


class Stream:
    """Reads bits as section 3.1 says, past the end too."""

    def __init__(self, words: Sequence[int], position: int) -> None:
        self.words = words
        self.position = position

    def peek(self) -> int:
        """V(p)."""
        i = min(self.position >> 5, len(self.words) - 2)
        return uwrap((self.words[i + 1] << 32 | self.words[i]) >> (self.position % 32))

    def take(self, count: int) -> int:
        """An unsigned number of 1..32 bits."""
        value = self.peek() % (1 << count)
        self.position = uwrap(self.position + count)
        return value

    def take_signed(self, count: int) -> int:
        """A two's complement number of 1..32 bits."""
        value = self.take(count)
        return value - (1 << count) if value >> (count - 1) else value

    def take_rice(self, k: int) -> int:
        """A Rice code of a signed number."""
        code = self.take_rice_unsigned(k)
        return -((code + 1) // 2) if code % 2 else code // 2

    def take_rice_unsigned(self, k: int) -> int:
        """A Rice code."""
        text = f"{self.peek():032b}"[::-1]
        ones = len(text) - len(text.lstrip("1"))
        if ones >= 15:
            self.position = uwrap(self.position + 15)
            code = self.take(32)
        else:
            code = (ones << k) + int("0" + text[ones + 1:ones + 1 + k][::-1], 2)
            self.position = uwrap(self.position + ones + 1 + k)
        return code


class ClipReader:
    """One clip: checked when made, decoded into true rows on demand (each row a list of lanes)."""

    def __init__(self, decoder: Decoder, entry: Sequence[int], data: Sequence[int]) -> None:
        self.decoder = decoder
        shape, place, size = entry[1], entry[4], entry[5]
        self.frame_count = shape % (1 << 21)
        self.loop = shape >> 31 == 1
        _require(1 <= self.frame_count <= 1 << 20, "CLIP", "frame count")
        _require(shape & 0x70E00000 == 0 and (shape >> 24) % 16 == 1, "CLIP", "shape")
        _require(place + size <= len(data) and size >= 2, "CLIP", "place")
        words = data[place:place + size]
        track_count, break_count = words[0] % 65536, words[0] >> 16
        self.restart_log2 = words[1]
        _require(self.restart_log2 <= 31, "CLIP", "restart spacing")
        restart_count = ((self.frame_count - 1) >> self.restart_log2) + 1
        ends = [2, track_count, break_count, restart_count]
        ends = [sum(ends[:i + 1]) for i in range(4)]
        _require(size >= ends[3] + 2, "CLIP", "size")
        self.restarts, self.stream = words[ends[2]:ends[3]], words[ends[3]:]
        _require(all(r >> 5 < len(self.stream) for r in self.restarts), "CLIP", "restart offset")
        self.breaks = self._breaks(words[ends[1]:ends[2]])
        self.records = self._records(words[2:ends[1]])
        self.base = self._constants()
        self.rows: dict[int, list[list[int]]] = {}

    def _breaks(self, words: Sequence[int]) -> dict[int, list[int]]:
        breaks: dict[int, list[int]] = {}
        _require(list(words) == sorted(set(words)), "CLIP", "breaks do not ascend")
        for word in words:
            frame, lane = word >> 12, word % 4096
            _require(1 <= frame < self.frame_count, "CLIP", "break frame")
            _require(lane < len(self.decoder.lanes), "CLIP", "break lane")
            breaks.setdefault(frame, []).append(lane)
        _require(all(len(lanes) <= self.decoder.max_held for lanes in breaks.values()), "CLIP",
                 "breaks at one frame")
        return breaks

    def _records(self, words: Sequence[int]) -> list[Record]:
        records, lane = [], 0
        for word in words:
            lane += word >> 26
            chart = (word >> 5) % 8
            if chart == 6:
                continue
            _require(lane < len(self.decoder.lanes) and chart != 7, "CLIP", "track record")
            rotation = lane < self.decoder.rotation_lanes
            _require(rotation == (chart <= 4), "CLIP", "chart of another kind")
            _require(not rotation or word % 32 <= 20, "CLIP", "shift")
            rice = tuple((word >> bit) % 16 for bit in (9, 13, 17))
            records.append(Record(lane, word % 32, chart, bool(word >> 8 & 1), rice,
                                  (word >> 21) % 32 + 1))
            lane += 1
        return records

    def _constants(self) -> list[list[int]]:
        stream = Stream(self.stream, 0)
        row = [list(bind) for bind in self.decoder.lanes]
        lane = -1
        for _ in range(stream.take_rice_unsigned(3)):
            lane += 1 + stream.take_rice_unsigned(2)
            if lane >= len(row):
                break
            bind = row[lane]
            if lane < self.decoder.rotation_lanes:
                dropped, shift = stream.take(2), min(stream.take(5), 20)
                kept = [wrap(stream.take_signed(22 - shift) << shift) for _ in range(3)]
                bind[:] = [*kept[:dropped], rebuild(kept), *kept[dropped:]]
            else:
                shift, width = stream.take(5), stream.take(5) + 1
                bind[:] = [wrap(stream.take_signed(width) << shift) for _ in range(3)]
        return row

    def _chart(self, stream: Stream, record: Record, previous: list[int] | None) -> tuple[int, bool]:
        if record.chart != 4:
            return record.chart, False
        if previous is None or stream.take(1):
            bits = stream.take(3)
            return bits % 4, bits >= 4
        dropped = max(range(4), key=lambda i: (abs(previous[i]), -i))
        return dropped, previous[dropped] < 0

    def _decode_block(self, block: int) -> None:
        """Decodes all frames between restart point `block` and the next."""
        start = block << self.restart_log2
        stream = Stream(self.stream, self.restarts[block])
        for frame in range(start, min(self.frame_count, start + (1 << self.restart_log2))):
            row = [list(lane) for lane in self.base]
            one = self.rows[frame - 1] if frame > start else None
            two = self.rows[frame - 2] if frame > start + 1 else None
            for record in self.records:
                lane = record.lane
                row[lane] = self._decode_track(stream, record, one and one[lane],
                                               two and two[lane])
            self.rows[frame] = row

    def _decode_track(self, stream: Stream, record: Record, one: list[int] | None,
                      two: list[int] | None) -> list[int]:
        dropped, negative = self._chart(stream, record, one)
        kept = []
        for i in range(3):
            component = i + (1 if i >= dropped else 0)
            if one is None:
                value = stream.take_signed(record.width)
            else:
                guess = one[component]
                if record.linear and two is not None:
                    guess = wrap(2 * guess - two[component])
                value = wrap(guess + ((1 << record.shift) >> 1)) >> record.shift
                if record.rice[i] != 15:
                    value = wrap(value + stream.take_rice(record.rice[i]))
            kept.append(wrap(value << record.shift))
        if record.chart == 5:
            return kept
        rebuilt = -rebuild(kept) if negative else rebuild(kept)
        return [*kept[:dropped], rebuilt, *kept[dropped:]]

    def row(self, frame: int) -> list[list[int]]:
        """The true row of a frame."""
        if frame not in self.rows:
            self._decode_block(frame >> self.restart_log2)
        return self.rows[frame]


class Decoder:
    """A checked bank. Raises BankError as section 2.5 says.

    pose(clip, position_q11, mode) gives the rotations of all joints (four words each), then the
    translations, then with has_scale the scales (three each), as signed words. model(...) gives
    12 words a joint. Modes: AS_MADE, ONCE, LOOP."""

    def __init__(self, bank: bytes) -> None:
        _require(len(bank) >= 20, "SIZE", "header")
        words = [int.from_bytes(bank[i:i + 4], "little") for i in range(0, len(bank) & ~3, 4)]
        _require(words[0] == 0x4253534F, "MAGIC", "magic")
        _require(words[1] == 1, "FORMAT", "format")
        _require(words[2] == len(bank) and len(bank) % 4 == 0, "SIZE", "size")
        _require(fixed.crc32(words[:3] + words[4:]) == words[3], "CRC", "crc")
        self.name_words: Sequence[int] | None = None
        sections = self._sections(words)
        self._skeleton(sections["SKEL"])
        directory = sections["CLIP"]
        _require(len(directory) % 6 == 0 and len(directory) // 6 <= 65535, "CLIP", "directory")
        self.clips = [ClipReader(self, directory[i:i + 6], sections["DATA"])
                      for i in range(0, len(directory), 6)]

    def _sections(self, words: Sequence[int]) -> dict[str, Sequence[int]]:
        count, found = words[4], {}
        _require(count <= 32 and 5 + 3 * count <= len(words), "SECTION", "count")
        end = 5 + 3 * count
        for i in range(5, end, 3):
            tag, place, size = words[i:i + 3]
            offset, required = place % (1 << 31), place >> 31
            _require(end <= offset and offset + size <= len(words), "SECTION", "place")
            end = offset + size
            name = TAGS.get(tag)
            if name == "NAME":
                self.name_words = words[offset:end]
            _require(name is not None or not required, "SECTION", "unknown and required")
            _require(name not in found, "SECTION", "twice")
            if name not in (None, "NAME"):
                found[name] = words[offset:end]
        _require(len(found) == 3, "SECTION", "missing")
        return found

    def _skeleton(self, words: Sequence[int]) -> None:
        _require(len(words) >= 2, "SKELETON", "size")
        joints, self.max_held = words[0] % 65536, words[0] >> 16
        _require(1 <= joints <= 1024 and words[1] <= 1, "SKELETON", "joints or flags")
        self.has_scale = words[1] == 1
        stride = 10 if self.has_scale else 7
        bind_at, mask_words = 2 + (joints + 1) // 2, (joints + 31) // 32
        masks_at = bind_at + joints * stride
        _require(len(words) == masks_at + 3 * mask_words, "SKELETON", "size")
        self.parents = [words[2 + j // 2] >> 16 * (j % 2) & 0xFFFF for j in range(joints)]
        _require(all(p < j or p == 0xFFFF for j, p in enumerate(self.parents)), "SKELETON",
                 "parents")
        self.bind = [[wrap(w) for w in words[i:i + stride]]
                     for i in range(bind_at, masks_at, stride)]
        self.has_lane: list[list[bool]] = []
        self.lanes: list[list[int]] = []  # bind value of every lane
        for kind, (first, last) in enumerate(((0, 4), (4, 7), (7, 10))):
            at = masks_at + kind * mask_words
            mask = sum(w << 32 * i for i, w in enumerate(words[at:at + mask_words]))
            _require(mask >> joints == 0, "SKELETON", "mask beyond the joints")
            _require(kind < 2 or self.has_scale or mask == 0, "SKELETON", "scale lanes")
            self.has_lane.append([bool(mask >> j & 1) for j in range(joints)])
            self.lanes += [bind[first:last]
                           for bind, has in zip(self.bind, self.has_lane[kind], strict=True) if has]
        self.rotation_lanes = sum(self.has_lane[0])
        _require(self.max_held <= len(self.lanes), "SKELETON", "max held")
        self.layout_crc = fixed.crc32(words)

    def names(self) -> tuple[list[str], list[str]]:
        """Joint names and clip names of NAME; ValueError where it is missing or malformed."""
        if self.name_words is None:
            raise ValueError("no NAME section")
        joints, clips, *text = self.name_words
        data = b"".join(word.to_bytes(4, "little") for word in text)
        *names, padding = data.split(b"\0", joints + clips)
        if (joints, clips) != (len(self.parents), len(self.clips)) or padding.strip(b"\0"):
            raise ValueError("NAME does not fit the bank")
        return [n.decode() for n in names[:joints]], [n.decode() for n in names[joints:]]

    def place(self, clip: int, position: int, mode: int = AS_MADE) -> tuple[int, int]:
        """Left frame and fraction of a position."""
        reader = self.clips[clip]
        end = (reader.frame_count - 1) * 2048
        if end and (mode == LOOP or (mode == AS_MADE and reader.loop)):
            return divmod(position % end, 2048)
        return divmod(max(0, min(position, end)), 2048)

    def pose(self, clip: int, position: int, mode: int = AS_MADE) -> list[int]:
        """The local pose at a position, see the class."""
        reader = self.clips[clip]
        left, a = self.place(clip, position, mode)
        right = min(left + 1, reader.frame_count - 1)
        x0, x1 = reader.row(left), list(reader.row(right))
        for lane in reader.breaks.get(right, []) if right == left + 1 else []:
            x1[lane] = x0[lane]
        lane, pose = 0, []
        for kind, (first, last) in enumerate(((0, 4), (4, 7), (7, 10))):
            for joint, bind in enumerate(self.bind):
                if not self.has_lane[kind][joint]:
                    pose += bind[first:last]
                    continue
                if kind == 0:
                    pose += fixed.blend_rotation(x0[lane], x1[lane], a)
                else:
                    pose += [fixed.lerp(l, r, a) for l, r in zip(x0[lane], x1[lane], strict=True)]
                lane += 1
        return pose

    def model(self, clip: int, position: int, mode: int = AS_MADE) -> list[int]:
        """The model matrices at a position, 12 words a joint."""
        pose, count = self.pose(clip, position, mode), len(self.parents)
        matrices: list[list[int]] = []
        for joint, parent in enumerate(self.parents):
            t = 4 * count + 3 * joint
            k = pose[t + 3 * count:t + 3 * count + 3] if self.has_scale else None
            local = fixed.local_matrix(pose[4 * joint:4 * joint + 4], pose[t:t + 3], k)
            root = parent == 0xFFFF
            matrices.append(local if root else fixed.matrix_multiply(matrices[parent], local))
        return [word for matrix in matrices for word in matrix]
