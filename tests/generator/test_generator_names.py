"""Names of joints and clips become identifiers, strings and comments, with any characters."""
from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from bank_builder import ClipSpec, bank_bytes, random_skeleton
from compiling import compile_strict, run
from hypothesis import given
from hypothesis import strategies as st

from ossicle.bank.file import parse_bank
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.generate.identifiers import (MAX_IDENTIFIER, c_comment, c_string, name_of_stem, unique_identifiers,
                                          upper_snake)
from ossicle.generate.plan import make_plan
from ossicle.base.problem import SettingProblem
from mentions import mentioning

HOSTILE = ['*/ int x; /*', 'a"b\\', "what??/", "line\nbreak\r\ttab", "", "右腕", "Kopf_ü", "7of9",
           "count", "COUNT", "Count 2", "/*/", "\\u0041", "??=define", "a" * 900, "int",
           "\u202ebidi", "100%", "𝔾\x7f"]


@pytest.mark.parametrize(("name", "identifier"), [
    ("LeftFoot", "LEFT_FOOT"), ("left_foot", "LEFT_FOOT"), ("Left Foot", "LEFT_FOOT"),
    ("left-foot.001", "LEFT_FOOT_001"), ("IKTarget", "IK_TARGET"), ("Bip01L", "BIP01_L"),
    ("mixamorig:LeftArm", "MIXAMORIG_LEFT_ARM"), ("Kopf_ü", "KOPF_U"), ("a→b", "A_B"),
    ("右腕", "U53F3_U8155"), ("", ""), ("->", "U002D_U003E"), ("走るRun", "U8D70_RU_RUN"),
    ("はしる", "HASIRU"), ("ガード", "GADO"), ("がっこう", "GAKOU"), ("걷기", "GEODGI"), ("Идти", "IDTI"),
    ("ПрыжокЁ", "PRYZHOK_YO"), ("Ξίφος", "XIFOS"), ("Straße", "STRASSE"), ("Łódź", "LODZ"), ("١٢", "12"),
    ("ＦＵＬＬ", "FULL"), ("½", "1_2"), ("__x__", "X"), ("7of9", "7OF9"),
])
def test_identifiers_read_like_the_name(name: str, identifier: str) -> None:
    assert upper_snake(name) == identifier


COLLIDING = ["Arm", "arm", "ARM", "Arm 2", "COUNT", "右", "左", ""]


def identifiers(names: list[str]) -> dict[str, str]:
    found = unique_identifiers(names, [f"F{name}" for name in names], frozenset({"COUNT"}))
    return dict(zip(names, found, strict=True))


def test_collisions_get_a_checksum_and_natural_names_keep_theirs() -> None:
    assert identifiers(COLLIDING) == {
        "Arm": "ARM_A013", "arm": "ARM_985E", "ARM": "ARM", "Arm 2": "ARM_2", "COUNT": "COUNT_728D",
        "右": "U53F3", "左": "U5DE6", "": "F"}


def test_a_checksum_that_is_taken_is_longer() -> None:
    found = identifiers([*COLLIDING, "Arm_A013"])
    assert found["Arm_A013"] == "ARM_A013" and re.fullmatch("ARM_A013[0-9A-F]{4}", found["Arm"])


def test_equal_checksums_are_told_apart() -> None:
    """Four digits of 2401 checksums are not all different."""
    names = ["Walk" + "".join(signs) for signs in product(".-!+ ,;", repeat=4)]
    found = identifiers(names)
    assert len(set(found.values())) == len(names)
    assert {len(name) for name in found.values()} == {len("WALK"), len("WALK_FFFF"), len("WALK_FFFFFFFF")}


@given(st.permutations([*COLLIDING, "Arm_A013", "Count", "x" * 60, "x" * 61]))
def test_identifiers_do_not_depend_on_the_order(names: list[str]) -> None:
    assert identifiers(names) == identifiers(sorted(names))


