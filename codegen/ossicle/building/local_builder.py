"""Reads and encodes the characters of a build in this process."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from ..model.clip import Imported
from .faults import Fault
from .job import Finished, Opened, Planned, open_request
from .manifest import Request
from .encoding import compress
from .problems import PROBLEMS
from .options import EncodeOptions

_KEPT_JOINT_FRAMES = 1 << 21  # 170 MB; other sources are read again when they are encoded
_Outcome = TypeVar("_Outcome")


class Builder(Protocol):
    """Reads and encodes the characters of a build."""

    def planned(self, requests: Iterable[Request]) -> Iterator[Planned | Fault]:
        """Yields the plan of each request, or its fault. Raises BuildProblem."""

    def finished(self, planned: Iterable[Planned]) -> Iterator[Finished | Fault]:
        """Yields each of these characters, encoded, or its fault. Raises BuildProblem."""


class LocalBuilder:
    """Reads and encodes characters one after the other in this process."""

    def __init__(self, work: EncodeOptions) -> None:
        self._work = work
        self._kept: dict[Request, Opened] = {}
        self._room = _KEPT_JOINT_FRAMES

    def planned(self, requests: Iterable[Request]) -> Iterator[Planned | Fault]:
        return (_tried(request, lambda: self._plan(request)) for request in requests)

    def finished(self, planned: Iterable[Planned]) -> Iterator[Finished | Fault]:
        return (_tried(request, lambda: self._finish(request)) for request in (plan.job.request for plan in planned))

    def _plan(self, request: Request) -> Planned:
        opened = open_request(request)
        planned = opened.planned()
        self._keep(opened)
        return planned

    def _finish(self, request: Request) -> Finished:
        opened = self._kept.pop(request, None) or open_request(request)
        return opened.finished(lambda character, settings: compress(character, settings, self._work))

    def _keep(self, opened: Opened) -> None:
        size = _joint_frames(opened.character.imported)
        if size <= self._room or not self._kept:
            self._room -= size
            self._kept[opened.job.request] = opened


def _tried(request: Request, task: Callable[[], _Outcome]) -> _Outcome | Fault:
    try:
        return task()
    except PROBLEMS as problem:
        return Fault.of(request, problem)


def _joint_frames(imported: Imported) -> int:
    return sum(clip.steps.shape[0] * clip.steps.shape[1] for clip in (*imported.clips, *imported.references))
