"""The runtime against the reference on random banks: same refusals, same words, in any order
of the positions. A failing seed reproduces its bank."""
from __future__ import annotations

from dataclasses import replace
from random import Random

import fixed
from bank_writer import write_bank
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pose_driver import Driver, Query
from random_banks import random_clip, random_position, random_skeleton, skin_words
from random_codecs import STATE_WORDS, TRANSFORM
from tiers.random_tiers import ALL_CODECS, random_tiers
from reference import BankError, Decoder

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)
WITHOUT_SEAMS = [codec for codec in ALL_CODECS if codec != TRANSFORM]  # see test_codecs_random.queries_of
QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


def random_bank(rng: Random) -> bytes:
    """A valid bank of one to three clips, with gaps and unknown optional sections at times."""
    skeleton = random_skeleton(rng)
    clips = [random_clip(rng, skeleton, f"clip{i}") for i in range(rng.randint(1, 3))]
    extra = [(b"XTRA", False, [1, 2, 3])] * rng.randint(0, 1)
    if rng.random() < 0.3:
        extra.append((b"SKIN", False, skin_words(rng, skeleton)))
    skeleton.state_words = STATE_WORDS
    tiers, versions = random_tiers(rng, skeleton, clips, WITHOUT_SEAMS)
    return write_bank(skeleton, clips, gap=rng.randint(0, 2), extra=extra, behind=tiers, versions=versions)


def random_queries(rng: Random, decoder: Decoder, count: int) -> list[Query]:
    """Seeks in any order; the player keeps its state unless the clip or the mode changes."""
    queries: list[Query] = []
    clip, mode = 0, 0
    for i in range(count):
        start = i == 0 or rng.random() < 0.2
        if start:
            clip, mode = rng.randrange(len(decoder.clips)), rng.randint(0, 2)
        position = random_position(rng, decoder.clips[clip].frame_count)
        queries.append(Query(clip, mode, position, start))
    return queries


def compare(driver: Driver, bank: bytes, decoder: Decoder, queries: list[Query]) -> None:
    """Every answer of the runtime equals the reference's."""
    status, layout_crc, answers = driver.ask(bank, queries)
    assert (status, layout_crc) == (0, decoder.layout_crc)
    for query, answer in zip(queries, answers, strict=True):
        where = (query.clip, query.position, query.mode)
        assert answer.left == decoder.place(*where)[0], query
        assert answer.pose == decoder.pose(*where), query
        assert answer.model == decoder.model(*where), query


@settings(max_examples=120, deadline=None, suppress_health_check=QUIET)
@given(seed=SEEDS)
def test_runtime_equals_reference(driver: Driver, seed: int) -> None:
    rng = Random(seed)
    bank = random_bank(rng)
    decoder = Decoder(bank)
    compare(driver, bank, decoder, random_queries(rng, decoder, 12))


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET)
@given(seed=SEEDS)
def test_additive_clips_equal_the_reference(driver: Driver, seed: int) -> None:
    """Some clips of the bank are made additive, with all of their versions in tiers."""
    rng = Random(seed)
    skeleton = random_skeleton(rng)
    clips = [random_clip(rng, skeleton, f"clip{i}") for i in range(rng.randint(1, 3))]
    for clip in clips:
        clip.additive = rng.random() < 0.7
    skeleton.state_words = STATE_WORDS
    tiers, versions = random_tiers(rng, skeleton, clips, WITHOUT_SEAMS)
    bank = write_bank(skeleton, clips, behind=tiers, versions=versions)
    decoder = Decoder(bank)
    assert [reader.additive for reader in decoder.clips] == [clip.additive for clip in clips]
    compare(driver, bank, decoder, random_queries(rng, decoder, 12))


@settings(max_examples=40, deadline=None, suppress_health_check=QUIET)
@given(seed=SEEDS)
def test_mirror_images_equal_the_reference(driver: Driver, seed: int) -> None:
    """They play the poses of the previous clip."""
    rng = Random(seed)
    skeleton = random_skeleton(rng)
    clips = []
    for number in range(rng.randint(1, 3)):
        clips.append(random_clip(rng, skeleton, f"clip{number}"))
        if rng.random() < 0.7:
            clips.append(replace(clips[-1], name=f"image{number}", mirrored=True))
    bank = write_bank(skeleton, clips)
    decoder = Decoder(bank)
    compare(driver, bank, decoder, random_queries(rng, decoder, 12))


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET)
@given(seed=SEEDS)
def test_path_does_not_matter(driver: Driver, seed: int) -> None:
    rng = Random(seed)
    bank = random_bank(rng)
    queries = random_queries(rng, Decoder(bank), 16)
    _, _, walked = driver.ask(bank, queries)
    _, _, fresh = driver.ask(bank, [Query(q.clip, q.mode, q.position) for q in queries])
    assert walked == fresh


def mutate(rng: Random, bank: bytes) -> bytes:
    """One to three words behind the CRC changed, the CRC right again."""
    words = [int.from_bytes(bank[i:i + 4], "little") for i in range(0, len(bank), 4)]
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(4, len(words)) if rng.random() < 0.5 else rng.randrange(4, min(len(words), 40))
        words[at] = rng.choice([words[at] ^ 1 << rng.randrange(32), words[at] + 1 & fixed.MASK,
                                words[at] - 1 & fixed.MASK, rng.getrandbits(32), 0, fixed.MASK])
    words[3] = fixed.crc32(words[:3] + words[4:])
    return b"".join(word.to_bytes(4, "little") for word in words)


@settings(max_examples=250, deadline=None, suppress_health_check=QUIET)
@given(seed=SEEDS)
def test_damaged_banks_give_the_same_error_or_pose(driver: Driver, seed: int) -> None:
    rng = Random(seed)
    bank = mutate(rng, random_bank(rng))
    try:
        decoder = Decoder(bank)
    except BankError as error:
        assert driver.ask(bank, [])[0] == error.code, error
        return
    short = all(clip.frame_count <= 64 for clip in decoder.clips)
    queries = random_queries(rng, decoder, 6) if short and decoder.clips else []
    compare(driver, bank, decoder, queries)
