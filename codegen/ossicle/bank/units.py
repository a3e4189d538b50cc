"""The units of joints, which stand behind the names of a bank (SPEC.md section 2.5): scales that the source's bind
pose has, and that lengths have in the bank instead (model/folding.py)."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .words import BankProblem

# A word: the joint, and its unit m * 10^e, which is exact for 0.01, 0.0254 and 100.
_JOINT_BITS, _EXPONENT_BITS = 10, 5
_EXPONENT_BIAS = 20
_MOST_DIGITS = (1 << 32 - _JOINT_BITS - _EXPONENT_BITS) - 1
# In the model space of the source. Nothing that lengths are measured in is smaller or larger.
LEAST, MOST = 1e-12, 1e12


def pack_units(parents: Sequence[int], units: np.ndarray | None) -> list[int]:
    """Returns a word for each joint that has a unit beside those of the joints above. units [K]: of the first joints,
    those of the joints above included; None if all are 1."""
    if units is None:
        return []
    own = [float(unit) / (1.0 if parent < 0 else float(units[parent])) for unit, parent in zip(units, parents)]
    return [joint | _decimal(unit) << _JOINT_BITS for joint, unit in enumerate(own) if unit != 1.0]


def _decimal(unit: float) -> int:
    """The exponent and the digits of a number."""
    exponent = next(e for e in range(-_EXPONENT_BIAS, 1 << _EXPONENT_BITS) if _shifted(unit, -e) <= _MOST_DIGITS)
    digits = round(_shifted(unit, -exponent))
    while digits % 10 == 0:
        digits, exponent = digits // 10, exponent + 1
    return exponent + _EXPONENT_BIAS | digits << _EXPONENT_BITS


def parse_units(words: Sequence[int], parents: Sequence[int | None], names: int) -> tuple[float, ...] | None:
    """Returns the unit of each joint, those of the joints above included; None without any. words: those behind the
    names of the bank, of which there are this many. Raises BankProblem."""
    if not words:
        return None
    joints = [word & (1 << _JOINT_BITS) - 1 for word in words]
    if joints != sorted({*joints}) or joints[-1] >= len(parents):
        raise BankProblem(f"the names section holds more than {names} names, and no units of joints in their order; "
                          "encode the bank again")
    own = dict(zip(joints, map(_number, words)))
    units: list[float] = []
    for joint, parent in enumerate(parents):
        units.append(own.get(joint, 1.0) * (1.0 if parent is None else units[parent]))
        if not LEAST <= units[joint] <= MOST:
            raise BankProblem(f"the unit of joint {joint} is {units[joint]:g}, not {LEAST:g} to {MOST:g}; encode the "
                              "bank again")
    return tuple(units)


def _number(word: int) -> float:
    exponent = (word >> _JOINT_BITS) % (1 << _EXPONENT_BITS) - _EXPONENT_BIAS
    return _shifted(word >> _JOINT_BITS + _EXPONENT_BITS, exponent)


def _shifted(number: float, digits: int) -> float:
    """The number with its decimal point so many digits further to the right."""
    return float(number * 10 ** digits if digits >= 0 else number / 10 ** -digits)
