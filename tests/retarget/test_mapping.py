"""find_humanoid finds the parts of a body in skeletons of all common naming schemes, and of none."""
from __future__ import annotations

import re
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from figures import figure
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from, tuples
from mentions import mentions
from ossicle.model.clip import TRANSLATION, Skeleton
from ossicle.retargeting.joints.checks import LEAST_CONFIDENCE
from ossicle.retargeting.joints.conventions import CONVENTIONS
from ossicle.retargeting.humanoid import Arm, FourLegsProblem, Humanoid, Leg, RetargetProblem
from ossicle.retargeting.mapping import find_humanoid
from ossicle.retargeting.joints.table import map_of, part_rows, unmapped
from pages import parts
from people import ARM, LEG, Person, person
from people_variants import below_an_armature, in_other_order, with_other_axes, without, without_names
from schemes import OTHERS, PLAIN, SCHEMES

ALL = {**SCHEMES, **OTHERS, **PLAIN}
LIMBS = [f"{side}_{part}" for side in ("left", "right") for part in (*ARM[1:], *LEG[:3])]
TURNED = {"Z up": ((-sqrt(0.5), 0, 0, sqrt(0.5)), (1, 1, 1)), "in centimetres": ((0, 0, 0, 1), (0.01, 0.01, 0.01)),
          "to the left": ((0, sqrt(0.5), 0, sqrt(0.5)), (1, 1, 1))}


def parts_of(body: Humanoid, skeleton: Skeleton) -> dict[str, list[str]]:
    """The names of a body's joints by part, as in Person."""
    found = {"hips": (body.hips,), "trunk": body.trunk, "neck": body.neck,
             "head": () if body.head is None else (body.head,)}
    for side in ("left", "right"):
        arm: Arm | None = getattr(body, f"{side}_arm")
        leg: Leg = getattr(body, f"{side}_leg")
        if arm:
            found |= {f"{side}_clavicle": arm.clavicles, f"{side}_upper_arm": (arm.upper,),
                      f"{side}_lower_arm": (arm.lower,), f"{side}_hand": () if arm.hand is None else (arm.hand,)}
        found |= {f"{side}_upper_leg": (leg.upper,), f"{side}_lower_leg": (leg.lower,), f"{side}_foot": (leg.foot,),
                  f"{side}_toes": () if leg.toes is None else (leg.toes,),
                  f"{side}_twist": (arm.twists if arm else ()) + leg.twists}
        fingers: dict[str, tuple[int, ...]] = getattr(body, f"{side}_fingers")
        found[f"{side}_fingers"] = tuple(joint for chain in fingers.values() for joint in chain)
    return {part: [skeleton.names[joint] for joint in joints] for part, joints in found.items() if joints}


def in_order(parts: dict[str, list[str]]) -> dict[str, list[str]]:
    """Without the order of joints that do not lie below one another."""
    return {part: sorted(names) if part.endswith(("twist", "fingers")) else names for part, names in parts.items()}


@pytest.mark.parametrize("scheme", ALL)
def test_names_of_a_scheme(scheme: str) -> None:
    made: Person = ALL[scheme]
    skeleton = made.skeleton()
    body = find_humanoid(skeleton)
    assert parts_of(body, skeleton) == made.parts
    assert not body.warnings and min(body.confidence.values()) >= LEAST_CONFIDENCE


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_convention_is_known(scheme: str) -> None:
    assert find_humanoid(SCHEMES[scheme].skeleton()).convention == scheme


def test_each_convention_has_a_skeleton() -> None:
    assert {convention.name for convention in CONVENTIONS} == set(SCHEMES)
    assert find_humanoid(PLAIN["*_?left"].skeleton()).convention == ""


