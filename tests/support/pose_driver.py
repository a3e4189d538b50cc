"""Talks to tests/support/drivers/pose_driver.c: the runtime's answers about a bank."""
from __future__ import annotations

import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from c_programs import INCLUDES, RUNTIME, SANITIZERS, SANITIZING, STRICT, build_program


@dataclass(frozen=True)
class Query:
    """A position to seek; `start` chooses the clip again."""

    clip: int
    mode: int
    position: int
    start: bool = True


@dataclass(frozen=True)
class Answer:
    """Output of the runtime: left frame or error, pose words, model words."""

    left: int
    pose: list[int]
    model: list[int]


def build_with_runtime(sources: Sequence[Path], program: Path) -> Path:
    """Compiles sources with the runtime, under sanitizers. Returns `program`."""
    return build_program(SANITIZING, [*STRICT, *SANITIZERS, *INCLUDES], [*sources, *RUNTIME], program)


class Driver:
    """A running pose driver. Use as a context manager. command: a program and its arguments. order: of
    bytes on its machine, as struct spells it."""

    def __init__(self, *command: object, order: str = "=") -> None:
        self.order = order
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        status = self.process.wait(timeout=20)
        complaint = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        if status:
            raise RuntimeError(f"the pose driver ended with {status}:\n{complaint}")

    def _words(self, count: int) -> list[int]:
        data = self.process.stdout.read(4 * count)
        if len(data) != 4 * count:
            raise RuntimeError(f"the pose driver died:\n{self.process.stderr.read().decode()}")
        return list(struct.unpack(f"{self.order}{count}i", data))

    def ask(self, bank: bytes, queries: Sequence[Query]) -> tuple[int, int, list[Answer]]:
        """(status of opening, layout CRC, one answer a query); no answers when it was refused."""
        request = struct.pack(f"{self.order}I", len(bank)) + bank + struct.pack(f"{self.order}I", len(queries))
        for query in queries:
            request += struct.pack(f"{self.order}4i", query.start, query.clip, query.mode, query.position)
        self.process.stdin.write(request)
        self.process.stdin.flush()
        status = self._words(1)[0]
        if status:
            return status, 0, []
        layout_crc, joints, has_scale = self._words(3)
        answers = []
        for _ in queries:
            left = self._words(1)[0]
            if left < 0:
                answers.append(Answer(left, [], []))
                continue
            pose = self._words((10 if has_scale else 7) * joints)
            answers.append(Answer(left, pose, self._words(12 * joints)))
        return status, layout_crc & 0xFFFFFFFF, answers
