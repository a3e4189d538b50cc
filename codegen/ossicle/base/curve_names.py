"""The names of curve joints. A bank stores curves as translations of extra joints after all others, up to three curves
per joint, whose name lists them: `curve:smile,blink_l,blink_r`. No other joint may have such a name."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .names import naming_problem

PREFIX = "curve:"
PER_JOINT = 3
MAX_NAME_BYTES = 255
_ESCAPES = (("%", "%25"), (",", "%2C"))  # unescaped in reverse order


@dataclass(frozen=True)
class CurveComponent:
    """The component of a joint's translation that stores a curve."""

    name: str
    joint: int
    axis: int


def is_curve(joint: str) -> bool:
    """Returns whether the joint of this name stores curves."""
    return joint.startswith(PREFIX)


def joint_name(curves: Sequence[str]) -> str:
    """Returns the name of the joint that stores these one to three curves."""
    escaped = list(curves)
    for character, code in _ESCAPES:
        escaped = [name.replace(character, code) for name in escaped]
    return PREFIX + ",".join(escaped)


def curves_in(joint: str) -> tuple[str, ...]:
    """Returns the names of the curves that a joint stores."""
    if not is_curve(joint):
        return ()
    names = joint.removeprefix(PREFIX).split(",")[:PER_JOINT]
    for character, code in reversed(_ESCAPES):
        names = [name.replace(code, character) for name in names]
    return tuple(names)


def curve_components(joints: Iterable[str]) -> list[CurveComponent]:
    """Returns the curves of the joints with these names, in order."""
    return [CurveComponent(name, joint, axis) for joint, whole in enumerate(joints)
            for axis, name in enumerate(curves_in(whole))]


def real_count(joints: Sequence[str]) -> int:
    """Returns the number of joints without the curve joints, which are the last ones."""
    count = len(joints)
    while count > 1 and is_curve(joints[count - 1]):
        count -= 1
    return count


def curve_joints(joints: Sequence[str]) -> list[bool] | None:
    """Returns for each joint whether it stores curves, or None if no joint does."""
    flags = [is_curve(name) for name in joints]
    return flags if any(flags) else None


def title_of(joint: str) -> str:
    """Returns the name of a joint for messages and tables: `Hips`, or `curves smile, blink_l`."""
    curves = curves_in(joint)
    return f"curve{'s'[:len(curves) > 1]} {', '.join(curves)}" if curves else joint


def name_problem(name: str) -> str | None:
    """Returns the reason why a curve cannot have this name, or None."""
    return naming_problem(name, MAX_NAME_BYTES)