def test_artists_read_all_conventions() -> None:
    listed = parts("codegen/ARTISTS.md")["conventions"].partition("\n\n")[0]
    assert sorted(re.findall("`([^`]+)`", listed)) == sorted(convention.name for convention in CONVENTIONS)
    assert 100.0 * LEAST_CONFIDENCE == figure("retargeting.least_confidence_percent")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_names_in_other_skeletons(scheme: str) -> None:
    made = SCHEMES[scheme]
    for skeleton in (with_other_axes(made.skeleton()), in_other_order(made.skeleton()),
                     *(below_an_armature(made.skeleton(), *turned) for turned in TURNED.values())):
        body = find_humanoid(skeleton)
        assert in_order(parts_of(body, skeleton)) == in_order(made.parts) and not body.warnings


@pytest.mark.parametrize("scheme", SCHEMES)
def test_names_without_toes(scheme: str) -> None:
    made = without(SCHEMES[scheme], "toes")
    skeleton = made.skeleton()
    body = find_humanoid(skeleton)
    assert parts_of(body, skeleton) == made.parts and not body.warnings


def limbs_of(parts: dict[str, list[str]]) -> dict[str, list[str]]:
    return {part: parts[part] for part in LIMBS}


@pytest.mark.parametrize("scheme", sorted({*SCHEMES, "trees"} - {"Quaternius"}))
def test_limbs_without_names(scheme: str) -> None:
    """By lengths and symmetry; sides by feet, knees and elbows."""
    named = ALL[scheme]
    made = without_names(named)
    for skeleton in (made.skeleton(), with_other_axes(made.skeleton()), in_other_order(made.skeleton()),
                     *(below_an_armature(made.skeleton(), *turned) for turned in TURNED.values()),
                     without_names(without(named, "toes")).skeleton()):
        body = find_humanoid(skeleton)
        expected = made if len(skeleton.names) >= len(made.rows) else without_names(without(named, "toes"))
        assert limbs_of(parts_of(body, skeleton)) == limbs_of(expected.parts)
        assert mentions(body.warnings[0], f"70% left_upper_leg {expected.parts['left_upper_leg'][0]}")


def test_a_body_in_two_trees_without_names_and_head() -> None:
    """The longer limbs are legs."""
    named = person("hips Chest", "*Collar *Shoulder *Elbow *Wrist", "*Hip *Knee *Ankle *Toes", ("Left", "Right"))
    named.rows[1] = (named.rows[1][0], "", named.rows[1][2])
    made = without_names(named)
    skeleton = made.skeleton()
    body = find_humanoid(skeleton)
    assert limbs_of(parts_of(body, skeleton)) == limbs_of(made.parts) and body.head is None


def test_feet_apart_without_names_are_a_doubt() -> None:
    """The end of the lower leg is taken for the foot, which is the same place."""
    made = without_names(SCHEMES["Quaternius"])
    body = find_humanoid(made.skeleton())
    names = made.skeleton().names
    assert names[body.left_leg.lower] in made.parts["left_lower_leg"] and mentions(body.warnings[0], "left_foot")


def straight() -> Person:
    """Nothing tells left from right: no names, no toes, straight limbs, arms to the sides."""
    made = without(without_names(SCHEMES["Bandai-Namco"]), "toes")
    for side, sign in (("left", 1), ("right", -1)):
        for number, part in enumerate(("upper_arm", "lower_arm", "hand")):
            place = [name for name, _, _ in made.rows].index(made.parts[f"{side}_{part}"][0])
            made.rows[place] = (*made.rows[place][:2], np.array([sign * (0.18 + 0.27 * number), 1.42, 0]))
        place = [name for name, _, _ in made.rows].index(made.parts[f"{side}_lower_leg"][0])
        made.rows[place] = (*made.rows[place][:2], np.array([sign * 0.1, 0.48, 0]))
    return made


def test_unknown_sides_are_a_doubt() -> None:
    body = find_humanoid(straight().skeleton())
    assert body.confidence["left leg"] < 0.5 and mentions(body.warnings[0], "30%")


def test_exchanged_names_are_a_doubt() -> None:
    def exchanged(name: str) -> str:
        return name.replace("Left", "?").replace("Right", "Left").replace("?", "Right")
    body = find_humanoid(SCHEMES["LaFAN1"].renamed(exchanged).skeleton())
    assert mentions(body.warnings[0], "left_foot RightFoot right_foot LeftFoot")


