"""The units of joints, which stand behind the names of a bank (SPEC.md section 2.5): scales that the source's bind
pose has, and that lengths have in the bank instead (model/folding.py)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

import numpy as np

from .words import BankProblem

# A unit is m * 10^e, which is exact for 0.01, 0.0254 and 100.
_EXPONENT_BITS = 5
_EXPONENT_BIAS = 20
_MOST_DIGITS = (1 << 17) - 1
_PART_BITS = 7  # of a number that takes as many bytes as it needs
_MOST_PARTS = 4
# In the model space of the source. Nothing that lengths are measured in is smaller or larger.
LEAST, MOST = 1e-12, 1e12


def pack_units(parents: Sequence[int], units: np.ndarray | None) -> bytes:
    """Returns the bytes that list the joints with a unit beside those of the joints above. units [K]: of the first
    joints, those of the joints above included; None if all are 1."""
    if units is None:
        return b""
    own = [float(unit) / (1.0 if parent < 0 else float(units[parent])) for unit, parent in zip(units, parents)]
    listed = [joint for joint, unit in enumerate(own) if unit != 1.0]
    return b"".join(_bytes_of(joint - before) + _bytes_of(_decimal(own[joint]))
                    for before, joint in pairwise([-1, *listed]))


def _decimal(unit: float) -> int:
    """The exponent and the digits of a number."""
    exponent = next(e for e in range(-_EXPONENT_BIAS, 1 << _EXPONENT_BITS) if _shifted(unit, -e) <= _MOST_DIGITS)
    digits = round(_shifted(unit, -exponent))
    while digits % 10 == 0:
        digits, exponent = digits // 10, exponent + 1
    return exponent + _EXPONENT_BIAS | digits << _EXPONENT_BITS


def _bytes_of(number: int) -> bytes:
    """A number in parts, the lowest first, of which all but the last have the highest bit."""
    parts = [number % (1 << _PART_BITS)]
    while number := number >> _PART_BITS:
        parts[-1] |= 1 << _PART_BITS
        parts.append(number % (1 << _PART_BITS))
    return bytes(parts)


def parse_units(listed: bytes, parents: Sequence[int | None], names: int) -> tuple[float, ...] | None:
    """Returns the unit of each joint, those of the joints above included; None without any. listed: the bytes behind
    the names of the bank, of which there are this many. Raises BankProblem."""
    numbers = list(_numbers(listed))
    end = numbers.index(0) if 0 in numbers else len(numbers)
    gaps, codes = numbers[:end:2], numbers[1:end:2]
    joints = [total - 1 for total in accumulate(gaps)]
    if len(gaps) != len(codes) or any(numbers[end:]) or len(numbers) - end > 3 or joints and joints[-1] >= len(parents):
        raise BankProblem(f"the names section holds more than {names} names, and no units of joints in their order; "
                          "encode the bank again")
    own = dict(zip(joints, map(_number, codes)))
    units: list[float] = []
    for joint, parent in enumerate(parents):
        units.append(own.get(joint, 1.0) * (1.0 if parent is None else units[parent]))
        if not LEAST <= units[joint] <= MOST:
            raise BankProblem(f"the unit of joint {joint} is {units[joint]:g}, not {LEAST:g} to {MOST:g}; encode the "
                              "bank again")
    return tuple(units) if own else None


def _numbers(listed: bytes) -> Iterator[int]:
    """The numbers that bytes hold; one that is cut off, or too long, counts as it is there."""
    number = parts = 0
    for byte in listed:
        number |= byte % (1 << _PART_BITS) << _PART_BITS * parts
        parts += 1
        if byte < 1 << _PART_BITS or parts == _MOST_PARTS:
            yield number
            number = parts = 0
    if parts:
        yield number


def _number(code: int) -> float:
    return _shifted(code >> _EXPONENT_BITS, code % (1 << _EXPONENT_BITS) - _EXPONENT_BIAS)


def _shifted(number: float, digits: int) -> float:
    """The number with its decimal point so many digits further to the right."""
    return float(number * 10 ** digits if digits >= 0 else number / 10 ** -digits)
