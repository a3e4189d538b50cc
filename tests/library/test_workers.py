"""Builds on workers: the files are those of one process, even if a worker or the build itself fails."""
from __future__ import annotations

import gc
import json
import re
import shutil
import signal
import sys
import time
from pathlib import Path

import distributed
import psutil
import pytest
from ossicle.base.signals import MESSAGE

from running import HERO, Ran, contents, run_command, run_inside, write_bvh
from running_builds import LONGEST_S, WORKER, Build, scheduler
from mentions import mentions

pytestmark = pytest.mark.integration

LATE_S = 2
MIDDLE = 8  # characters between the first and the last


def first_written(build: Build) -> None:
    """Returns when the first character is written; AssertionError if the last one is, too."""
    while not Path("out/first.ossb").exists() and build.process.poll() is None:
        time.sleep(0.02)
    assert not Path("out/last.ossb").exists(), build.process.communicate()


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
    """Files that one process builds from slow.toml."""
    folder = tmp_path_factory.mktemp("slow")
    write_slow(folder)
    assert run_inside("build", folder / "slow.toml", "-o", folder / "one", "--quiet") == Ran(0, "", "")
    return contents(folder / "one")


def test_the_files_are_those_of_one_process(folder: Path) -> None:
    assert run_inside("build", "library.toml", "-o", "one", "--quiet") == Ran(0, "", "")
    ran = run_command("build", "library.toml", "-o", "two", "--workers", "2")
    assert ran.status == 0 and ran.err == ""
    assert contents(folder / "two") == contents(folder / "one")
    assert re.findall(r"two/\S+\.ossb$", ran.out, re.M) == [
        f"two/{name}.ossb" for name in ("hero", "swing", "one0", "one1", "one2", "one3")]
    again = run_command("build", "library.toml", "-o", "two", "--workers", "2")
    assert again.out.count("is unchanged") == 6 and again.err == ""


@pytest.mark.exhaustive
def test_reports_tiers_and_limits_as_well(folder: Path) -> None:
    (folder / "tiers.toml").write_text(
        f'inputs = ["{HERO}"]\neffort = "fast"\ntiers = ["8mm", "3mm"]\nmax_ram_bytes = 12000\n', encoding="utf-8")
    for name, more in (("one", ()), ("two", ("--workers", "2"))):
        ran = run_command("build", "tiers.toml", "-o", name, "--json", f"{name}/report.json", "--quiet", *more)
        assert ran.status == 0 and "warning" not in ran.err
    assert contents(folder / "two") == contents(folder / "one")


@pytest.mark.exhaustive
def test_a_worker_that_is_killed_is_replaced(slow: Path, slow_files: dict[str, bytes]) -> None:
    build = Build("slow.toml")
    first_written(build)
    build.workers()[0].send_signal(signal.SIGKILL)
    assert build.result() == Ran(0, "", "")
    assert contents(slow / "out") == slow_files


def test_a_build_that_is_killed_goes_on_where_it_was(slow: Path, slow_files: dict[str, bytes]) -> None:
    build = Build("slow.toml", "--cache", "kept")
    first_written(build)
    build.kill()
    done = json.loads(run_inside("cache", "stats", "--json", "--cache", "kept").out)
    assert done["entries"] > 0 and not (slow / "out/last.ossb").exists()
    shutil.rmtree("out")  # else characters that were written are not built again
    assert Build("slow.toml", "--cache", "kept").result() == Ran(0, "", "")
    after = json.loads(run_inside("cache", "stats", "--json", "--cache", "kept").out)
    assert after["hits"] - done["hits"] >= done["entries"]
    assert after["misses"] - done["misses"] == after["entries"] - done["entries"]  # nothing was encoded again
    assert contents(slow / "out") == slow_files


@pytest.mark.exhaustive
def test_ctrl_c_ends_the_workers(slow: Path) -> None:
    build = Build("slow.toml")
    first_written(build)
    workers = build.workers()
    build.process.send_signal(signal.SIGINT)
    assert build.result() == Ran(130, "", f"ossicle: {MESSAGE}\n")
    assert psutil.wait_procs(workers, timeout=LONGEST_S)[1] == []
    assert not (slow / "out/last.ossb").exists()


