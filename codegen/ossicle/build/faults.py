"""Characters that cannot be built: a build reports each of them and builds the others."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from ..base.problem import SettingProblem
from .manifest import Request
from .problems import PROBLEMS, BuildProblem, line_of

_Good = TypeVar("_Good")


@dataclass(frozen=True)
class Fault:
    """A character that cannot be built. line: the reason and the remedy, after the name of the character."""

    request: Request
    line: str

    @classmethod
    def of(cls, request: Request, problem: Exception) -> Fault:
        """Makes a fault of one of PROBLEMS. Raises a BuildProblem again, because it belongs to no character."""
        if isinstance(problem, BuildProblem):
            raise problem
        line = line_of(problem)
        return cls(request, line if line.startswith((f"{request}: ", f"{request} ")) else f"{request}: {line}")


@dataclass
class Faults:
    """The faults of a build. stops: whether the first one ends the build, as a SettingProblem."""

    stops: bool = False
    lines: dict[Request, str] = field(default_factory=dict)

    def add(self, fault: Fault) -> None:
        """Keeps a fault for the report."""
        if self.stops:
            raise SettingProblem(fault.line)
        self.lines[fault.request] = fault.line

    def told(self, requests: Sequence[Request]) -> dict[Request, str]:
        """The lines to report: of an image only if its file has a character without a fault, because the lines of the
        characters explain its fault otherwise. requests: all of the build."""
        return {request: line for request, line in self.lines.items() if not request.packs or any(
            one.is_beside(request) and one not in self.lines for one in requests)}

    @contextmanager
    def of(self, request: Request) -> Iterator[None]:
        """Keeps the problem that ends the block, if it is one of PROBLEMS."""
        try:
            yield
        except PROBLEMS as problem:
            self.add(Fault.of(request, problem))

    def sift(self, outcomes: Iterable[_Good | Fault]) -> Iterator[_Good]:
        """Keeps the faults, and yields the other outcomes."""
        for one in outcomes:
            if isinstance(one, Fault):
                self.add(one)
            else:
                yield one
