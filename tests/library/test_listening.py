"""Sockets of `ossicle build --workers`, which refuse other addresses and other local users."""
from __future__ import annotations

import errno
import json
import os
import shutil
import socket
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from running import HERO, Ran
from running_builds import ENVIRONMENT, LONGEST_S, SCHEDULER, WORKER, Build

pytestmark = pytest.mark.integration

WORKERS = 2
CHARACTERS = 8  # of a build that takes far longer than the attacks on it
LISTEN = "0A"  # the state in /proc/net/tcp
ANOTHER = "10.101.102.103"  # an address of the build's computer, in a network of its own
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
IN_A_NETWORK = ("unshare", "--net", "sh", "-c", f'ip link set lo up && ip address add {ANOTHER}/32 dev lo && exec "$@"',
                "sh")

# Tries to run code at an address in every way that Dask offers, and prints whether it succeeded.
ATTACK = """
import asyncio, os, ssl, sys, tempfile
os.chdir(tempfile.gettempdir())
from distributed import Security
from distributed.core import rpc
from distributed.protocol.pickle import dumps

def who(*a, **k):
    import os
    return os.getpid()

async def run(scheme, **more):
    node = rpc(f"{scheme}://{sys.argv[1]}", timeout=3, **more)
    try:
        return await asyncio.wait_for(node.run(function=dumps(who)), 5) if (await asyncio.wait_for(
            node.identity(), 3))["type"] == "Worker" else await asyncio.wait_for(node.run_function(
                function=dumps(who), args=(), kwargs={}, wait=True), 3)
    finally:
        await node.close_rpc()

def ways():
    yield "tcp", {}
    yield "tls", {"connection_args": Security.temporary().get_connection_args("client")}
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    yield "tls", {"connection_args": {"ssl_context": context, "require_encryption": True}}

async def main():
    for scheme, more in ways():
        try:
            answer = await run(scheme, **more)
        except BaseException as error:
            print("refused", scheme, type(error).__name__)
        else:
            print("ran code", answer)
asyncio.run(main())
"""


@dataclass(frozen=True)
class Socket:
    """A socket that listens. address: as text; process: its owner."""

    address: str
    port: int
    process: int


def listening(process: psutil.Process) -> list[Socket]:
    """All TCP sockets that a process listens on, as the kernel lists them for its network. None if it has ended."""
    found: list[Socket] = []
    with suppress(FileNotFoundError, ProcessLookupError):
        own = {os.readlink(link.path) for link in os.scandir(f"/proc/{process.pid}/fd") if os.path.islink(link.path)}
        for family, name, size in ((socket.AF_INET, "tcp", 1), (socket.AF_INET6, "tcp6", 4)):
            for line in Path(f"/proc/{process.pid}/net/{name}").read_text(encoding="ascii").splitlines()[1:]:
                fields = line.split()
                if fields[3] == LISTEN and f"socket:[{fields[9]}]" in own:
                    place, port = fields[1].split(":")
                    words = [int(place[8 * word:8 * word + 8], 16) for word in range(size)]
                    found.append(Socket(socket.inet_ntop(family, struct.pack(f"={size}I", *words)), int(port, 16),
                                        process.pid))
    return found


def processes(build: Build) -> list[psutil.Process]:
    """The processes of a build: itself, and all below it."""
    own = psutil.Process(build.process.pid)
    return [own, *own.children(recursive=True)]


@contextmanager
def running(inside: tuple[str, ...] = ()) -> Iterator[Build]:
    """A build whose workers all listen, and which goes on for longer than the block lasts."""
    characters = [f'[character.hero{number}]\ntolerance = "{1 + number / 100}mm"\n' for number in range(CHARACTERS)]
    Path("long.toml").write_text(f'inputs = ["{HERO}"]\neffort = "max"\n' + "".join(characters), encoding="utf-8")
    build, workers = Build("long.toml", inside=inside), []
    try:
        while len(workers) < WORKERS or not all(map(listening, workers)):
            assert build.process.poll() is None, build.process.communicate()
            workers = build.workers()
            time.sleep(0.05)
        yield build
        assert build.process.poll() is None, "the build was too short"
    finally:
        build.process.kill()
        for worker in workers:
            with suppress(psutil.NoSuchProcess):
                worker.kill()
        psutil.wait_procs(workers, LONGEST_S)
        build.process.communicate()