def test_unequal_limbs_are_a_doubt() -> None:
    skeleton = SCHEMES["LaFAN1"].skeleton()
    bind = skeleton.bind.copy()
    bind[skeleton.names.index("LeftForeArm"), TRANSLATION] *= 0.1
    body = find_humanoid(replace(skeleton, bind=bind))
    assert mentions(body.warnings[0], "left_lower_arm LeftForeArm 60%")
    assert not mentions(body.warnings[0], "left_foot")


def test_controls_without_weights_are_no_limbs() -> None:
    """Long chains that no vertex follows, and chains with the names of controls."""
    made = without_names(SCHEMES["100STYLE"])
    body_joints = [name for name, _, _ in made.rows]
    for prefix in ("n", "ik_"):
        for side, sign in (("1", 1), ("2", -1)):
            made.chain([""] * 3, [f"{prefix}{side}{part}" for part in "abc"], body_joints[0], [
                (sign * 0.3, 0.9 * (3 - place), 0) for place in range(3)])
    skeleton = made.skeleton()
    found = find_humanoid(skeleton, carrying=body_joints)
    assert limbs_of(parts_of(found, skeleton)) == limbs_of(made.parts)


def test_hundreds_of_chains() -> None:
    """Hair; the limbs are longer, and the chains are not compared one by one."""
    made = without_names(SCHEMES["Unity humanoid"])
    head, = made.parts["head"]
    for number in range(300):
        made.chain([""] * 3, [f"hair{number}{part}" for part in "abc"], head, [
            (0.001 * number, 1.7 - 0.13 * place, 0) for place in range(3)])
    skeleton = made.skeleton()
    assert limbs_of(parts_of(find_humanoid(skeleton), skeleton)) == limbs_of(made.parts)


def fox(names: bool) -> Skeleton:
    """A trunk along z, and four legs of two bones, with the names of a person's limbs or none."""
    made = person("hips spine chest", "*_shoulder *_upper_arm *_lower_arm *_hand",
                  "*_upper_leg *_lower_leg *_foot *_toes", ("left", "right"), neck="neck", head="head")
    places = {"hips": (0, 0.4, 0), "spine": (0, 0.42, 0.3), "chest": (0, 0.4, 0.5), "neck": (0, 0.5, 0.6),
              "head": (0, 0.6, 0.7), "shoulder": (0.05, 0.4, 0.5), "upper_arm": (0.08, 0.35, 0.52),
              "lower_arm": (0.08, 0.19, 0.48), "hand": (0.08, 0.05, 0.5), "upper_leg": (0.08, 0.35, 0),
              "lower_leg": (0.08, 0.18, 0.04), "foot": (0.08, 0.05, 0), "toes": (0.08, 0.02, 0.06)}
    for place, (name, parent, _) in enumerate(made.rows):
        side = -1 if name.startswith("right") else 1
        part = name.split("_", 1)[-1] if "_" in name else name
        made.rows[place] = name, parent, np.array(places[part]) * (side, 1, 1)
    return (made if names else without_names(made)).skeleton()


@pytest.mark.parametrize("names", [False, True])
def test_an_animal_on_four_legs(names: bool) -> None:
    with pytest.raises(FourLegsProblem) as problem:
        find_humanoid(fox(names))
    assert mentions(problem.value, "animal")


def test_front_and_back_legs() -> None:
    """Names tell, even if feet hang from the root, so that there is no chain of a leg."""
    made = person("hips spine", "FrontLeg_* FrontUpperLeg_* FrontLowerLeg_*", "BackUpperLeg_* BackLowerLeg_*",
                  ("L", "R"), above="root", head="head")
    with pytest.raises(FourLegsProblem) as problem:
        find_humanoid(made.skeleton())
    assert mentions(problem.value, "animal left_foot")


def test_legs_of_three_bones_are_a_doubt() -> None:
    made = person("hips spine", "- *_arm *_elbow *_hand", "*_leg1 *_leg2 *_leg3 *_foot", ("left", "right"))
    assert mentions(find_humanoid(made.skeleton()).warnings[0], "60% left_lower_leg left_leg3")


