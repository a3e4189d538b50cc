"""Tiers that break one rule of runtime/SPEC.md section 15, and those that just keep it: runtime, reference and tools
refuse and accept the same ones."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from bank_writer import VECTOR, Clip, Skeleton, Track, write_bank
from bit_stream import ERRORS
from ossicle.bank.file import BankProblem, parse_bank
from pose_driver import Driver, Query
from reference import BankError, Decoder
from samples.sample_banks import IDENTITY
from tiers.tier_writer import WHOLE, Chunk, Section, directory, tier_words, version_chunk

OK = 0
SHAPE, COUNTS, BREAK = 0, 1, 2  # words of a version
FORM, RECORDS = 0, 2  # words of TIER
DENSE = 6
BOTH = 8  # words of the two records
STEP, LOOPED, KEYED = range(3)  # clips


def skeleton() -> Skeleton:
    """A joint that moves."""
    return Skeleton([-1], [[*IDENTITY, 0, 0, 0]], ([], [0], []), state_words=7)


def moving(frames: int, factor: int = 1, loop: bool = False, **more: object) -> Clip:
    """A clip in which it does."""
    rows = [(factor * frame, 0, -frame) for frame in range(frames - loop)]
    return Clip(frames, [Track(0, VECTOR, 4, rows)], loop=loop, **more)


def keyed() -> Clip:
    """A dense clip without tracks, which may have keys in tiers all the same."""
    return Clip(6, codec=DENSE, name="keyed", stream=[0, 0])


@dataclass
class Case:
    """A bank: the contents of TIER and the tiers. clips: those of the base, of 9, 5 and 6 frames."""

    clips: list[Clip] = field(default_factory=lambda: [
        moving(9, name="step"), moving(5, loop=True, name="looped"), keyed()])
    versions: list[Clip] = field(default_factory=list)
    table: list[int] = field(default_factory=list)
    tiers: list[tuple[int, list[int]]] = field(default_factory=list)

    def bank(self) -> bytes:
        sections: list[Section] = [(b"TIER", False, self.table)] if self.table else []
        sections += [(b"TIE%d" % tier, False, words) for tier, words in self.tiers]
        return write_bank(skeleton(), self.clips, behind=sections, versions=self.versions)


def case(tiers: list[list[Chunk]], log2: int = WHOLE) -> Case:
    """A bank with all of these chunks in place."""
    return Case(table=directory(tiers, log2),
                tiers=[(tier, tier_words(chunks)) for tier, chunks in enumerate(tiers, 1)])


def versions() -> Case:
    """Two tiers: one version of the first clip; one of each but the first, of which two blocks."""
    chunks = [version_chunk(skeleton(), STEP, 0, moving(5, 2)), version_chunk(skeleton(), STEP, 1, moving(5, 3))]
    two = [version_chunk(skeleton(), STEP, 1, moving(5, 4)),
           version_chunk(skeleton(), LOOPED, 0, moving(5, 2, loop=True)), Chunk(KEYED, 0, 0, [1, 2])]
    return case([chunks, two], 2)


ONE_CHUNKS, TWO_CHUNKS = 2, 3
ENTRIES = RECORDS + 6


def verdicts(driver: Driver, bank: bytes) -> tuple[int, int]:
    """Compares the verdicts of runtime, reference and tools; a bank that opens is played, under sanitizers."""
    try:
        decoder = Decoder(bank)
        reference = OK
    except BankError as error:
        reference = error.code
    queries = [Query(clip, mode, position, position == 0) for clip in range(2) for mode in (1, 2)
               for position in range(0, 9 * 2048, 1024)]
    status, _, answers = driver.ask(bank, queries)
    if reference == OK:
        assert [answer.pose for answer in answers] == [decoder.pose(q.clip, q.position, q.mode) for q in queries]
    try:
        parse_bank(bank)
    except BankProblem as problem:
        assert reference != OK, problem
    else:
        assert reference == OK
    return status, reference


def expect(driver: Driver, sample: Case, verdict: str | int) -> None:
    expected = ERRORS.get(verdict, verdict)
    assert verdicts(driver, sample.bank()) == (expected, expected)


def test_versions_open(driver: Driver) -> None:
    expect(driver, versions(), OK)


def table_with(at: int, change: Callable[[int], int]) -> Case:
    sample = versions()
    sample.table[at] = change(sample.table[at]) & 0xFFFFFFFF
    return sample


def entry(number: int, word: int) -> int:
    """Offset of a word of a chunk's entry in TIER."""
    return ENTRIES + 3 * number + word


