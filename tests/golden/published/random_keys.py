"""Random key formats (runtime/published/SPEC.md section 12) for the banks of random_codecs.py."""
from __future__ import annotations

from random import Random

from bank_writer import BitWriter
from published.keys_reference import FIXED, FLOAT, HALF_ANGLE, NONE, RANGED, SMALL_FLOAT, SMALLEST, VARIABLE

VECTORS = (FIXED, RANGED, FLOAT, SMALL_FLOAT, NONE)
ROTATIONS = (*VECTORS, SMALLEST, HALF_ANGLE)
SIGNED = (FIXED, RANGED, FLOAT, SMALL_FLOAT, HALF_ANGLE, VARIABLE)


def _put_range(bits: BitWriter, rng: Random, components: int) -> None:
    for _ in range(components):
        if rng.random() < 0.8:
            low = rng.randint(-(1 << 20), 1 << 19)
            bits.put(low & 0xFFFFFFFF, 32)
            bits.put(rng.randint(0, (1 << 20) - low), 32)
        else:
            bits.put(rng.getrandbits(32), 32)
            bits.put(rng.choice([0, 1, 0xFFFFFFFF, rng.getrandbits(32)]), 32)


def put_key_format(bits: BitWriter, rng: Random, rotation: bool, variable: bool) -> None:
    """Appends any format that a track may have."""
    coding = rng.choice([*(ROTATIONS if rotation else VECTORS), *([VARIABLE] * 4 if variable else [])])
    bits.put(coding, 3)
    four = rotation and coding <= FLOAT and rng.random() < 0.5
    if rotation and coding <= FLOAT:
        bits.put(int(four), 1)
    if rotation and not four and coding in SIGNED:
        bits.put(rng.getrandbits(1), 1)
    if coding in (FIXED, RANGED, HALF_ANGLE):
        layout = rng.randint(0, 2)
        bits.put(layout, 2)
        if layout == 2:
            bits.put(rng.randint(0, 20 if coding == HALF_ANGLE else 31), 5)
    if coding == FIXED:
        bits.put(rng.choice([0, 0, 1, rng.randint(0, 11)]), 4)
    if coding in (RANGED, VARIABLE):
        _put_range(bits, rng, 4 if four else 3)
