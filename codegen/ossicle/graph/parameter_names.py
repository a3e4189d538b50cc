"""Finds the parameters that keys of a graph name. Each key needs one of a certain kind."""
from __future__ import annotations

from collections.abc import Sequence

from ..bank.graph.records import CHOICE, FLAG, NUMBER, POINT, TRIGGER, Parameter
from ..base.problem import nearest
from .parameters import ONE_Q16
from .rules import GraphProblem

KINDS = {TRIGGER: "a trigger", FLAG: "a flag", CHOICE: "a choice", NUMBER: "a number", POINT: "a point"}


def number_parameter(name: str, parameters: Sequence[Parameter], what: str) -> Parameter:
    """Returns a parameter that is a number. what: the key, for messages. Raises GraphProblem."""
    parameter = parameters[_found(name, parameters, what)]
    if parameter.kind != NUMBER:
        raise GraphProblem(f"{what} = {name!r}: is {KINDS[parameter.kind]}; give a number, or a parameter with a range")
    return parameter


def flag_parameter(name: str, parameters: Sequence[Parameter], what: str) -> int:
    """Returns the number of a parameter that is a flag. Raises GraphProblem."""
    flag = _found(name, parameters, what)
    if parameters[flag].kind != FLAG:
        raise GraphProblem(f"{what} = {name!r}: is {KINDS[parameters[flag].kind]}; give a flag, such as {name} = false")
    return flag


def weight_parameter(name: str, parameters: Sequence[Parameter], what: str) -> int:
    """Returns the number of a parameter that is a weight. Raises GraphProblem."""
    weight = _found(name, parameters, what)
    parameter = parameters[weight]
    if parameter.kind != NUMBER or parameter.least < 0 or parameter.most > ONE_Q16:
        raise GraphProblem(f"{what} = {name!r}: is no number from 0 to 1; give it range = [0.0, 1.0]")
    return weight


def point_parameter(name: str, parameters: Sequence[Parameter], what: str) -> int:
    """Returns the number of a parameter that is a point. Raises GraphProblem."""
    point = _found(name, parameters, what)
    if parameters[point].kind != POINT:
        raise GraphProblem(f"{what} = {name!r}: is {KINDS[parameters[point].kind]}; name a \"point\" or "
                           "\"world point\"")
    return point


def _found(name: str, parameters: Sequence[Parameter], what: str) -> int:
    names = [parameter.name for parameter in parameters]
    if name not in names:
        raise GraphProblem(f"{what} = {name!r}: is no parameter{nearest(name, names)}")
    return names.index(name)
