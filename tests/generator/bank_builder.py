"""Writes banks for the generator's tests: random but valid skeletons, sub-tracks, clips and streams.

No encoder takes part, so that the generator is tested on layouts that no encoder happens to write."""
from __future__ import annotations

import random
import struct
import zlib
from dataclasses import dataclass, field

MAGIC = 0x4253534F
FORMAT = 2
REQUIRED = 0x80000000
TAGS = {"SKEL": 0x4C454B53, "CLIP": 0x50494C43, "DATA": 0x41544144, "NAME": 0x454D414E, "SKIN": 0x4E494B53}
ONE_Q20 = 1 << 20


def name_hash(name: str) -> int:
    value = 2166136261
    for byte in name.encode():
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value


@dataclass
class SkeletonSpec:
    """names, parents (-1 root), bind records (7 or 10 Q20 integers), three sets of joints with a
    sub-track: rotation, translation, scale."""

    names: list[str]
    parents: list[int]
    bind: list[tuple[int, ...]]
    subtracks: tuple[set[int], set[int], set[int]]
    has_scale: bool = False
    max_held: int = 0
    state_words: int = 0

    @property
    def subtrack_count(self) -> int:
        return sum(map(len, self.subtracks))

    @property
    def rotation_subtracks(self) -> int:
        return len(self.subtracks[0])


@dataclass
class ClipSpec:
    """animated and constant: numbers of sub-tracks; breaks: (frame, sub-track); still: residuals are all zero,
    otherwise the stream is noise."""

    name: str
    frames: int = 20
    animated: list[int] = field(default_factory=list)
    constant: list[int] = field(default_factory=list)
    breaks: list[tuple[int, int]] = field(default_factory=list)
    restart_log2: int = 3
    loop: bool = False
    layer: bool = False
    still: bool = False


