"""The Python reader of banks: contents of good ones, and one clear line for bad ones."""
from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from bank_builder import ClipSpec, bank_bytes, biped, name_hash, random_clips, random_skeleton, seal
from compiling import INCLUDES, run
from figures import figure
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samples.sample_banks import Sample, samples

from ossicle.bank import clips as bank_clips
from ossicle.bank.file import PLAYER_STRUCT_BYTES, BankProblem, describe, parse_bank, read_bank
from ossicle.generate.code import Code
from ossicle.generate.plan import make_plan
from mentions import mentioning

SPEC = random_skeleton(9, 3, roots=2, has_scale=True, density=0.9, max_held=3)
CLIPS = random_clips(SPEC, 5)
GOOD = bank_bytes(SPEC, CLIPS)
HEADER_WORDS, SECTION_WORDS = 5, 3


def words_of(data: bytes) -> list[int]:
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def section_at(data: bytes, index: int) -> int:
    """Offset in words of SKEL (0), CLIP (1), DATA (2) or NAME (3)."""
    return words_of(data)[HEADER_WORDS + SECTION_WORDS * index + 1] & 0x7FFFFFFF


def with_word(index: int, value: int) -> bytes:
    words = words_of(GOOD)
    words[index] = value & 0xFFFFFFFF
    return seal(words)


def with_words(changes: dict[int, int]) -> bytes:
    """The good bank with other words at these places."""
    words = words_of(GOOD)
    for index, word in changes.items():
        words[index] = word
    return seal(words)


def test_a_bank_reads_back_as_it_was_written() -> None:
    bank = parse_bank(GOOD)
    assert [joint.name for joint in bank.joints] == SPEC.names
    assert [-1 if joint.parent is None else joint.parent for joint in bank.joints] == SPEC.parents
    assert [joint.bind for joint in bank.joints] == SPEC.bind
    assert [{j for j, joint in enumerate(bank.joints) if joint.subtracks[kind]} for kind in range(3)
            ] == list(SPEC.subtracks)
    assert (bank.has_scale, bank.max_held, bank.named) == (True, 3, True)
    for clip, spec in zip(bank.clips, CLIPS, strict=True):
        assert (clip.name, clip.frame_count, clip.loop, clip.layer) == (spec.name, spec.frames, spec.loop, spec.layer)
        assert [track.subtrack for track in clip.tracks] == sorted(spec.animated)
        assert list(clip.constant_subtracks) == sorted(spec.constant)
        assert list(clip.breaks) == sorted(spec.breaks)
        assert clip.restart_frames == 1 << spec.restart_log2


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_the_golden_banks_are_understood(sample: Sample) -> None:
    shown = describe(parse_bank(sample.bank))
    assert shown["bytes"] == len(sample.bank)
    if sample.name == "walk":
        assert [joint["name"] for joint in shown["joints"]] == ["hips", "spine", "hand"]
        walk, jump = shown["clips"][:2]
        assert (walk["name"], walk["frames"], walk["loop"], walk["rate"]) == ("walk", 9, True, 30)
        assert (walk["animated_tracks"], walk["constant_tracks"]) == (3, 1)
        assert jump["breaks"][1] == {"frame": 3, "joint": "hips", "kind": "translation"}
    if sample.name == "scale":
        assert [section["tag"] for section in shown["sections"]][0] == "XTRA"
        assert shown["joints"][39]["subtracks"] == ["rotation", "translation", "scale"]


def test_description_is_json() -> None:
    shown = describe(parse_bank(GOOD))
    assert json.loads(json.dumps(shown)) == shown
    assert shown["joints"][0]["parent"] is None
    assert sum(section["bytes"] for section in shown["sections"]) + 4 * (5 + 3 * 4) == len(GOOD)


@pytest.mark.parametrize(("text", "value"), [("", 0x811C9DC5), ("a", 0xE40C292C), ("foobar", 0xBF9CF968)])
def test_name_hash_is_fnv_1a(text: str, value: int) -> None:
    assert bank_clips.name_hash(text) == value == name_hash(text)


def bank_without_skeleton() -> bytes:
    """Its section is renamed and no longer required."""
    words = words_of(GOOD)
    words[HEADER_WORDS] = 0x58585858
    words[HEADER_WORDS + 1] &= 0x7FFFFFFF
    return seal(words)


def bank_with_scales_of_no_joint() -> bytes:
    """Its skeleton has no scale, but its mask of scales is not empty."""
    plain = bank_bytes(random_skeleton(9, 3), [])
    words = words_of(plain)
    words[section_at(plain, 1) - 1] |= 1
    return seal(words)


