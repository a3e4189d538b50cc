"""The order in which workers encode the clips of many characters.

Few characters are in work at once, so that memory holds however many there are; of each the longest clips come first;
and clips that take little are sent together, so that the scheduler's own work stays small beside theirs. A character
that takes little beside all that is left is sent as a whole: then one worker alone reads it, and the clips that it
encodes need not be transferred.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from . import worker_tasks as tasks
from .faults import Fault
from .job import Finished, Planned

_BATCH_S = 1.0  # what a batch of clips takes about; a task costs Dask a few milliseconds
_WHOLE_S = 15.0  # the most that a character sent as a whole takes, which is encoded again if its worker dies
_TASKS_A_THREAD = 3  # queued per thread, so that no worker waits for the next one
_CHARACTERS_A_THREAD = 4  # are in work at most
_FINISHED_A_THREAD = 16  # wait at most until those before them are written
_LEAST = 4  # tasks and characters, also while no worker is there yet
_NAMED = 3  # clips of a batch in a message


class WorkerPool(Protocol):
    """The workers; see OnWorkers."""

    def send(self, place: int, task: Any, *arguments: object) -> Any:
        """Has a worker do a task, before those of later places. Returns its future."""

    def arriving(self) -> Any:
        """An empty queue of futures, which gives those that are done; more can be added."""

    def result(self, future: Any, what: str) -> Any:
        """Returns the result of a task, or its problem."""

    def threads(self) -> int:
        """How many tasks the workers can do at once, now."""


@dataclass(eq=False)
class _InWork:
    """A character that is being encoded. place: in the order of the build; left: its clips that were not sent yet, the
    longest first; sent: batches that are being encoded; entries: of the clips that are encoded; last: whether the bank
    as a whole was sent."""

    place: int
    planned: Planned
    left: deque[int]
    sent: int = 0
    entries: dict[bytes, bytes] = field(default_factory=dict)
    last: bool = False
    outcome: Finished | Exception | None = None

    def work(self, index: int) -> int:
        return self.planned.work[index] * self.planned.joints

    @property
    def is_waiting(self) -> bool:
        """Whether there is something to send: clips, or, if all are encoded, the bank."""
        return self.outcome is None and not self.last and bool(self.left or not self.sent)

    def next_batch(self, most_work: float) -> list[int]:
        """At least one clip, and as many as their work permits."""
        batch: list[int] = []
        work = 0.0
        while self.left and (not batch or work + self.work(self.left[0]) <= most_work):
            work += self.work(self.left[0])
            batch.append(self.left.popleft())
        return batch


class Schedule:
    """One run over characters. progress(done, item): is told the frames that are encoded."""

    def __init__(self, pool: WorkerPool, planned: Sequence[Planned], progress: Callable[[int, str], None]) -> None:
        self._pool, self._progress = pool, progress
        self._waiting = deque(enumerate(planned))
        self._in_work: deque[_InWork] = deque()  # in the order of the build
        self._running: dict[Any, tuple[_InWork, list[int]]] = {}  # by future: the clips; of a whole bank, those left
        self._coming = pool.arriving()
        self._done = 0
        self._unsent = sum(sum(one.work) * one.joints for one in planned)
        self._work = self._seconds = 0.0  # of the batches so far

    def results(self) -> Iterator[Finished | Fault]:
        """Yields the characters, or why they cannot be built, in their order."""
        self._fill()
        for future in self._coming:
            self._take(future)
            self._fill()
            while self._in_work and self._in_work[0].outcome is not None:
                one = self._in_work.popleft()
                if isinstance(one.outcome, Exception):
                    yield Fault.of(one.planned.job.request, one.outcome)
                elif one.outcome is not None:
                    yield one.outcome
                self._fill()

    def _take(self, future: Any) -> None:
        one, clips = self._running.pop(future)
        title, names = str(one.planned.job.request), [one.planned.clips[index] for index in clips]
        if one.last:
            one.outcome, item = self._pool.result(future, title), title
        else:
            more = ", ..." if len(names) > _NAMED else ""
            encoded = self._pool.result(future, f"{title}: clip {', '.join(names[:_NAMED])}{more}")
            one.sent -= 1
            item = names[-1]
            if isinstance(encoded, Exception):
                if one.outcome is None:
                    self._unsent -= sum(map(one.work, one.left))
                one.outcome = encoded  # is_waiting then sends no more of its clips
            else:
                one.entries |= encoded.entries
                self._work += sum(map(one.work, clips))
                self._seconds += encoded.seconds
        self._done += sum(one.planned.work[index] for index in clips)
        self._progress(self._done, item)
        future.release()

    def _fill(self) -> None:
        """Sends what there is to do, the first characters first, until all workers have enough."""
        threads = self._pool.threads()
        most_tasks = max(_TASKS_A_THREAD * threads, _LEAST)
        unfinished = sum(one.outcome is None for one in self._in_work)
        most = min(max(_CHARACTERS_A_THREAD * threads, _LEAST) - unfinished,
                   max((_CHARACTERS_A_THREAD + _FINISHED_A_THREAD) * threads, _LEAST) - len(self._in_work))
        for _ in range(min(most, len(self._waiting))):
            place, planned = self._waiting.popleft()
            self._in_work.append(_InWork(place, planned, deque(sorted(
                range(len(planned.work)), key=lambda index: -planned.work[index]))))
        for one in self._in_work:
            while len(self._running) < most_tasks and one.is_waiting:
                self._send(one)
            if len(self._running) >= most_tasks:
                return

    def _send(self, one: _InWork) -> None:
        """Sends the next clips of a character, or all that is left to do for it."""
        job = one.planned.job
        batch = one.next_batch(self._most_work(one))
        self._unsent -= sum(map(one.work, batch))
        if not (one.left or one.sent):  # nothing is left for others
            one.last = True
            future = self._pool.send(one.place, tasks.finish, job.request, job.state, one.entries)
            one.entries = {}
        else:
            one.sent += 1
            future = self._pool.send(one.place, tasks.encode, job.request, job.state, batch)
        self._running[future] = one, batch
        self._coming.add(future)

    def _most_work(self, one: _InWork) -> float:
        """Of the next clips of a character, together."""
        if not self._seconds:
            return 0.0
        a_second, whole = self._work / self._seconds, sum(map(one.work, one.left))
        share = self._unsent / max(self._pool.threads(), 1)  # the last characters are divided
        return whole if whole <= min(_WHOLE_S * a_second, share) else _BATCH_S * a_second
