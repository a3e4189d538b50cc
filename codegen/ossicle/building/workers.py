"""Builds on workers, in other processes or on other machines, with Dask distributed, which repeats the tasks of workers
that die."""
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
from ..reporting import console as report
from . import worker_tasks as tasks
from ..encoding.cache.place import caching_of, digests_folder
from .digests import digest
from .faults import Fault
from .job import Finished, Planned
from .manifest import Request, own_digest
from .local_workers import LocalWorkers, local_scheduler
from .problems import BuildProblem
from ..reporting.messages import warn, warn_once
from .schedule import Schedule
from .worker_messages import check_finished, check_plan, checked

_LOOK_AGAIN_S = 2.0  # between counts of workers
_CONNECT_S = 15
_START_S = 120  # time limit for the first worker
_PLANNED_AT_ONCE = 256  # characters that are planned in parallel
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
    """Provides the workers that a command line requests during the block. Raises SettingProblem."""
    if arguments.workers is not None and arguments.scheduler is not None:
        raise SettingProblem("--workers and --scheduler exclude each other, because a scheduler has its own workers; "
                             "choose one")
    certificates = Certificates(arguments.tls_ca_file, arguments.tls_cert, arguments.tls_key)
    if certificates != Certificates() and arguments.scheduler is None:
        raise SettingProblem("--tls-ca-file, --tls-cert and --tls-key need --scheduler; leave them out, because "
                             "--workers creates a key for each build")
    distributed = _distributed("--workers" if arguments.scheduler is None else "--scheduler")
    # Dask logs every connection that ends; result() reports lost connections instead.
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
        raise SettingProblem(f"--workers: no worker has started within {_START_S} s, perhaps for lack of memory; use "
                             f"fewer workers, or leave the option out. Last log line: {own.last_log_line()}") from error
    return client


@dataclass(frozen=True)
class Certificates:
    """PEM files for a scheduler with TLS. ca: the authority that both sides trust; cert, key: those of this build."""

    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    def security(self, distributed: Any) -> Any:
        """Returns the certificates in Dask's form, or Dask's own configuration if there are none. Raises
        SettingProblem."""
        if self == Certificates():
            return distributed.Security()
        if self.ca is None or self.cert is None:
            raise SettingProblem("--tls-ca-file and --tls-cert: TLS needs both; add the missing one, as for `dask "
                                 "worker`")
        security = distributed.Security(
            require_encryption=True, tls_ca_file=str(self.ca), tls_client_cert=str(self.cert),
            tls_client_key=None if self.key is None else str(self.key))
        try:
            security.get_connection_args("client")
        except OSError as error:  # including those of OpenSSL
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
        raise SettingProblem(f"--scheduler {address}: no scheduler answers ({error}); start one with `dask "
                             "scheduler`, and workers with `dask worker ADDRESS --nthreads 1`") from error
    if not client.nthreads():
        warn([f"--scheduler {address}: has no workers yet; the build waits for `dask worker {address} --nthreads 1`"])
    return client


class OnWorkers:
    """Plans and encodes the characters of a build on workers."""

    def __init__(self, client: Any, distributed: Any, arguments: argparse.Namespace) -> None:
        self._context = tasks.BuildContext(os.getcwd(), own_digest(), caching_of(arguments.cache, arguments.cache_size),
                                           digests_folder(arguments.cache),
                                           arguments.jobs or 1)
        self._client, self._distributed, self._quiet = client, distributed, arguments.quiet
        self._progress: Callable[[int, int, str], None] = _ignored
        self._has_copies = arguments.scheduler is not None  # workers may read copies of the project on other machines
        self._warnings: list[str] = []  # of workers, printed while the progress bar is hidden
        self._threads, self._counted_at = 0, -_LOOK_AGAIN_S

    def planned(self, requests: Iterable[Request]) -> Iterator[Planned | Fault]:
        """See Builder."""
        left = list(requests)
        for first in range(0, len(left), _PLANNED_AT_ONCE):
            some = left[first:first + _PLANNED_AT_ONCE]
            for request, future in [(request, self.send(place, tasks.plan, request))
                                    for place, request in enumerate(some)]:
                plan = self.result(future, str(request))
                self._warn()
                if isinstance(plan, Exception):
                    yield Fault.of(request, plan)
                    continue
                check_plan(plan, request)
                yield self._with_same_files(plan, {})

    def finished(self, planned: Iterable[Planned]) -> Iterator[Finished | Fault]:
        """See Builder."""
        everything = list(planned)
        plans = {plan.job.request: plan for plan in everything}
        total, started = sum(sum(plan.work) for plan in everything), time.monotonic()
        results = Schedule(self, everything, lambda done, item: self._progress(done, total, item)).results()
        while True:
            shown = nullcontext(_ignored) if self._quiet else report.progress_bar("encoding", "frames", started)
            with shown as bar:
                self._progress = bar
                outcome = next(results, None)
            self._warn()
            if outcome is None:
                return
            if isinstance(outcome, Fault):
                yield outcome
                continue
            check_finished(outcome, plans)
            # yields while the progress bar is hidden, because the caller prints lines about the character
            yield self._with_same_files(outcome, plans[outcome.job.request].job.inputs)

    def _with_same_files(self, outcome: _Outcome, checked: Mapping[Path, str]) -> _Outcome | Fault:
        """Returns the outcome, or a fault if a worker has read files that differ from those of this machine. checked:
        files that were already compared."""
        for path, known in outcome.job.inputs.items() if self._has_copies else ():
            if checked.get(path) != known and digest(path) != known:
                return Fault.of(outcome.job.request, SettingProblem(
                    f"{path} differs on the machine of a worker; copy the project there again, or build again if the "
                    "file was just changed"))
        return outcome

    def _warn(self) -> None:
        """Prints the warnings of workers."""
        for line in self._warnings:
            warn_once(line)
        self._warnings.clear()

    def send(self, place: int, task: Any, *arguments: object) -> Any:
        """See WorkerPool."""
        with warnings.catch_warnings(action="ignore"):  # Dask warns about the size of encoded clips
            return self._client.submit(task, self._context, *arguments, pure=False, priority=-place)

    def arriving(self) -> Any:
        """See WorkerPool."""
        return self._distributed.as_completed()

    def result(self, future: Any, what: str) -> Any:
        """See WorkerPool. Raises BuildProblem for a problem that affects all tasks."""
        try:
            done = future.result()
        except (ImportError, AttributeError) as error:  # raised while it unpickles the task
            raise BuildProblem(f"{what}: a worker has no or a different version of Ossicle ({error}); install the same "
                               "version on all machines, and restart the workers") from error
        except self._distributed.KilledWorker:
            return SettingProblem(f"{what}: several workers died while they encoded it; give them more memory, or find "
                                  "out what ends them")
        except (self._distributed.CancelledError, OSError) as error:
            if future.status == "error":  # raised by the task itself
                raise
            raise BuildProblem(f"{what}: the connection to the scheduler is lost; start the scheduler again, and "
                               "build again") from error
        self._warnings += checked(done, what).warnings
        return done.outcome

    def threads(self) -> int:
        """See WorkerPool."""
        if time.monotonic() - self._counted_at > _LOOK_AGAIN_S:
            self._counted_at = time.monotonic()
            with suppress(OSError):
                self._threads = sum(self._client.nthreads().values())
        return self._threads


def _ignored(done: int, total: int, item: str) -> None:
    """Shows no progress, for a quiet build."""
