"""find_humanoid finds the parts of a body in skeletons of all common naming schemes."""
from __future__ import annotations

import pytest
from ossicle.model.clip import Skeleton
from ossicle.retarget.humanoid import Arm, Humanoid, Leg, RetargetProblem
from ossicle.retarget.mapping import find_humanoid
from people import Person
from schemes import PLAIN, SCHEMES

from mentions import mentions

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


ALL = {**SCHEMES, **PLAIN}


@pytest.mark.parametrize("scheme", ALL)
def test_names_of_a_scheme(scheme: str) -> None:
    made: Person = ALL[scheme]
    skeleton = made.skeleton()
    assert parts_of(find_humanoid(skeleton), skeleton) == made.parts


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
