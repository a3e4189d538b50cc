"""Every bit of a bank belongs to one place, and to the right one."""
from __future__ import annotations

from random import Random

import numpy as np
import pytest
from mentions import mentioning
from bank_writer import Clip, Constant, Skeleton, Track, write_bank
from damage import mended
from published.dense_sample import dense_sample
from encoding import Source, axis_angle, make_source, rest, try_encode, write_one
from samples.frozen_banks import frozen_sample, frozen_samples
from random_codecs import CURVE, DENSE_KEYS, SPARSE, TRANSFORM, VELOCITY
from samples.sample_banks import IDENTITY, ONE, Sample, samples
from published.sparse_sample import sparse_sample
from test_codecs_random import random_bank
from test_reference_random import mutate
from tiers.tier_writer import tier_sections, version_chunk
from samples.version_sample import version_sample

from ossicle.analysis.bits import GAPS, BankBits, TrackBits, bits_of
from ossicle.bank.curve import parse_curve
from ossicle.bank.file import Bank, BankProblem, parse_bank
from ossicle.bank.strip import without_tiers
from ossicle.encoding import native
from ossicle.encoding.scheme import Scheme

SAMPLES = [*samples(), *frozen_samples(), sparse_sample(), dense_sample(), version_sample()]
CODECS = {"delta": None, "curve": None, "transform": None, "velocity": None,
          "sparse": Scheme("sparse", "fixed48", "float96", "linear", "remove"),
          "dense": Scheme("dense", "variable", "variable")}
COUNT_BITS = {"delta": 0, "curve": 12, "velocity": 12, "sparse": 17}  # what precedes the track headers
CONSTANT_COUNT_BITS = 4  # of up to seven
WORD = 32


def checked_bits(bank: Bank) -> BankBits:
    """The bits of a bank, which sum to the whole of it."""
    bits = bits_of(bank)
    assert bits.total == 8 * bank.size_bytes
    assert min(bits.other.values()) > 0
    assert [clip.name for clip in bits.clips] == [clip.name for clip in bank.clips]
    assert all(clip.shared >= 0 and all(min(track.header, track.keys, track.values) >= 0 and track.total > 0
                                        for track in clip.tracks) for clip in bits.clips)
    return bits