@given(st.lists(st.text(max_size=6), unique=True, max_size=12), st.text(max_size=6))
def test_other_names_change_nothing(names: list[str], other: str) -> None:
    """A further clip can only change identifiers that it would have itself."""
    names = [name for name in names if name != other]
    before, after = identifiers(names), identifiers([*names, other])
    base = upper_snake(other) or "F"
    for name in names:
        assert after[name] == before[name] or (upper_snake(name) or "F") == base or before[name] == base, name


@given(st.lists(st.text(max_size=12), max_size=30))
def test_identifiers_are_unique_and_valid(names: list[str]) -> None:
    result = unique_identifiers(names, [str(i) for i in range(len(names))], frozenset({"COUNT"}))
    assert len(result) == len(names) == len(set(result)) and "COUNT" not in result
    assert all(re.fullmatch(r"[A-Z0-9][A-Z0-9_]*", name) for name in result)


@given(st.text(alphabet=st.sampled_from("*/?\\\"\n\u2028a\u202e"), max_size=80))
def test_comments_cannot_end_early(text: str) -> None:
    comment = c_comment(text)
    assert not any(bad in f"/* {comment} */"[2:-2] for bad in ("*/", "/*", "??", "\n", "\u2028"))
    assert comment.isprintable()


@given(st.text(max_size=40).filter(lambda text: "\0" not in text))
def test_strings_hold_the_bytes_of_the_name(text: str) -> None:
    literal = c_string(text)
    assert literal.isascii() and literal.isprintable() and "??" not in literal
    plain = re.sub(r"\\([0-7]{3}|.)", lambda m: chr(int(m[1], 8)) if len(m[1]) == 3 else m[1], literal[1:-1])
    assert plain.encode("latin-1") == text.encode("utf-8")


def test_hostile_names_compile_and_come_through(tmp_path: Path) -> None:
    spec = random_skeleton(len(HOSTILE), 1)
    spec.names = HOSTILE
    clips = [ClipSpec(name) for name in HOSTILE]
    (tmp_path / "hero.ossb").write_bytes(bank_bytes(spec, clips))
    generate(tmp_path / "hero.ossb", tmp_path)
    main = tmp_path / "main.c"
    main.write_text('''#include "hero.h"
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < HERO_JOINT_COUNT; i++)
        printf("%s%c%s%c", hero_joint_names[i], 0, hero_clip_names[i], 0);
    return 0;
}
''', encoding="utf-8")
    sources = [tmp_path / "hero_tables.c", tmp_path / "hero_pose.c", main]
    for compiler in ("gcc", "clang"):
        compile_strict(compiler, sources, tmp_path / "print", "-O1")
    printed = run([tmp_path / "print"]).stdout
    assert printed == "".join(f"{name}\0{name}\0" for name in HOSTILE).replace("\r", "\n")


def test_without_a_names_section_joints_are_numbered_and_clips_hashed() -> None:
    spec = random_skeleton(3, 1)
    plan = make_plan(parse_bank(bank_bytes(spec, [ClipSpec("foobar")], named=False)), Code("hero"))
    assert [joint.identifier for joint in plan.joints] == [f"HERO_JOINT_{j}" for j in range(3)]
    assert plan.joints[2].string == '"JOINT_2"'
    assert plan.clips[0].identifier == "HERO_CLIP_BF9CF968"
    assert plan.clips[0].string == '"CLIP_BF9CF968"'


@pytest.mark.parametrize("name", ["", "7up", "a-b", "é", "osc", "OSC_x", "string", "Ossicle", "_x",
                                  "int", "new", "and",
                                  "a" * (MAX_IDENTIFIER + 1)])
def test_bad_prefixes_are_refused_with_a_remedy(name: str) -> None:
    bank = parse_bank(bank_bytes(random_skeleton(1, 1), []))
    with pytest.raises(SettingProblem, match=mentioning("--name")):
        make_plan(bank, Code(name))


@pytest.mark.parametrize(("stem", "name"), [("hero", "hero"), ("My Hero-2", "my_hero_2"),
                                            ("3d", "bank_3d"), ("HeroKnight", "hero_knight")])
def test_the_default_prefix_comes_from_the_file(stem: str, name: str) -> None:
    assert name_of_stem(stem) == name
