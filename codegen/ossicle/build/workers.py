"""Builds on workers, in other processes and on other machines, with Dask distributed, which repeats what a dead worker
had begun."""
from __future__ import annotations

import argparse
import logging
import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..base.problem import SettingProblem
from ..report import console as report
from . import worker_tasks as tasks
from ..encode.cache.place import caching_of, digests_folder
from .digests import digest
from .faults import Fault
from .job import Finished, Planned
from .manifest import Request, own_digest
from .local_workers import LocalWorkers, local_scheduler
from .problems import BuildProblem
from ..report.messages import warn, warn_once
from .schedule import Schedule
from .worker_messages import check_finished, check_plan, checked

_LOOK_AGAIN_S = 2.0  # after which workers are counted again
_CONNECT_S = 15
_START_S = 120  # in which the first worker has to be there
_PLANNED_AT_ONCE = 256  # characters
_Outcome = TypeVar("_Outcome", Planned, Finished)


def _distributed(option: str) -> Any:
    try:
        import distributed  # imported only for --workers and --scheduler
    except ImportError as error:
        raise SettingProblem(f"{option}: needs Dask distributed, which is not installed; install python3-distributed "
                             "of Debian, or distributed with pip") from error
    return distributed


@contextmanager
def workers(arguments: argparse.Namespace) -> Iterator[OnWorkers]:
    """The workers that a command line asks for, while the block lasts. Raises SettingProblem."""
    if arguments.workers is not None and arguments.scheduler is not None:
        raise SettingProblem("--workers and --scheduler: a scheduler has its own workers; choose one")
    certificates = Certificates(arguments.tls_ca_file, arguments.tls_cert, arguments.tls_key)
    if certificates != Certificates() and arguments.scheduler is None:
        raise SettingProblem("--tls-ca-file, --tls-cert and --tls-key are for --scheduler; --workers has a key of its "
                             "own for each build")
    distributed = _distributed("--workers" if arguments.scheduler is None else "--scheduler")
    # Dask and its event loop log connections that end, until this process ends; result() reports them instead.
    logging.disable()
    with ExitStack() as left:
        if arguments.scheduler is None:
            client = _local_workers(distributed, arguments.workers, left)
        else:
            client = _scheduler_at(distributed, arguments.scheduler, certificates, left)
        yield OnWorkers(client, distributed, arguments)


def _local_workers(distributed: Any, count: int, left: ExitStack) -> Any:
    folder = left.enter_context(tempfile.TemporaryDirectory(prefix="ossicle-workers-", ignore_cleanup_errors=True))
    cluster = left.enter_context(local_scheduler(distributed))
    client = left.enter_context(distributed.Client(cluster))
    own = left.enter_context(LocalWorkers(cluster, count, Path(folder)))
    try:
        client.wait_for_workers(1, timeout=_START_S)
    except (OSError, TimeoutError) as error:
        raise SettingProblem(f"--workers: no worker has started in {_START_S} s; is the machine out of memory? Build "
                             f"without the option, or with fewer. Last log line: {own.last_words()}") from error
    return client


@dataclass(frozen=True)
class Certificates:
    """PEM files for a scheduler with TLS. ca: of the authority that both sides trust; cert, key: of this build."""

    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    def security(self, distributed: Any) -> Any:
        """Returns the certificates in Dask's form, or Dask's own configuration if there are none. Raises
        SettingProblem."""
        if self == Certificates():
            return distributed.Security()
        if self.ca is None or self.cert is None:
            raise SettingProblem("--tls-ca-file and --tls-cert: TLS needs both; add the other one, as for `dask "
                                 "worker`")
        security = distributed.Security(
            require_encryption=True, tls_ca_file=str(self.ca), tls_client_cert=str(self.cert),
            tls_client_key=None if self.key is None else str(self.key))
        try:
            security.get_connection_args("client")
        except OSError as error:  # also of OpenSSL
            raise SettingProblem(f"--tls-ca-file {self.ca}, --tls-cert {self.cert}"
                                 + (f", --tls-key {self.key}" if self.key else "")
                                 + f": cannot be used ({error.strerror}); check the files") from error
        return security


def _scheduler_at(distributed: Any, address: str, certificates: Certificates, left: ExitStack) -> Any:
    security = certificates.security(distributed)
    if address.startswith("tls:") and security.get_connection_args("client")["ssl_context"] is None:
        raise SettingProblem(f"--scheduler {address}: needs certificates; add --tls-ca-file, --tls-cert and --tls-key, "
                             "as for `dask worker`")
    try:
        client = left.enter_context(distributed.Client(address, timeout=_CONNECT_S, security=security))
    except (OSError, ValueError) as error:  # a time-out is an OSError
        raise SettingProblem(f"--scheduler {address}: no scheduler answers there ({error}); start one with `dask "
                             "scheduler`, and workers with `dask worker ADDRESS --nthreads 1`") from error
    if not client.nthreads():
        warn([f"--scheduler {address}: has no workers yet; the build waits for `dask worker {address} --nthreads 1`"])
    return client


