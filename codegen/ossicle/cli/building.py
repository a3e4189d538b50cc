"""Where the characters of a build are read and encoded: here, in this process."""
from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import Protocol

from ..model.clip import Imported
from .job import Finished, Opened, Planned, open_request
from .manifest import Request
from .printing import compress

_KEPT_JOINT_FRAMES = 1 << 21  # 170 MB; sources of a larger library are read again when they are encoded


class Builder(Protocol):
    """What reads and encodes the characters of a build."""

    def planned(self, requests: Iterable[Request]) -> Iterator[Planned]:
        """Yields what is known of each request before it is encoded. Raises one of PROBLEMS for the first that cannot
        be built."""

    def finished(self, planned: Iterable[Planned]) -> Iterator[Finished]:
        """Yields each of these, encoded. Raises one of PROBLEMS for the first that cannot be."""


class Here:
    """Reads and encodes one character after the other."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self._kept: dict[Request, Opened] = {}
        self._room = _KEPT_JOINT_FRAMES

    def planned(self, requests: Iterable[Request]) -> Iterator[Planned]:
        for request in requests:
            opened = open_request(request)
            self._keep(opened)
            yield opened.planned()

    def finished(self, planned: Iterable[Planned]) -> Iterator[Finished]:
        for one in planned:
            request = one.job.request
            opened = self._kept.pop(request, None) or open_request(request)
            yield opened.finished(lambda imported, settings: compress(imported, settings, self._arguments))

    def _keep(self, opened: Opened) -> None:
        size = _joint_frames(opened.imported)
        if size <= self._room or not self._kept:
            self._room -= size
            self._kept[opened.job.request] = opened


def _joint_frames(imported: Imported) -> int:
    return sum(clip.steps.shape[0] * clip.steps.shape[1] for clip in (*imported.clips, *imported.references))
