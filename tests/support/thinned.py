"""Combinations of which the tests take every second one, and `scons roots` all."""
from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import pytest


def thinned(*axes: Iterable[object]) -> list[object]:
    """Values for pytest.mark.parametrize: the product of the axes. Those left out are marked; each
    value of every axis of two or more is in one that is not."""
    numbered = [list(enumerate(axis)) for axis in axes]
    return [pytest.param(*(value for _, value in combination),
                         marks=pytest.mark.exhaustive if sum(i for i, _ in combination) % 2 else ())
            for combination in product(*numbered)]
