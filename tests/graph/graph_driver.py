"""Talks to graph_driver.c: the runtime's answers about the graph of a bank."""
from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pose_driver import build_with_runtime
from running import ROOT

SOURCE = ROOT / "tests/graph/graph_driver.c"


@dataclass(frozen=True)
class MachineMoment:
    """A machine after a step."""

    state: int
    state_us: int
    position_q11: int
    fraction_q32: int
    loops_left: int
    envelope_us: int
    weight_q15: int


@dataclass(frozen=True)
class Moment:
    """A character after a step. ages_us: of the waits for triggers; events: name, state and what of each."""

    switches: int
    place: tuple[int, ...]
    machines: tuple[MachineMoment, ...]
    ages_us: tuple[int, ...]
    events: tuple[tuple[int, int, int], ...]

    @property
    def state(self) -> int:
        """The state of the base."""
        return self.machines[0].state

    @property
    def state_us(self) -> int:
        """The time since the base entered its state."""
        return self.machines[0].state_us

    @property
    def position_q11(self) -> int:
        """The position of the base in its clip."""
        return self.machines[0].position_q11


def build_driver(folder: Path) -> Path:
    """Compiles the driver with the runtime, under sanitizers."""
    return build_with_runtime([SOURCE], folder / "graph_driver")


class Player:
    """A running driver. Use as a context manager. status: of osc_graph_open; after an error it answers nothing."""

    def __init__(self, program: Path, bank: Path) -> None:
        self.process = subprocess.Popen([program, bank], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        status, *counts = map(int, self._line().split())
        self.status = status
        self._machines, self._waits = counts or (0, 0)

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        assert self.process.wait(timeout=20) == 0
        self.process.stdout.close()

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def ask(self, *words: object) -> list[str]:
        """Sends a command and returns the words of its answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        answer = self._line().split()
        assert answer, f"the driver ended with {self.process.wait(timeout=20)}"
        return answer

    def _moment(self, *words: object) -> Moment:
        answer = self.ask(*words)
        first, last = 5 + 7 * self._machines, 5 + 7 * self._machines + self._waits
        numbers = [int(word) for word in answer[:last]]
        machines = tuple(MachineMoment(*numbers[at:at + 7]) for at in range(5, first, 7))
        events = tuple(tuple(map(int, word.split(":"))) for word in answer[last:])
        return Moment(numbers[0], tuple(numbers[1:5]), machines, tuple(numbers[first:]),
                      events)  # type: ignore[arg-type]

    def step(self, elapsed_us: int, values: Sequence[int]) -> Moment:
        """Takes a step with these parameters."""
        return self._moment("step", elapsed_us, *values)

    def cut(self, total_us: int, most_us: int, seed: int, values: Sequence[int]) -> Moment:
        """Takes steps of random lengths; the moment has the events of all of them."""
        return self._moment("cut", total_us, most_us, seed, *values)

    def members(self) -> tuple[int, dict[int, int]]:
        """Returns the leader of a blend, and the weights of its members that play, Q15."""
        leader, *weights = self.ask("members")
        return int(leader), {int(member): int(weight) for member, weight in (word.split(":") for word in weights)}

    def pose(self, elapsed_us: int) -> tuple[int, list[int]]:
        """Evaluates. Returns a hash of the pose, and its rotations, four numbers a joint, Q20."""
        answer = [int(word) for word in self.ask("pose", elapsed_us)]
        return answer[0], answer[1:]
