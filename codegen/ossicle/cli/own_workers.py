"""The workers of a build on this machine: processes that are replaced when they die, at any moment.

Dask's own processes are not: one that dies as it starts is waited for without end (distributed 2022.12)."""
from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

_LOOK_AGAIN_S = 0.2
_ALONE_S = 20  # after which a worker ends that does not find the build
_END_S = 5.0  # then a worker that is told to end is killed
_LOG = "workers.log"
SMALL = {"MALLOC_ARENA_MAX": "1",  # glibc keeps what was freed in each, and every character has threads of its own
         "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}  # keeps 50 KB a second for an hour


class OwnWorkers:
    """Worker processes, while the block lasts. They end by themselves when the scheduler does."""

    def __init__(self, scheduler: str, count: int, folder: Path) -> None:
        """scheduler: its address; folder: for their temporary files."""
        self._command = [sys.executable, "-P", "-m", "distributed.cli.dask_worker", scheduler, "--nthreads", "1", "--no-nanny",
                         "--no-dashboard", "--memory-limit", "0", "--death-timeout", str(_ALONE_S), "--local-directory",
                         str(folder)]
        self._environment = os.environ | SMALL | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._count, self._ended, self._log = count, threading.Event(), folder / _LOG
        self._processes: list[subprocess.Popen[bytes]] = []
        self._watch = threading.Thread(target=self._replace, daemon=True)

    def __enter__(self) -> OwnWorkers:
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

    def last_words(self) -> str:
        """The last line that a worker has written, such as why it cannot start."""
        return self._log.read_text(encoding="utf-8", errors="replace").rstrip().rpartition("\n")[2]

    def _start(self) -> subprocess.Popen[bytes]:
        """A worker, in a session of its own: Ctrl-C is for the build, which ends its workers."""
        with self._log.open("ab") as log:
            return subprocess.Popen(self._command, env=self._environment, start_new_session=True, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=log)

    def _replace(self) -> None:
        while not self._ended.wait(_LOOK_AGAIN_S):
            self._processes = [process if process.poll() is None else self._start() for process in self._processes]
