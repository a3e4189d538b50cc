"""The files of `ossicle view --stream`: ranges of them, to this computer, and nothing else."""
from __future__ import annotations

import http.client
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from ossicle.view.ranges import answer_of
from ossicle.view.server import PageServer, served

TIER = bytes(range(100))
SLOW = 1000.0  # bytes a second
PATIENCE_S = 20.0


@pytest.mark.parametrize(("wanted", "status", "body", "expected"), [
    (None, 200, TIER, None),
    ("bytes=0-0", 206, TIER[:1], "bytes 0-0/100"),
    ("bytes=10-19", 206, TIER[10:20], "bytes 10-19/100"),
    ("bytes=90-1000", 206, TIER[90:], "bytes 90-99/100"),
    ("bytes=99-", 206, TIER[99:], "bytes 99-99/100"),
    ("bytes=-5", 206, TIER[95:], "bytes 95-99/100"),
    ("bytes=-1000", 206, TIER, "bytes 0-99/100"),
    ("bytes=100-", 416, b"", "bytes */100"),
    ("bytes=100-200", 416, b"", "bytes */100"),
    ("bytes=-0", 416, b"", "bytes */100"),
    ("bytes=19-10", 200, TIER, None),
    ("bytes=-", 200, TIER, None),
    ("bytes=0-1,5-6", 200, TIER, None),
    ("words=0-1", 200, TIER, None),
    ("bytes=0x1-2", 200, TIER, None),
    ("bytes=" + "9" * 5000 + "-", 200, TIER, None),
])
def test_ranges(wanted: str | None, status: int, body: bytes, expected: str | None) -> None:
    answer = answer_of(TIER, wanted)
    assert (answer.status, answer.body, answer.headers.get("Content-Range")) == (status, body, expected)


def test_an_empty_file_has_no_range() -> None:
    assert answer_of(b"", "bytes=0-0").status == 416
    assert answer_of(b"", None).body == b""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = PageServer({"tier-1.bin": TIER})
    server.show(b"<html>page")
    with served(server) as address:
        yield address


def ask(address: str, method: str, path: str, **headers: str) -> tuple[int, bytes, http.client.HTTPMessage]:
    """The answer to a request whose path no client has normalised."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE_S)
    try:
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers
    finally:
        connection.close()


def test_files(address: str) -> None:
    status, body, headers = ask(address, "GET", "/tier-1.bin", Range="bytes=10-19")
    assert (status, body, headers["Content-Range"], headers["Content-Length"]) == (206, TIER[10:20], "bytes 10-19/100",
                                                                                   "10")
    status, body, headers = ask(address, "GET", "/tier-1.bin")
    assert (status, body, headers["Accept-Ranges"], headers["Cache-Control"]) == (200, TIER, "bytes", "no-store")
    status, body, headers = ask(address, "HEAD", "/tier-1.bin")
    assert (status, body, headers["Content-Length"]) == (200, b"", "100")
    status, body, headers = ask(address, "GET", "/tier-1.bin", Range="bytes=100-")
    assert (status, body, headers["Content-Range"]) == (416, b"", "bytes */100")
    assert ask(address, "HEAD", "/")[:2] == (200, b"")


@pytest.mark.parametrize("path", ["/tier-2.bin", "/../tier-1.bin", "/./tier-1.bin", "/%2e%2e/etc/passwd",
                                  "/../../../../etc/passwd", "/etc/passwd", "/tier-1.bin/", "tier-1.bin.",
                                  "/tier-1.bin%00",
                                  "file:///etc/passwd", "/index.html"])
def test_nothing_else(address: str, path: str) -> None:
    assert ask(address, "GET", path)[0] == 404
    assert ask(address, "HEAD", path)[:2] == (404, b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_files_are_only_read(address: str, method: str) -> None:
    assert ask(address, method, "/tier-1.bin")[0] == 501


@pytest.mark.parametrize(("host", "status"), [
    ("127.0.0.1:1", 200), ("localhost", 200), ("localhost:8000", 200), ("LOCALHOST", 200), ("ossicle.example:80", 421),
    ("127.0.0.1.example", 421), ("", 421), ("example@127.0.0.1", 421),
])
@pytest.mark.parametrize("path", ["/", "/tier-1.bin"])
def test_other_names_of_this_computer(address: str, host: str, status: int, path: str) -> None:
    """A site whose name resolves to this computer could otherwise read the files by its scripts."""
    assert ask(address, "GET", path, Host=host)[0] == status


def test_a_slow_medium() -> None:
    """Reads share its bytes per second."""
    with served(PageServer({"tier-1.bin": TIER}, SLOW)) as address:
        started = time.monotonic()
        for _ in range(2):
            assert ask(address, "GET", "/tier-1.bin", Range="bytes=0-49")[:2] == (206, TIER[:50])
        assert time.monotonic() - started >= 100 / SLOW
