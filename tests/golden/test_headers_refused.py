"""Track headers that break one rule of runtime/SPEC.md, and those that just keep it: runtime, reference and
tools refuse and accept the same ones."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from bank_writer import BitWriter, Clip, Skeleton, write_bank
from ossicle.bank.file import BankProblem, parse_bank
from published.keys_reference import FIXED, FLOAT, HALF_ANGLE, NONE, RANGED, SMALL_FLOAT, SMALLEST, VARIABLE
from pose_driver import Driver, Query
from random_codecs import CURVE, DENSE_KEYS, SPARSE, STATE_WORDS, TRANSFORM, VELOCITY
from reference import BankError, Decoder
from samples.sample_motion import HIPS, HIPS_PLACE, SPINE_SCALE, motion_skeleton

HEADER_BITS = 700  # more than a header takes: what follows of it is zeros
STREAM_WORDS = 40
LANES, LAST_ROTATION = 6, 2
OK, ERROR_CLIP = 0, -8
SPARSE_HERMITE = 7
BITS_OF_CODEC = {CURVE: [(1, 12)], VELOCITY: [(1, 12)], TRANSFORM: [(1, 12), (0, 8)],
                 SPARSE: [(1, 12), (4, 5)], DENSE_KEYS: [(1, 12), (0, 5), (0, 3)]}
SAME_WIDTH, LAYOUTS = 2, 4

Fields = list[tuple[int, int]]  # numbers, and how many bits they take


def bank_of(codec: int, fields: Fields, header_bits: int = HEADER_BITS, restart_log2: int = 31) -> bytes:
    """One clip whose headers begin with these fields."""
    skeleton: Skeleton = motion_skeleton()
    skeleton.state_words = STATE_WORDS
    bits = BitWriter()
    for number, count in fields:
        bits.put(number, count)
    bits.put(0, STREAM_WORDS * 32 - bits.length)
    return write_bank(skeleton, [Clip(9, name="clip", codec=codec, header_bits=header_bits,
                                      restart_log2=restart_log2, stream=bits.words(),
                                      restarts=[header_bits] * (8 >> restart_log2))])


def verdicts(driver: Driver, bank: bytes) -> tuple[int, int]:
    """Verdicts of the runtime and the reference, which the tools must share; a bank that opens is played, under
    sanitizers."""
    try:
        Decoder(bank)
        reference = OK
    except BankError as error:
        reference = error.code
    status, _, _ = driver.ask(bank, [Query(0, 1, position, position == 0) for position in range(0, 9 * 2048, 1024)])
    try:
        parse_bank(bank)
    except BankProblem:
        assert reference != OK
    else:
        assert reference == OK
    return status, reference


def subtrack_fields(codec: int, subtrack: int) -> Fields:
    """The one track's subtrack."""
    if codec == TRANSFORM:
        return [(3, 2), (subtrack, 12)]
    return [((1 << subtrack) - 1, subtrack + 1)]


@pytest.mark.parametrize("codec", BITS_OF_CODEC)
def test_lanes_end_where_the_bank_s_do(driver: Driver, codec: int) -> None:
    for subtrack in range(LANES + 2):
        fields = BITS_OF_CODEC[codec] + subtrack_fields(codec, subtrack)
        expected = OK if subtrack < LANES else ERROR_CLIP
        assert verdicts(driver, bank_of(codec, fields)) == (expected, expected), subtrack


@pytest.mark.parametrize("codec", BITS_OF_CODEC)
@pytest.mark.parametrize("subtrack", [HIPS, SPINE_SCALE])
def test_headers_need_all_their_bits(driver: Driver, codec: int, subtrack: int) -> None:
    fields = BITS_OF_CODEC[codec] + subtrack_fields(codec, subtrack)
    accepted = []
    for header_bits in range(1, HEADER_BITS):
        runtime, reference = verdicts(driver, bank_of(codec, fields, header_bits))
        assert runtime == reference, header_bits
        accepted.append(runtime == OK)
    least = accepted.index(True)
    assert least > 12 and all(accepted[least:]) and not any(accepted[:least])


@pytest.mark.parametrize("codec", [CURVE, VELOCITY])
def test_headers_end_before_the_last_word(driver: Driver, codec: int) -> None:
    """Readers take a header's fields 32 bits at a time."""
    fields = BITS_OF_CODEC[codec] + subtrack_fields(codec, HIPS)
    stream_bits = (STREAM_WORDS + 1) * 32  # the word of zeros that ends DATA included
    for header_bits, expected in ((stream_bits - 33, OK), (stream_bits - 32, ERROR_CLIP),
                                  (stream_bits - 1, ERROR_CLIP), (stream_bits, ERROR_CLIP)):
        assert verdicts(driver, bank_of(codec, fields, header_bits)) == (expected, expected), header_bits


