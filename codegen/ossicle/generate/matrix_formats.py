"""The formats of skinning matrices."""
from __future__ import annotations

from ..base.problem import SettingProblem, nearest

# The C type of a matrix, and its size in bytes.
FORMATS = {"q20": ("osc_matrix", 48), "20.12": ("osc_matrix_4x3", 48), "q14": ("osc_matrix_q14", 32)}
CHOICES = (*FORMATS, "none")


def parse_matrices(choice: str, key: str = "matrices") -> str:
    """Returns a format of skinning matrices or 'none'. Raises SettingProblem, beginning with `key`,
    for any other choice."""
    if choice not in CHOICES:
        raise SettingProblem(f"{key} {choice!r} is unknown" + nearest(choice, CHOICES))
    return choice
