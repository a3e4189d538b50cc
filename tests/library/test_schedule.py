"""The order in which clips go to workers, with workers in simulated time."""
from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from ossicle.building import worker_tasks as tasks
from ossicle.building.faults import Fault
from ossicle.building.job import Planned
from ossicle.building.schedule import Schedule

THREADS = 2


class Future:
    """A task. outcome: what it returns."""

    def __init__(self, outcome: Any) -> None:
        self.outcome = outcome

    def release(self) -> None:
        """Nothing: the test ends soon."""


class WorkerPool:
    """Workers that encode a unit of work a second."""

    def __init__(self, failing: str = "") -> None:
        """failing: the character of which every clip is a problem."""
        self.now_s, self._failing = 0.0, failing
        self.sent: list[tuple[str, int]] = []  # the character, and how many clips
        self._free_s = [0.0] * THREADS
        self._arriving: list[tuple[float, int, Future]] = []

    def send(self, place: int, task: Any, planned: Planned, state: str, what: Any) -> Future:
        clips = what if task is tasks.encode else () if what else range(len(planned.work))
        seconds = float(sum(planned.work[clip] for clip in clips))
        done_s = max(heapq.heappop(self._free_s), self.now_s) + seconds
        heapq.heappush(self._free_s, done_s)
        self.sent.append((planned.clips[0], len(clips)))
        future = Future(RuntimeError(planned.clips[0]) if planned.clips[0] == self._failing else
                        tasks.Encoded({b"clip": b""}, seconds) if task is tasks.encode else planned.clips[0])
        heapq.heappush(self._arriving, (done_s, len(self.sent), future))
        return future

    def arriving(self) -> WorkerPool:
        return self

    def add(self, future: Future) -> None:
        """Nothing: all that is sent arrives."""

    def __iter__(self) -> Iterator[Future]:
        while self._arriving:
            self.now_s, _, future = heapq.heappop(self._arriving)
            yield future

    def result(self, future: Future, what: str) -> Any:
        return future.outcome

    def threads(self) -> int:
        return THREADS


def character(name: str, work: Sequence[int]) -> Planned:
    planned = Planned(SimpleNamespace(request=None, state=""), None, [name] * len(work), list(work), 1)
    planned.job.request = planned
    return planned


def run(*characters: Planned) -> tuple[WorkerPool, list[tuple[str, float]]]:
    """The pool, and when each character is delivered."""
    pool = WorkerPool()
    return pool, [(name, pool.now_s) for name in Schedule(pool, characters, lambda done, item: None).results()]


def test_a_slow_clip_keeps_one_worker_busy_and_not_the_others() -> None:
    small = [character(f"small{number}", [1] * 4) for number in range(30)]
    _, delivered = run(character("slow", [1000]), *small)
    assert [name for name, _ in delivered] == ["slow", *(f"small{number}" for number in range(30))]  # in their order
    assert delivered[-1][1] == 1000.0


def test_finished_characters_do_not_pile_up() -> None:
    many = [character(f"small{number}", [1]) for number in range(200)]
    pool = WorkerPool()
    results = Schedule(pool, [character("slow", [1000]), *many], lambda done, item: None).results()
    assert next(results) == "slow"
    assert len({name for name, _ in pool.sent}) < 60


def test_the_longest_clips_of_a_large_character_come_first() -> None:
    pool, [(_, seconds)] = run(character("large", [1, 1, 1, 1, 50, 50, 2, 2]))
    assert seconds <= 55.0
    assert sum(clips for _, clips in pool.sent) == 8


def test_a_problem_ends_its_character_and_no_other() -> None:
    """Neither its other clips nor its bank are sent."""
    pool = WorkerPool("bad")
    results = Schedule(pool, [character("slow", [300]), character("bad", [1] * 50), character("late", [1] * 4)],
                       lambda done, item: None).results()
    assert next(results) == "slow"
    fault = next(results)
    assert isinstance(fault, Fault) and fault.request.clips[0] == "bad"
    assert list(results) == ["late"]
    assert 1 <= [name for name, _ in pool.sent].count("bad") <= 4 + 3 * THREADS
    assert "late" in [name for name, _ in pool.sent]
