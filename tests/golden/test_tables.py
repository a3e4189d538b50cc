"""The runtime's table of weights, number by number."""
from __future__ import annotations

import ctypes

import pytest
from ossicle.base.encoder_library import library_path
from transform_reference import weights


@pytest.mark.usefixtures("built_encoder")
def test_the_weights_of_the_transform_codec_are_those_of_the_specification() -> None:
    expected = [weight for _, row in sorted(weights().items()) for weight in row]
    table = (ctypes.c_int16 * len(expected)).in_dll(ctypes.CDLL(str(library_path())), "osc_transform_weights")
    assert list(table) == expected
