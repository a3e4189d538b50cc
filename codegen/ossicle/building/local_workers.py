"""Worker processes of a build on this machine, which are replaced when they die.

Dask's own worker processes are not used, because distributed 2022.12 waits forever for a process that dies during
start-up. A scheduler and its workers run any code that they receive. Therefore they listen only on the loopback
address, and accept only connections with the key of this build, which other local users cannot read.
"""
from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from ..base.problem import SettingProblem

_LOOK_AGAIN_S = 0.2
_ALONE_S = 20  # after which a worker that cannot reach the build ends
_END_S = 5.0  # after which a worker that does not end is killed
_LOG = "workers.log"
_HERE = "127.0.0.1"
_NO_HTTP = f"{__package__}.no_http"
SMALL = {"MALLOC_ARENA_MAX": "1",  # glibc keeps freed memory per arena, and every character starts new threads
         "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}  # a profile keeps 50 KB a second for an hour


def local_scheduler(distributed: Any) -> Any:
    """Returns a cluster without workers, for LocalWorkers. Raises SettingProblem."""
    try:
        import cryptography  # noqa: F401: Security.temporary needs it
        security = distributed.Security.temporary()  # a new key and certificate
    except ImportError as error:
        raise SettingProblem("--workers: needs the library cryptography, which is not installed; install "
                             "python3-cryptography of Debian, or cryptography with pip") from error
    return distributed.LocalCluster(
        n_workers=0, processes=True, host=_HERE, security=security, dashboard_address=f"{_HERE}:0",
        scheduler_kwargs={"dashboard": False, "preload": [_NO_HTTP]})


class LocalWorkers:
    """Runs worker processes during the block. They also end when the scheduler does."""

    def __init__(self, cluster: Any, count: int, folder: Path) -> None:
        """cluster: see local_scheduler; folder: for temporary files, unreadable for other users."""
        key, certificate = _written(folder, cluster.security)
        self._command = [
            sys.executable, "-P", "-m", "distributed.cli.dask_worker", cluster.scheduler_address, "--host", _HERE,
            "--tls-ca-file", certificate, "--tls-cert", certificate, "--tls-key", key,
            "--no-dashboard", "--dashboard-address", f"{_HERE}:0", "--preload", _NO_HTTP, "--nthreads", "1",
            "--no-nanny",
            "--memory-limit", "0", "--death-timeout", str(_ALONE_S), "--local-directory", str(folder)]
        self._environment = os.environ | SMALL | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._count, self._ended, self._log = count, threading.Event(), folder / _LOG
        self._processes: list[subprocess.Popen[bytes]] = []
        self._watch = threading.Thread(target=self._replace, daemon=True)

    def __enter__(self) -> LocalWorkers:
        self._processes = [self._start() for _ in range(self._count)]
        self._watch.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._ended.set()
        self._watch.join()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            try:
                process.wait(_END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def last_log_line(self) -> str:
        """Returns the last line that a worker has logged, such as the reason why it cannot start."""
        return self._log.read_text(encoding="utf-8", errors="replace").rstrip().rpartition("\n")[2]

    def _start(self) -> subprocess.Popen[bytes]:
        """Starts a worker in its own session, so that Ctrl-C reaches only the build, which ends its workers."""
        with self._log.open("ab") as log:
            return subprocess.Popen(self._command, env=self._environment, start_new_session=True,
                                    stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=log)

    def _replace(self) -> None:
        while not self._ended.wait(_LOOK_AGAIN_S):
            self._processes = [process if process.poll() is None else self._start() for process in self._processes]


def _written(folder: Path, security: Any) -> tuple[str, str]:
    """Writes the key and the certificate of a build to files, and returns their paths."""
    paths = []
    for name, content in (("key.pem", security.tls_worker_key), ("certificate.pem", security.tls_ca_file)):
        paths.append(str(folder / name))
        with open(os.open(paths[-1], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(content)
    return paths[0], paths[1]