@pytest.mark.parametrize(("at", "change", "verdict"), [
    (FORM, lambda form: form & ~0xFF, "SECTION"),  # no tier
    (FORM, lambda form: form & ~0xFF | 1, "SECTION"),  # fewer than the records say
    (FORM, lambda form: form & ~0xFF | 3, "SECTION"),
    (FORM, lambda form: form | 32 << 8, "SECTION"),  # blocks of 2^34 frames
    (FORM, lambda form: form | 1 << 16, "SECTION"),  # bits that are zero
    (FORM, lambda form: form | 1 << 31, "SECTION"),
    (FORM, lambda form: form & 0xFF | 3 << 8, "SECTION"),  # blocks that the first clip does not have
    (FORM, lambda form: form & 0xFF | 1 << 8, "CLIP"),  # blocks of other lengths
    (1, lambda error: 0xFFFFFFFF, OK),  # information only
    (RECORDS + 2, lambda error: 0xFFFFFFFF, OK),
    (RECORDS, lambda size: size + 1, "SECTION"),
    (RECORDS, lambda size: size - 1, "SECTION"),
    (RECORDS, lambda size: 0, "SECTION"),
    (RECORDS + 3, lambda size: 1 << 26, "SECTION"),
    (RECORDS + 1, lambda end: end - 1, "SECTION"),
    (RECORDS + 1, lambda end: end + 1, "SECTION"),
    (RECORDS + 1, lambda end: 0xFFFFFFFF, "SECTION"),
    (RECORDS + 1, lambda end: ONE_CHUNKS + TWO_CHUNKS + 1, "SECTION"),
    (RECORDS + 4, lambda end: end - 1, "SECTION"),
    (RECORDS + 4, lambda end: end + 1, "SECTION"),
    (RECORDS + 4, lambda end: 0xFFFFFFFF, "SECTION"),
    (RECORDS + 4, lambda end: 0, "SECTION"),
    (entry(0, 0), lambda key: key | 7, "SECTION"),  # codec
    (entry(0, 0), lambda key: key | 15, "SECTION"),
    (entry(0, 0), lambda key: key ^ 3, "CLIP"),  # another codec than the version's
    (entry(0, 0), lambda key: key & ~15, "SECTION"),  # keys of a clip that is not dense
    (entry(0, 0), lambda key: key | 1 << 4, "SECTION"),  # the same block twice
    (entry(0, 0), lambda key: key | 1 << 16, "SECTION"),  # out of order
    (entry(0, 0), lambda key: key | 1 << 31, "SECTION"),
    (entry(1, 0), lambda key: key + (1 << 4), "SECTION"),  # block 2 of 2
    (entry(1, 0), lambda key: key + (4095 - 1 << 4), "SECTION"),
    (entry(3, 0), lambda key: key | 1 << 4, "SECTION"),  # a second block of a clip of one
    (entry(4, 0), lambda key: key | 1 << 4, "SECTION"),  # keys of a second block
    (entry(4, 0), lambda key: key + (1 << 16), "SECTION"),  # a clip too many
    (entry(4, 0), lambda key: key | 6, "SECTION"),  # a version of two words
    (entry(0, 1), lambda offset: 1, "SECTION"),
    (entry(1, 1), lambda offset: 0, "SECTION"),  # chunks of no words
    (entry(1, 1), lambda offset: offset + 1, "CLIP"),  # not where the version is
    (entry(1, 1), lambda offset: 3, "SECTION"),  # versions have four words
    (entry(1, 1), lambda offset: 1 << 31, "SECTION"),
    (entry(1, 1), lambda offset: 0xFFFFFFFF, "SECTION"),
    (entry(2, 1), lambda offset: 1, "SECTION"),
    (entry(4, 1), lambda offset: offset + 1, "SECTION"),  # keys of one word
    (entry(4, 1), lambda offset: offset + 2, "SECTION"),  # of none, at the end
    (entry(4, 1), lambda offset: offset + 3, "SECTION"),  # behind it
    (entry(0, 2), lambda crc: crc ^ 1, OK),  # the bank's own CRC is enough for what it contains
])
def test_words_of_the_directory(driver: Driver, at: int, change: Callable[[int], int], verdict: str | int) -> None:
    expect(driver, table_with(at, change), verdict)


@pytest.mark.parametrize("words", [1, RECORDS, ENTRIES - 1, ENTRIES, ENTRIES + 3 * 5 - 3, ENTRIES + 3 * 5 - 1])
def test_the_directory_is_as_long_as_it_says(driver: Driver, words: int) -> None:
    sample = versions()
    del sample.table[words:]
    expect(driver, sample, "SECTION")
    sample = versions()
    sample.table += [0] * words
    expect(driver, sample, "SECTION")


