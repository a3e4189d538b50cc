"""Compiles the looks of a graph for the joints of a bank."""
from __future__ import annotations

from collections.abc import Sequence

from ..bank.graph.records import ONE_Q15, Link, Look, Parameter
from ..base.curve_names import is_curve
from ..base.portable_math import sine_cosine_of_degrees
from ..base.problem import nearest
from .clips import GraphJoint
from .parameter_names import point_parameter, weight_parameter
from .rules import GraphProblem, LookRule

ONE_Q20 = 1 << 20
MARGIN_DEG = 10.0  # from the limits to where a chain turns away
_MOST_EYES = 1 << 11  # metres, excluded


def look_of(rule: LookRule, parameters: Sequence[Parameter], joints: Sequence[GraphJoint]) -> Look:
    """Returns a look. Raises GraphProblem."""
    point = point_parameter(rule.at, parameters, f"{rule.where} at")
    if not all(abs(part) < _MOST_EYES for part in rule.eyes):
        raise GraphProblem(f"{rule.where} eyes: are more than {_MOST_EYES} m away; give lengths within the character")
    constant = not isinstance(rule.weight, str)
    limits = [180.0 if limit is None else limit for *_, limit in rule.chain]
    within, beyond = (_cosine(min(sum(limits) + more, 180.0), ONE_Q20) for more in (0.0, MARGIN_DEG))
    x, y, z = (round(part * ONE_Q20) for part in rule.eyes)
    return Look(rule.name, point, round(float(rule.weight) * ONE_Q15) if constant else ONE_Q15,
                None if constant else weight_parameter(str(rule.weight), parameters, f"{rule.where} weight"),
                rule.fade_us, rule.lag_us, axis_q20(rule.forward), axis_q20(rule.up), (x, y, z), within, beyond,
                _links(rule, joints))


def _cosine(degrees: float, one: int) -> int:
    return round(float(sine_cosine_of_degrees(degrees)[1]) * one)


def axis_q20(name: str) -> tuple[int, int, int]:
    """Returns an axis such as "-z"."""
    x, y, z = ((-ONE_Q20 if name[0] == "-" else ONE_Q20) * (name[-1] == axis) for axis in "xyz")
    return x, y, z


def _links(rule: LookRule, joints: Sequence[GraphJoint]) -> tuple[Link, ...]:
    """Returns the joints of a chain, each an ancestor of the one before it."""
    names, rest = [joint.name for joint in joints if not is_curve(joint.name)], 1.0  # curves follow
    links: list[Link] = []
    for name, share, limit in rule.chain:
        if name not in names:
            raise GraphProblem(f"{rule.where} chain.{name}: is no joint{nearest(name, names)}")
        joint = names.index(name)
        if links and joint not in ancestors(links[-1].joint, joints):
            raise GraphProblem(f"{rule.where} chain.{name}: is not above {names[links[-1].joint]} in the skeleton; "
                               "begin with the joint that has the eyes, and go up")
        links.append(Link(joint, min(round(share / max(rest, share) * ONE_Q15), ONE_Q15),
                          0 if limit is None else _cosine(limit / 2.0, ONE_Q15)))
        rest -= share
    return tuple(links)


def ancestors(joint: int, joints: Sequence[GraphJoint]) -> set[int]:
    """Returns the numbers of the joints above one."""
    found: set[int] = set()
    above = joints[joint].parent
    while above is not None:
        found.add(above)
        above = joints[above].parent
    return found
