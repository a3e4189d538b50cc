"""Masks: which joints have which weight, in the plan and in a compiled program."""
from __future__ import annotations

from pathlib import Path

import pytest
from bank_builder import SkeletonSpec, bank_bytes, biped, random_clips, random_skeleton
from compiling import INCLUDES, compile_strict, run

from ossicle.bank.file import parse_bank
from ossicle.base.problem import SettingProblem
from ossicle.generate.code import Code
from ossicle.generate.emit import generate
from ossicle.model.masks import Mask, check_mask, parse_masks
from ossicle.generate.plan import Plan, make_plan
from mentions import mentioning, mentions

ONE = 32768
CHAIN = SkeletonSpec([f"J{j}" for j in range(6)], list(range(-1, 5)),
                     [(0, 0, 0, 1 << 20, 0, 0, 0)] * 6, ({0}, set(), set()))
SETS = {"lower": ("J2", "J3", "J4", "J5"), "ends": ("J0", "J5"), "two": ("J4", "J5"), "one": ("J3",)}


def plan_of(spec: SkeletonSpec, sets: dict[str, tuple[str, ...]], **masks: Mask) -> Plan:
    return make_plan(parse_bank(bank_bytes(spec, [])), Code("hero", sets=sets, masks=masks))


def weights_of(mask: Mask) -> tuple[int, ...]:
    return plan_of(CHAIN, SETS, mask=mask).masks[0].weights


@pytest.mark.parametrize(("mask", "weights"), [
    (Mask("lower"), (0, 0, ONE, ONE, ONE, ONE)),
    (Mask("lower", 1), (0, 0, 16384, ONE, ONE, ONE)),
    (Mask("lower", 2), (0, 0, 10923, 21845, ONE, ONE)),  # thirds, rounded half up
    (Mask("lower", 3), (0, 0, 8192, 16384, 24576, ONE)),
    (Mask("ends", 1), (16384, 0, 0, 0, 0, ONE)),  # it goes on below joints that are not in it
    (Mask("two", 1, (("J?", 0.25),)), (8192,) * 6),  # weights win over the set
    (Mask("two", 1, (("J5", 0.5),)), (0, 0, 0, 0, 16384, 16384)),
    (Mask(weights=(("J*", 0.5), ("J[12]", 1.0), ("J2", 0.0))), (16384, ONE, 0, 16384, 16384, 16384)),
    (Mask(weights=(("J1", 1 / 3), ("J2", 2.0 ** -16), ("J3", 2.0 ** -17))), (0, 10923, 1, 0, 0, 0)),
])
def test_weights(mask: Mask, weights: tuple[int, ...]) -> None:
    assert weights_of(mask) == weights


def test_every_branch_of_a_set_fades_in_by_itself() -> None:
    spec = biped()
    [mask] = plan_of(spec, {"limbs": ("*Leg", "*Foot", "*Arm", "*Hand")}, limbs=Mask("limbs", 1)).masks
    by_name = dict(zip(spec.names, mask.weights))
    assert by_name["LeftUpLeg"] == by_name["RightUpLeg"] == 16384
    assert by_name["LeftLeg"] == by_name["LeftFoot"] == ONE and by_name["Hips"] == 0


@pytest.mark.parametrize(("mask", "facts"), [
    (Mask("lowr"), "--mask lowr lower"),
    (Mask("lower", 4), "--mask 4 lower 0 3"),
    (Mask("one", 1), "one 1 0"),
    (Mask("one", weights=(("K3", 0.5),)), "--mask K3 J3"),
])
def test_masks_that_do_not_fit_the_joints(mask: Mask, facts: str) -> None:
    with pytest.raises(SettingProblem) as caught:
        plan_of(CHAIN, SETS, m=mask)
    assert mentions(str(caught.value), facts) and "\n" not in str(caught.value)


def test_a_mask_of_an_undefined_set() -> None:
    with pytest.raises(SettingProblem, match=mentioning("lower --joints")):
        plan_of(CHAIN, {}, m=Mask("lower"))