def swing(count: int, size: float) -> np.ndarray:
    """Rotations [count, 4] that bend, rest and jump."""
    time = np.arange(count)
    angle = size * np.sin(0.17 * time) + 0.3 * size * np.sin(0.9 * time + size)
    angle[count // 2:count // 2 + 5] = angle[count // 2]
    return axis_angle(np.array([1.0, 0.4, size]), angle)


def siblings(first: float, second: float, count: int = 40) -> Source:
    """Two joints below a root that swing this far, and another that has turned."""
    bind = rest(1, 4)[0]
    bind[1:, 4] = 0.2
    frames = np.repeat(bind[None], count, 0)
    frames[:, 1, :4], frames[:, 2, :4] = swing(count, first), swing(count, second)
    frames[:, 3, :4] = axis_angle(np.array([0.0, 1.0, 0.0]), 0.5)
    return make_source([-1, 0, 0, 0], frames, bind)


def encoded(source: Source, codec: str, restart_log2: int) -> Bank:
    status, clip, _ = try_encode(source, 1e-3, restart_log2, codecs=(codec,), layer=True, scheme=CODECS[codec])
    assert status == native.OK and clip is not None
    return parse_bank(write_one(clip, len(source.parents)))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_the_places_sum_to_the_bank(sample: Sample) -> None:
    checked_bits(parse_bank(sample.bank))


@pytest.mark.parametrize("restart_log2", [3, 31])
@pytest.mark.parametrize("codec", CODECS)
def test_tracks_have_all_bits_of_a_clip_but_those_that_are_known(codec: str, restart_log2: int) -> None:
    """A bit too many or too few in a row would put all later ones into other places."""
    bank = encoded(siblings(0.5, 0.8), codec, restart_log2)
    clip, bits = bank.clips[0], checked_bits(bank).clips[0]
    restarts = (clip.frame_count - 1) // clip.restart_frames
    known = WORD * (1 + restarts) + COUNT_BITS.get(codec, 0) + CONSTANT_COUNT_BITS
    if codec == "dense":
        known += 20
    if codec == "transform":
        known += 20
        segments = -(-(clip.frame_count - 1) // 8)
        sizes = segments - 1 - restarts  # of segments that another follows in their block
        size_bits, padding = divmod(bits.shared - known, sizes) if sizes else (0, bits.shared - known)
        assert sizes == 0 or 0 < size_bits <= WORD and padding < WORD
        return
    assert 0 <= bits.shared - known < WORD


@pytest.mark.parametrize("codec", CODECS)
def test_joints_that_change_places_take_their_bits_along(codec: str) -> None:
    def moving(first: float, second: float) -> dict[int, tuple[int, int]]:
        clip = checked_bits(encoded(siblings(first, second), codec, 4)).clips[0]
        return {track.joint: (track.keys, track.values) for track in clip.tracks}

    here, there = moving(0.3, 0.8), moving(0.8, 0.3)
    spare = 2 if codec == "transform" else 0  # bits; its parameters depend on those of the track before
    for joint, other in ((1, 2), (2, 1), (3, 3)):
        assert here[joint][0] == there[other][0] and abs(here[joint][1] - there[other][1]) <= spare
    assert abs(here[1][1] - here[2][1]) > spare


def test_parts_of_tracks_are_told_apart() -> None:
    """The bits of a bank that is written by hand."""
    skeleton = Skeleton([-1, 0], [[*IDENTITY, 0, ONE, 0]] * 2, ([0, 1], [0], []))
    row = [(1, 2, 3)] * 5
    clip = Clip(5, name="walk", restart_log2=2, breaks=[(2, 2), (3, 2)], constants=[Constant(1, 10, (1, 2, 3), 0)],
                tracks=[Track(0, 3, 8, row, rice=(0, 0, 0), width=14),
                        Track(2, 5, 6, row, rice=(1, 15, 2), width=20)])
    bits = checked_bits(parse_bank(write_bank(skeleton, [clip])))
    assert bits.clips[0].tracks == (
        TrackBits(0, "rotation", 32, 0, 2 * 3 * 14 + 3 * 3),
        TrackBits(0, "translation", 32, 2 * 32, 2 * 3 * 20 + 3 * 5),
        TrackBits(1, "rotation", 3 + 7, 0, 3 * 11))


def test_a_constant_that_is_no_rotation_has_a_width() -> None:
    skeleton = Skeleton([-1], [[*IDENTITY, 0, ONE, 0]], ([], [0], []))
    bank = write_bank(skeleton, [Clip(2, name="stand", constants=[Constant(0, 5, (1, 2, 3), width=11)])])
    assert checked_bits(parse_bank(bank)).clips[0].tracks == (TrackBits(0, "translation", 3 + 10, 0, 3 * 11),)


def test_a_block_without_motion_states_a_value_instead_of_a_range() -> None:
    """The header of each such block is 48 bits shorter."""
    def header(moving: int) -> int:
        frames = np.repeat(np.array([[[0, 0, 0, 1.0, 0, 0.2, 0, 1, 1, 1]]]), 48, 0)
        frames[:moving, 0, 4] = 0.2 * np.sin(np.arange(moving))
        frames[moving:, 0, 4] = frames[moving - 1, 0, 4]
        [track] = checked_bits(encoded(make_source([-1], frames, frames[0]), "dense", 4)).clips[0].tracks
        return track.header

    assert [header(48) - header(moving) for moving in (16, 32, 48)] == [2 * 48, 48, 0]


def test_joints_have_their_own_parts() -> None:
    skeleton = Skeleton([-1, 0], [[*IDENTITY, 0, ONE, 0]] * 2, ([0], [], []), names=["hip", "hips"])
    skin = [(b"SKIN", False, [0] * 24), (b"SKJN", False, [3, 1 | 1 << 16, 0]), (b"XTRA", False, [0] * 5)]
    bank = parse_bank(write_bank(skeleton, [Clip(2, name="hipshot")], gap=1, extra=skin))
    bits = checked_bits(bank)
    assert [(joint.bind, joint.skin, joint.name) for joint in bits.joints] == [
        (7 * 32 + 16 + 3, 12 * 32 + 16, 8 * 5), (7 * 32 + 16 + 3, 12 * 32 + 2 * 16, 8 * 6)]
    assert bits.clips[0].entry == 3 * 32 + 8 * 9
    assert bits.other["XTRA"] == 5 * 32 and bits.other["SKJN"] == 32 + 16 and bits.other["DATA"] == 32
    assert bits.other[GAPS] == 32 * len(bank.sections)


@pytest.mark.parametrize("sample", [dense_sample(), version_sample()], ids=lambda sample: sample.name)
def test_keys_in_tiers_belong_to_their_clips(sample: Sample) -> None:
    """Bits of a chunk that belong to no track describe it and its end, in a word that is not read."""
    bank = parse_bank(sample.bank)
    whole, small = (checked_bits(item) for item in (bank, parse_bank(without_tiers(bank, 0)[0])))
    for number, (clip, less) in enumerate(zip(whole.clips, small.clips, strict=True)):
        chunks = [chunk for tier in bank.tiers for chunk in tier.chunks if chunk.clip == number]
        assert clip.entry == less.entry and clip.total - less.total == sum(WORD * chunk.words for chunk in chunks)
        growth = clip.shared - less.shared
        keys = [chunk for chunk in chunks if chunk.codec is None]
        if len(keys) == len(chunks):
            assert WORD * len(keys) <= growth < 3 * WORD * len(keys) or not keys
        else:
            assert 3 * WORD * (len(chunks) - len(keys)) <= growth < 12 * WORD * len(chunks)
    assert all(tag not in whole.other for tag in ("TIE1", "TIE2"))
    assert whole.other["TIER"] == WORD * (2 + 3 * len(bank.tiers))


def test_versions_have_the_bits_of_a_bank_of_them() -> None:
    """By joint and kind, those of a clip are the same bits in the base and in a tier."""
    skeleton = Skeleton([-1, 0], [[*IDENTITY, 0, ONE, 0]] * 2, ([0, 1], [0], []))
    rows = [(1, 2, 3)] * 5
    version = Clip(5, restart_log2=2, breaks=[(2, 2), (3, 2)], constants=[Constant(1, 10, (1, 2, 3), 0)],
                   tracks=[Track(0, 3, 8, rows, rice=(0, 0, 0), width=14),
                           Track(2, 5, 6, rows, rice=(1, 15, 2), width=20)])
    alone = checked_bits(parse_bank(write_bank(skeleton, [version]))).clips[0]
    tiers = tier_sections([[version_chunk(skeleton, 0, 0, version)], [version_chunk(skeleton, 1, 1, version)]], 2)
    bank = parse_bank(write_bank(skeleton, [Clip(5), Clip(12, name="other")], behind=tiers, versions=[version]))
    for number, clip in enumerate(checked_bits(bank).clips):
        empty = checked_bits(parse_bank(write_bank(skeleton, [Clip(5)]))).clips[0]
        assert clip.tracks == alone.tracks, number
        assert clip.shared == alone.shared + empty.shared + 2 * WORD  # a shape, a word of zeros
        assert clip.entry == alone.entry + 3 * WORD


def claimed_words(bank: Bank) -> np.ndarray:
    """A bit for each of the bank that a track claims."""
    claimed = np.zeros(len(bank.words), np.uint32)
    list(native.track_bits(np.array(bank.words, np.uint32), len(bank.clips), len(bank.subtracks), claimed))
    return claimed


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_no_pose_depends_on_padding(sample: Sample) -> None:
    bank = parse_bank(sample.bank)
    claimed, words = claimed_words(bank), np.array(bank.words, np.uint32)
    data = next(section for section in bank.sections if section.tag == "DATA")
    end = data.offset + data.words - 1
    for clip in reversed(bank.clips):
        last = int(claimed[end - 1])
        if clip.tracks:  # the frames are last
            assert last and int(words[end - 1]) >> last.bit_length() == 0
            words[end - 1] |= 0xFFFFFFFF << last.bit_length() & 0xFFFFFFFF
        end -= clip.size_bytes // 4
    changed = native.bank_words(mended(words))
    for index in range(len(bank.clips)):
        before, after = (native.decode_clip(item, index, len(bank.joints), True)
                         for item in (np.array(bank.words, np.uint32), changed))
        assert np.array_equal(before, after, equal_nan=True)


@pytest.mark.parametrize("codec", [CURVE, TRANSFORM, VELOCITY, SPARSE, DENSE_KEYS])
def test_streams_that_no_encoder_writes_are_counted_once(codec: int) -> None:
    rng = Random(codec)
    counted = 0
    for _ in range(25):
        data = random_bank(rng, codec)
        for item in (data, mutate(rng, data)):
            try:
                bank = parse_bank(item)
            except BankProblem:
                continue
            if all(clip.frame_count <= 4096 for clip in bank.clips):
                checked_bits(bank)
                counted += 1
    assert counted > 30


@pytest.mark.parametrize("codec", ["curve", "velocity"])
def test_a_clip_that_says_it_has_a_million_frames(codec: str) -> None:
    """Those behind its data, which only damaged banks have, take no bits and hardly any time."""
    bank = parse_bank(frozen_sample(codec).bank)
    words, directory = np.array(bank.words, np.uint32), bank.sections[1].offset
    assert bank.sections[1].tag == "CLIP" and bank.clips[1].restart_frames == 1 << 31
    words[directory + 1 + 2 * words[directory] + 3 + 1] |= 0xFFFFF
    damaged = parse_bank(mended(words))
    assert damaged.clips[1].frame_count == 1 << 20
    checked_bits(damaged)


def test_a_track_of_a_sub_track_that_the_bank_does_not_have() -> None:
    """A curve clip with one track, of the third sub-track, which is dense."""
    ones, count_bits = 2, COUNT_BITS["curve"]
    stream = [1 | ((1 << ones) - 1) << count_bits, 0]
    tracks, _ = parse_curve(stream, 64, 3, 3)
    assert [track.subtrack for track in tracks] == [ones]
    with pytest.raises(BankProblem, match=mentioning("sub-track 2")):
        parse_curve(stream, 64, 2, 2)


def test_a_bank_without_clips() -> None:
    bank = parse_bank(write_bank(Skeleton([-1], [[*IDENTITY, 0, 0, 0]], ([], [], [])), []))
    assert checked_bits(bank).clips == ()
