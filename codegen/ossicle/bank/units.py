"""The units of joints, which follow the names in a bank (SPEC.md section 2.5): scales of the source's bind pose that
were folded into the bank's lengths (model/editing/folding.py)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise


from ..base.arrays import Array
from .words import BankProblem

# A unit is m * 10^e, which is exact for 0.01, 0.0254 and 100.
_EXPONENT_BITS = 5
_EXPONENT_BIAS = 20
_MOST_DIGITS = (1 << 17) - 1
_PART_BITS = 7  # bits of a number in each of its bytes
_MOST_PARTS = 4
# Limits of the product of a joint's unit and those of the joints above, in metres.
LEAST, MOST = 1e-12, 1e12


def pack_units(parents: Sequence[int] | Array, units: Array | None) -> bytes:
    """Packs the units other than 1. units [K]: those of the first joints, multiplied by those of the joints above; None
    if all are 1."""
    if units is None:
        return b""
    own = [float(unit) / (1.0 if parent < 0 else float(units[parent])) for unit, parent in zip(units, parents)]
    listed = [joint for joint, unit in enumerate(own) if unit != 1.0]
    return b"".join(_bytes_of(joint - before) + _bytes_of(_decimal(own[joint]))
                    for before, joint in pairwise([-1, *listed]))


def _decimal(unit: float) -> int:
    """Encodes a unit as its exponent and its digits."""
    exponent = next(e for e in range(-_EXPONENT_BIAS, 1 << _EXPONENT_BITS) if _shifted(unit, -e) <= _MOST_DIGITS)
    digits = round(_shifted(unit, -exponent))
    while digits % 10 == 0:
        digits, exponent = digits // 10, exponent + 1
    return exponent + _EXPONENT_BIAS | digits << _EXPONENT_BITS


def _bytes_of(number: int) -> bytes:
    """Encodes a number in bytes, the lowest bits first. All but the last byte have the highest bit."""
    parts = [number % (1 << _PART_BITS)]
    while number := number >> _PART_BITS:
        parts[-1] |= 1 << _PART_BITS
        parts.append(number % (1 << _PART_BITS))
    return bytes(parts)


def parse_units(listed: bytes, parents: Sequence[int | None], names: int) -> tuple[float, ...] | None:
    """Returns the unit of each joint, multiplied by those of the joints above, or None if all are 1. listed: the bytes
    after the names of the bank; names: their number. Raises BankProblem."""
    numbers = list(_numbers(listed))
    end = numbers.index(0) if 0 in numbers else len(numbers)
    gaps, codes = numbers[:end:2], numbers[1:end:2]
    joints = [total - 1 for total in accumulate(gaps)]
    if len(gaps) != len(codes) or any(numbers[end:]) or len(numbers) - end > 3 or joints and joints[-1] >= len(parents):
        raise BankProblem(f"the names section has invalid data after its {names} names; encode the bank again")
    own = dict(zip(joints, map(_number, codes)))
    units: list[float] = []
    for joint, parent in enumerate(parents):
        units.append(own.get(joint, 1.0) * (1.0 if parent is None else units[parent]))
        if not LEAST <= units[joint] <= MOST:
            raise BankProblem(f"the unit of joint {joint} is {units[joint]:g}, not {LEAST:g} to {MOST:g}; encode the "
                              "bank again")
    return tuple(units) if own else None


def _numbers(listed: bytes) -> Iterator[int]:
    """Yields the numbers that _bytes_of encoded. Truncates numbers that are cut off or too long."""
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
    """Multiplies a number by 10**digits."""
    return float(number * 10 ** digits if digits >= 0 else number / 10 ** -digits)
