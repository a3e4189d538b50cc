"""What a worker of a build does: reads a character, encodes some of its clips, and writes its bank.

A worker trusts nothing that it remembers: the sources that it keeps are used for a request only as long as they have
the digests that the request was planned with, and all that it is told about clips is verified as the bank is finished.
"""
from __future__ import annotations

import gc
import os
import platform
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from ..base.option_names import toml_names
from ..encode import native
from ..encode.clip_queue import ClipQueue
from ..encode.cache.entries import ClipEntries
from ..encode.clip_encoder import Encode
from ..encode.edits import Edited
from ..encode.encoder import encode_edited
from ..encode.results import BankResult
from ..encode.settings import Settings
from ..encode.cache.place import Caching, encode_of
from .digests import remembered_in
from .job import Finished, Opened, Planned, open_request
from .manifest import Request, own_digest
from ..config.option_lookup import names_in_files
from .encoding import with_costs
from .problems import PROBLEMS, BuildProblem

KEPT = 2  # characters: the one that is encoded, and the next one
_THIS = f"the worker on {platform.node()}"
_Outcome = TypeVar("_Outcome")
Say = Callable[[str], None]


@dataclass(frozen=True)
class BuildContext:
    """What all tasks of a build have in common. folder: the current folder of the build; made_by: its Ossicle; digests:
    the folder that remembers those of files; jobs: threads for a whole bank."""

    folder: str
    made_by: str
    caching: Caching
    digests: Path | None
    jobs: int


@dataclass(frozen=True)
class Encoded:
    """Clips that a worker has encoded. entries: see ClipEntries; seconds: how long that took, without reading."""

    entries: Mapping[bytes, bytes]
    seconds: float


@dataclass(frozen=True)
class Done(Generic[_Outcome]):
    """The result of a task. outcome: the problem if there is one, because the worker would log an exception; said:
    warnings for the user, some of them repeated."""

    outcome: _Outcome | Exception
    said: Sequence[str]


@dataclass
class _Character:
    opened: Opened
    queue: ClipQueue | None = None

    def clips(self) -> ClipQueue:
        self.queue = self.queue or self.opened.queue()
        return self.queue


_kept: dict[Request, _Character] = {}
_one_at_a_time = threading.Lock()


def plan(context: BuildContext, request: Request) -> Done[Planned]:
    """Reads a character."""
    return _done(context, lambda say: _read(request).opened.planned(_kept[request].clips()))


def encode(context: BuildContext, request: Request, state: str, indices: Sequence[int]) -> Done[Encoded]:
    """Encodes some clips of a character. state: of its files, when it was planned."""
    def run(say: Say) -> Encoded:
        character = _character(request, state)
        entries, clips = ClipEntries(_encode_of(context, character.opened.job.project.settings, say)), character.clips()
        started = time.monotonic()
        clips.encode(indices, entries.encode)
        return Encoded(entries.new, time.monotonic() - started)
    return _done(context, run)


def finish(context: BuildContext, request: Request, state: str, known: Mapping[bytes, bytes]) -> Done[Finished]:
    """Makes the files of a character. known: its clips, as encoded; those that are missing are encoded here."""
    def run(say: Say) -> Finished:
        def compress(character: Edited, settings: Settings) -> BankResult:
            encode = _encode_of(context, settings, say)
            return encode_edited(character, with_costs(settings), context.jobs,
                                 encode=ClipEntries(encode, known).encode if known else encode)
        opened = _character(request, state).opened
        del _kept[request]  # it is no longer needed
        finished = opened.finished(compress)
        gc.collect()  # each thread left a connection to the cache, with its pages; Dask lets the collector run late
        return finished
    return _done(context, run)


def _done(context: BuildContext, task: Callable[[Say], _Outcome]) -> Done[_Outcome]:
    """Does a task."""
    said: list[str] = []
    with _one_at_a_time, toml_names(names_in_files()):
        try:
            _prepare(context)
            with remembered_in(context.digests):
                return Done(task(said.append), said)
        except PROBLEMS as problem:
            return Done(problem, said)


def _prepare(context: BuildContext) -> None:
    if own_digest() != context.made_by:
        raise BuildProblem(f"{_THIS} has a different Ossicle; install the same on all machines, and restart the "
                           "workers")
    if os.getcwd() != context.folder:
        try:
            os.chdir(context.folder)
        except OSError as error:
            raise BuildProblem(f"{context.folder}: {_THIS} cannot read it ({error.strerror}); the project has to be in "
                               "the same folder on all machines") from error


def _encode_of(context: BuildContext, settings: Settings, say: Say) -> Encode:
    return encode_of(context.caching, settings, say) or native.encode_clip


def _character(request: Request, state: str) -> _Character:
    """The character of a plan, from memory if it has not changed."""
    known = _kept.pop(request, None)
    if known is None or known.opened.job.state != state:
        return _read(request)
    _kept[request] = known  # as the last that was used
    return known


def _read(request: Request) -> _Character:
    _kept.pop(request, None)
    while len(_kept) >= KEPT:
        del _kept[next(iter(_kept))]
    _kept[request] = _Character(open_request(request))
    return _kept[request]
