"""Workers on machines that share no disk: each has a copy of the project in the same folder, and a cache of its own."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from make_library import make_library
from running import ROOT, Ran, contents, run_inside

MACHINES = 2
CHARACTERS, CLIPS = 4, 24

IN_A_NAMESPACE = ("unshare", "--mount", "sh", "-c", 'mount --bind "$1" "$2" && cd "$2" && shift 2 && exec "$@"', "sh")

pytestmark = pytest.mark.skipif(
    shutil.which("unshare") is None or subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode != 0,
    reason="needs namespaces of mounts")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_library(tmp_path / "project", CHARACTERS, CLIPS, 1.0, 22, 0.0, 1, 'effort = "fast"\n')
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def scheduler(project: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler with a worker on each machine."""
    found, environment = tmp_path / "scheduler.json", os.environ | {"PYTHONPATH": str(ROOT / "codegen")}
    for machine in range(MACHINES):
        shutil.copytree(project, tmp_path / f"machine{machine}")
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--host", "127.0.0.1"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny"]
    commands = [scheduler] + [
        [*IN_A_NAMESPACE, tmp_path / f"machine{machine}", project, *worker, "--local-directory", tmp_path / f"temporary{machine}"]
        for machine in range(MACHINES)]
    parts = [subprocess.Popen([*command, "--scheduler-file", found, "--no-dashboard"], cwd=tmp_path, env=environment,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for command in commands]
    try:
        while not found.exists() or not found.read_text(encoding="utf-8"):
            assert parts[0].poll() is None
            time.sleep(0.1)
        yield json.loads(found.read_text(encoding="utf-8"))["address"]
    finally:
        for part in parts:
            part.kill()
            part.wait()


def entries(folder: Path) -> int:
    return json.loads(run_inside("cache", "stats", "--json", "--cache", str(folder / "kept")).out)["entries"]


def test_the_files_are_those_of_one_machine(project: Path, scheduler: str, tmp_path: Path) -> None:
    assert run_inside("build", "library.toml", "-o", "one", "--quiet", "--cache", "off") == Ran(0, "", "")
    assert run_inside("build", "library.toml", "-o", "many", "--quiet", "--cache", "kept", "--scheduler", scheduler) \
        == Ran(0, "", "")
    assert contents(project / "many") == contents(project / "one")
    assert not (project / "kept/ossicle-clips").exists()  # on no machine but those of the workers
    assert all(entries(tmp_path / f"machine{machine}") > 0 for machine in range(MACHINES))
