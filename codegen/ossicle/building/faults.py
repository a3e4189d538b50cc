"""Characters that cannot be built: a build reports each of them and builds the others."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from ..base.problem import SettingProblem
from .manifest import Request
from .problems import PROBLEMS, BuildProblem, line_of

_Outcome = TypeVar("_Outcome")


@dataclass(frozen=True)
class Fault:
    """A character that cannot be built. line: the reason and the remedy, after the name of the character."""

    request: Request
    line: str

    @classmethod
    def of(cls, request: Request, problem: Exception) -> Fault:
        """Creates a fault from one of PROBLEMS. Reraises a BuildProblem, because it does not belong to a character."""
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
        """Stores a fault for the report."""
        if self.stops:
            raise SettingProblem(fault.line)
        self.lines[fault.request] = fault.line

    def reported(self, requests: Sequence[Request]) -> dict[Request, str]:
        """Returns the lines to report. The fault of an image is reported only if a character of its file has none;
        otherwise the faults of the characters explain it. requests: all requests of the build."""
        return {request: line for request, line in self.lines.items() if not request.packs or any(
            other.is_beside(request) and other not in self.lines for other in requests)}

    @contextmanager
    def of(self, request: Request) -> Iterator[None]:
        """Stores the problem that ends the block, if it is one of PROBLEMS."""
        try:
            yield
        except PROBLEMS as problem:
            self.add(Fault.of(request, problem))

    def sift(self, outcomes: Iterable[_Outcome | Fault]) -> Iterator[_Outcome]:
        """Stores the faults and yields the other outcomes."""
        for outcome in outcomes:
            if isinstance(outcome, Fault):
                self.add(outcome)
            else:
                yield outcome
