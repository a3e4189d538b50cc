"""Compiles the limbs of a graph for the joints of a bank."""
from __future__ import annotations

import math
from collections.abc import Sequence

from ..bank.graph.records import ONE_Q15, Limb, Parameter
from ..base.problem import nearest
from .clips import GraphJoint
from .looks import ONE_Q20, ancestors, axis_q20
from .parameter_names import point_parameter, weight_parameter
from .rules import GraphProblem, LimbRule

_STRAIGHT = 0.00873  # sine of half a degree, as in osc_ik_find_mid_axis
_MOST_LENGTH = 1 << 11  # metres, excluded
_Vector = tuple[float, float, float]


def limb_of(rule: LimbRule, parameters: Sequence[Parameter], joints: Sequence[GraphJoint], events: Sequence[str],
            spans: Sequence[str]) -> Limb:
    """Returns a limb. events: the names of those of the bank; spans: of those of the base that have a length. Raises
    GraphProblem."""
    start, middle, end = chain = _chain(rule, joints)
    length = _length(_less(_position(joints[middle]), _position(joints[start]))) + \
        _length(_less(_position(joints[end]), _position(joints[middle])))
    if not 0.0 < length < _MOST_LENGTH:
        raise GraphProblem(f"{rule.where} joints: are {length:g} m long together in the bind pose, and a limb is "
                           f"longer than 0 and shorter than {_MOST_LENGTH} m; name other joints, or correct the scale "
                           "of the source")
    constant = not isinstance(rule.weight, str)
    return Limb(rule.name, None if rule.to is None else point_parameter(rule.to, parameters, f"{rule.where} to"),
                0 if rule.lock is None else _span(rule, rule.lock, events, spans), chain,
                axis_q20(rule.bend) if rule.bend is not None else _bind_axis(rule, *(joints[joint] for joint in chain)),
                None if rule.pole is None else point_parameter(rule.pole, parameters, f"{rule.where} pole"),
                round(rule.soften * ONE_Q15), round(float(rule.weight) * ONE_Q15) if constant else ONE_Q15,
                None if constant else weight_parameter(str(rule.weight), parameters, f"{rule.where} weight"),
                rule.fade_us, round(length / 2.0 * ONE_Q20))


def _span(rule: LimbRule, name: str, events: Sequence[str], spans: Sequence[str]) -> int:
    if name in spans:
        return events.index(name)
    if name in events:
        raise GraphProblem(f"{rule.where} lock = {name!r}: is a mark, or a span of other clips than those of the base; "
                           "name a span of the base, such as one that contact_spans adds")
    raise GraphProblem(f"{rule.where} lock = {name!r}: no clip of the base has such a span{nearest(name, spans)}"
                       + ("" if spans else "; add contact_spans = true to its clips"))


def _chain(rule: LimbRule, joints: Sequence[GraphJoint]) -> tuple[int, int, int]:
    """Returns the start, the middle and the end, each below the one before it."""
    names = [joint.name for joint in joints]
    for name in rule.joints:
        if name not in names:
            raise GraphProblem(f"{rule.where} joints: {name!r} is no joint{nearest(name, names)}")
    start, middle, end = (names.index(name) for name in rule.joints)
    for above, below in ((start, middle), (middle, end)):
        if above not in ancestors(below, joints):
            raise GraphProblem(f"{rule.where} joints: {names[below]} is not below {names[above]} in the skeleton; name "
                               "the start, the middle and the end of one limb")
    return start, middle, end


def _bind_axis(rule: LimbRule, start: GraphJoint, middle: GraphJoint, end: GraphJoint) -> tuple[int, int, int]:
    """Returns the axis about which a limb is bent in the bind pose, in the space of its middle joint."""
    to_start, to_end = (_unit(_less(_position(joint), _position(middle))) for joint in (start, end))
    axis = _cross(to_start, to_end)
    if _length(axis) < _STRAIGHT:
        raise GraphProblem(f"{rule.where}: is straight in the bind pose; add bend, the axis of {middle.name} about "
                           "which a positive rotation straightens the limb, such as bend = \"x\"")
    axis = _unit(axis)
    x, y, z = (round(_dot(_unit((middle.bind[column], middle.bind[4 + column], middle.bind[8 + column])), axis)
                     * ONE_Q20) for column in range(3))
    return x, y, z


def _position(joint: GraphJoint) -> _Vector:
    return joint.bind[3], joint.bind[7], joint.bind[11]


def _less(a: _Vector, b: _Vector) -> _Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: _Vector, b: _Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _length(vector: _Vector) -> float:
    return math.sqrt(_dot(vector, vector))


def _unit(vector: _Vector) -> _Vector:
    length = _length(vector) or 1.0
    return vector[0] / length, vector[1] / length, vector[2] / length


def _cross(a: _Vector, b: _Vector) -> _Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