def test_limbs_of_one_joint() -> None:
    made = person("root torso", "- arm-*", "leg-*", ("left", "right"), head="head")
    with pytest.raises(RetargetProblem) as problem:
        find_humanoid(made.skeleton())
    assert mentions(problem.value, "leg-left left_lower_leg left_foot")


def test_no_body() -> None:
    with pytest.raises(RetargetProblem) as problem:
        find_humanoid(Skeleton(("door",), np.array([-1], np.int32), np.array([[0, 0, 0, 1, 0, 0, 0, 1, 1, 1.0]])))
    assert mentions(problem.value, "left_upper_leg")


def test_arms_may_be_missing() -> None:
    made = person("hips spine", "", "*_thigh *_calf *_foot *_toe", ("left", "right"), neck="neck", head="head")
    skeleton = made.skeleton()
    body = find_humanoid(skeleton)
    assert parts_of(body, skeleton) == made.parts and body.left_arm is None
    assert [mentions(line, f"{side}_hand") for side, line in zip(("left", "right"), body.warnings)] == [True, True]


def test_arms_without_hands() -> None:
    made = person("hips spine", "*_clavicle *_upper_arm *_forearm", "*_thigh *_calf *_foot", ("left", "right"))
    skeleton = made.skeleton()
    assert parts_of(find_humanoid(skeleton), skeleton) == made.parts


def test_feet_without_names() -> None:
    """The only joint below the lower leg is the foot."""
    made = person("hips spine", "- *_arm *_elbow *_hand", "*_thigh *_calf *_end", ("left", "right"))
    skeleton = made.skeleton()
    assert parts_of(find_humanoid(skeleton), skeleton) == made.parts


@pytest.mark.parametrize("scheme", ALL)
def test_the_map_describes_the_body(scheme: str) -> None:
    skeleton = ALL[scheme].skeleton()
    body = find_humanoid(skeleton)
    again = find_humanoid(replace(skeleton), names=map_of(body, skeleton))
    assert parts_of(again, skeleton) == parts_of(body, skeleton)


def test_rows_and_the_rest() -> None:
    made = SCHEMES["KayKit"]
    skeleton = made.skeleton()
    body = find_humanoid(skeleton)
    rows = {row.part: row.joints for row in part_rows(body, skeleton)}
    assert rows["hips"] == ("hips",) and rows["spine"] == ("spine", "chest") and rows["neck"] == ()
    assert rows["left clavicle"] == () and rows["left hand"] == ("wrist.l",) and rows["left toes"] == ("toes.l",)
    left = unmapped(body, skeleton)
    assert {"root", "handslot.l", "kneeIK.r", "hand.l"} <= set(left)
    assert len(left) + sum(map(len, rows.values())) == len(skeleton.names)


def test_the_user_has_the_last_word() -> None:
    skeleton = SCHEMES["Mixamo"].skeleton()
    body = find_humanoid(skeleton, names={"left_toes": "", "chest": "mixamorig:Spine1",
                                          "right_hand": "mixamorig:RightHandThumb1"})
    assert body.left_leg.toes is None and body.right_leg.toes is not None
    assert parts_of(body, skeleton)["trunk"] == ["mixamorig:Spine", "mixamorig:Spine1"]
    assert body.right_arm is not None and body.right_arm.hand == skeleton.names.index("mixamorig:RightHandThumb1")


@pytest.mark.parametrize("names, words", [
    ({"left_tows": "mixamorig:LeftFoot"}, "left_tows left_toes"),
    ({"left_foot": "mixamorig:LeftFot"}, "left_foot mixamorig:LeftFot mixamorig:LeftFoot"),
    ({"left_foot": ""}, "left_foot map")])
def test_names_that_do_not_exist(names: dict[str, str], words: str) -> None:
    with pytest.raises(RetargetProblem) as problem:
        find_humanoid(SCHEMES["Mixamo"].skeleton(), names=names)
    assert mentions(problem.value, words)


@given(sampled_from(sorted(SCHEMES)), lists(tuples(sampled_from(["exchange", "hang", "rename", "shorten"]),
                                                   integers(0, 99), integers(0, 99)), max_size=6))
