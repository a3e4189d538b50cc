"""The parts of a body by name, which two skeletons have in common."""
from __future__ import annotations

from .humanoid import Arm, Humanoid, Leg

SIDES = ("left", "right")


def arm_of(body: Humanoid, side: str) -> Arm | None:
    return body.left_arm if side == "left" else body.right_arm


def leg_of(body: Humanoid, side: str) -> Leg:
    return body.left_leg if side == "left" else body.right_leg


def parts_of(body: Humanoid) -> dict[str, int]:
    """Returns the joint of each part that moves like the same part of another body. Of the trunk and the
    clavicles, it has only the last joint; the neck follows from chest and head."""
    parts: dict[str, int | None] = {"hips": body.hips, "head": body.head}
    if body.trunk:
        parts["chest"] = body.trunk[-1]
    for side in SIDES:
        arm, leg = arm_of(body, side), leg_of(body, side)
        if arm is not None:
            parts[f"{side} clavicle"] = arm.clavicles[-1] if arm.clavicles else None
            parts.update({f"{side} upper arm": arm.upper, f"{side} lower arm": arm.lower, f"{side} hand": arm.hand})
            parts.update({f"{side} {finger} {number}": joint for finger, chain in fingers_of(body, side).items()
                          for number, joint in enumerate(chain)})
        parts.update({f"{side} upper leg": leg.upper, f"{side} lower leg": leg.lower, f"{side} foot": leg.foot,
                      f"{side} toes": leg.toes})
    return {part: joint for part, joint in parts.items() if joint is not None}


def fingers_of(body: Humanoid, side: str) -> dict[str, tuple[int, ...]]:
    return body.left_fingers if side == "left" else body.right_fingers


def partners_of(theirs: Humanoid, ours: Humanoid) -> tuple[dict[int, int], set[int]]:
    """Returns the joint of another body for each of the same part, and all joints of the body that move with it: also
    chains, and twist joints, which follow their limb."""
    parts, others = parts_of(ours), parts_of(theirs)
    partners = {joint: others[part] for part, joint in parts.items() if part in others}
    moved = set(partners)
    if ours.trunk and ours.trunk[-1] in partners:
        moved |= {*ours.trunk}
    if ours.head in partners:
        moved |= {*ours.neck}
    for limb in (ours.left_arm, ours.right_arm, ours.left_leg, ours.right_leg):
        if limb is not None and limb.upper in partners:
            moved |= {*limb.twists}
    return partners, moved