@pytest.mark.parametrize("codec", [CURVE, TRANSFORM])
@pytest.mark.parametrize("subtrack", range(LAST_ROTATION + 1))
def test_rotations_have_packings_up_to_twelve(driver: Driver, codec: int, subtrack: int) -> None:
    for packing in range(16):
        number = packing ^ 3  # as a Rice code, k = 1
        fields = BITS_OF_CODEC[codec] + subtrack_fields(codec, subtrack) + (
            [(0, 2), ((1 << number // 2) - 1, number // 2 + 1), (number % 2, 1)]  # basis and shift first
            if codec == CURVE else [(packing, 4)])
        expected = OK if packing <= 12 else ERROR_CLIP
        assert verdicts(driver, bank_of(codec, fields)) == (expected, expected), packing


@pytest.mark.parametrize("reserved", range(8))
def test_reserved_bits_of_transform_headers_are_zero(driver: Driver, reserved: int) -> None:
    fields = [(1, 12), (reserved, 3), (6, 5)] + subtrack_fields(TRANSFORM, HIPS)
    expected = ERROR_CLIP if reserved else OK
    assert verdicts(driver, bank_of(TRANSFORM, fields)) == (expected, expected)


@pytest.mark.parametrize("restart_log2", [0, 2, 6, 7, 31])
@pytest.mark.parametrize("tiers", range(8))
def test_there_are_four_tiers_in_short_blocks(driver: Driver, tiers: int, restart_log2: int) -> None:
    fields = [(1, 12), (0, 5), (tiers, 3), *[(7, 3)] * (tiers > 0)]
    fields += subtrack_fields(DENSE_KEYS, HIPS) + [(NONE, 3)]
    expected = OK if tiers == 0 or (tiers <= 4 and restart_log2 <= 6) else ERROR_CLIP
    assert verdicts(driver, bank_of(DENSE_KEYS, fields, restart_log2=restart_log2)) == (expected, expected)


def formats(rotation: bool) -> Iterator[tuple[Fields, int, bool, bool]]:
    """All kinds of key formats, as 12.1 spells them, with their coding, whether four components are
    coded, and whether that section allows them."""
    seen = set()
    for coding, four, sign, layout, width, exponent in product(
            range(8), (0, 1), (0, 1), range(LAYOUTS), (0, 20, 21, 31), (0, 11, 12, 15)):
        fields, allowed = [(coding, 3)], rotation or coding not in (SMALLEST, HALF_ANGLE)
        has_four = rotation and coding <= FLOAT
        if has_four:
            fields.append((four, 1))
        if rotation and coding not in (SMALLEST, NONE) and not (has_four and four):
            fields.append((sign, 1))
        if coding in (FIXED, RANGED, HALF_ANGLE):
            fields.append((layout, 2))
            allowed = allowed and layout <= SAME_WIDTH
            if layout == SAME_WIDTH:
                fields.append((width, 5))
                allowed = allowed and (coding != HALF_ANGLE or width < 21)
        if coding == FIXED:
            fields.append((exponent, 4))
            allowed = allowed and exponent <= 11
        if tuple(fields) not in seen:
            seen.add(tuple(fields))
            yield fields, coding, bool(has_four and four), allowed


@pytest.mark.parametrize("subtrack", [HIPS, HIPS_PLACE, SPINE_SCALE])
@pytest.mark.parametrize("codec, basis", [(DENSE_KEYS, None), (SPARSE, 0), (SPARSE, 2), (SPARSE, SPARSE_HERMITE)])
def test_key_formats_are_those_of_the_table(driver: Driver, codec: int, basis: int | None, subtrack: int) -> None:
    before = BITS_OF_CODEC[codec] + subtrack_fields(codec, subtrack)
    if basis is not None:
        before = before + [(basis, 3)] + ([(0, 8)] if basis else [])
    seen = set()
    for fields, coding, four, allowed in formats(rotation=subtrack <= LAST_ROTATION):
        if basis is not None:
            allowed = allowed and coding != VARIABLE
        if basis == SPARSE_HERMITE:
            allowed = allowed and coding == FLOAT and four == (subtrack <= LAST_ROTATION)
        expected = OK if allowed else ERROR_CLIP
        assert verdicts(driver, bank_of(codec, before + fields)) == (expected, expected), fields
        seen.add((coding, expected))
    assert {coding for coding, _ in seen} == {FIXED, RANGED, FLOAT, SMALL_FLOAT, SMALLEST, HALF_ANGLE, NONE, VARIABLE}
    assert len({expected for _, expected in seen}) == 2
