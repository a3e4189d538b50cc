"""The tasks of a worker: read a character, encode some of its clips, finish its bank.

A worker keeps the sources of a few characters, and uses them only while their files have the digests with which the
character was planned. Clips from other workers are verified when the bank is finished.
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
from ..encoding import native
from ..encoding.clip_queue import ClipQueue
from ..encoding.cache.entries import ClipEntries
from ..encoding.clip_encoder import Encode
from ..encoding.edits import Edited
from ..encoding.encoder import encode_edited
from ..encoding.results import BankResult
from ..encoding.settings import Settings
from ..encoding.cache.place import Caching, encode_of
from .digests import remembered_in
from .job import Finished, Opened, Planned, open_request
from .manifest import Request, own_digest
from ..config.option_lookup import names_in_files
from .encoding import with_costs
from .problems import PROBLEMS, BuildProblem

KEPT = 2  # characters: the current and the next one
_THIS = f"the worker on {platform.node()}"
_Outcome = TypeVar("_Outcome")
Say = Callable[[str], None]


@dataclass(frozen=True)
class BuildContext:
    """The parameters that all tasks of a build share. folder: the current folder of the build; made_by: own_digest of
    the build; digests: the folder that stores digests of files; jobs: the number of threads for a whole bank."""

    folder: str
    made_by: str
    caching: Caching
    digests: Path | None
    jobs: int


@dataclass(frozen=True)
class Encoded:
    """Clips that a worker has encoded. entries: see ClipEntries; seconds: the time without reading."""

    entries: Mapping[bytes, bytes]
    seconds: float


@dataclass(frozen=True)
class Done(Generic[_Outcome]):
    """The result of a task. outcome: may be a problem, because Dask would log an exception that is raised; warnings:
    for the user, possibly repeated."""

    outcome: _Outcome | Exception
    warnings: Sequence[str]


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
    """Reads a character and plans it."""
    return _done(context, lambda say: _read(request).opened.planned(_kept[request].clips()))


def encode(context: BuildContext, request: Request, state: str, indices: Sequence[int]) -> Done[Encoded]:
    """Encodes some clips of a character. state: Job.state of its plan."""
    def run(say: Say) -> Encoded:
        character = _character(request, state)
        entries, clips = ClipEntries(_encode_of(context, character.opened.job.project.settings, say)), character.clips()
        started = time.monotonic()
        clips.encode(indices, entries.encode)
        return Encoded(entries.new, time.monotonic() - started)
    return _done(context, run)


def finish(context: BuildContext, request: Request, state: str, known: Mapping[bytes, bytes]) -> Done[Finished]:
    """Creates the files of a character. known: its encoded clips; missing clips are encoded here."""
    def run(say: Say) -> Finished:
        def compress(character: Edited, settings: Settings) -> BankResult:
            encode = _encode_of(context, settings, say)
            return encode_edited(character, with_costs(settings), context.jobs,
                                 encode=ClipEntries(encode, known).encode if known else encode)
        opened = _character(request, state).opened
        del _kept[request]  # no longer needed
        finished = opened.finished(compress)
        gc.collect()  # closes the threads' connections to the cache; Dask delays the collector
        return finished
    return _done(context, run)


def _done(context: BuildContext, task: Callable[[Say], _Outcome]) -> Done[_Outcome]:
    """Runs a task and collects its warnings."""
    warnings: list[str] = []
    with _one_at_a_time, toml_names(names_in_files()):
        try:
            _prepare(context)
            with remembered_in(context.digests):
                return Done(task(warnings.append), warnings)
        except PROBLEMS as problem:
            return Done(problem, warnings)


def _prepare(context: BuildContext) -> None:
    if own_digest() != context.made_by:
        raise BuildProblem(f"{_THIS} has a different version of Ossicle; install the same version on all machines, "
                           "and restart the workers")
    if os.getcwd() != context.folder:
        try:
            os.chdir(context.folder)
        except OSError as error:
            raise BuildProblem(f"{context.folder}: {_THIS} cannot open this folder ({error.strerror}); copy the "
                               "project there on all machines") from error


def _encode_of(context: BuildContext, settings: Settings, say: Say) -> Encode:
    return encode_of(context.caching, settings, say) or native.encode_clip


def _character(request: Request, state: str) -> _Character:
    """Returns the character of a plan, from memory if its files have not changed."""
    known = _kept.pop(request, None)
    if known is None or known.opened.job.state != state:
        return _read(request)
    _kept[request] = known  # moves it to the end: the first one is dropped next
    return known


def _read(request: Request) -> _Character:
    _kept.pop(request, None)
    while len(_kept) >= KEPT:
        del _kept[next(iter(_kept))]
    _kept[request] = _Character(open_request(request))
    return _kept[request]
