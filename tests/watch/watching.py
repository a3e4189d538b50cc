"""A process that watches, for the tests."""
from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time

from running import ROOT

PATIENCE_S = 30.0
BUILT = r"dog.toml: 1 \w+, [\d,]+ \w+, \d+\.\d s"


class Watching:
    """A running `ossicle watch dog.toml`, whose lines a thread reads."""

    def __init__(self, *arguments: str) -> None:
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ossicle", "watch", "dog.toml", *arguments], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")})
        self._reader = threading.Thread(target=lambda: self.lines.extend(iter(self.process.stdout.readline, "")))
        self._reader.start()

    def expect(self, wanted: str, since: int) -> int:
        """Waits for a line with this text after the first `since`, and returns how many there are."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self.process.poll() is None:
            lines = list(self.lines)
            if any(re.search(wanted, line) for line in lines[since:]):
                return len(lines)
            time.sleep(0.01)
        raise AssertionError(f"{wanted!r} is not in {self.lines[since:]}")

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE_S)
        self._reader.join()
        return status