def test_nothing_behind_the_directory_is_read(driver: Driver) -> None:
    for words in (1, RECORDS + 3):  # half a header, one record of two
        expect(driver, Case(table=versions().table[:words]), "SECTION")
    table = directory([[Chunk(KEYED, 0, 0, [1, 2])], []])
    table[RECORDS + 1] += 1  # the second tier ends before the first, which has one entry more than there are
    table[RECORDS + 3] = 1
    expect(driver, Case(table=table), "SECTION")


def test_a_tier_without_chunks_has_no_words(driver: Driver) -> None:
    table = directory([[]])
    table[RECORDS] = 1
    expect(driver, Case(table=table, tiers=[(1, [0])]), "SECTION")


@pytest.mark.parametrize("tiers", range(7))
def test_there_are_one_to_four_tiers(driver: Driver, tiers: int) -> None:
    expect(driver, Case(table=directory([[]] * tiers)), OK if 1 <= tiers <= 4 else "SECTION")


@pytest.mark.parametrize("tier", range(1, 6))
def test_a_tier_is_one_that_the_directory_has(driver: Driver, tier: int) -> None:
    expect(driver, Case(tiers=[(tier, [])]), "SECTION" if tier <= 4 else OK)  # TIE5 is of no one that readers know
    expect(driver, Case(table=directory([[]] * 2), tiers=[(tier, [])]), "SECTION" if 2 < tier <= 4 else OK)


@pytest.mark.parametrize("more", [-1, 1])
@pytest.mark.parametrize("tier", [1, 2])
def test_a_tier_has_the_size_that_the_directory_says(driver: Driver, tier: int, more: int) -> None:
    sample = versions()
    words = sample.tiers[tier - 1][1]
    sample.tiers[tier - 1] = (tier, words[:-1] if more < 0 else [*words, 0])
    expect(driver, sample, "SECTION")


def test_sizes_of_tiers_are_checked_before_their_contents(driver: Driver) -> None:
    sample = versions()
    sample.tiers[0][1][SHAPE] ^= 1
    expect(driver, sample, "CLIP")
    sample.tiers[1][1].append(0)
    expect(driver, sample, "SECTION")


@pytest.mark.parametrize("there", [[], [1], [2], [2, 1]])
def test_tiers_may_be_missing_and_in_any_order(driver: Driver, there: list[int]) -> None:
    sample = versions()
    sample.tiers = [sample.tiers[tier - 1] for tier in there]
    expect(driver, sample, OK)


def test_a_tier_is_there_once(driver: Driver) -> None:
    sample = versions()
    sample.tiers.append(sample.tiers[0])
    expect(driver, sample, "SECTION")


@pytest.mark.parametrize(("frames", "log2", "verdict"), [
    (4096, 0, OK), (4097, 0, OK), (4098, 0, "SECTION"), (8193, 1, OK), (8194, 1, "SECTION"), (8194, 2, OK)])
def test_a_clip_has_at_most_4096_blocks(driver: Driver, frames: int, log2: int, verdict: str | int) -> None:
    long = Clip(frames, name="long")
    last = max(1, -(-(frames - 1) >> log2)) - 1
    if verdict == OK:
        length = frames - (last << log2)
        sample = case([[version_chunk(skeleton(), 3, last, moving(length, 9))]], log2)
    else:
        sample = Case(table=directory([[]], log2))
    sample.clips.append(long)
    expect(driver, sample, verdict)


# ---- versions ----

def with_version(clip: int, version: Clip, block: int = 0, log2: int = WHOLE) -> Case:
    sample = case([[version_chunk(skeleton(), clip, block, version)]], log2)
    sample.versions = [version]
    return sample


@pytest.mark.parametrize(("clip", "block", "log2", "frames"), [
    (STEP, 0, WHOLE, 9), (STEP, 0, 3, 9), (STEP, 0, 2, 5), (STEP, 1, 2, 5), (STEP, 2, 1, 3), (STEP, 3, 1, 3),
    (STEP, 0, 0, 2), (STEP, 7, 0, 2), (LOOPED, 0, WHOLE, 5), (LOOPED, 0, 2, 5), (LOOPED, 1, 1, 3), (KEYED, 1, 2, 2)])
def test_a_version_has_the_frames_of_its_block(driver: Driver, clip: int, block: int, log2: int, frames: int) -> None:
    loop = clip == LOOPED and log2 >= 2
    for count in range(max(1, frames - 2), frames + 3):
        version = moving(count, 5, loop and count > 1)
        expect(driver, with_version(clip, version, block, log2), OK if count == frames else "CLIP")


@pytest.mark.parametrize(("clip", "log2", "loops"), [
    (STEP, WHOLE, False), (STEP, 2, False), (LOOPED, WHOLE, True), (LOOPED, 2, True), (LOOPED, 1, False)])