@pytest.mark.parametrize(("name", "mask", "facts"), [
    ("2d", Mask("lower"), "2d"),
    ("m", Mask(), "m upper=upper:3"),
    ("m", Mask(feather=2, weights=(("J1", 1.0),)), "feather 2"),
    ("m", Mask("lower", -1), "-1 0"),
    ("m", Mask(weights=(("J1", 1.5),)), "1.5 J1 0 1"),
    ("m", Mask(weights=(("J1", -0.5),)), "-0.5 J1 0 1"),
    ("m", Mask(weights=(("J1", float("nan")),)), "nan J1 0 1"),
])
def test_masks_that_fit_no_joints(name: str, mask: Mask, facts: str) -> None:
    with pytest.raises(SettingProblem) as caught:
        check_mask(name, mask, "[masks]")
    assert mentions(str(caught.value), facts) and "\n" not in str(caught.value)


def test_texts_become_masks() -> None:
    assert parse_masks(["upper=upper:3", "all=every"], "--mask") == {"upper": Mask("upper", 3), "all": Mask("every")}


@pytest.mark.parametrize(("texts", "facts"), [
    (["upper"], "--mask upper"),
    (["upper="], "--mask upper= upper=upper:3"),
    (["upper=upper:"], "--mask upper=upper: upper=upper:3"),
    (["upper=upper:many"], "--mask upper=upper:many upper=upper:3"),
    (["upper=upper:-1"], "--mask upper=upper:-1 upper=upper:3"),
    (["upper=upper:\u00b2"], "--mask upper=upper:\u00b2 upper=upper:3"),
    (["=upper"], "--mask 48"),
    (["a=upper", "a=lower:1"], "a"),
])
def test_texts_that_are_no_masks(texts: list[str], facts: str) -> None:
    with pytest.raises(SettingProblem) as caught:
        parse_masks(texts, "--mask")
    assert mentions(str(caught.value), facts) and "\n" not in str(caught.value)


PROGRAM = """#include "hero.h"
#include <stdio.h>

int main(void)
{
    const uint16_t *const masks[] = {hero_mask_part, hero_mask_rest};
    for (unsigned m = 0; m < 2u; m++)
        for (unsigned joint = 0; joint < sizeof hero_mask_part / sizeof hero_mask_part[0]; joint++)
            printf("%u ", (unsigned)masks[m][joint]);
    return 0;
}
"""


def test_a_program_reads_them(tmp_path: Path) -> None:
    spec = random_skeleton(41, 3)
    (tmp_path / "hero.ossb").write_bytes(bank_bytes(spec, random_clips(spec, 11)))
    sets = {"some": tuple(spec.names[4:30])}
    masks = {"part": Mask("some", 1), "rest": Mask(weights=(("*", 1.0), (spec.names[7], 0.3)))}
    written = generate(tmp_path / "hero.ossb", tmp_path, Code(sets=sets, masks=masks))
    (tmp_path / "main.c").write_text(PROGRAM, encoding="utf-8")
    sources = [path for path in written if path.suffix == ".c"]
    compile_strict("gcc", [*sources, tmp_path / "main.c"], tmp_path / "read", "-O1")
    planned = plan_of(spec, sets, **masks).masks
    assert list(map(int, run([tmp_path / "read"]).stdout.split())) == [
        weight for mask in planned for weight in mask.weights]
    assert planned[1].weights[7] == 9830
    run(["g++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++", *INCLUDES, tmp_path / "hero.h"])
    header = (tmp_path / "hero.h").read_text(encoding="utf-8")
    assert mentions(header.splitlines(), "hero_mask_part some 1/2 1")
    assert f" * hero_mask_rest: * 1; {spec.names[7]} 0.3.\n" in header
    assert max(map(len, header.splitlines())) <= 100


def test_without_masks_there_is_no_message(tmp_path: Path) -> None:
    (tmp_path / "hero.ossb").write_bytes(bank_bytes(CHAIN, []))
    for path in generate(tmp_path / "hero.ossb", tmp_path, Code(sets=SETS)):
        assert "hero_mask_" not in path.read_text(encoding="utf-8")