class OnWorkers:
    """Plans and encodes the characters of a build on workers."""

    def __init__(self, client: Any, distributed: Any, arguments: argparse.Namespace) -> None:
        self._context = tasks.BuildContext(os.getcwd(), own_digest(), caching_of(arguments),
                                           digests_folder(arguments.cache),
                                           arguments.jobs or 1)
        self._client, self._distributed, self._quiet = client, distributed, arguments.quiet
        self._progress: Callable[[int, int, str], None] = _ignored
        self._has_copies = arguments.scheduler is not None  # of the project, perhaps, on other disks
        self._said: list[str] = []  # by workers, to be printed without the bar
        self._threads, self._counted_at = 0, -_LOOK_AGAIN_S

    def planned(self, requests: Iterable[Request]) -> Iterator[Planned | Fault]:
        """See Builder."""
        left = list(requests)
        for first in range(0, len(left), _PLANNED_AT_ONCE):
            some = left[first:first + _PLANNED_AT_ONCE]
            for request, future in [(request, self.send(place, tasks.plan, request))
                                    for place, request in enumerate(some)]:
                one = self.result(future, str(request))
                self._tell()
                if isinstance(one, Exception):
                    yield Fault.of(request, one)
                    continue
                check_plan(one, request)
                yield self._with_same_files(one, {})

    def finished(self, planned: Iterable[Planned]) -> Iterator[Finished | Fault]:
        """See Builder."""
        everything = list(planned)
        plans = {one.job.request: one for one in everything}
        total, started = sum(sum(one.work) for one in everything), time.monotonic()
        results = Schedule(self, everything, lambda done, item: self._progress(done, total, item)).results()
        while True:
            shown = nullcontext(_ignored) if self._quiet else report.progress_bar("encoding", "frames", started)
            with shown as bar:
                self._progress = bar
                one = next(results, None)
            self._tell()
            if one is None:
                return
            if isinstance(one, Fault):
                yield one
                continue
            check_finished(one, plans)
            # without the progress bar, because lines about it may go elsewhere
            yield self._with_same_files(one, plans[one.job.request].job.inputs)

    def _with_same_files(self, one: _Outcome, checked: Mapping[Path, str]) -> _Outcome | Fault:
        """Returns the outcome, or a fault if a worker has read files that differ from those here. checked: files that
        were compared before."""
        for path, known in one.job.inputs.items() if self._has_copies else ():
            if checked.get(path) != known and digest(path) != known:
                return Fault.of(one.job.request, SettingProblem(
                    f"{path} is another file for a worker on another machine; copy the project there again, or build "
                    "again if the file was just changed"))
        return one

    def _tell(self) -> None:
        """Prints what workers have said."""
        for line in self._said:
            warn_once(line)
        self._said.clear()

    def send(self, place: int, task: Any, *arguments: object) -> Any:
        """Has a worker do a task, before those of later places. Returns its future."""
        with warnings.catch_warnings(action="ignore"):  # about the size of clips, which are needed once
            return self._client.submit(task, self._context, *arguments, pure=False, priority=-place)

    def arriving(self) -> Any:
        """An empty queue of futures, which gives those that are done; more can be added."""
        return self._distributed.as_completed()

    def result(self, future: Any, what: str) -> Any:
        """Returns the result of a task, or the problem of its character. Raises BuildProblem if no task can be done."""
        try:
            done = future.result()
        except (ImportError, AttributeError) as error:  # as it unpickles the task
            raise BuildProblem(f"{what}: a worker has no Ossicle, or a different one ({error}); install the same on "
                               "all machines, and restart the workers") from error
        except self._distributed.KilledWorker:
            return SettingProblem(f"{what}: several workers died while encoding it; give them more memory, or find out "
                                  "what kills them")
        except (self._distributed.CancelledError, OSError) as error:
            if future.status == "error":  # of the task itself
                raise
            raise BuildProblem(f"{what}: the scheduler is gone; start it again, and build again") from error
        self._said += checked(done, what).said
        return done.outcome

    def threads(self) -> int:
        """How many tasks the workers can do at once, now."""
        if time.monotonic() - self._counted_at > _LOOK_AGAIN_S:
            self._counted_at = time.monotonic()
            with suppress(OSError):
                self._threads = sum(self._client.nthreads().values())
        return self._threads


def _ignored(done: int, total: int, item: str) -> None:
    """The progress of a quiet build."""