CLIP_AT, SKEL_AT, NAME_AT = (section_at(GOOD, index) for index in (1, 0, 3))
DATA_AT = section_at(GOOD, 2)
ENTRY_AT = CLIP_AT + 3
# behind the breaks and the restart points of the first clip
RECORD_AT = DATA_AT + 1 + len(CLIPS[0].breaks) + (CLIPS[0].frames - CLIPS[0].loop - 1 >> CLIPS[0].restart_log2)
# the restart point of the last clip
RESTART_AT = DATA_AT + (words_of(GOOD)[ENTRY_AT + 8] & 0x3FFFFFF) + 1 + len(CLIPS[2].breaks)
DEFECTS = {
    "empty": (b"", ".ossb"),
    "text": (b"# hello, this is a text file\n", ".ossb"),
    "cut": (GOOD[:-8], f"{len(GOOD) - 8} {len(GOOD)}"),
    "extended": (GOOD + bytes(4), f"{len(GOOD) + 4} {len(GOOD)}"),
    "damaged": (GOOD[:-1] + bytes([GOOD[-1] ^ 1]), "CRC"),
    "format": (with_word(1, 7), "7 2"),
    "sections": (with_word(4, 33), "33"),
    "missing": (bank_without_skeleton(), "SKEL"),
    "outside": (with_word(HEADER_WORDS + 2, 0x7FFFFFFF), "SKEL"),
    "overlap": (with_words({HEADER_WORDS + 9: 0x41525458, HEADER_WORDS + 10: NAME_AT - 1}), "XTRA"),
    "joints": (with_word(SKEL_AT, 1025), "1025 1 1024"),
    "subtrack": (with_word(RECORD_AT, 5 << 5 | SPEC.subtrack_count << 26), f"{SPEC.subtrack_count}"),
    "twice": (with_word(HEADER_WORDS + 3, words_of(GOOD)[HEADER_WORDS]), "SKEL"),
    "no joints": (with_word(SKEL_AT, 0), "0"),
    "flags": (with_word(SKEL_AT + 1, 3), "0x2"),
    "size": (with_word(SKEL_AT + 1, 0), "9"),
    "parent": (with_word(SKEL_AT + 2, 0x0001FFFF), "1"),
    "mask": (with_word(SKEL_AT + 2 + 5 + 90, 1 << 9), "9"),
    "scales": (bank_with_scales_of_no_joint(), "scale"),
    "held": (with_word(SKEL_AT, 9 | 999 << 16), "999"),
    "rates": (with_word(CLIP_AT, 65), "12 65"),
    "directory": (with_word(CLIP_AT, 2), "12 2"),
    "codec": (with_word(ENTRY_AT + 1, 9 | 15 << 20), "15"),
    "rate": (with_word(ENTRY_AT + 2, 1 << 26), "1"),
    "place": (with_word(ENTRY_AT + 2, 1 << 25), "33554432"),
    "no data": (with_word(ENTRY_AT + 8, NAME_AT - DATA_AT - 1), "2 129 130"),
    "order": (with_word(ENTRY_AT + 5, 0), "1 8ea3c7fe"),
    "short loop": (with_word(ENTRY_AT + 1, 1 << 20 | 1 << 31), "0 8fa3c991"),
    "tables": (with_word(DATA_AT, 0xFFFC0000), "0 130 16384"),
    "headers": (with_word(DATA_AT, 0x3FFE0), "0 8fa3c991"),
    "restart": (with_word(RESTART_AT, NAME_AT - RESTART_AT - 1 << 5), "2 8da3c66b"),
    "whole records": (with_word(DATA_AT, 33), "33"),
    "track": (with_word(RECORD_AT, 7 << 5), "7"),
    "hash": (with_word(ENTRY_AT, 1), "00000001"),
    "name counts": (with_word(NAME_AT, 8), "9 3"),
    "name text": (with_word(NAME_AT + 2, 0xFFFFFF00), "UTF-8"),
    "name shared": (with_word(NAME_AT + 2, 0x00FF4141), "12"),
    "name ends": (with_word(len(GOOD) // 4 - 1, 0x41414141), "12"),
    "names more": (with_word(NAME_AT + 3, 0), "12"),
}


@pytest.mark.parametrize("defect", sorted(DEFECTS))
def test_defects_are_named_in_one_line(defect: str, tmp_path: Path) -> None:
    data, message = DEFECTS[defect]
    path = tmp_path / "hero.ossb"
    path.write_bytes(data)
    with pytest.raises(BankProblem, match=mentioning(message)) as caught:
        read_bank(path)
    assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)


def test_a_missing_file_is_a_problem_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(BankProblem, match=mentioning("none.ossb No such file")):
        read_bank(tmp_path / "none.ossb")


def test_an_unknown_required_section_is_refused_and_an_optional_one_kept() -> None:
    words = words_of(GOOD)
    words[HEADER_WORDS + 9] = int.from_bytes(b"XTRA", "little")
    bank = parse_bank(seal(words))
    assert bank.sections[3].tag == "XTRA" and not bank.named
    words[HEADER_WORDS + 10] |= 0x80000000
    with pytest.raises(BankProblem, match=mentioning("XTRA")):
        parse_bank(seal(words))


def test_breaks_are_checked() -> None:
    spec = biped()
    spec.max_held = 1
    for breaks, message in [([(3, 1), (3, 2)], "1 3"),
                            ([(20, 1)], "20"),
                            ([(4, 19)], "19"),
                            ([(0, 1)], "0"),
                            ([(4, 1), (4, 1)], "4 20 1 19")]:
        with pytest.raises(BankProblem, match=mentioning(message)):
            parse_bank(bank_bytes(spec, [ClipSpec("jump", 20, breaks=breaks)]))


def test_endless_names_are_refused() -> None:
    spec = random_skeleton(2, 1)
    spec.names[1] = "x" * 1001
    with pytest.raises(BankProblem, match=mentioning("1 1001 1000")):
        parse_bank(bank_bytes(spec, []))


def check(data: bytes, verdict: Callable[[bytes], int]) -> None:
    """Only BankProblem may come out, and what Python accepts the runtime must accept too."""
    try:
        bank = parse_bank(data, "x.ossb")
    except BankProblem as problem:
        assert "\n" not in str(problem) and str(problem).startswith("x.ossb: ")
        return
    json.dumps(describe(bank))
    make_plan(bank, Code("hero", embed=True))
    assert verdict(data) == 0


FUZZ = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FUZZ
@given(st.binary(max_size=200))
def test_garbage_is_a_problem(runtime_verdict: Callable[[bytes], int], data: bytes) -> None:
    check(data, runtime_verdict)
    check(b"OSSB" + data, runtime_verdict)


@FUZZ
@given(st.integers(0, len(GOOD)), st.integers(0, 8 * len(GOOD) - 1))
def test_cuts_and_flips_are_problems(runtime_verdict: Callable[[bytes], int], cut: int, bit: int) -> None:
    check(GOOD[:cut], runtime_verdict)
    damaged = bytearray(GOOD)
    damaged[bit // 8] ^= 1 << bit % 8
    with pytest.raises(BankProblem):
        parse_bank(bytes(damaged))


@FUZZ
@given(st.lists(st.tuples(st.integers(0, DATA_AT + 40), st.one_of(
    st.integers(0, 0xFFFFFFFF), st.integers(0, 300), st.sampled_from([0xFFFF, 1 << 31, 1 << 16])),
    st.booleans()), min_size=1, max_size=4), st.integers(0, 12))
def test_consistent_banks_with_wrong_words(runtime_verdict: Callable[[bytes], int],
                                           edits: list[tuple[int, int, bool]], cut: int) -> None:
    """The CRC is right, so that the checks behind it have to notice."""
    words = words_of(GOOD)
    for index, value, exclusive in edits:
        words[index] = words[index] ^ value if exclusive else value
    if edits[0][0] % 3 == 0:
        del words[len(words) - cut:]
    check(seal(words), runtime_verdict)


@pytest.mark.parametrize(("struct", "compiler", "name"), [
    ("osc_player", "arm-none-eabi-gcc", "player"), ("osc_bank", "arm-none-eabi-gcc", "bank"),
    ("osc_bank", "gcc", "bank_64")])
def test_structs_have_the_stated_sizes(struct: str, compiler: str, name: str, tmp_path: Path) -> None:
    stated = figure(f"structs.{name}_bytes")
    (tmp_path / "size.c").write_text(
        f'#include "ossicle.h"\ntypedef char same[sizeof({struct}) == {stated} ? 1 : -1];\n', encoding="utf-8")
    run([compiler, "-std=c99", "-fsyntax-only", *INCLUDES, tmp_path / "size.c"])
    assert name != "player" or stated == PLAYER_STRUCT_BYTES
