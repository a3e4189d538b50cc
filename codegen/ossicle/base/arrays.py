"""The type of arrays. Docstrings state their shapes, units and number types."""
from __future__ import annotations

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]
