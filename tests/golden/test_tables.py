"""The runtime's tables, number by number."""
from __future__ import annotations

import ctypes

import pytest
from ossicle.encode.library import library_path
from transform_reference import weights

MOST_GAP = 64


@pytest.mark.usefixtures("built_encoder")
def test_the_weights_of_the_transform_codec_are_those_of_the_specification() -> None:
    expected = [weight for _, row in sorted(weights().items()) for weight in row]
    table = (ctypes.c_int16 * len(expected)).in_dll(ctypes.CDLL(str(library_path())), "osc_transform_weights")
    assert list(table) == expected


@pytest.mark.usefixtures("built_encoder")
def test_reciprocals_are_rounded() -> None:
    table = (ctypes.c_uint16 * (2 * MOST_GAP)).in_dll(ctypes.CDLL(str(library_path())), "osc_curve_reciprocal")
    for n, reciprocal in enumerate(table, 1):
        numerator = 1 << 15 + n.bit_length() - 1
        assert abs(numerator - reciprocal * n) * 2 <= n, n