def attack(address: str, port: int, *by: str) -> list[str]:
    """Returns the lines of an attack. by: a command that becomes another user, or enters a network."""
    ran = subprocess.run([*by, "/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE=1", sys.executable,
                          "-c",
                          ATTACK, f"{address}:{port}"], check=False, text=True, capture_output=True, timeout=LONGEST_S)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def is_refused(address: str, port: int, *by: str) -> bool:
    answers = attack(address, port, *by)
    assert len(answers) == 3, answers
    return all(line.startswith("refused") for line in answers)


def can(*command: str) -> bool:
    return shutil.which(command[0]) is not None and subprocess.run(
        [*command, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


needs_a_user = pytest.mark.skipif(not can(*NOBODY), reason="becoming another user needs root and setpriv")
needs_a_network = pytest.mark.skipif(not can(*IN_A_NETWORK), reason="a network of its own needs root, unshare and ip")


def test_each_process_listens_on_loopback_and_on_one_port(folder: Path) -> None:
    """Only the port of Dask's messages is open: the HTTP servers of scheduler and workers are closed."""
    with running() as build:
        latest, counts = time.monotonic() + LONGEST_S, []
        while counts != [1] * (1 + WORKERS):
            sockets = [listening(process) for process in processes(build)]
            assert {socket_of_build.address for own in sockets for socket_of_build in own} == {"127.0.0.1"}
            counts = [len(own) for own in sockets]
            assert time.monotonic() < latest, sockets
            time.sleep(0.05)
        time.sleep(1.0)
        assert [len(listening(process)) for process in processes(build)] == counts


@needs_a_network
def test_another_address_is_refused(folder: Path) -> None:
    """No port is open there, for messages or HTTP."""
    with running(IN_A_NETWORK) as build:
        enter = ("nsenter", f"--net=/proc/{build.process.pid}/ns/net")
        sockets = [item for process in processes(build) for item in listening(process)]
        assert is_refused(ANOTHER, sockets[0].port, *enter)
        for listener in sockets:
            ran = subprocess.run([*enter, sys.executable, "-c", "import socket, sys; print(socket.socket().connect_ex("
                                  f"('{ANOTHER}', {listener.port})))"], check=True, text=True, capture_output=True)
            assert int(ran.stdout) == errno.ECONNREFUSED


@needs_a_user
def test_another_local_user_is_refused(folder: Path) -> None:
    """Scheduler and workers refuse messages of another user in the clear, with another certificate, and without one.
    That user can read neither the key nor its folder."""
    with running() as build:
        for item in [item for process in processes(build) for item in listening(process)]:
            assert is_refused(item.address, item.port, *NOBODY)
        words = build.workers()[0].cmdline()
        key = Path(words[words.index("--tls-key") + 1])
        assert stat.S_IMODE(key.stat().st_mode) == 0o600 and stat.S_IMODE(key.parent.stat().st_mode) == 0o700
        assert b"PRIVATE KEY" in key.read_bytes()
        assert subprocess.run([*NOBODY, "cat", key], capture_output=True, check=False).returncode != 0
        assert not any("PRIVATE KEY" in word for process in processes(build) for word in process.cmdline())


@pytest.mark.exhaustive
def test_the_key_goes_with_the_build(folder: Path) -> None:
    build = Build("library.toml")
    while not build.workers():
        assert build.process.poll() is None, build.process.communicate()
        time.sleep(0.01)
    words = build.workers()[0].cmdline()
    key = Path(words[words.index("--tls-key") + 1])
    assert build.result() == Ran(0, "", "")
    assert not key.parent.exists()


@needs_a_user
def test_the_attack_works_where_nothing_is_checked(tmp_path: Path) -> None:
    """The attack works against Dask without a key, so the refusals above are real."""
    found = tmp_path / "scheduler.json"
    parts = [subprocess.Popen([*command, "--scheduler-file", found, "--no-dashboard"], cwd=tmp_path, env=ENVIRONMENT,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for command in (SCHEDULER, WORKER)]
    try:
        while not found.exists() or not found.read_text(encoding="utf-8"):
            time.sleep(0.1)
        port = int(json.loads(found.read_text(encoding="utf-8"))["address"].rpartition(":")[2])
        assert any(line.startswith("ran code") for line in attack("127.0.0.1", port, *NOBODY))
    finally:
        for part in parts:
            part.kill()
            part.wait()
