"""A game that plays a graph, by the names of its configuration file."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from graph_character import EVENTS, write_character
from graph_driver import MachineMoment, Moment, Player
from ossicle.bank.file import read_bank
from ossicle.bank.graph.records import POINT, TRIGGER
from running import run_inside

TICK_US = 16_000
MS = 1000
SLOP_US = 2  # of a moment: clips count whole microseconds
PHASES, FLAGS = ("mark", "begin", "end"), ((4, "late"), (8, "cut"))


@dataclass
class Game:
    """A character of a graph, by the names of its file."""

    player: Player
    states: list[str]
    events: tuple[str, ...]
    parameters: list[tuple[str, int]]  # name and default
    passed: list[str] = field(default_factory=list)
    clock_us: int = 0
    now: Moment | None = None

    def step(self, elapsed_us: int = TICK_US, **values: int) -> Moment:
        """Takes a step. values: parameters other than their defaults, in the units of the runtime."""
        self.now = self.player.step(elapsed_us, [values.get(name, default) for name, default in self.parameters])
        self.clock_us += elapsed_us
        for name, state, what in self.now.events:
            flags = [text for bit, text in FLAGS if what & bit]
            self.passed.append(" ".join([self.states[state], self.events[name], PHASES[what & 3], *flags]))
        return self.now

    def run(self, time_us: int, tick_us: int = TICK_US, **values: int) -> None:
        """Takes steps for a time; triggers are set in the first one only."""
        triggers = {"jump", "attack", "wave"}
        while time_us > 0:
            self.step(min(tick_us, time_us), **values)
            time_us -= tick_us
            values = {name: value for name, value in values.items() if name not in triggers}

    @property
    def state(self) -> str:
        assert self.now is not None
        return self.states[self.now.state]

    @property
    def state_us(self) -> int:
        assert self.now is not None
        return self.now.state_us

    def layer(self, number: int = 1) -> MachineMoment:
        """A layer after the last step."""
        assert self.now is not None
        return self.now.machines[number]


@contextmanager
def started(driver: Path, folder: Path, graph: str, clips: str = EVENTS) -> Iterator[Game]:
    """Builds a character with a graph, and starts it. clips: the tables of its clips."""
    ran = run_inside("build", write_character(folder, graph, clips), "--quiet")
    assert ran.status == 0, ran.err
    bank = read_bank(folder / "hero.ossb")
    assert bank.graph is not None
    with Player(driver, folder / "hero.ossb") as player:
        yield Game(player, [state.name for state in bank.graph.states], bank.events.names,
                   [(parameter.name, 0 if parameter.kind == TRIGGER else parameter.default)
                    for parameter in bank.graph.parameters if parameter.kind != POINT])


def q16(value: float) -> int:
    return round(value * 65536)


def near(us: int) -> object:
    """A moment, as exact as the clocks of clips are."""
    return pytest.approx(us, abs=SLOP_US)
