"""Banks of every codec, as the encoder writes them: the Python reader sees what the encoder meant,
and agrees with the runtime about every damaged one."""
from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from bank_builder import seal
from encoded_banks import JOINTS, encoded
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ossicle.encoding import native
from ossicle.bank.file import Bank, BankProblem, describe, parse_bank
from ossicle.bank.transform import transposed_words
from ossicle.base.codec import CODECS
from ossicle.base.conforming import conforms
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.generate.plan import make_plan
from mentions import mentioning


def words_of(data: bytes) -> list[int]:
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def entry_of(bank: Bank, index: int) -> int:
    """Offset of a clip's directory entry in a bank of one rate."""
    return next(s.offset for s in bank.sections if s.tag == "CLIP") + 3 + 3 * index


def headers_of(bank: Bank, index: int) -> tuple[int, int]:
    """Offset of a clip's track headers in the bank, and their number of whole words."""
    _, shape, place = bank.words[entry_of(bank, index):][:3]
    at = next(s.offset for s in bank.sections if s.tag == "DATA") + (place & 0x3FFFFFF)
    tables = (bank.words[at] >> 18) + ((shape & 0xFFFFF) >> (shape >> 24 & 31))
    return at + 1 + tables, (bank.words[at] & 0x3FFFF) // 32


def test_tracks_constants_and_breaks_are_seen_in_every_codec() -> None:
    data, reports = encoded(CODECS)
    bank = parse_bank(data)
    for clip, codec, report in zip(bank.clips, CODECS, reports, strict=True):
        assert clip.codec == codec
        assert len(clip.tracks) == report.animated_tracks > 5
        assert len(clip.constant_subtracks) == report.constant_tracks > 0
        assert [(frame, bank.subtracks[subtrack]) for frame, subtrack in clip.breaks] == [(20, ("rotation", 3))]
        animated = {bank.subtracks[track.subtrack] for track in clip.tracks}
        assert {("rotation", 1), ("translation", 0), ("scale", 2)} <= animated
        # with velocities it makes up for the joints above
        assert codec == "velocity" or ("rotation", JOINTS - 1) not in animated
    shown = describe(bank)
    assert [clip["codec"] for clip in shown["clips"]] == list(CODECS)


@pytest.mark.parametrize("codec", CODECS)
def test_the_words_of_state_are_the_runtime_s(codec: str) -> None:
    data, _ = encoded((codec,))
    bank = parse_bank(data)
    assert bank.clips[0].state_words == bank.state_words == describe(bank)["state_words"]
    assert (bank.state_words == 0) == (codec == "delta")
    assert native.check_bank(native.bank_words(data)) == (native.OK, bank.player_words)
    assert make_plan(bank, Code("hero")).player_words == bank.player_words


@pytest.mark.parametrize("codec", CODECS)
def test_a_parsed_bank_can_come_from_a_worker(codec: str) -> None:
    """Messages of other processes are refused unless their dataclasses are exactly those that are declared."""
    assert conforms(parse_bank(encoded((codec,))[0]), Bank)


@pytest.mark.parametrize("codec", CODECS)
def test_a_track_beyond_the_skeleton_s_sub_tracks_is_refused(codec: str) -> None:
    """The bit of the last sub-track, which moves, is cleared in the mask of its kind."""
    bank = parse_bank(encoded((codec,))[0])
    kind, joint = bank.subtracks[-1]
    assert bank.clips[0].tracks[-1].subtrack == len(bank.subtracks) - 1 and (kind, JOINTS <= 32) == ("scale", True)
    words, skeleton = list(bank.words), next(s for s in bank.sections if s.tag == "SKEL")
    words[skeleton.offset + skeleton.words - 1] ^= 1 << joint
    with pytest.raises(BankProblem, match=mentioning(f"{len(bank.subtracks) - 1}")):
        parse_bank(seal(words))


def test_the_transposed_copy_has_room_for_the_largest_clip() -> None:
    """tests/golden/test_transposed_memory.py shows that its words are enough for vector units. Memory that another clip
    needs for its state is part of it."""
    bank = parse_bank(encoded(("transform", "delta"))[0])
    large, small = (transposed_words(clip.state_words, clip.tracks) for clip in bank.clips)
    assert large > bank.state_words and small == 0
    assert make_plan(bank, Code("hero")).transposed_words == large - bank.state_words
    roomy = replace(bank, state_words=large)
    assert make_plan(roomy, Code("hero")).transposed_words == 0


@pytest.mark.parametrize("codec", ["transform", "delta"])
def test_players_are_told_of_all_their_memory(codec: str, tmp_path: Path) -> None:
    (tmp_path / "hero.ossb").write_bytes(encoded((codec,))[0])
    header, _, pose = (path.read_text() for path in generate(tmp_path / "hero.ossb", tmp_path))
    [has] = re.findall(r"int32_t memory\[(.*)\];", header)
    [told] = re.findall(r"player->memory,\s*(.*)\);", pose)
    assert has == told
    assert ("HERO_TRANSPOSED_WORDS" in told) == (codec == "transform")


def test_a_bank_with_too_little_state_is_refused() -> None:
    for codec in ("curve", "transform"):
        words = words_of(encoded((codec,))[0])
        flags = words[6] & 0x7FFFFFFF  # place of SKEL
        words[flags + 1] -= 1 << 8
        with pytest.raises(BankProblem, match=mentioning("0")):
            parse_bank(seal(words))


def test_more_state_than_any_player_has_is_refused() -> None:
    words = words_of(encoded(("delta",))[0])
    words[(words[6] & 0x7FFFFFFF) + 1] |= 0x10000 << 8
    with pytest.raises(BankProblem, match=mentioning("65536")):
        parse_bank(seal(words))


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(CODECS),
       st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 31), st.integers(1, 255)), min_size=1, max_size=4),
       st.sampled_from(CODECS))
def test_the_runtime_agrees_about_every_header(runtime_verdict: Callable[[bytes], int], codec: str,
                                               flips: list[tuple[int, int, int]], read_as: str) -> None:
    """Headers with wrong bits, and headers read as those of another codec."""
    data, _ = encoded(CODECS)
    bank = parse_bank(data)
    words = words_of(data)
    index = CODECS.index(codec)
    first, count = headers_of(bank, index)
    for place, shift, bits in flips:
        words[first + place % count] ^= bits << shift & 0xFFFFFFFF
    shape = entry_of(bank, index) + 1
    words[shape] = words[shape] & ~(15 << 20) | CODECS.index(read_as) + 1 << 20
    damaged = seal(words)
    try:
        parse_bank(damaged)
        accepted = True
    except BankProblem:
        accepted = False
    assert accepted == (runtime_verdict(damaged) == 0)