def test_damaged_skeletons(scheme: str, changes: list[tuple[str, int, int]]) -> None:
    """Each joint is at most one part, and the map describes the body; or the skeleton is refused."""
    made = SCHEMES[scheme].skeleton()
    names, parents, bind = list(made.names), made.parents.copy(), made.bind.copy()
    for change, first, second in changes:
        joint, other = first % len(names), second % len(names)
        if change == "exchange":
            names[joint], names[other] = names[other], names[joint]
        elif change == "hang":
            parents[joint] = other % (joint + 1) - 1
        elif change == "rename":
            names[joint] = f"bone{joint} {names[joint][:1]}"
        else:
            bind[joint, TRANSLATION] = 0.0
    skeleton = Skeleton(tuple(names), parents, bind)
    try:
        body = find_humanoid(skeleton)
    except RetargetProblem:
        return
    found = [name for row in part_rows(body, skeleton) for name in row.joints]
    assert len(set(found)) == len(found)
    again = find_humanoid(skeleton, names=map_of(body, skeleton))
    assert parts_of(again, skeleton) == parts_of(body, skeleton)


@pytest.mark.parametrize("arm, expected", [
    ("*_shoulder *_upper_arm *_bone *_hand", ("upper_arm", "bone")), ("- *_shoulder *_arm *_hand", ("shoulder", "arm")),
    ("- *_arm1 *_arm2 *_hand", ("arm1", "arm2")), ("- *_clavicle *_arm *_hand", ("clavicle", "arm"))])
def test_arms_with_a_joint_that_no_name_tells(arm: str, expected: tuple[str, str]) -> None:
    made = person("hips spine", arm, "*_thigh *_bone_ *_foot", ("left", "right"))
    skeleton = made.skeleton()
    body = find_humanoid(skeleton)
    assert body.left_arm is not None
    assert tuple(skeleton.names[joint] for joint in (body.left_arm.upper, body.left_arm.lower)) == tuple(
        f"left_{name}" for name in expected)
    assert skeleton.names[body.left_leg.lower] == "left_bone_" and body.confidence["left leg"] < 0.9


def test_names_of_both_sides_are_no_limbs() -> None:
    skeleton = OTHERS["trees"].renamed(lambda name: name.replace("RightWrist", "LeftRightWrist")).skeleton()
    body = find_humanoid(skeleton)
    assert body.left_arm is not None and body.left_arm.hand is not None
    assert body.right_arm is not None and body.right_arm.hand is None


def test_arms_of_equal_names() -> None:
    """The last of three is the hand, which is a doubt."""
    made = person("hips spine", "- *_arm1 *_arm2 *_arm3", "*_thigh *_calf *_foot", ("left", "right"))
    skeleton = made.skeleton()
    body = find_humanoid(skeleton)
    assert parts_of(body, skeleton) == made.parts
    assert mentions(body.warnings[0], "60% left_hand left_arm3")


def test_a_limb_in_the_wrong_order() -> None:
    with pytest.raises(RetargetProblem) as problem:
        find_humanoid(SCHEMES["LaFAN1"].skeleton(), names={"left_upper_leg": "LeftFoot"})
    assert mentions(problem.value, "LeftLeg LeftFoot left_upper_leg")


def test_a_joint_of_two_parts() -> None:
    with pytest.raises(RetargetProblem) as problem:
        find_humanoid(SCHEMES["LaFAN1"].skeleton(), names={"head": "Hips"})
    assert mentions(problem.value, "Hips hips head")


def test_a_joint_of_two_parts_that_have_no_names_for_users() -> None:
    """The remedy names all joints."""
    made = SCHEMES["Unreal mannequin"].skeleton()
    parents = made.parents.copy()
    parents[made.names.index("clavicle_r")] = made.names.index("upperarm_l")
    with pytest.raises(RetargetProblem) as problem:
        find_humanoid(replace(made, parents=parents))
    assert mentions(problem.value, "upperarm_twist_01_r left_upper_arm upperarm_l right_upper_arm upperarm_r")
