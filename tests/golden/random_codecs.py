"""Random clips of all codecs but delta: every header that the format allows,
and any bits for a stream, since these codecs make something of all of them."""
from __future__ import annotations

from random import Random

import transform_reference
from bank_writer import BitWriter, Clip, Skeleton, row_words
from curve_reference import ABSENT, CUBIC, DENSE, FOUR, HERMITE, LINEAR, VECTOR, ZERO
from published.keys_reference import FLOAT
from published.random_keys import put_key_format
from published.dense_reference import MOST_BLOCK_LOG2
from published.sparse_reference import EVERY
from published.sparse_reference import HERMITE as SPARSE_HERMITE

CURVE, TRANSFORM, VELOCITY, SPARSE, DENSE_KEYS = range(2, 7)
MAX_FRAMES = 80
STATE_WORDS = 4000  # more than the clips here need


def _put_unary(bits: BitWriter, ones: int, most: int) -> None:
    bits.put((1 << ones) - 1, ones + (ones < most))


def _put_curve_header(bits: BitWriter, rng: Random, gap: int, rotation: bool, before: int) -> int:
    """Writes a header; the shift, to which the next one's refers."""
    basis, shift = rng.randint(DENSE, LINEAR), rng.choice([0, 6, 8, 9, 15])
    bits.put_rice_unsigned(gap, 0)
    _put_unary(bits, basis if rotation else (basis - 1) % 4, 3)
    bits.put_rice(shift - before, 0)
    packing = rng.randint(0, FOUR) if rotation else VECTOR
    if rotation:
        bits.put_rice_unsigned((packing ^ 3) + 16 * rng.choice([0, 0, 0, 1]), 1)
        bits.put(rng.getrandbits(2), 2)
    else:
        bits.put_rice_unsigned(rng.choice([0, 1, 4, 15, 16, 31, 33]), 2)
    bits.put(rng.getrandbits(1), 1)
    if basis != DENSE:
        _put_unary(bits, rng.randint(0, 3), 3)
    if basis == CUBIC:
        bits.put(rng.getrandbits(1), 1)
    if basis == HERMITE:
        _put_unary(bits, rng.randint(0, 2), 2)
    for index in range(4 if packing == FOUR else 3):
        grain = rng.choice([0, 0, 0, 1, 2, ABSENT]) if index < 3 else 0
        if index < 3:
            _put_unary(bits, grain, 3)
        if grain == ABSENT:
            continue
        if basis == DENSE:
            bits.put_rice_unsigned(rng.randint(0, 15), 1)
            bits.put(*((rng.getrandbits(2), 2) if packing == FOUR else (rng.getrandbits(4), 4)))
        else:
            rice = rng.randint(0, 15)
            bits.put(rice, 4)
            if basis == HERMITE and rice != ZERO:
                own = rng.getrandbits(1)
                bits.put(own, 1)
                if own and rice:
                    bits.put(rng.getrandbits(rice.bit_length()), rice.bit_length())
    return shift


def _put_near(bits: BitWriter, rng: Random, count: int) -> None:
    """One of the four codes of a number near the previous one."""
    form = rng.randint(0, 3)
    if form == 0:
        bits.put(0, 1)
    elif form < 3:
        bits.put(1 | (form - 1) << 2, 3)
    else:
        bits.put(3, 2)
        bits.put(rng.getrandbits(count), count)


def _put_transform_header(bits: BitWriter, rng: Random, gap: int, rotation: bool) -> None:
    bits.put(*((0, 1) if gap == 0 else (3 | gap << 2, 14)))
    packing = rng.randint(0, transform_reference.FOUR)
    if rotation:
        bits.put(packing, 4)
    _put_near(bits, rng, 5)
    _put_near(bits, rng, 3)
    direct = rng.random() < 0.1
    for index in range(4 if rotation and packing == transform_reference.FOUR else 3):
        if direct and index == 0:
            bits.put(3 | rng.randint(transform_reference.DIRECT, 63) << 2, 8)
        else:
            _put_near(bits, rng, 6)
        _put_near(bits, rng, 4)
        most = rng.randint(0, 7)
        bits.put(most, 3)
        if most:
            _put_near(bits, rng, 4)
            bits.put(rng.getrandbits(2), 2)


def _put_velocity_header(bits: BitWriter, rng: Random, gap: int, rotation: bool, before: int) -> int:
    """Writes a header; the shift, to which the next one's refers."""
    shift = rng.choice([0, 6, 8, 9, 15, 31])
    most_kind, ranged = rng.getrandbits(2), rng.getrandbits(1)
    bits.put_rice_unsigned(gap, 0)
    bits.put_rice(shift - before, 0)
    bits.put(rng.getrandbits(4), 4)
    if not rotation:
        bits.put(rng.choice([0, 11, 15, 31]), 5)
    bits.put(rng.getrandbits(3), 3)
    bits.put(most_kind | ranged << 2, 3)
    bits.put(*((rng.getrandbits(5), 5) if ranged else (rng.getrandbits(12), 12)))
    if most_kind >= 1:
        bits.put(rng.getrandbits(2), 2)
    if most_kind >= 2:
        bits.put(rng.getrandbits(5), 5)
    return shift


