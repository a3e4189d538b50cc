"""A model of `ossicle build` on any number of workers: the build's own schedule, run in simulated time on workers whose
tasks take what was measured.

It assumes that all characters are alike; that every worker is as fast as the measured one, with a core of its own, and
reads its sources as fast; that the process of the build has a core of its own, too, and does one thing at a time; and
that a task goes to the worker that is free first."""
from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from ossicle.building import worker_tasks as tasks
from ossicle.building.job import Planned
from ossicle.building.schedule import Schedule


@dataclass(frozen=True)
class Costs:
    """Measured costs of similar characters. *_s: seconds of a processor; the last three are those of the
    process of the build. *_mb: megabytes; file_mb: of a source."""

    clips: int
    read_s: float  # a character
    plan_s: float  # a character, with reading
    clip_s: float  # to encode a clip, in a batch
    load_s: float  # to finish a character whose clips are encoded, without reading
    whole_s: float  # to do both at once, without reading
    start_s: float  # until the first task is sent
    plan_here_s: float  # a character, to take its plan and to check all plans
    character_here_s: float  # a character, to take its files and to write them
    task_here_s: float  # a task, to send it and to take what it returns
    file_mb: float
    entries_mb: float  # the encoded clips of a character
    finished_mb: float  # the files of a character
    planned_mb: float  # the plan of a character
    build_mb: float  # the process of the build, at its start
    worker_mb: float  # a worker, at its start
    imported_mb: float  # and for each character that it keeps
    encoding_mb: float  # and while it finishes one


@dataclass(frozen=True)
class Outcome:
    """The result of a build. worker_s, here_s: processor time of the workers and of the build itself."""

    seconds: float
    worker_s: float
    here_s: float
    here_mb: float
    worker_mb: float
    read_mb: float

    @property
    def busy(self) -> float:
        """The part of the time that the process of the build computes."""
        return self.here_s / self.seconds


@dataclass(eq=False)
class _Future:
    """The result of a task. mb: its size; here_s: time that the process of the build spends on it."""

    value: Any
    mb: float = 0.0
    here_s: float = 0.0

    def release(self) -> None:
        """Does nothing: the model keeps no results."""


class _WorkerPool:
    """Workers in simulated time; see ossicle.building.schedule.WorkerPool."""

    def __init__(self, workers: int, costs: Costs) -> None:
        self.now = costs.start_s
        self.worker_s = self.read_mb = 0.0
        self.here_s = costs.start_s
        self.held_mb = self.most_held_mb = 0.0
        self._costs = costs
        self._free = [(self.now, number) for number in range(workers)]
        self._kept: list[deque[str]] = [deque(maxlen=tasks.KEPT) for _ in range(workers)]
        self._running: list[tuple[float, int, _Future]] = []
        self._sent = 0

    def spend(self, seconds: float) -> None:
        """Lets the process of the build compute."""
        self.now += seconds
        self.here_s += seconds

    def hold(self, mb: float) -> None:
        """Lets the process of the build hold more, or less."""
        self.held_mb += mb
        self.most_held_mb = max(self.most_held_mb, self.held_mb)

    def threads(self) -> int:
        return len(self._free)

    def send(self, place: int, task: Any, request: Any, *rest: Any) -> _Future:
        self.spend(self._costs.task_here_s)
        free, worker = heapq.heappop(self._free)
        seconds, future = self._done(task, request, rest, worker)
        begun = max(self.now, free)
        self._sent += 1
        self.worker_s += seconds
        heapq.heappush(self._free, (begun + seconds, worker))
        heapq.heappush(self._running, (begun + seconds, self._sent, future))
        return future

    def _done(self, task: Any, request: Any, rest: tuple[Any, ...], worker: int) -> tuple[float, _Future]:
        """Time that a worker takes for a task, and the task's result."""
        costs, kept = self._costs, self._kept[worker]
        if task is tasks.plan:
            kept.append(request)
            self.read_mb += costs.file_mb
            return costs.plan_s, _Future(None, costs.planned_mb, costs.plan_here_s)
        read_s = 0.0
        if request in kept:
            kept.remove(request)
        else:
            self.read_mb += costs.file_mb
            read_s = costs.read_s
        kept.append(request)
        if task is tasks.encode:
            clips = rest[1]
            seconds = costs.clip_s * len(clips)
            return read_s + seconds, _Future(tasks.Encoded({b"clip": b""}, seconds),
                                             costs.entries_mb * len(clips) / costs.clips)
        kept.pop()
        if rest[1]:
            self.hold(-costs.entries_mb)
        return read_s + (costs.load_s if rest[1] else costs.whole_s), _Future(
            SimpleNamespace(), costs.finished_mb, costs.character_here_s)

    def arriving(self) -> _WorkerPool:
        return self

    def add(self, future: _Future) -> None:
        """Nothing: all that is sent arrives."""

    def __iter__(self) -> Iterator[_Future]:
        while self._running:
            done, _, future = heapq.heappop(self._running)
            self.now = max(self.now, done)
            yield future

    def result(self, future: _Future, what: str) -> Any:
        self.spend(future.here_s)
        self.hold(future.mb)
        return future.value


def build(costs: Costs, characters: int, workers: int) -> Outcome:
    """Time and memory of a build of so many characters."""
    pool = _WorkerPool(workers, costs)
    names = [f"c{number}" for number in range(characters)]
    for name in names:
        pool.send(0, tasks.plan, name)
    for future in pool:
        pool.result(future, "")
    planned = [Planned(SimpleNamespace(request=name, state=""), None, ["clip"] * costs.clips, [1] * costs.clips, 1)
               for name in names]
    for _ in Schedule(pool, planned, lambda done, item: None).results():
        pool.hold(-costs.finished_mb)
    return Outcome(pool.now, pool.worker_s, pool.here_s, costs.build_mb + pool.most_held_mb,
                   costs.worker_mb + tasks.KEPT * costs.imported_mb + costs.encoding_mb, pool.read_mb)
