"""The server of `ossicle watch --view`: it has one page, and tells browsers of changes."""
from __future__ import annotations

import socket
import struct
import time
import urllib.error
import urllib.request
from contextlib import suppress

import pytest
from chromium import Browser
from hypothesis import given, settings
from hypothesis import strategies as st
from ossicle.view.server import CHANGES, PageServer, served

PATIENCE_S = 20.0


def read(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
        assert answer.headers["Cache-Control"] == "no-store"
        return answer.read()


def test_it_serves_the_page_as_it_is_now() -> None:
    server = PageServer()
    server.show(b"<html>first")
    with served(server) as address:
        assert address.startswith("http://127.0.0.1:")
        assert read(address) == b'<html data-change="1">first'
        server.show(b"<html>second")
        assert read(address) == b'<html data-change="2">second'
        with pytest.raises(urllib.error.HTTPError, match="404"):
            read(f"{address}etc/passwd")


@pytest.mark.parametrize("early", [False, True])
def test_browsers_hear_of_changes(early: bool) -> None:
    """Even of one that comes between the page and its question for changes."""
    server = PageServer()
    server.show(b"first")
    with served(server) as address:
        if early:
            server.show(b"second")
        with urllib.request.urlopen(f"{address.rstrip('/')}{CHANGES}1", timeout=PATIENCE_S) as events:
            if not early:
                server.show(b"second")
            assert events.readline() == b"data: changed\n"


@pytest.mark.exhaustive
def test_the_open_page_loads_itself_again(browser: Browser, hero_page: object) -> None:
    content = hero_page.read_bytes()
    server = PageServer()
    server.show(content)
    with served(server) as address:
        browser.driver.get(f"{address}#clip=Jump&paused=&frame=5")
        browser.wait("return window.ossicle?.costs.frames > 0")
        browser.run("window.isOld = true")
        server.show(content.replace(b"<h1", b"<h1 class='changed'"))
        browser.wait("return !window.isOld && window.ossicle?.costs.frames > 0")
        assert browser.run("return document.querySelectorAll('h1.changed').length") == 1
        assert browser.run("return [ossicle.page.clips[ossicle.state.get('clip')].name, ossicle.state.get('frame')]"
                           ) == ["Jump", 5]


LONGEST = b"GET /" + b"x" * 70_000  # than a line of a request may be
MALFORMED = [
    (b"GET /changes-after/" + b"9" * 5000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    (b"GET /changes-after/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    (b"GET /changes-after/-1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    (b"GET /changes-after/\xb2 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
    (b"GET / HTTP/1." + b"9" * 5000 + b"\r\nHost: localhost\r\n\r\n", 400),
    (b"GET / a b c\r\n\r\n", 400),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    (LONGEST + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 200 + b"\r\n", 431),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\na: " + b"b" * 70_000 + b"\r\n\r\n", 431),
    (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx", 501),
    (b"DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
    (b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
    (b"GET / HTTP/1.1\r\nHost: localhost.evil.example:80\r\n\r\n", 421),
    (b"GET /../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    (b"GET /%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    (b"GET / HTTP/1.1\r\nHost: LOCALHOST\r\n\r\n", 200),
]


def answer(address: str, request: bytes) -> bytes:
    """Returns the bytes that the server sends until it closes the connection."""
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    with socket.create_connection((host, int(port)), PATIENCE_S) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        with suppress(ConnectionResetError):  # of a server that does not read all of what it refuses
            while piece := connection.recv(1 << 16):
                received += piece
        return received


def test_malformed_requests_are_refused_quietly(capfd: pytest.CaptureFixture[str]) -> None:
    server = PageServer()
    server.show(b"<html>page")
    with served(server) as address:
        for request, status in MALFORMED:
            assert answer(address, request).split(b" ")[1] == b"%d" % status, request[:60]
            assert read(address).endswith(b"page")
    assert capfd.readouterr() == ("", "")


def test_connections_that_end_early_are_ignored(capfd: pytest.CaptureFixture[str]) -> None:
    """Whenever a browser resets them: before, within and after its request, and while it is answered."""
    server = PageServer({"bank": bytes(1 << 24)}, 1e6)
    server.show(b"<html>page")
    with served(server) as address:
        host, port = address.removeprefix("http://").rstrip("/").split(":")
        for request in (b"", b"GET / HT", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
                        b"GET /bank HTTP/1.1\r\nHost: localhost\r\n\r\n",
                        b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            for pause in (0.0, 0.1):
                with socket.create_connection((host, int(port)), PATIENCE_S) as connection:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # sends a reset
                    connection.sendall(request)
                    time.sleep(pause)
        time.sleep(0.2)
        assert read(address).endswith(b"page")
    assert capfd.readouterr() == ("", "")


REQUESTS = st.one_of(st.binary(max_size=300), st.builds(
    lambda *parts: b" ".join(parts), st.sampled_from([b"GET", b"HEAD", b"PUT"]), st.binary(max_size=60),
    st.sampled_from([b"HTTP/1.1\r\nHost: localhost\r\n\r\n", b"HTTP/1.0\r\nHost: localhost\r\nRange: "
                     b"bytes=0-\r\n\r\n"])))


def test_any_bytes_are_answered_quietly(capfd: pytest.CaptureFixture[str]) -> None:
    server = PageServer({"bank": b"bytes"})
    server.show(b"<html>page")
    with served(server) as address:
        @given(REQUESTS)
        @settings(max_examples=300, deadline=None)
        def check(request: bytes) -> None:
            answer(address, request)
            assert read(address).endswith(b"page")
        check()
    assert capfd.readouterr() == ("", "")
