"""What can go wrong through no fault of the command, and the line that says so."""
from __future__ import annotations

from ..base.problem import Problem, SettingProblem

PROBLEMS = (Problem, MemoryError)


class BuildProblem(SettingProblem):
    """A problem of a whole build, such as workers with another Ossicle. It ends the build, because every
    other character would have it, too."""


def line_of(problem: Exception) -> str:
    """Returns the line for one of PROBLEMS."""
    return "out of memory; encode fewer files at once" if isinstance(problem, MemoryError) else str(problem)
