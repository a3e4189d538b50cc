"""Builds on workers: the files are those of one process, whatever happens to a worker or to the build itself."""
from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from running import HERO, ROOT, Ran, contents, run_command, run_inside, write_bvh

LONGEST_S = 240.0  # for a build in a test
MIDDLE = 8  # characters between the first and the last


class Build:
    """A running build on two workers."""

    def __init__(self, *more: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ossicle", "build", "slow.toml", "-o", "out", "--quiet", "--workers", "2", *more],
            stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")})

    def workers(self) -> list[psutil.Process]:
        """The processes of its workers."""
        with suppress(psutil.NoSuchProcess):
            return [one for one in psutil.Process(self._process.pid).children()
                    if any("spawn_main" in word for word in one.cmdline())]
        return []

    def wait_for_first(self) -> None:
        """Returns when the first character is written; AssertionError if the last one is, too."""
        while not Path("out/first.ossb").exists() and self._process.poll() is None:
            time.sleep(0.02)
        assert not Path("out/last.ossb").exists(), self._process.communicate()

    def kill(self) -> None:
        """Kills the build, not its workers, and waits until these have ended, too."""
        workers = self.workers()
        self._process.kill()
        self._process.communicate()
        assert psutil.wait_procs(workers, timeout=LONGEST_S)[1] == []

    def result(self) -> Ran:
        _, said = self._process.communicate(timeout=LONGEST_S)
        return Ran(self._process.returncode, "", said)


def write_slow(folder: Path) -> None:
    """slow.toml: characters that take some seconds."""
    middle = "".join(f'[character.c{number}]\ntolerance = "{0.55 + 0.1 * number:.2f}mm"\n' for number in range(MIDDLE))
    (folder / "slow.toml").write_text(
        f'inputs = ["{HERO}"]\neffort = "fast"\n[character.first]\n{middle}[character.last]\ntolerance = "0.3mm"\n',
        encoding="utf-8")


@pytest.fixture
def slow(folder: Path) -> Path:
    write_slow(folder)
    return folder


@pytest.fixture(scope="module")
def slow_files(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> dict[str, bytes]:
    """What one process makes of slow.toml."""
    folder = tmp_path_factory.mktemp("slow")
    write_slow(folder)
    assert run_inside("build", folder / "slow.toml", "-o", folder / "one", "--quiet") == Ran(0, "", "")
    return contents(folder / "one")


def test_the_files_are_those_of_one_process(folder: Path) -> None:
    assert run_inside("build", "library.toml", "-o", "one", "--quiet") == Ran(0, "", "")
    ran = run_command("build", "library.toml", "-o", "two", "--workers", "2")
    assert ran.status == 0 and ran.err == ""
    assert contents(folder / "two") == contents(folder / "one")
    assert [line for line in ran.out.splitlines() if line.startswith("wrote") and line.endswith(".ossb")] == [
        f"wrote two/{name}.ossb" for name in ("hero", "swing", "one0", "one1", "one2", "one3")]
    again = run_command("build", "library.toml", "-o", "two", "--workers", "2")
    assert again.out.count("is unchanged") == 6 and again.err == ""


def test_reports_tiers_and_limits_as_well(folder: Path) -> None:
    (folder / "tiers.toml").write_text(
        f'inputs = ["{HERO}"]\neffort = "fast"\ntiers = ["8mm", "3mm"]\nmax_ram_bytes = 12000\n', encoding="utf-8")
    for name, more in (("one", ()), ("two", ("--workers", "2"))):
        ran = run_command("build", "tiers.toml", "-o", name, "--json", f"{name}/report.json", "--quiet", *more)
        assert ran.status == 0 and "warning" not in ran.err
    assert contents(folder / "two") == contents(folder / "one")


def test_a_worker_that_is_killed_is_replaced(slow: Path, slow_files: dict[str, bytes]) -> None:
    build = Build()
    build.wait_for_first()
    build.workers()[0].send_signal(signal.SIGKILL)
    assert build.result() == Ran(0, "", "")
    assert contents(slow / "out") == slow_files


def test_a_build_that_is_killed_goes_on_where_it_was(slow: Path, slow_files: dict[str, bytes]) -> None:
    build = Build("--cache", "kept")
    build.wait_for_first()
    build.kill()
    done = json.loads(run_inside("cache", "stats", "--json", "--cache", "kept").out)
    assert done["entries"] > 0 and not (slow / "out/last.ossb").exists()
    shutil.rmtree("out")  # else characters that were written are not built again
    assert Build("--cache", "kept").result() == Ran(0, "", "")
    after = json.loads(run_inside("cache", "stats", "--json", "--cache", "kept").out)
    assert after["hits"] - done["hits"] >= done["entries"]
    assert after["misses"] - done["misses"] == after["entries"] - done["entries"]  # nothing was encoded again
    assert contents(slow / "out") == slow_files


def test_ctrl_c_ends_the_workers(slow: Path) -> None:
    build = Build()
    build.wait_for_first()
    workers = build.workers()
    build._process.send_signal(signal.SIGINT)
    assert build.result() == Ran(130, "", "ossicle: interrupted; no file is half-written\n")
    assert psutil.wait_procs(workers, timeout=LONGEST_S)[1] == []
    assert not (slow / "out/last.ossb").exists()


@pytest.mark.parametrize("workers", [(), ("--workers", "1")])
def test_problems_are_the_same(folder: Path, workers: tuple[str, ...]) -> None:
    """Also that what comes before is written."""
    (folder / "bad.toml").write_text(
        'effort = "fast"\n[character.good]\ninputs = ["swing/clip0.bvh"]\n'
        '[character.bad]\ninputs = ["swing/clip1.bvh", "swing/clip2.bvh"]\npreset = "unreal4-fixed32"\n'
        'tolerance = "0.0001mm"\n', encoding="utf-8")
    ran = run_command("build", "bad.toml", "-o", "out", "--quiet", *workers)
    assert ran.status == 1 and ran.line.startswith("ossicle: clip1.bvh: clip clip1: ")
    assert sorted(contents(folder / "out")) == ["good.manifest.json", "good.ossb"]
    (folder / "bad.toml").write_text('[character.bad]\ninputs = ["absent.bvh"]\n', encoding="utf-8")
    assert "absent.bvh: cannot be read" in run_command("build", "bad.toml", *workers).line


def test_what_is_wrong_with_workers_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = ("build", "library.toml")
    assert "--workers 0: choose one or more" in run_inside(*build, "--workers", "0").line
    assert "choose one" in run_inside(*build, "--workers", "1", "--scheduler", "tcp://127.0.0.1:9").line
    monkeypatch.setattr("ossicle.cli.workers._CONNECT_S", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x", "tcp://"):
        ran = run_inside(*build, "--scheduler", address)
        assert ran.status == 1 and f"--scheduler {address}: no scheduler answers" in ran.line
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "install python3-distributed" in run_inside(*build, "--workers", "1").line
    assert not list(folder.glob("*.ossb"))


def test_workers_of_a_scheduler(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """They were started elsewhere, keep what they have read between builds, and notice what has changed."""
    elsewhere, environment = tmp_path_factory.mktemp("elsewhere"), os.environ | {"PYTHONPATH": str(ROOT / "codegen")}
    found = elsewhere / "scheduler.json"
    parts = [subprocess.Popen([sys.executable, "-m", *words, "--scheduler-file", found, "--no-dashboard"], cwd=elsewhere,
                              env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
             for words in (("distributed.cli.dask_scheduler", "--port", "0", "--host", "127.0.0.1"),
                           ("distributed.cli.dask_worker", "--nthreads", "2", "--no-nanny"))]
    try:
        while not found.exists() or not found.read_text(encoding="utf-8"):
            assert all(part.poll() is None for part in parts)
            time.sleep(0.1)
        address = json.loads(found.read_text(encoding="utf-8"))["address"]
        for speed in (3.0, 5.0):
            write_bvh(folder / "swing/clip1.bvh", speed=speed)
            assert run_inside("build", "library.toml", "-o", "one", "--quiet") == Ran(0, "", "")
            assert run_inside("build", "library.toml", "-o", "two", "--quiet", "--scheduler", address) == Ran(0, "", "")
            assert contents(folder / "two") == contents(folder / "one")
    finally:
        for part in parts:
            part.kill()
            part.wait()
