"""Writes key formats and keys (runtime/published/SPEC.md section 12) from rows, to the nearest that a format has.
Far from the encoder on purpose."""
from __future__ import annotations

import struct
from collections.abc import Sequence

from bank_writer import BitWriter
from fixed import ONE
from published.keys_reference import FIXED, FLOAT, HALF_ANGLE, NONE, RANGED, SMALLEST, Format

SMALLEST_EXTENT, SMALLEST_LOW = 1482957, 741456


def put_format(bits: BitWriter, form: Format) -> None:
    """Appends a track's key format. Widths are 16 16 16, 11 11 10, or the same number three times."""
    rotation, coding = form.kind == 0, form.coding
    bits.put(coding, 3)
    if rotation and coding <= FLOAT:
        bits.put(int(form.four), 1)
    if rotation and coding not in (SMALLEST, NONE) and not form.four:
        bits.put(int(form.signed), 1)
    if coding in (FIXED, RANGED, HALF_ANGLE):
        layout = {(16, 16, 16): 0, (11, 11, 10): 1}.get(tuple(form.widths[:3]), 2)
        bits.put(layout, 2)
        if layout == 2:
            bits.put(form.widths[0] - 1, 5)
    if coding == FIXED:
        bits.put(form.exponent, 4)
    for low, extent in form.ranges:
        bits.put(low, 32)
        bits.put(extent, 32)


def _near(value: float, least: int, most: int) -> int:
    return max(least, min(most, round(value)))


def share_code(value: float, low: float, extent: float, width: int) -> int:
    """The code whose share of the extent is nearest."""
    return _near((value - low) / max(extent, 1) * 2**width, 0, 2**width - 1)


def _small_float(value: int, width: int) -> int:
    f, size = width - 4, abs(value)
    e = max(size.bit_length() - 13, 0)
    if e > 7:
        raise ValueError(f"{value} does not fit a small float")
    m = size >> (12 + e - f if e else 13 - f)
    return m % (1 << f) | e << f | (1 << (width - 1) if value < 0 else 0)


def _code(form: Format, index: int, value: int) -> int:
    width = form.widths[min(index, 2)]
    if form.coding == FIXED:
        most = 1 << (width - 1)
        return _near(value / 2.0 ** (form.exponent + 21 - width), -most, most - 1) % (1 << width)
    if form.coding == RANGED:
        return share_code(value, *form.ranges[index], width)
    if form.coding == FLOAT:
        return struct.unpack("<I", struct.pack("<f", value / ONE))[0]
    return _small_float(value, width)


def _put_smallest(bits: BitWriter, q: Sequence[int]) -> None:
    dropped = max(range(4), key=lambda i: (abs(q[i]), -i))
    sign = -1 if q[dropped] < 0 else 1
    bits.put(dropped, 2)
    for i in range(4):
        if i != dropped:
            bits.put(share_code(sign * q[i], -SMALLEST_LOW, SMALLEST_EXTENT, 15), 15)
    bits.put(int(sign < 0), 1)


def put_key(bits: BitWriter, form: Format, row: Sequence[int]) -> None:
    """Appends a key of any coding but variable. A rotation that has neither four components nor a
    sign is written as its negative where its w is negative."""
    if form.coding == NONE:
        return
    if form.coding == SMALLEST:
        _put_smallest(bits, row)
        return
    row = put_sign(bits, form, row)
    if form.coding == HALF_ANGLE:
        for i in range(3):
            width = form.widths[i]
            most = 1 << (width - 1)
            half = row[i] / (ONE + row[3]) * most
            bits.put(_near(half, -most, most - 1) % (1 << width), width)
        return
    for index in range(form.count):
        bits.put(_code(form, index, row[index]), form.widths[min(index, 2)])


def put_sign(bits: BitWriter, form: Format, row: Sequence[int]) -> Sequence[int]:
    """Appends the sign that a signed key begins with; the row without it."""
    negative = form.kind == 0 and not form.four and row[3] < 0
    if form.signed:
        bits.put(int(negative), 1)
    return [-x for x in row] if negative else row
