"""Shows a page that changes, at an address of this computer: browsers that have it open load it again."""
from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CHANGES = "/changes-after/"  # and a number: the path at which codegen/viewer/src/changes.js listens
_NUMBER = b"<html data-change="  # in the page: the number of its last change
_HERE = "127.0.0.1"
_SILENCE = 15.0  # seconds after which a browser that went away is noticed


class PageServer:
    """The page and its number, which counts changes."""

    def __init__(self) -> None:
        self._content, self._number = b"", 0
        self._changed = threading.Condition()

    def show(self, content: bytes) -> None:
        """Replaces the page."""
        with self._changed:
            self._content, self._number = content, self._number + 1
            self._changed.notify_all()

    def page(self) -> bytes:
        """The page as it is now, with the number of its last change."""
        with self._changed:
            return self._content.replace(b"<html", b'%s"%d"' % (_NUMBER, self._number), 1)

    def changes(self, seen: int) -> Iterator[bytes]:
        """Yields an event whenever the page has changed since the change of a number, and a comment from time to
        time."""
        while True:
            with self._changed:
                is_new = self._changed.wait_for(lambda: self._number != seen, _SILENCE)
                seen = self._number
            yield b"data: changed\n\n" if is_new else b": still here\n\n"


@contextmanager
def served(server: PageServer) -> Iterator[str]:
    """Serves the page while the block runs, to this computer alone. Yields its address."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            number = self.path.removeprefix(CHANGES)
            if number != self.path and number.isdecimal():
                self._answer("text/event-stream")
                with suppress(OSError):  # the browser has gone
                    for event in server.changes(int(number)):
                        self.wfile.write(event)
            elif self.path == "/":
                self._answer("text/html; charset=utf-8")
                self.wfile.write(server.page())
            else:
                self.send_error(HTTPStatus.NOT_FOUND)

        def _answer(self, kind: str) -> None:
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", kind)
            self.send_header("Cache-Control", "no-store")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Says nothing: the terminal shows what is built."""

    with ThreadingHTTPServer((_HERE, 0), Handler) as listening:
        listening.daemon_threads = True
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://{_HERE}:{listening.server_address[1]}/"
        finally:
            listening.shutdown()