def skeleton_words(spec: SkeletonSpec) -> list[int]:
    joints = len(spec.parents)
    words = [joints | spec.max_held << 16, int(spec.has_scale) | spec.state_words << 8]
    halves = [parent & 0xFFFF for parent in spec.parents] + [0] * (joints & 1)
    words += [low | high << 16 for low, high in zip(halves[::2], halves[1::2])]
    words += [value & 0xFFFFFFFF for record in spec.bind for value in record]
    for kind in range(3):
        mask = sum(1 << joint for joint in spec.subtracks[kind])
        words += [mask >> 32 * i & 0xFFFFFFFF for i in range((joints + 31) // 32)]
    return words


def clip_words(spec: SkeletonSpec, clip: ClipSpec, rng: random.Random) -> list[int]:
    """Records, constants and noise of a clip in the delta codec, with their tables."""
    bits: list[int] = []

    def put(value: int, count: int) -> None:
        bits.extend(value >> i & 1 for i in range(count))

    def put_rice(value: int, k: int) -> None:
        ones = value >> k
        put(*((1 << ones) - 1, ones + 1) if ones < 15 else (0x7FFF, 15))
        put(value, k if ones < 15 else 32)

    put_rice(len(clip.constant), 3)
    following = 0
    for subtrack in sorted(clip.constant):
        put_rice(subtrack - following, 2)
        following = subtrack + 1
        if subtrack < spec.rotation_subtracks:
            put(rng.randrange(4), 2)
            put(4, 5)
            for _ in range(3):
                put(rng.randrange(-(1 << 15), 1 << 15), 17)
        else:
            put(3, 5)
            put(19, 5)
            for _ in range(3):
                put(rng.getrandbits(20), 20)
    records = []
    next_subtrack = 0
    for subtrack in sorted(clip.animated):
        gap = subtrack - next_subtrack
        while gap > 63:
            records.append(6 << 5 | 63 << 26)
            gap -= 63
        rotation = subtrack < spec.rotation_subtracks
        packing = rng.randrange(5) if rotation else 5
        shift = rng.randrange(3, 9)
        rice = [15 if clip.still else rng.choice((0, 2, 7, 11, 14, 15)) for _ in range(3)]
        width = 21 - shift if rotation else rng.randrange(12, 32)
        records.append(shift | packing << 5 | rng.getrandbits(1) << 8 | rice[0] << 9 | rice[1] << 13
                       | rice[2] << 17 | width - 1 << 21 | gap << 26)
        next_subtrack = subtrack + 1
    bits = [record >> i & 1 for record in records for i in range(32)] + bits
    prefix_bits = len(bits)
    bits += [rng.getrandbits(1) for _ in range(clip.frames * max(len(clip.animated), 1) * 30 + 64)]
    bits += [0] * (-len(bits) % 32)
    stream = [sum(bit << i for i, bit in enumerate(bits[at:at + 32])) for at in range(0, len(bits), 32)]
    restarts = [rng.randrange(prefix_bits, 32 * len(stream))
                for _ in range(clip.frames - clip.loop - 1 >> clip.restart_log2)]
    breaks = [frame << 12 | subtrack for frame, subtrack in sorted(clip.breaks)]
    return [32 * len(records) | len(breaks) << 18, *breaks, *restarts, *stream]


def names_words(names: list[str], clips: list[str]) -> list[int]:
    text = b"".join(b"\0" + name.encode() + b"\0" for name in names + clips)
    text += bytes(-len(text) % 4)
    return [len(names), len(clips), *struct.unpack(f"<{len(text) // 4}I", text)]


def seal(words: list[int]) -> bytes:
    """The bytes of a bank with the right size and CRC in its header."""
    words = list(words)
    words[2] = 4 * len(words)
    rest = words[:3] + words[4:]
    words[3] = zlib.crc32(struct.pack(f"<{len(rest)}I", *rest))
    return struct.pack(f"<{len(words)}I", *words)


def bank_bytes(spec: SkeletonSpec, clips: list[ClipSpec], seed: int = 1,
               named: bool = True, skin: list[int] | None = None) -> bytes:
    """skin: the words of SKIN, None for a bank without."""
    rng = random.Random(seed)
    data: list[int] = []
    directory = [1, 30 << 16, round(30 * 2048 * 2**32 / 1e6)]
    for clip in clips:
        shape = clip.frames - 1 | 1 << 20 | clip.restart_log2 << 24 | int(clip.loop) << 31 | int(clip.layer) << 30
        directory += [name_hash(clip.name), shape, len(data)]
        data += clip_words(spec, clip, rng)
    data.append(0)
    sections = {"SKEL": skeleton_words(spec), "CLIP": directory, "DATA": data}
    if skin is not None:
        sections["SKIN"] = [word & 0xFFFFFFFF for word in skin]
    if named:
        sections["NAME"] = names_words(spec.names, [clip.name for clip in clips])
    words = [MAGIC, FORMAT, 0, 0, len(sections)]
    place = 5 + 3 * len(sections)
    for tag, content in sections.items():
        words += [TAGS[tag], place | (REQUIRED if tag not in ("SKIN", "NAME") else 0), len(content)]
        place += len(content)
    return seal(words + [word for content in sections.values() for word in content])


def random_bind(rng: random.Random, has_scale: bool) -> tuple[int, ...]:
    axis = [rng.gauss(0, 1) for _ in range(4)]
    length = sum(a * a for a in axis) ** 0.5
    rotation = [round(a / length * ONE_Q20) for a in axis]
    translation = [rng.randrange(-ONE_Q20, ONE_Q20) for _ in range(3)]
    return (*rotation, *translation, *([ONE_Q20] * 3 if has_scale else []))


def random_skin(spec: SkeletonSpec, seed: int, reach: int = ONE_Q20) -> list[int]:
    """Twelve words for every joint, each below `reach` in magnitude."""
    rng = random.Random(seed)
    return [rng.randrange(-reach, reach) for _ in range(12 * len(spec.parents))]


def random_skeleton(joints: int, seed: int, roots: int = 1, has_scale: bool = False,
                    density: float = 0.6, max_held: int = 2) -> SkeletonSpec:
    """density: share of joints with a rotation sub-track; a quarter of it for the other kinds."""
    rng = random.Random(seed)
    parents = [-1 if j < roots else rng.randrange(max(0, j - 6), j) for j in range(joints)]
    chosen = [{j for j in range(joints) if rng.random() < share}
              for share in (density, density / 4, density / 4 if has_scale else 0)]
    spec = SkeletonSpec([f"Bone{j:03d}" for j in range(joints)], parents,
                        [random_bind(rng, has_scale) for _ in range(joints)],
                        (chosen[0], chosen[1], chosen[2]), has_scale)
    spec.max_held = min(max_held, spec.subtrack_count)
    return spec


def random_clips(spec: SkeletonSpec, seed: int, count: int = 3) -> list[ClipSpec]:
    rng = random.Random(seed)
    clips = []
    for i in range(count):
        kinds = [rng.choice("adca") for _ in range(spec.subtrack_count)]
        frames = rng.choice((1, 2, 17, 40))
        breaks = {(rng.randrange(1, frames), rng.randrange(spec.subtrack_count)) for _ in range(3)
                  } if spec.max_held >= 3 and frames > 1 else set()
        clips.append(ClipSpec(
            f"clip{i}", frames, [n for n, kind in enumerate(kinds) if kind == "a"],
            [n for n, kind in enumerate(kinds) if kind == "c"], sorted(breaks),
            rng.choice((0, 2, 5)), rng.random() < 0.5 and frames > 1, still=i == count - 1))
    return clips


def biped() -> SkeletonSpec:
    """18 joints as games have them: every rotation moves, of the translations only the hips'."""
    names = ("Hips Spine Chest Neck Head LeftShoulder LeftArm LeftForeArm LeftHand RightShoulder "
             "RightArm RightForeArm RightHand LeftUpLeg LeftLeg LeftFoot RightUpLeg RightLeg")
    parents = [-1, 0, 1, 2, 3, 2, 5, 6, 7, 2, 9, 10, 11, 0, 13, 14, 0, 16]
    rng = random.Random(7)
    return SkeletonSpec(names.split(), parents, [random_bind(rng, False) for _ in parents],
                        (set(range(18)), {0}, set()))
