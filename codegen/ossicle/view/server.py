"""Serves a page, and the files that it reads, to this computer. Browsers reload the page when it changes."""
from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any

from .ranges import answer_of

CHANGES = "/changes-after/"  # followed by a number: the path of events for codegen/viewer/src/changes.js
_NUMBER = b"<html data-change="  # the number of the last change, in the page
_HERE = "127.0.0.1"
_OWN_NAMES = (_HERE, "localhost")  # other names belong to sites that try to read the page (DNS rebinding)
_CHANGE = re.compile(f"{CHANGES}([0-9]{{1,18}})")
_REQUEST_S = 60.0  # timeout of a request
_SILENCE = 15.0  # seconds between comments, which detect closed connections
_PIECE_S = 0.02  # duration of a piece of a file on a slow medium


class PageServer:
    """The page and its number, which counts changes. files: the only files that are served, by name; bytes_per_second:
    the speed of a slow medium with one reader at a time, or 0 for no limit."""

    def __init__(self, files: Mapping[str, bytes] | None = None, bytes_per_second: float = 0.0) -> None:
        self.files = dict(files or {})
        self._bytes_per_second, self._medium = bytes_per_second, threading.Lock()
        self._content, self._number = b"", 0
        self._changed = threading.Condition()

    def show(self, content: bytes) -> None:
        """Replaces the page."""
        with self._changed:
            self._content, self._number = content, self._number + 1
            self._changed.notify_all()

    def page(self) -> bytes:
        """Returns the current page with the number of its last change."""
        with self._changed:
            return self._content.replace(b"<html", b'%s"%d"' % (_NUMBER, self._number), 1)

    def pieces(self, body: bytes) -> Iterator[bytes]:
        """Yields the parts of a file at the speed of the medium."""
        if not self._bytes_per_second:
            yield body
            return
        step = max(int(self._bytes_per_second * _PIECE_S), 1)
        with self._medium:
            for start in range(0, len(body), step):
                piece = body[start:start + step]
                time.sleep(len(piece) / self._bytes_per_second)
                yield piece

    def changes(self, seen: int) -> Iterator[bytes]:
        """Yields an event for each change of the page after the change number `seen`, and comments in between."""
        while True:
            with self._changed:
                is_new = self._changed.wait_for(lambda: self._number != seen, _SILENCE)
                seen = self._number
            yield b"data: changed\n\n" if is_new else b": still here\n\n"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores connections that end early."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


@contextmanager
def served(server: PageServer) -> Iterator[str]:
    """Serves the page during the block, only to this computer. Yields its address."""
    class Handler(BaseHTTPRequestHandler):
        timeout, default_request_version = _REQUEST_S, "HTTP/1.0"  # not 0.9, whose errors have no status

        def do_GET(self) -> None:
            name = self.path.removeprefix("/")
            hosts: list[str] = self.headers.get_all("Host", [])
            if len(hosts) != 1:
                self.send_error(HTTPStatus.BAD_REQUEST)
            elif hosts[0].strip().lower().partition(":")[0] not in _OWN_NAMES:
                self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            elif change := _CHANGE.fullmatch(self.path):
                self._answer("text/event-stream", server.changes(int(change[1])))
            elif self.path.startswith(CHANGES):
                self.send_error(HTTPStatus.BAD_REQUEST)
            elif self.path == "/":
                self._answer("text/html; charset=utf-8", [server.page()])
            elif name in server.files:
                found = answer_of(server.files[name], self.headers.get("Range"))
                self._answer("application/octet-stream", server.pieces(found.body), found.status, {
                    "Accept-Ranges": "bytes", "Content-Length": str(len(found.body)), **found.headers})
            else:
                self.send_error(HTTPStatus.NOT_FOUND)

        do_HEAD = do_GET

        def _answer(self, kind: str, pieces: Iterable[bytes], status: HTTPStatus = HTTPStatus.OK,
                    headers: Mapping[str, str] = MappingProxyType({})) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Cache-Control", "no-store")
            for header, value in headers.items():
                self.send_header(header, value)
            self.end_headers()
            if self.command == "HEAD":
                return
            with suppress(OSError):  # the connection was closed
                for piece in pieces:
                    self.wfile.write(piece)

        def log_message(self, *_: Any) -> None:
            """Logs nothing, because the terminal shows the build."""

    with _Server((_HERE, 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://{_HERE}:{listening.server_address[1]}/"
        finally:
            listening.shutdown()
