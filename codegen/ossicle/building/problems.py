"""Expected failures, and the messages about them."""
from __future__ import annotations

from ..base.problem import Problem, SettingProblem

PROBLEMS = (Problem, MemoryError)


class BuildProblem(SettingProblem):
    """A problem that ends the build because it affects every character, such as workers with another version."""


def line_of(problem: Exception) -> str:
    """Returns the message for one of PROBLEMS."""
    return "out of memory; encode fewer files at once" if isinstance(problem, MemoryError) else str(problem)
