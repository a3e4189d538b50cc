"""Runs a program for the Nintendo DS in desmume-cli, without a window:
`run_rom.py DESMUME PROGRAM.elf [FOLDER]`.

What the program writes (debug.h) goes to standard output, its exit code is this program's. Pictures that the
program keeps go to FOLDER.
"""
from __future__ import annotations

import ctypes
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "codegen"))  # if this is a checkout

from ossicle.machines.nds_file import nds_file  # noqa: E402

_MESSAGE = re.compile(rb"\x01(.)([^\x02]*)\x02", re.DOTALL)
# The interpreter: recompiled code counts cycles in blocks. One core, because two draw no faster.
_OPTIONS = ["--disable-sound", "--disable-limiter", "--cpu-mode=0", "--num-cores=1", "--load-type=1", "--nojoy=1"]
_NOWHERE = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
_WIDTH, _ZERO = 256, 0x40  # of pictures, see debug.h
_PR_SET_PDEATHSIG = 1  # <sys/prctl.h>


def end_with(parent: int) -> None:
    """In the emulator's process: lets Linux kill it when the parent is killed, which cannot do it then."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def messages(stream: IO[bytes]) -> Iterator[tuple[str, str]]:
    """The kind and the text of each message that the emulator prints."""
    held = b""
    while read := os.read(stream.fileno(), 1 << 16):
        held += read
        end = 0
        for match in _MESSAGE.finditer(held):
            end = match.end()
            kind, text = match.groups()
            yield kind.decode(), text.decode("ascii", "replace")
        held = held[end:]


def picture(letters: str) -> bytes:
    """A PNG of the rows of a picture: four letters for equal pixels, their count, red, green and blue."""
    numbers = [ord(letter) - _ZERO for letter in letters]
    pixels = b"".join(bytes((level * 255 + 15) // 31 for level in numbers[at + 1:at + 4]) * numbers[at]
                      for at in range(0, len(numbers), 4))
    lines = b"".join(b"\0" + pixels[at:at + 3 * _WIDTH] for at in range(0, len(pixels), 3 * _WIDTH))

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    size = struct.pack(">2I5B", _WIDTH, len(lines) // (3 * _WIDTH + 1), 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(lines, 9))
            + chunk(b"IEND", b""))


def follow(stream: IO[bytes], folder: Path | None) -> int:
    """Does what the messages ask for. Returns the exit code, or 1 if they end without one."""
    letters = ""
    for kind, text in messages(stream):
        if kind == "T":
            sys.stdout.write(text)
        elif kind == "R":
            letters += text
        elif kind == "P":
            if folder is not None:
                (folder / f"{text}.png").write_bytes(picture(letters))
            letters = ""
        elif kind == "E":
            return int(text)
    print("run_rom.py: the emulator ended before the program", file=sys.stderr)
    return 1


def main(arguments: list[str]) -> int:
    """Runs the command line. Returns the program's exit code."""
    if len(arguments) not in (2, 3):
        print("usage: run_rom.py DESMUME PROGRAM.elf [FOLDER]", file=sys.stderr)
        return 2
    emulator, program, *folder = arguments
    with tempfile.TemporaryDirectory() as home:
        rom = Path(home) / "program.nds"
        rom.write_bytes(nds_file(Path(program).read_bytes()))
        with subprocess.Popen([emulator, *_OPTIONS, str(rom)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=os.environ | _NOWHERE | {"HOME": home},
                              preexec_fn=partial(end_with, os.getpid())) as running:
            try:
                return follow(running.stdout, Path(folder[0]) if folder else None)
            finally:
                running.kill()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