def test_faults_of_workers_are_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = ("build", "library.toml")
    assert mentions(run_inside(*build, "--workers", "0").line, "--workers 0")
    both = run_inside(*build, "--workers", "1", "--scheduler", "tcp://127.0.0.1:9")
    assert mentions(both.line, "--workers --scheduler")
    monkeypatch.setattr("ossicle.building.workers._CONNECT_S", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x", "tcp://"):
        ran = run_inside(*build, "--scheduler", address)
        assert ran.status == 1 and mentions(ran.line, f"--scheduler {address}")
        gc.collect()  # Dask waits for itself if a client that has failed is collected as another one begins
    monkeypatch.setattr("ossicle.building.workers._START_S", 2)
    broken = folder / "broken"
    broken.write_text("#!/bin/sh\necho cannot load libz >&2\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    with monkeypatch.context() as change:
        change.setattr(sys, "executable", str(broken))
        assert mentions(run_inside(*build, "--workers", "1").line, "libz")
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert mentions(run_inside(*build, "--workers", "1").line, "python3-distributed")
    assert not list(folder.glob("*.ossb"))


def test_workers_of_a_scheduler(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """They were started elsewhere, keep what they have read between builds, and notice what has changed."""
    with scheduler(tmp_path_factory.mktemp("elsewhere"), [[*WORKER, "--nthreads", "2"]]) as address:
        for speed in (3.0, 5.0):
            write_bvh(folder / "swing/clip1.bvh", speed=speed)
            assert run_inside("build", "library.toml", "-o", "one", "--quiet") == Ran(0, "", "")
            assert run_inside("build", "library.toml", "-o", "two", "--quiet", "--scheduler", address) == Ran(0, "", "")
            assert contents(folder / "two") == contents(folder / "one")


@pytest.mark.exhaustive
def test_workers_that_come_later_are_waited_for(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    late = ("sh", "-c", f'sleep {LATE_S}; exec "$@"', "sh", *WORKER)
    with scheduler(tmp_path_factory.mktemp("elsewhere"), [late], wait=False) as address:
        ran = run_inside("build", "library.toml", "--quiet", "--scheduler", address)
    assert ran.status == 0
    assert mentions(ran.line, f"--scheduler {address} --nthreads 1")


def test_a_worker_without_ossicle_is_named(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with scheduler(tmp_path_factory.mktemp("elsewhere"), [("env", "-u", "PYTHONPATH", *WORKER)]) as address:
        ran = run_inside("build", "library.toml", "--quiet", "--scheduler", address)
    assert ran.status == 1
    assert mentions(ran.err, "module ossicle")


@pytest.mark.exhaustive
def test_messages_of_workers_about_the_cache_appear_once(folder: Path) -> None:
    """As by a build without them."""
    assert run_command("build", "library.toml", "-o", "one", "--quiet", "--cache", "kept") == Ran(0, "", "")
    messages = []
    for number, workers in enumerate(((), ("--workers", "1"))):
        Path("kept/ossicle-clips/cache.db").write_bytes(b"no database" * 1000)
        messages.append(run_command("build", "library.toml", "-o", f"out{number}", "--quiet", "--cache", "kept",
                                    *workers).err)
    assert messages[0].count("warning") == 1 and messages[1] == messages[0]


@pytest.mark.exhaustive
def test_a_scheduler_that_goes_is_named(slow: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with scheduler(tmp_path_factory.mktemp("elsewhere"), [[*WORKER, "--nthreads", "1"]]) as address:
        build = Build("slow.toml", scheduler=address)
        first_written(build)
    ran = build.result()
    assert ran.status == 1 and mentions(ran.line, "slow.toml scheduler") and "[character." in ran.line


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Files of an authority whose only certificate is its own, and a key that it does not know."""
    folder = tmp_path_factory.mktemp("pem")
    files = {}
    for name in ("own", "other"):
        security = distributed.Security.temporary()
        for part, content in (("cert", security.tls_ca_file), ("key", security.tls_client_key)):
            files[f"{name}_{part}"] = folder / f"{name}_{part}.pem"
            files[f"{name}_{part}"].write_text(content, encoding="ascii")
    return files


def tls(pem: dict[str, Path], name: str) -> tuple[str, ...]:
    return ("--tls-ca-file", str(pem["own_cert"]), "--tls-cert", str(pem[f"{name}_cert"]), "--tls-key",
            str(pem[f"{name}_key"]))


@pytest.mark.exhaustive
def test_a_scheduler_with_certificates(folder: Path, pem: dict[str, Path], tmp_path_factory: pytest.TempPathFactory,
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a build that has a certificate of the same authority is accepted."""
    assert run_inside("build", "library.toml", "-o", "one", "--quiet") == Ran(0, "", "")
    own = tls(pem, "own")
    with scheduler(tmp_path_factory.mktemp("elsewhere"), [[*WORKER, "--nthreads", "1", *own]], wait=False,
                   more=own) as address:
        assert address.startswith("tls://")
        two = ("build", "library.toml", "-o", "two", "--quiet", "--scheduler", address)
        assert run_command(*two, *own).status == 0
        assert contents(folder / "two") == contents(folder / "one")
        monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "2s")
        for more in ((), tls(pem, "other")):
            ran = run_command("build", "library.toml", "-o", "three", "--quiet", "--scheduler", address, *more)
            assert ran.status == 1 and mentions(ran.line, f"--scheduler {address}")
    assert not (folder / "three").exists()


@pytest.mark.parametrize("more, facts", [
    (("--workers", "1", "--tls-cert", "x.pem"), "--scheduler"),
    (("--scheduler", "tls://127.0.0.1:9", "--tls-cert", "x.pem"), "--tls-ca-file --tls-cert"),
    (("--scheduler", "tls://127.0.0.1:9", "--tls-cert", "x.pem", "--tls-ca-file", "y.pem"), "--tls-cert x.pem"),
    (("--scheduler", "tls://127.0.0.1:9", "--tls-cert", "library.toml", "--tls-ca-file", "library.toml"),
     "--tls-cert library.toml"),
])
def test_certificates_that_cannot_be_used(folder: Path, more: tuple[str, ...], facts: str) -> None:
    assert mentions(run_inside("build", "library.toml", *more).line, facts)


def test_workers_need_the_library_of_certificates(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    assert "python3-cryptography" in run_inside("build", "library.toml", "--workers", "1").line
