"""The reference: a decoder written from runtime/SPEC.md in plain Python integers. It checks a bank
as section 2.6 orders, and turns a clip and a position into pose words and model words."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import fixed
from bank_writer import Clip, Constant, Skeleton, Track, write_bank
from bit_stream import BankError, Stream, require
from curve_reference import CurveTracks
from published.dense_reference import DenseTracks
from fixed import rebuild, wrap
from published.sparse_reference import SparseTracks
from tiers.tiers_reference import TAGS as TIER_TAGS
from tiers.tiers_reference import KEYS, Base, read_directory, tiers_there
from transform_reference import TransformTracks
from published.velocity_reference import VelocityTracks

__all__ = ["BankError", "Clip", "Constant", "Decoder", "Skeleton", "Track", "write_bank"]

AS_MADE, ONCE, LOOP = 0, 1, 2
DELTA, CURVE, TRANSFORM, VELOCITY, SPARSE, DENSE = range(1, 7)
TAGS = {0x4C454B53: "SKEL", 0x50494C43: "CLIP", 0x41544144: "DATA", 0x454D414E: "NAME",
        0x4E494B53: "SKIN", 0x52454954: "TIER", 0x45534142: "BASE",
        **{int.from_bytes(tag.encode(), "little"): tag for tag in TIER_TAGS}}
REQUIRED = {"SKEL", "CLIP", "DATA"}


@dataclass
class Record:
    """One track record, taken apart."""

    subtrack: int
    shift: int
    packing: int
    linear: bool
    rice: tuple[int, int, int]
    width: int


class DeltaTracks:
    """The animated tracks of a clip in the delta codec: checked when made, decoded by block."""

    def __init__(self, clip: ClipReader) -> None:
        self.clip = clip
        require(clip.header_bits % 32 == 0, "CLIP", "track records")
        self.records = self._records(clip.stream[:clip.header_bits // 32])

    def _records(self, words: Sequence[int]) -> list[Record]:
        records, subtrack = [], 0
        for word in words:
            subtrack += word >> 26
            packing = (word >> 5) % 8
            if packing == 6:
                continue
            require(subtrack < len(self.clip.decoder.subtracks) and packing != 7, "CLIP", "track record")
            rotation = subtrack < self.clip.decoder.rotation_subtracks
            require(rotation == (packing <= 4), "CLIP", "packing of another kind")
            require(not rotation or word % 32 <= 20, "CLIP", "shift")
            rice = tuple((word >> bit) % 16 for bit in (9, 13, 17))
            records.append(Record(subtrack, word % 32, packing, bool(word >> 8 & 1), rice, (word >> 21) % 32 + 1))
            subtrack += 1
        return records

    def _packing(self, stream: Stream, record: Record, previous: list[int] | None) -> tuple[int, bool]:
        if record.packing != 4:
            return record.packing, False
        if previous is None or stream.take(1):
            bits = stream.take(3)
            return bits % 4, bits >= 4
        dropped = max(range(4), key=lambda i: (abs(previous[i]), -i))
        return dropped, previous[dropped] < 0

    def rows(self, frame: int) -> dict[int, dict[int, list[int]]]:
        """The values of all animated subtracks at the frames of the block that `frame` is in."""
        block = frame >> self.clip.restart_log2
        start, end = block << self.clip.restart_log2, (block + 1) << self.clip.restart_log2
        stream = Stream(self.clip.stream, self.clip.restarts[block])
        rows: dict[int, dict[int, list[int]]] = {}
        for f in range(start, min(self.clip.row_count, end)):
            first, two = rows.get(f - 1, {}), rows.get(f - 2, {})
            rows[f] = {record.subtrack: self._decode_track(stream, record, first.get(record.subtrack),
                                                           two.get(record.subtrack))
                       for record in self.records}
        return rows

    def _decode_track(self, stream: Stream, record: Record, previous: list[int] | None,
                      two: list[int] | None) -> list[int]:
        dropped, negative = self._packing(stream, record, previous)
        kept = []
        for i in range(3):
            component = i + (1 if i >= dropped else 0)
            if previous is None:
                value = stream.take_signed(record.width)
            else:
                guess = previous[component]
                if record.linear and two is not None:
                    guess = wrap(2 * guess - two[component])
                value = wrap(guess + ((1 << record.shift) >> 1)) >> record.shift
                if record.rice[i] != 15:
                    value = wrap(value + stream.take_rice(record.rice[i]))
            kept.append(wrap(value << record.shift))
        if record.packing == 5:
            return kept
        rebuilt = -rebuild(kept) if negative else rebuild(kept)
        return [*kept[:dropped], rebuilt, *kept[dropped:]]


MADE = {DELTA: DeltaTracks, CURVE: CurveTracks, TRANSFORM: TransformTracks, VELOCITY: VelocityTracks,
        SPARSE: SparseTracks, DENSE: DenseTracks}


class ClipReader:
    """One clip, or a version of it: checked when made, decoded into true rows on demand (each row a list of
    subtracks). data: its words, and those behind them. keys: by tier, those that are there."""

    def __init__(self, decoder: Decoder, shape: int, data: Sequence[int]) -> None:
        self.decoder = decoder
        self.keys: dict[int, Sequence[int]] = {}
        self.frame_count = shape % (1 << 20) + 1
        self.restart_log2 = (shape >> 24) % 32
        self.loop = shape >> 31 == 1
        self.row_count = self.frame_count - 1 if self.loop else self.frame_count
        require(self.row_count > 0, "CLIP", "a loop of one frame")
        self.codec = (shape >> 20) % 16
        self.additive = (shape >> 29) % 2 == 1
        require(self.codec in MADE, "CLIP", "shape")
        self.header_bits, break_count = data[0] % (1 << 18), data[0] >> 18
        restarts_at = 1 + break_count
        stream_at = restarts_at + ((self.row_count - 1) >> self.restart_log2)
        require(stream_at + 2 <= len(data), "CLIP", "tables")
        self.stream = data[stream_at:]
        self.restarts = [self.header_bits, *data[restarts_at:stream_at]]
        require(self.header_bits >> 5 < len(self.stream) - 1, "CLIP", "headers in the last word")
        require(all(r >> 5 < len(self.stream) for r in self.restarts), "CLIP", "restart offset")
        self.breaks = self._breaks(data[1:restarts_at])
        self.tracks = MADE[self.codec](self)
        self.constants = self._constants()
        self.rows: dict[int, list[list[int]]] = {}

    def _breaks(self, words: Sequence[int]) -> dict[int, list[int]]:
        breaks: dict[int, list[int]] = {}
        require(list(words) == sorted(set(words)), "CLIP", "breaks do not ascend")
        for word in words:
            frame, subtrack = word >> 12, word % 4096
            require(1 <= frame < self.frame_count, "CLIP", "break frame")
            require(subtrack < len(self.decoder.subtracks), "CLIP", "break subtrack")
            breaks.setdefault(frame, []).append(subtrack)
        require(all(len(subtracks) <= self.decoder.max_held for subtracks in breaks.values()), "CLIP",
                "breaks at one frame")
        return breaks

    def _constants(self) -> list[list[int]]:
        """Reads the values of subtracks without a track; the first block follows."""
        stream = Stream(self.stream, self.header_bits)
        row = [list(rest) for rest in (self.decoder.nothing if self.additive else self.decoder.subtracks)]
        subtrack = -1
        for _ in range(stream.take_rice_unsigned(3)):
            subtrack += 1 + stream.take_rice_unsigned(2)
            if subtrack >= len(row):
                break
            bind = row[subtrack]
            if subtrack < self.decoder.rotation_subtracks:
                dropped, shift = stream.take(2), min(stream.take(5), 20)
                kept = [wrap(stream.take_signed(21 - shift) << shift) for _ in range(3)]
                bind[:] = [*kept[:dropped], rebuild(kept), *kept[dropped:]]
            else:
                shift, width = stream.take(5), stream.take(5) + 1
                bind[:] = [wrap(stream.take_signed(width) << shift) for _ in range(3)]
        self.restarts[0] = stream.position
        return row

    def row(self, frame: int) -> list[list[int]]:
        """The true row of a frame."""
        frame = frame if frame < self.row_count else 0
        if frame not in self.rows:
            for at, subtracks in self.tracks.rows(frame).items():
                self.rows[at] = [list(subtracks.get(i, base)) for i, base in enumerate(self.constants)]
        return self.rows[frame]


class Decoder:
    """A checked bank. Raises BankError as section 2.6 says.

    pose(clip, position_q11, mode) gives the rotations of all joints (four words each), then the
    translations, then with has_scale the scales (three each), as signed words. model(...) gives
    12 words a joint. Modes: AS_MADE, ONCE, LOOP."""

    def __init__(self, bank: bytes) -> None:
        require(len(bank) >= 20, "SIZE", "header")
        words = [int.from_bytes(bank[i:i + 4], "little") for i in range(0, len(bank) & ~3, 4)]
        require(words[0] == 0x4253534F, "MAGIC", "magic")
        require(words[1] == 2, "FORMAT", "format")
        require(words[2] == len(bank) and len(bank) % 4 == 0, "SIZE", "size")
        require(fixed.crc32(words[:3] + words[4:]) == words[3], "CRC", "crc")
        self.name_words: Sequence[int] | None = None
        sections = self._sections(words)
        self._skeleton(sections["SKEL"])
        skin = sections.get("SKIN")
        require(skin is None or len(skin) == 12 * len(self.parents), "SKELETON", "size of SKIN")
        self.base_row = sections.get("BASE")
        row_words = 3 * len(self.subtracks) + self.rotation_subtracks
        require(self.base_row is None or len(self.base_row) == (row_words + 1) // 2, "SECTION", "size of BASE")
        self.clips = self._clips(sections["CLIP"], sections["DATA"])
        self._tiers(sections)

    def base_numbers(self, subtrack: int) -> list[int]:
        """The numbers of a subtrack in the base row."""
        first = 3 * subtrack + min(subtrack, self.rotation_subtracks)
        halves = [word >> shift & 0xFFFF for word in self.base_row or () for shift in (0, 16)]
        end = first + (4 if subtrack < self.rotation_subtracks else 3)
        return [(half ^ 0x8000) - 0x8000 for half in halves[first:end]]

    def _clips(self, directory: Sequence[int], data: Sequence[int]) -> list[ClipReader]:
        require(len(directory) > 0 and directory[0] <= 64, "CLIP", "rates")
        rate_count = directory[0]
        entries = directory[1 + 2 * rate_count:]
        require(1 + 2 * rate_count <= len(directory) and len(entries) % 3 == 0 and
                len(entries) // 3 <= 65535, "CLIP", "directory")
        clips, before, image = [], -1, False
        for i in range(0, len(entries), 3):
            offset = entries[i + 2] % (1 << 26)
            if before == offset:
                require(not image and entries[i + 1:i + 3] == entries[i - 2:i] and not clips[-1].additive, "CLIP",
                        "image")
            require(before <= offset, "CLIP", "order")
            before, image = offset, before == offset
            require(entries[i + 2] >> 26 < rate_count, "CLIP", "rate")
            require(offset < len(data), "CLIP", "offset")
            clips.append(ClipReader(self, entries[i + 1], data[offset:]))
        return clips

    def _sections(self, words: Sequence[int]) -> dict[str, Sequence[int]]:
        count, found = words[4], {}
        require(count <= 32 and 5 + 3 * count <= len(words), "SECTION", "count")
        end = 5 + 3 * count
        for i in range(5, end, 3):
            tag, place, size = words[i:i + 3]
            offset, required = place % (1 << 31), place >> 31
            require(end <= offset and offset + size <= len(words), "SECTION", "place")
            end = offset + size
            name = TAGS.get(tag)
            if name == "NAME":
                self.name_words = words[offset:end]
            require(name is not None or not required, "SECTION", "unknown and required")
            require(name not in found, "SECTION", "twice")
            if name not in (None, "NAME"):
                found[name] = words[offset:end]
        require(found.keys() >= REQUIRED, "SECTION", "missing")
        return found

    def _tiers(self, sections: dict[str, Sequence[int]]) -> None:
        """Finds what tiers have of the clips."""
        self.bases = [Base(clip.frame_count, clip.codec, clip.loop, clip.additive) for clip in self.clips]
        self.directory = read_directory(sections.get("TIER"), self.bases)
        self.all_versions: dict[tuple[int, int, int], ClipReader] = {}  # by tier, clip and block
        there = tiers_there(sections, self.directory)
        for entry in self.directory.entries:
            if entry.tier not in there:
                continue
            words = there[entry.tier][entry.first:entry.end]
            if entry.codec == KEYS:
                self.clips[entry.clip].keys[entry.tier] = words
            else:
                self.all_versions[entry.tier, entry.clip, entry.block] = self._version(
                    words, entry.codec, self.bases[entry.clip], entry.block)

    def _version(self, words: Sequence[int], codec: int, base: Base, block: int) -> ClipReader:
        version = ClipReader(self, words[0], words[1:])
        require(version.codec == codec, "CLIP", "the codec of a version")
        require(version.frame_count == self.directory.frames_of(base, block), "CLIP", "the frames of a version")
        require(version.loop == (base.loop and self.directory.blocks(base) == 1), "CLIP", "the loop of a version")
        require(version.additive == base.additive, "CLIP", "differences and poses")
        return version

    def playing(self, clip: int, frame: int) -> tuple[ClipReader, int]:
        """The clip or version that plays at a frame of a clip, and its first frame."""
        block = self.directory.block_of(self.bases[clip], frame)
        found = [(tier, version) for (tier, *place), version in self.all_versions.items() if place == [clip, block]]
        return (max(found)[1], block << self.directory.log2) if found else (self.clips[clip], 0)

    def _skeleton(self, words: Sequence[int]) -> None:
        require(len(words) >= 2, "SKELETON", "size")
        joints, self.max_held = words[0] % 65536, words[0] >> 16
        self.state_words = words[1] >> 8
        require(1 <= joints <= 1024 and words[1] % 256 <= 1 and self.state_words <= 65535,
                "SKELETON", "joints or flags")
        self.has_scale = words[1] % 256 == 1
        stride = 10 if self.has_scale else 7
        bind_at, mask_words = 2 + (joints + 1) // 2, (joints + 31) // 32
        masks_at = bind_at + joints * stride
        require(len(words) == masks_at + 3 * mask_words, "SKELETON", "size")
        self.parents = [words[2 + j // 2] >> 16 * (j % 2) & 0xFFFF for j in range(joints)]
        require(all(p < j or p == 0xFFFF for j, p in enumerate(self.parents)), "SKELETON", "parents")
        self.bind = [[wrap(w) for w in words[i:i + stride]] for i in range(bind_at, masks_at, stride)]
        self.has_subtrack: list[list[bool]] = []
        self.subtracks: list[list[int]] = []  # bind value of every subtrack
        for kind, (first, last) in enumerate(((0, 4), (4, 7), (7, 10))):
            at = masks_at + kind * mask_words
            mask = sum(w << 32 * i for i, w in enumerate(words[at:at + mask_words]))
            require(mask >> joints == 0, "SKELETON", "mask beyond the joints")
            require(kind < 2 or self.has_scale or mask == 0, "SKELETON", "scale subtracks")
            self.has_subtrack.append([bool(mask >> j & 1) for j in range(joints)])
            self.subtracks += [bind[first:last]
                               for bind, has in zip(self.bind, self.has_subtrack[kind], strict=True) if has]
        self.nothing = [rest for has, rest in zip(self.has_subtrack, ([0, 0, 0, fixed.ONE], [0] * 3, [fixed.ONE] * 3),
                                                  strict=True) for _ in range(sum(has))]
        self.rotation_subtracks = sum(self.has_subtrack[0])
        require(self.max_held <= len(self.subtracks), "SKELETON", "max held")
        self.layout_crc = fixed.crc32(words[2:])

    def names(self) -> tuple[list[str], list[str]]:
        """Joint names and clip names of NAME; ValueError where it is missing or malformed."""
        return self._names_and_units()[:2]

    def units(self) -> list[float]:
        """The unit of each joint alone, of NAME."""
        return self._names_and_units()[2]

    def _names_and_units(self) -> tuple[list[str], list[str], list[float]]:
        if self.name_words is None:
            raise ValueError("no NAME section")
        joints, clips, *text = self.name_words
        data = b"".join(word.to_bytes(4, "little") for word in text)
        names = [b""]
        while len(names) <= joints + clips:
            rest, _, following = data[1:].partition(b"\0")
            names.append(names[-1][:data[0]] + rest)
            data = following
        del names[0]
        units, numbers = [1.0] * joints, []
        while data.strip(b"\0"):
            size = next(at for at, byte in enumerate(data) if byte < 128) + 1
            numbers.append(sum((byte & 127) << 7 * at for at, byte in enumerate(data[:size])))
            data = data[size:]
        joint = -1
        for gap, code in zip(numbers[::2], numbers[1::2], strict=True):
            joint += gap
            units[joint] = float(f"{code >> 5}e{(code & 31) - 20}")
        if (joints, clips) != (len(self.parents), len(self.clips)) or len(data) > 3:
            raise ValueError("NAME does not fit the bank")
        return [n.decode() for n in names[:joints]], [n.decode() for n in names[joints:]], units

    def place(self, clip: int, position: int, mode: int = AS_MADE) -> tuple[int, int]:
        """Left frame and fraction of a position."""
        reader = self.clips[clip]
        end = (reader.frame_count - 1) * 2048
        if end and (mode == LOOP or (mode == AS_MADE and reader.loop)):
            return divmod(position % end, 2048)
        return divmod(max(0, min(position, end)), 2048)

    def pose(self, clip: int, position: int, mode: int = AS_MADE) -> list[int]:
        """The local pose at a position, see the class."""
        left, a = self.place(clip, position, mode)
        reader, first = self.playing(clip, left)
        left -= first
        right = min(left + 1, reader.frame_count - 1)
        x0, x1 = reader.row(left), list(reader.row(right))
        for subtrack in reader.breaks.get(right, []) if right == left + 1 else []:
            x1[subtrack] = x0[subtrack]
        if right == left + 1 == reader.row_count:
            rotations = self.rotation_subtracks
            x0 = [*map(fixed.facing, x0[:rotations], x1[:rotations]), *x0[rotations:]]
        subtrack, pose = 0, []
        for kind, (first, last) in enumerate(((0, 4), (4, 7), (7, 10))):
            for joint, bind in enumerate(self.bind):
                if not self.has_subtrack[kind][joint]:
                    pose += bind[first:last]
                    continue
                if kind == 0:
                    pose += fixed.blend_rotation(x0[subtrack], x1[subtrack], a)
                else:
                    pose += [fixed.lerp(left, right, a) for left, right in zip(x0[subtrack], x1[subtrack], strict=True)]
                subtrack += 1
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
