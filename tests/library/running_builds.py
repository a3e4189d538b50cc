"""Builds that run on workers, and schedulers that they can use."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import distributed
import psutil
from running import ROOT, Ran

LONGEST_S = 240.0  # for a build in a test
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "codegen")}
SCHEDULER = (sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--host", "127.0.0.1")
WORKER = (sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny")


class Build:
    """A running build on two workers of its own, or on those of a scheduler, to the folder out. inside: a command that
    becomes the build, such as one that enters a namespace."""

    def __init__(self, config: str, *more: str, scheduler: str | None = None, inside: Sequence[str] = ()) -> None:
        pool = ["--workers", "2"] if scheduler is None else ["--scheduler", scheduler]
        self.process = subprocess.Popen(
            [*inside, sys.executable, "-m", "ossicle", "build", config, "-o", "out", "--quiet", *pool, *more],
            stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)

    def workers(self) -> list[psutil.Process]:
        """The processes of its workers. Other processes of the build may end at any time."""
        found = []
        with suppress(psutil.NoSuchProcess):
            for child in psutil.Process(self.process.pid).children():
                with suppress(psutil.NoSuchProcess):
                    if any("dask_worker" in word for word in child.cmdline()):
                        found.append(child)
        return found

    def kill(self) -> None:
        """Kills the build, not its workers, and waits until these have ended, too."""
        workers = self.workers()
        self.process.kill()
        self.process.communicate()
        assert psutil.wait_procs(workers, timeout=LONGEST_S)[1] == []

    def result(self) -> Ran:
        _, errors = self.process.communicate(timeout=LONGEST_S)
        return Ran(self.process.returncode, "", errors)


@contextmanager
def scheduler(folder: Path, workers: Sequence[Sequence[str | Path]], wait: bool = True,
              more: Sequence[str] = ()) -> Iterator[str]:
    """The address of a scheduler, while the block lasts. folder: where it and its workers begin; workers: their
    commands; wait: until all are there; more: options of the scheduler."""
    found = folder / "scheduler.json"
    parts = [subprocess.Popen([*command, "--scheduler-file", found, "--no-dashboard"], cwd=folder, env=ENVIRONMENT,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
             for command in ([*SCHEDULER, *more], *workers)]
    try:
        while not found.exists() or not found.read_text(encoding="utf-8"):
            assert all(part.poll() is None for part in parts)
            time.sleep(0.1)
        address = json.loads(found.read_text(encoding="utf-8"))["address"]
        if wait:
            with distributed.Client(address) as client:
                client.wait_for_workers(len(workers), LONGEST_S)
        yield address
    finally:
        for part in parts:
            part.kill()
            part.wait()