def _put_sparse_header(bits: BitWriter, rng: Random, gap: int, rotation: bool) -> None:
    basis = rng.randrange(8)
    bits.put_rice_unsigned(gap, 0)
    bits.put(basis, 3)
    if basis != EVERY:
        bits.put(rng.choice([0, 0, 1, 16, 32, 255]), 8)
    if basis == SPARSE_HERMITE:
        bits.put(FLOAT | (8 if rotation else 0), 4 if rotation else 3)
    else:
        put_key_format(bits, rng, rotation, variable=False)


def _headers(rng: Random, skeleton: Skeleton, codec: int, tiers: int) -> BitWriter:
    """tiers: of a dense clip"""
    subtracks = [subtrack for subtrack in range(skeleton.subtrack_count()) if rng.random() < 0.6]
    bits, following, shift = BitWriter(), 0, 8
    bits.put(len(subtracks), 12)
    if codec == TRANSFORM:
        bits.put(rng.choice([0, 6, 31]) << 3, 8)
    if codec == DENSE_KEYS:
        bits.put(rng.choice([0, 0, 1, 2, 6, 31]), 5)
        bits.put(tiers, 3)
        if tiers:
            bits.put(rng.choice([0, 1, 3, 7]), 3)  # classes
    if codec == SPARSE:  # times that are too wide for the clip all mean its end
        bits.put(rng.choice([0, 2, 4, 5, 5, 6, 7, 31]), 5)
    for subtrack in subtracks:
        rotation = subtrack < skeleton.rotation_subtracks()
        if codec == CURVE:
            shift = _put_curve_header(bits, rng, subtrack - following, rotation, shift)
        elif codec == DENSE_KEYS:
            bits.put_rice_unsigned(subtrack - following, 0)
            put_key_format(bits, rng, rotation, variable=True)
        elif codec == SPARSE:
            _put_sparse_header(bits, rng, subtrack - following, rotation)
        elif codec == VELOCITY:
            shift = _put_velocity_header(bits, rng, subtrack - following, rotation, shift)
        else:
            _put_transform_header(bits, rng, subtrack - following, rotation)
        following = subtrack + 1
    return bits if subtracks or rng.getrandbits(1) else BitWriter()


def random_codec_clip(rng: Random, skeleton: Skeleton, name: str, codec: int, frames: int | None = None,
                      loop: bool | None = None) -> Clip:
    """A clip of up to MAX_FRAMES frames, or of as many as asked for; its stream begins without constants."""
    if frames is None:
        frames = rng.choice([1, 2, 3, 9, rng.randint(4, MAX_FRAMES)])
    clip = Clip(frames, name=name, codec=codec, restart_log2=rng.choice([0, 1, 2, 3, 4, 6, 31]),
                layer=rng.random() < 0.5)
    clip.loop = clip.frame_count > 1 and rng.random() < 0.5 if loop is None else loop
    tiers = rng.choice([0, 0, 1, 2, 3, 4]) if clip.restart_log2 <= MOST_BLOCK_LOG2 else 0
    bits = _headers(rng, skeleton, codec, tiers)
    clip.header_bits = bits.length
    bits.put_rice_unsigned(0, 3)  # constants
    first = bits.length
    for _ in range(rng.randint(1, 200)):
        rates = rng.randint(0, 24) * 0x1010101 if codec == DENSE_KEYS else 0
        bits.put(rng.choice([rng.getrandbits(32)] * 6 + [0, rates, 0xFFFFFFFF]), 32)
    clip.stream = bits.words()
    points = (clip.row_count - 1) >> clip.restart_log2
    clip.restarts = [rng.randrange(32 * len(clip.stream)) for _ in range(points)]
    if codec == DENSE_KEYS:  # on the first byte of what may be a rate, more often than not
        clip.restarts = [point - (point - first) % 8 if point > first else point for point in clip.restarts]
    if clip.frame_count > 1 and skeleton.subtrack_count():
        clip.breaks = sorted({(rng.randint(1, clip.frame_count - 1),
                               rng.randrange(skeleton.subtrack_count())) for _ in range(rng.randint(0, 6))})
    return clip


def clip_of_four(rng: Random) -> Clip:
    """A clip of one dense track in packing four, whose first component is absent and is the first that is rebuilt."""
    clip, bits = Clip(9, name="four", codec=CURVE, restart_log2=31, layer=False), BitWriter()
    bits.put(1, 12)
    for number, parameter in ((0, 0), (DENSE, 0), (0, 0), (FOUR ^ 3, 1)):  # gap, basis, shift 8, packing
        bits.put_rice_unsigned(number, parameter)
    bits.put(0, 3)  # width 14, mode
    for index in range(4):
        if index < 3:
            _put_unary(bits, 0 if index else ABSENT, 3)
        if index:
            bits.put_rice_unsigned(rng.randint(9, 13), 1)
            bits.put(rng.getrandbits(2), 2)
    clip.header_bits = bits.length
    bits.put_rice_unsigned(0, 3)  # constants
    bits.put(0, 3 * 14)
    for _ in range(20):
        bits.put(rng.getrandbits(32), 32)
    clip.stream = bits.words()
    return clip


def random_base_row(rng: Random, skeleton: Skeleton) -> list[tuple[bytes, bool, list[int]]]:
    """The section of a base row of any numbers."""
    numbers = [rng.choice([rng.getrandbits(16), rng.getrandbits(6), 0, 1 << 15]) for _ in range(row_words(skeleton))]
    padded = [*numbers, 0]
    return [(b"BASE", True, [low | high << 16 for low, high in zip(padded[::2], padded[1::2])])]
