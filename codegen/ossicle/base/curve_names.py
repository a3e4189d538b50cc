"""The names of joints that hold curves. A bank keeps curves as translations of joints behind all others, three in
each, whose names list them: `curve:smile,blink_l,blink_r`. No other joint may have a name of this form."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .names import naming_problem

PREFIX = "curve:"
PER_JOINT = 3
MAX_NAME_BYTES = 255
_ESCAPES = (("%", "%25"), (",", "%2C"))  # the first one is undone last


@dataclass(frozen=True)
class Place:
    """Where a curve is: a component of the translation of a joint."""

    name: str
    joint: int
    axis: int


def is_curve(joint: str) -> bool:
    """Whether the joint of this name holds curves."""
    return joint.startswith(PREFIX)


def joint_name(curves: Sequence[str]) -> str:
    """The name of the joint that holds these curves, one to three."""
    escaped = list(curves)
    for character, code in _ESCAPES:
        escaped = [name.replace(character, code) for name in escaped]
    return PREFIX + ",".join(escaped)


def curves_in(joint: str) -> tuple[str, ...]:
    """The curves of a joint; none if it holds none."""
    if not is_curve(joint):
        return ()
    names = joint.removeprefix(PREFIX).split(",")[:PER_JOINT]
    for character, code in reversed(_ESCAPES):
        names = [name.replace(code, character) for name in names]
    return tuple(names)


def places_of(joints: Iterable[str]) -> list[Place]:
    """The curves of joints, by their names, in order."""
    return [Place(name, joint, axis) for joint, whole in enumerate(joints)
            for axis, name in enumerate(curves_in(whole))]


def real_count(joints: Sequence[str]) -> int:
    """The number of joints without those that hold curves, which are the last ones."""
    count = len(joints)
    while count > 1 and is_curve(joints[count - 1]):
        count -= 1
    return count


def curve_joints(joints: Sequence[str]) -> list[bool] | None:
    """Which joints hold curves; None if none does."""
    held = [is_curve(name) for name in joints]
    return held if any(held) else None


def title_of(joint: str) -> str:
    """A joint as messages and tables call it: `Hips`, or `curves smile, blink_l`."""
    curves = curves_in(joint)
    return f"curve{'s'[:len(curves) > 1]} {', '.join(curves)}" if curves else joint


def name_problem(name: str) -> str | None:
    """Why this is no name of a curve; None if it is one."""
    return naming_problem(name, MAX_NAME_BYTES)
