"""The units in which devices read a medium; tiers begin at multiples of the unit."""
from __future__ import annotations

from ..base.problem import SettingProblem, nearest

# The bytes of a file's words, of a page of serial flash, a sector of a card, and a page of NAND flash.
UNITS = {"file": 4, "spi": 256, "card": 512, "nand": 2048}
DEFAULT_UNIT = "card"
LEAST_UNIT, MOST_UNIT = 4, 1 << 20


def parse_unit(value: int | str, what: str) -> int:
    """Returns the bytes of a unit: one of UNITS, or a power of two. Raises SettingProblem."""
    if isinstance(value, str) and not value.isdecimal():
        if value not in UNITS:
            raise SettingProblem(f"{what} {value!r} is unknown" + nearest(value, UNITS) +
                                 "; or give a power of two in bytes")
        return UNITS[value]
    size = int(value)
    if not LEAST_UNIT <= size <= MOST_UNIT or size & (size - 1):
        raise SettingProblem(f"{what} {size}: give a power of two from {LEAST_UNIT} to {MOST_UNIT}, or one of "
                             f"{', '.join(UNITS)}")
    return size
