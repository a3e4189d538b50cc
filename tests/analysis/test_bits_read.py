"""Tracks are given the very bits that the reference of tests/golden reads to play a clip."""
from __future__ import annotations

from collections import defaultdict
from random import Random

import numpy as np
import pytest
from bank_writer import write_bank
from bit_stream import Stream
from samples.frozen_banks import frozen_sample
from random_banks import random_clip, random_skeleton
from random_codecs import CURVE, DENSE_KEYS, SPARSE, TRANSFORM, VELOCITY
from reference import DELTA, ClipReader, Decoder
from samples.sample_banks import Sample
from test_bits import SAMPLES
from test_codecs_random import random_bank
from tiers.tiers_reference import TAGS

from ossicle.analysis.bits import bits_of
from ossicle.bank.file import Bank, parse_bank
from ossicle.encoding import native

BANKS = 20
# before the track headers; skips behind them
COUNTS = {DELTA: 64, CURVE: 12, TRANSFORM: 20, VELOCITY: 12, SPARSE: 17, DENSE_KEYS: 23}
WORD = 32
LONGEST_RICE = 47
MAP_BITS, OFFSET_BITS, TIERS, CLASSES = 6, 32, 4, 8  # of a dense block


Reads = dict[int, dict[str, set[int]]]  # positions of bits, by the id of a stream's words and how they were read


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    """Records what streams read from now on."""
    found: Reads = defaultdict(lambda: defaultdict(set))
    inside: list[str] = []  # methods call others

    def recorded(method: str) -> None:
        plain = getattr(Stream, method)

        def read(stream: Stream, argument: int) -> int:
            before = stream.position
            inside.append(method)
            value = plain(stream, argument)
            found[id(stream.words)][inside[0]].update(range(before, stream.position))
            inside.pop()
            return value
        monkeypatch.setattr(Stream, method, read)

    for method in ("take", "take_rice", "take_unary", "take_rice_unsigned"):
        recorded(method)
    return found


def claimed_bits(bank: Bank) -> np.ndarray:
    """For each bit of a bank whether a track claims it."""
    claimed = np.zeros(len(bank.words), np.uint32)
    for _ in native.track_bits(np.array(bank.words, np.uint32), len(bank.clips), len(bank.subtracks), claimed):
        pass
    return np.unpackbits(claimed.astype("<u4").view(np.uint8), bitorder="little").astype(bool)


def unclaimed_limit(clip: ClipReader) -> int:
    """The most bits that a clip needs for all tracks together."""
    blocks = len(clip.restarts)
    shared = COUNTS[clip.codec] + LONGEST_RICE
    if clip.codec == TRANSFORM:
        shared += WORD * (clip.row_count // 8 + 1)
    if clip.codec == DENSE_KEYS:
        shared += MAP_BITS * (clip.row_count + blocks) + (OFFSET_BITS + MAP_BITS * CLASSES) * TIERS * blocks
    return shared


def places(decoder: Decoder, bank: Bank) -> list[tuple[ClipReader, int, int]]:
    """All clips and the versions of them that are there, and from which word on to which one their data is, less the
    word of zeros after them."""
    found = []
    offset = next(section.offset + section.words for section in bank.sections if section.tag == "DATA") - 1
    for clip, header in zip(reversed(decoder.clips), reversed(bank.clips), strict=True):
        end, offset = offset, offset - header.size_bytes // 4
        found.append((clip, offset, end))
    tiers = {int(section.tag[-1]): section.offset for section in bank.sections if section.tag in TAGS}
    for entry in decoder.directory.entries:
        version = decoder.all_versions.get((entry.tier, entry.clip, entry.block))
        if version is not None:
            found.append((version, tiers[entry.tier] + entry.first + 1, tiers[entry.tier] + entry.end - 1))
    return found


def compare(data: bytes, reads: Reads) -> int:
    """Plays all clips of a bank and their versions. Returns the number of bits that were compared."""
    reads.clear()
    decoder, bank = Decoder(data), parse_bank(data)
    claimed, compared = claimed_bits(bank), 0
    for clip, offset, end in places(decoder, bank):
        for frame in range(clip.row_count):
            clip.row(frame)
        start = offset + 1 + sum(map(len, clip.breaks.values())) + len(clip.restarts) - 1
        ours = set(np.flatnonzero(claimed[WORD * start:WORD * end]).tolist())
        theirs = {bit for some in reads[id(clip.stream)].values() for bit in some if bit < WORD * (end - start)}
        if clip.codec == DELTA:  # whose records are words
            theirs |= set(range(clip.header_bits))
        assert len(theirs - ours) <= unclaimed_limit(clip)
        if clip.codec != SPARSE:  # tags are passed over, and so are tangents that no frame needs
            assert ours <= theirs
        compared += len(ours)
    return compared


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_samples(sample: Sample, reads: Reads) -> None:
    assert compare(sample.bank, reads) > 0


@pytest.mark.parametrize("codec", [CURVE, TRANSFORM, VELOCITY, SPARSE, DENSE_KEYS])
def test_random_streams(codec: int, reads: Reads) -> None:
    rng = Random(codec)
    assert sum(compare(random_bank(rng, codec), reads) for _ in range(BANKS)) > 100 * BANKS


def test_random_deltas(reads: Reads) -> None:
    rng, compared = Random(DELTA), 0
    for _ in range(BANKS):
        skeleton = random_skeleton(rng)
        clips = [random_clip(rng, skeleton, name) for name in ("one", "two")]
        compared += compare(write_bank(skeleton, clips), reads)
    assert compared > 100 * BANKS


def test_kinds_of_keys_and_how_long_they_last_are_keys(reads: Reads) -> None:
    """Bits of the codec velocity, whose reference reads nothing else like this in frames."""
    data = frozen_sample("velocity").bank
    decoder = Decoder(data)
    for clip, bits in zip(decoder.clips, bits_of(parse_bank(data)).clips, strict=True):
        for frame in range(clip.row_count):
            clip.row(frame)
        found = reads[id(clip.stream)]
        keys = {bit for bit in found["take_unary"] | found["take_rice_unsigned"] if bit >= clip.restarts[0]}
        breaks = sum(map(len, clip.breaks.values()))
        assert sum(track.keys for track in bits.tracks) == len(keys) + WORD * breaks