@pytest.mark.parametrize("loop", [False, True])
def test_a_version_of_a_whole_loop_loops(driver: Driver, clip: int, log2: int, loops: bool, loop: bool) -> None:
    frames = 9 if clip == STEP else 5
    version = moving(min(frames, (1 << log2) + 1), 5, loop)
    expect(driver, with_version(clip, version, 0, log2), OK if loop == loops else "CLIP")


@pytest.mark.parametrize("restart_log2", [0, 1, 3, 31])
def test_a_version_has_any_restart_points(driver: Driver, restart_log2: int) -> None:
    expect(driver, with_version(STEP, moving(9, 5, restart_log2=restart_log2)), OK)


def changed(sample: Case, at: int, bits: int) -> Case:
    """One word of the first tier changed."""
    tiers = [(tier, list(words)) for tier, words in sample.tiers]
    tiers[0][1][at] ^= bits
    return replace(sample, tiers=tiers)


def test_versions_are_checked_as_clips_are(driver: Driver) -> None:
    version = moving(9, 5, restart_log2=2, breaks=[(3, 0), (5, 0)])
    sample = with_version(STEP, version)
    words = sample.tiers[0][1]
    first_restart, record = BREAK + 2, BREAK + 4
    expect(driver, sample, OK)
    for at, bits, verdict in (
            (SHAPE, 1 << 29, "CLIP"),  # differences in the place of poses
            (SHAPE, 1 << 30, OK),  # a layer
            (SHAPE, 15 << 20, "CLIP"),
            (COUNTS, 1, "CLIP"),  # 33 bits of track records
            (COUNTS, 0x3FFFF ^ 32, "CLIP"),
            (COUNTS, 1 << 31, "CLIP"),  # more breaks than there are words
            (BREAK, (3 ^ 9) << 12, "CLIP"),  # the frames of the version end before
            (BREAK, (3 ^ 5) << 12, "CLIP"),  # one twice
            (BREAK, 3 << 12, "CLIP"),  # at frame 0
            (BREAK, 1, "CLIP"),  # sub-track 1 of 1
            (first_restart, 1 << 20, "CLIP"),
            (record, 7 << 5 ^ VECTOR << 5, "CLIP"),
            (record, 1 << 26, "CLIP")):
        assert at < len(words)
        expect(driver, changed(sample, at, bits), verdict)


def test_breaks_of_versions_fit_the_player(driver: Driver) -> None:
    sample = with_version(STEP, moving(9, 5, breaks=[(3, 0)]))
    expect(driver, sample, OK)
    sample.versions = []  # so that the skeleton says that none is held
    expect(driver, sample, "CLIP")


@pytest.mark.parametrize("tracks", [0, 1, 2])
def test_the_state_of_versions_fits_the_player(driver: Driver, tracks: int) -> None:
    """Dense versions: 5 words, and 2 a track; the skeleton has 7. A second track is of no sub-track, too."""
    fields = [(tracks, 12), (0, 5), (0, 3), *[(0, 1), (6, 3)] * tracks]
    value = length = 0
    for number, bits in fields:
        value |= number << length
        length += bits
    version = Clip(9, codec=DENSE, header_bits=length, stream=[value & 0xFFFFFFFF, value >> 32, 0])
    expect(driver, with_version(STEP, version), OK if tracks <= 1 else "CLIP")
    bank = with_version(STEP, version)
    words = bank.bank()
    assert verdicts(driver, words) == (OK if tracks <= 1 else -8,) * 2
    small = replace(skeleton(), state_words=6)
    lesser = write_bank(small, bank.clips, behind=[(b"TIER", False, bank.table), (b"TIE1", False, bank.tiers[0][1])])
    assert verdicts(driver, lesser) == (OK if tracks == 0 else -8,) * 2


@pytest.mark.parametrize("words", [4, 5, 6])
def test_a_version_has_two_words_of_stream(driver: Driver, words: int) -> None:
    """The last of them is the word of zeros: shape, counts, breaks, and what is left of it."""
    chunk = version_chunk(skeleton(), STEP, 0, Clip(9, breaks=[(3, 0)], stream=[0]))
    chunk.words[:] = [*chunk.words[:3], 0, 0, 0][:words]
    sample = case([[chunk]])
    sample.versions = [Clip(9, breaks=[(3, 0)])]
    expect(driver, sample, OK if words >= 5 else "CLIP")


def test_any_bits_are_keys(driver: Driver) -> None:
    expect(driver, case([[Chunk(KEYED, 0, 0, [0xFFFFFFFF] * 2)], [Chunk(KEYED, 0, 0, [7] * 9)]], 2), OK)
    expect(driver, case([[Chunk(KEYED, 0, 0, [7])]]), "SECTION")
