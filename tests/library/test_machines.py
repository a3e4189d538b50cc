"""Workers on machines that share no disk: each has a copy of the project in the same folder, and a cache of its own."""
from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from make_library import make_library
from running import Ran, contents, run_inside
from running_builds import WORKER, scheduler

MACHINES = 2
CHARACTERS, CLIPS = 4, 6

IN_A_NAMESPACE = ("unshare", "--mount", "sh", "-c", 'mount --bind "$1" "$2" && cd "$2" && shift 2 && exec "$@"', "sh")

pytestmark = [pytest.mark.integration, pytest.mark.skipif(
    shutil.which("unshare") is None
    or subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode != 0,
    reason="needs namespaces of mounts")]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_library(tmp_path / "project", CHARACTERS, CLIPS, 1.0, 22, seed=1)
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def entries(folder: Path) -> int:
    return json.loads(run_inside("cache", "stats", "--json", "--cache", str(folder / "kept")).out)["entries"]


def workers_on(machines: list[Path], project: Path) -> list[list[str | Path]]:
    """The commands of workers: each has its copy where the project is."""
    return [[*IN_A_NAMESPACE, machine, project, *WORKER, "--nthreads", "1", "--local-directory", f"{machine}.temporary"]
            for machine in machines]


def test_the_files_are_those_of_one_machine(project: Path, tmp_path: Path) -> None:
    machines = [tmp_path / f"machine{number}" for number in range(MACHINES)]
    for machine in machines:
        shutil.copytree(project, machine)
    assert run_inside("build", "library.toml", "-o", "one", "--quiet", "--cache", "off") == Ran(0, "", "")
    with scheduler(tmp_path, workers_on(machines, project)) as address:
        assert run_inside("build", "library.toml", "-o", "many", "--quiet", "--cache", "kept", "--scheduler", address) \
            == Ran(0, "", "")
    assert contents(project / "many") == contents(project / "one")
    assert not (project / "kept/ossicle-clips").exists()  # on no machine but those of the workers
    assert all(entries(machine) > 0 for machine in machines)


def test_a_copy_that_is_not_the_same_is_named(project: Path, tmp_path: Path) -> None:
    machines = [tmp_path / f"machine{number}" for number in range(MACHINES)]
    for machine in machines:
        shutil.copytree(project, machine)
    make_library(machines[0], CHARACTERS, CLIPS, 1.0, 22, seed=2)
    with scheduler(tmp_path, workers_on(machines, project)) as address:
        ran = run_inside("build", "library.toml", "-o", "many", "--quiet", "--scheduler", address)
    assert ran.status == 1 and ran.err
    assert all(".glb" in line for line in ran.err.splitlines())
