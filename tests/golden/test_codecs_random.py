"""The runtime against the reference in the codecs with headers of bits, on banks with any headers and
any bits. A failing seed reproduces its bank."""
from __future__ import annotations

from dataclasses import replace
from random import Random

from bank_writer import Skeleton, write_bank
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from pose_driver import Driver, Query
from random_banks import random_position, random_skeleton
from random_codecs import (CURVE, DENSE_KEYS, SPARSE, STATE_WORDS, TRANSFORM, VELOCITY, clip_of_four,
                           random_base_row, random_codec_clip)
from tiers.random_tiers import random_tiers
from reference import BankError, Decoder
from test_reference_random import QUIET, SEEDS, compare, mutate
from transform_reference import SEGMENT

CODECS = st.sampled_from([CURVE, TRANSFORM, VELOCITY, SPARSE, DENSE_KEYS])
MAX_JOINTS = 9


def small_skeleton(rng: Random) -> Skeleton:
    """A skeleton whose clips need few state words."""
    while True:
        skeleton = random_skeleton(rng)
        if len(skeleton.parents) <= MAX_JOINTS:
            return replace(skeleton, state_words=STATE_WORDS)


def random_bank(rng: Random, codec: int) -> bytes:
    """A bank of one or two clips that no encoder would write."""
    skeleton = small_skeleton(rng)
    clips = [random_codec_clip(rng, skeleton, f"clip{i}", codec) for i in range(rng.randint(1, 2))]
    tiers, versions = random_tiers(rng, skeleton, clips)
    base = random_base_row(rng, skeleton) if codec == CURVE and rng.random() < 0.7 else []
    return write_bank(skeleton, clips, behind=[*base, *tiers], versions=versions)


def queries_of(rng: Random, decoder: Decoder, count: int) -> list[Query]:
    """Every frame in order, `count` seeks a clip, and its first and last frame; without the frames at the seams
    between segments, which damaged banks may show from either side."""
    queries = []
    for clip, reader in enumerate(decoder.clips):
        frames = [2048 * frame for frame in range(reader.frame_count)]
        jumps = [random_position(rng, reader.frame_count) for _ in range(count)]
        for i, position in enumerate([*frames, *jumps, 0, frames[-1]]):
            left, a = decoder.place(clip, position, 1)
            version, first = decoder.playing(clip, left)
            left -= first
            seam = left % SEGMENT in (0, SEGMENT - 1) and (left > 0 or a == 0)
            seam = seam and (left < version.row_count - 1 or a > 0)  # the last frame is in the last segment only
            if version.codec != TRANSFORM or not seam or i == 0:
                queries.append(Query(clip, 1, position, i == 0))
    return queries


@settings(max_examples=250, deadline=None, suppress_health_check=QUIET)
@given(seed=SEEDS, codec=CODECS)
@example(seed=52, codec=TRANSFORM)  # a clip that ends at a restart point
@example(seed=101, codec=CURVE)  # dense tracks in packing four that adapt
@example(seed=413, codec=CURVE)
@example(seed=530, codec=CURVE)
def test_any_bits_give_the_same_words(driver: Driver, seed: int, codec: int) -> None:
    rng = Random(seed)
    bank = random_bank(rng, codec)
    decoder = Decoder(bank)
    compare(driver, bank, decoder, queries_of(rng, decoder, 4))


@settings(max_examples=120, deadline=None, suppress_health_check=QUIET)
@given(seed=SEEDS, codec=CODECS)
def test_damaged_headers_give_the_same_error_or_pose(driver: Driver, seed: int, codec: int) -> None:
    rng = Random(seed)
    bank = mutate(rng, random_bank(rng, codec))
    try:
        decoder = Decoder(bank)
    except BankError as error:
        assert driver.ask(bank, [])[0] == error.code, error
        return
    if all(clip.frame_count <= 256 for clip in decoder.clips):
        compare(driver, bank, decoder, queries_of(rng, decoder, 2))


@settings(max_examples=100, deadline=None, suppress_health_check=QUIET)
@given(seed=SEEDS)
@example(seed=1029)  # first keys of dense tracks outside 30 bits
@example(seed=1630)
def test_first_keys_differ_from_any_base_row(driver: Driver, seed: int) -> None:
    rng = Random(seed)
    skeleton = small_skeleton(rng)
    clip = replace(random_codec_clip(rng, skeleton, "first", CURVE, 2, False), restart_log2=1, restarts=[], layer=False)
    bank = write_bank(skeleton, [clip], behind=random_base_row(rng, skeleton))
    compare(driver, bank, Decoder(bank), [Query(0, 1, 0), Query(0, 1, 2048)])


@settings(max_examples=40, deadline=None, suppress_health_check=QUIET)
@given(seed=SEEDS)
def test_an_absent_component_follows_from_where_it_was_rebuilt(driver: Driver, seed: int) -> None:
    rng = Random(seed)
    skeleton = small_skeleton(rng)
    assume(skeleton.rotation_subtracks() > 0)
    bank = write_bank(skeleton, [clip_of_four(rng)])
    compare(driver, bank, Decoder(bank), [Query(0, 1, 2048 * frame, frame == 0) for frame in range(9)])


def test_long_gaps_end_after_128_frames(driver: Driver) -> None:
    rng = Random(1)
    skeleton = small_skeleton(rng)
    bank = write_bank(skeleton, [random_codec_clip(rng, skeleton, "long", CURVE, 300, False)])
    compare(driver, bank, Decoder(bank), [Query(0, 1, 2048 * frame, frame == 0) for frame in range(300)])
